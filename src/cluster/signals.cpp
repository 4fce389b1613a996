#include "cluster/signals.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace barsweep::cluster {
namespace {

constexpr int signals[] = {SIGTERM, SIGINT, SIGUSR2};

volatile sig_atomic_t last_signal = 0;
timespec last_interrupt{};  // written and read by the handler alone, which blocks itself
struct sigaction before[3];

void note(int signal)
{
    last_signal = signal;
    if (signal != SIGINT) return;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double apart = static_cast<double>(now.tv_sec - last_interrupt.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - last_interrupt.tv_nsec);
    if (last_interrupt.tv_sec != 0 && apart < 1) _exit(130);
    last_interrupt = now;
}

}  // namespace

StopSignals::StopSignals()
{
    last_signal = 0;
    last_interrupt = {};
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;  // the ledger's writes go on
    sigemptyset(&action.sa_mask);
    for (const int signal : signals) sigaddset(&action.sa_mask, signal);
    for (int i = 0; i < 3; ++i) sigaction(signals[i], &action, &before[i]);
}

StopSignals::~StopSignals()
{
    for (int i = 0; i < 3; ++i) sigaction(signals[i], &before[i], nullptr);
}

int StopSignals::received() const noexcept
{
    return last_signal;
}

}  // namespace barsweep::cluster
