// `bed_dump cartpole|acrobot`: lives of the control tasks that learners are tested on, by drawn
// actions, one step a line: step of the life, state before (4), action, observation after, state
// after (4), reward, terminated, ended.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "acrobot.hpp"
#include "cartpole.hpp"
#include "test_bed.hpp"

namespace barsweep::agents {
namespace {

constexpr std::int64_t steps = 2'000;

template <class Task>
void print_lives()
{
    TestBed<Task> bed{1, 1};
    const auto lanes = bed.lanes();
    RandomStream draws{2, Purpose::synthetic_bars};
    kernels::Transition kept;
    std::int64_t life = 0;
    for (std::int64_t i = 0; i < steps; ++i) {
        // Pushes of some length, so that states go far.
        const auto held = static_cast<std::uint32_t>(i / 5);
        RandomStream push{2, Purpose::synthetic_bars, held};
        const bool free = draws.below(3) == 0;
        const auto action = static_cast<kernels::i8>((free ? draws : push).below(Task::actions));
        std::string saved;
        lanes.save(saved);
        Task before;
        std::memcpy(before.state.data(), saved.data(), sizeof(before.state));
        lanes.step({&action, 1}, {&kept, 1}, {}, i);
        Task after = before;
        const auto outcome = after.step(action);
        fmt::print("{}", life);
        for (const double x : before.state) fmt::print(",{}", x);
        fmt::print(",{}", static_cast<int>(action));
        for (int k = 0; k < Task::observations; ++k) fmt::print(",{}", kept.next_seen[k]);
        for (const double x : after.state) fmt::print(",{}", x);
        fmt::print(",{},{},{}\n", kept.reward, static_cast<int>(outcome.terminated),
                   static_cast<int>(kept.ended));
        life = kept.ended ? 0 : life + 1;
    }
}

}  // namespace
}  // namespace barsweep::agents

int main(int count, char** arguments)
{
    using namespace barsweep::agents;
    const std::string task = count == 2 ? arguments[1] : "";
    if (task == "cartpole") return print_lives<CartPole>(), 0;
    if (task == "acrobot") return print_lives<Acrobot>(), 0;
    std::fputs("usage: bed_dump cartpole|acrobot\n", stderr);
    return 2;
}
