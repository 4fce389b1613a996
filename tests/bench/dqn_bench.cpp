// Double DQN as it runs in a slot: CSV lines on stdout. 59 inputs, 256-256 hidden, 5 levels, batch
// 64, 16 lanes, one thread.
#include <time.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "agents/learner.hpp"
#include "unit/agents/support.hpp"

namespace {

using namespace barsweep;

/// Computing time, so that a busy machine doesn't count.
double seconds(auto work)
{
    const auto now = [] {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double before = now();
    work();
    return now() - before;
}

/// Resident memory of this process, MiB.
double resident()
{
    std::ifstream file{"/proc/self/statm"};
    long size = 0, pages = 0;
    file >> size >> pages;
    return static_cast<double>(pages) * 4096 / (1 << 20);
}

}  // namespace

int main()
{
    const auto set = agents::small_set(20'000);
    auto plan = agents::small_plan();
    plan.config = {};
    plan.config.learning_starts = 64'000;
    plan.last_rung = 100'000;
    const double before = resident();
    agents::Learner learner{set, plan};
    const double collecting = seconds([&] { agents::run_to(learner, 64'000); });
    std::printf("collect_steps_per_second,%.0f\n", 64'000 / collecting);
    agents::run_to(learner, 68'000);
    for (int round = 0; round < 3; ++round) {
        const auto steps = learner.steps(), updates = learner.updates();
        const double spent = seconds([&] { agents::run_to(learner, steps + 8'000); });
        const auto made = static_cast<double>(learner.updates() - updates);
        std::printf("steps_per_second,%.0f\nupdates_per_second_of_learning,%.0f\n", 8'000 / spent,
                    made / (spent - 8'000 * collecting / 64'000));
    }
    std::printf("resident_mib_a_slot,%.1f\n", resident() - before);
}
