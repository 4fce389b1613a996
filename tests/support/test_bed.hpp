#pragma once
#include <vector>

#include "agents/bytes.hpp"
#include "agents/lanes.hpp"
#include "base/random.hpp"

namespace barsweep::agents {

/// Lanes of a control task (cartpole.hpp, acrobot.hpp) for learners: no features, the task's
/// observation as what the lane sees. An episode ends terminated by the task, or truncated after
/// its most steps. Starts are keyed by (seed, lane, episode).
template <class Task>
class TestBed {
public:
    TestBed(std::int64_t count, std::uint64_t seed) : seed_{seed}
    {
        for (std::int64_t lane = 0; lane < count; ++lane) {
            lives_.emplace_back();
            begin(lane);
        }
    }
    TestBed(const TestBed&) = delete;
    TestBed& operator=(const TestBed&) = delete;

    /// Valid while this lives.
    Lanes lanes()
    {
        Lanes lanes;
        lanes.count = static_cast<std::int64_t>(lives_.size());
        lanes.seen_count = Task::observations;
        lanes.levels = Task::actions;
        lanes.observe = [this](kernels::View<float> out) {
            float* row = out.data;
            for (const auto& life : lives_) {
                life.task.observe(row);
                row += Task::observations;
            }
        };
        lanes.step = [this](kernels::View<const kernels::i8> actions,
                            kernels::View<kernels::Transition> ring,
                            kernels::View<kernels::Account>, std::int64_t first_slot) {
            for (std::int64_t lane = 0; lane < actions.size; ++lane)
                ring[(first_slot + lane) % ring.size] = live(lane, actions[lane]);
        };
        lanes.save = [this](std::string& out) {
            for (const auto& life : lives_) {
                put(out, life.task.state.data(), std::ssize(life.task.state));
                put(out, &life.episode);
                put(out, &life.steps);
                put(out, &life.sum);
            }
        };
        lanes.load = [this](std::string_view& from) {
            for (auto& life : lives_) {
                if (!take(from, life.task.state.data(), std::ssize(life.task.state)) ||
                    !take(from, &life.episode) || !take(from, &life.steps) ||
                    !take(from, &life.sum))
                    return false;
            }
            return true;
        };
        return lanes;
    }

    /// Sums of rewards of the episodes that ended, in the order of their ends.
    const std::vector<double>& returns() const { return returns_; }

private:
    struct Life {
        Task task;
        std::int64_t episode = -1, steps = 0;
        double sum = 0;
    };

    void begin(std::int64_t lane)
    {
        auto& life = lives_[static_cast<std::size_t>(lane)];
        life = {{}, life.episode + 1, 0, 0};
        RandomStream draws{seed_, Purpose::synthetic_bars, static_cast<std::uint32_t>(lane),
                           static_cast<std::uint32_t>(life.episode)};
        for (auto& x : life.task.state) x = (2 * draws.uniform() - 1) * Task::start_width;
    }

    kernels::Transition live(std::int64_t lane, kernels::i8 action)
    {
        auto& life = lives_[static_cast<std::size_t>(lane)];
        kernels::Transition kept;
        kept.action = action;
        life.task.observe(kept.seen);
        const auto outcome = life.task.step(action);
        life.task.observe(kept.next_seen);
        kept.reward = static_cast<float>(outcome.reward);
        kept.terminated = outcome.terminated;
        life.sum += outcome.reward;
        kept.ended = outcome.terminated || ++life.steps == Task::most_steps;
        if (kept.ended) {
            returns_.push_back(life.sum);
            begin(lane);
        }
        return kept;
    }

    std::uint64_t seed_;
    std::vector<Life> lives_;
    std::vector<double> returns_;
};

}  // namespace barsweep::agents
