#include "cli/learner_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

#include "agents/learner_work.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::cli {
namespace {

using agents::LearnerPlan;

agents::LearnerWork work_of(const StudyData& data, const LearnerPlan& plan)
{
    return agents::work_of(data.training_set(), plan);
}

/// Seconds of each.
struct Prices {
    double step = 0;      ///< of one lane
    double update = 0;    ///< of one minibatch
    double decision = 0;  ///< of an evaluation
};

/// Of this thread's computing, so that other programs' share of the processors doesn't count.
double computing_seconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_since(double begun)
{
    return computing_seconds() - begun;
}

double time_decision(const StudyData& data, const LearnerPlan& plan, const sim::Policy& policy)
{
    const auto& set = data.training_set();
    auto window = data.job.windows.validation;
    const auto most = static_cast<std::int64_t>(2e8 / work_of(data, plan).decision) + 64;
    window.last = std::min(window.last, window.first + most);
    const auto begun = computing_seconds();
    sim::run_policy(set.market, set.features, policy, plan.rules, window, data.job.ppy);
    return seconds_since(begun) / static_cast<double>(window.decisions());
}

/// Fills replay first, so that a minibatch comes from as many places as it will; then an update
/// each lock-step.
void shorten(agents::DqnConfig& config, std::int64_t some)
{
    config.update_every = config.lanes;
    config.learning_starts = std::max<std::int64_t>(1, some / config.lanes) * config.lanes;
    config.buffer = std::min(config.buffer, config.learning_starts + config.lanes);
    config.buffer = std::max(config.buffer, config.lanes);
}

/// Rollouts of a few minibatches, all of which are learned from.
void shorten(agents::PpoConfig& config, std::int64_t some)
{
    const auto steps = std::max(some, config.batch);
    config.rollout = std::min(config.rollout, (steps + config.lanes - 1) / config.lanes);
    config.target_kl = 0;
}

Prices measure(const StudyData& data, LearnerPlan plan)
{
    const auto some = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(5e8 / work_of(data, plan).decision), 256, 8'192);
    std::visit([&](auto& config) { shorten(config, some); }, plan.config);
    const auto lanes = static_cast<double>(agents::lanes_of(plan.config));

    agents::Learner learner{data.training_set(), plan};
    double stepping = 0, learning = 0;
    std::int64_t steps = 0, cycles = 0;
    for (std::int64_t first = 0; first == 0 || learner.updates() < first + 8 || learning < 0.15;) {
        const auto before = learner.updates();
        const auto begun = computing_seconds();
        learner.step();
        const auto seconds = seconds_since(begun);
        if (learner.updates() == before) {
            stepping += seconds;
            ++steps;
        } else if (first == 0) {
            first = learner.updates();  // caches and, where it is used, LibTorch are ready now
        } else {
            learning += seconds;
            ++cycles;
        }
    }
    Prices prices;
    prices.step = steps > 0 ? stepping / static_cast<double>(steps) / lanes : 0;
    const auto updates = static_cast<double>(learner.updates()) / static_cast<double>(cycles + 1);
    prices.update = (learning / static_cast<double>(cycles) - prices.step * lanes) / updates;
    prices.decision = time_decision(data, plan, learner.policy());
    return prices;
}

/// The mean over threads that all work, as they will.
Prices measure_together(const StudyData& data, const LearnerPlan& plan, int threads)
{
    std::vector<Prices> found(static_cast<std::size_t>(threads));
    {
        std::vector<std::jthread> crew;
        for (auto& prices : found)
            crew.emplace_back([&] {
                try {
                    prices = measure(data, plan);
                } catch (const std::exception&) {
                    prices = {NAN, NAN, NAN};  // its trials will fail, and say why
                }
            });
    }
    Prices mean;
    for (const auto& prices : found) {
        mean.step += prices.step / threads;
        mean.update += prices.update / threads;
        mean.decision += prices.decision / threads;
    }
    return mean;
}

/// Time as a line through two measured points, never falling; through one of them and 0 where they
/// lie too close to tell a line.
struct Line {
    double base = 0, slope = 0;

    Line(double low, double at_low, double high, double at_high)
    {
        if (!(high > 1.2 * low) || !(at_high > at_low)) {
            slope = std::max(at_low, at_high) / std::max(low, high);
            return;
        }
        slope = (at_high - at_low) / (high - low);
        if (slope * low > at_low) slope = at_high / high;
        base = at_high - slope * high;
    }

    double at(double work) const { return base + slope * work; }
};

RungSeconds seconds_of(const StudyData& data, const LearnerPlan& plan, const Prices& prices)
{
    const auto decisions = static_cast<double>(data.job.windows.validation.decisions());
    RungSeconds seconds;
    std::int64_t before = 0;
    for (const auto rung : data.job.plan.rungs) {
        const auto updates =
            agents::updates_by(plan.config, rung) - agents::updates_by(plan.config, before);
        seconds.push_back(prices.step * static_cast<double>(rung - before) +
                          prices.update * static_cast<double>(updates) +
                          prices.decision * decisions);
        before = rung;
    }
    return seconds;
}

}  // namespace

std::vector<RungSeconds> time_learners(const StudyData& data, const std::vector<LearnerPlan>& plans,
                                       int threads)
{
    const auto lighter = [&](const LearnerPlan& a, const LearnerPlan& b) {
        return work_of(data, a).update < work_of(data, b).update;
    };
    const auto [light, heavy] = std::minmax_element(plans.begin(), plans.end(), lighter);
    const auto low = measure_together(data, *light, threads);
    const auto high = measure_together(data, *heavy, threads);
    const auto small = work_of(data, *light), large = work_of(data, *heavy);
    const Line step{small.step, low.step, large.step, high.step};
    const Line decision{small.decision, low.decision, large.decision, high.decision};
    const Line update{small.update, low.update, large.update, high.update};
    std::vector<RungSeconds> seconds;
    for (const auto& plan : plans) {
        const auto work = work_of(data, plan);
        seconds.push_back(seconds_of(
            data, plan, {step.at(work.step), update.at(work.update), decision.at(work.decision)}));
    }
    return seconds;
}

std::int64_t memory_of_learners(const StudyData& data, const std::vector<LearnerPlan>& plans,
                                int slots, int threads)
{
    constexpr std::int64_t program = 150 << 20;  // MPI, LibTorch and its tables, as touched
    constexpr std::int64_t bar_bytes = 56 + 64;  // a series' columns, a market's
    const auto& set = data.training_set();
    const auto rows = static_cast<std::int64_t>(data.series.size());
    const auto bars = bar_bytes * rows;
    const auto features =
        static_cast<std::int64_t>(sizeof(float)) * rows * std::int64_t{set.feature_count};

    std::int64_t resident = 0, most = 0, largest = 0;
    const auto held = static_cast<std::size_t>(slots);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        resident += agents::resident_bytes(set, plans[i]);
        if (i >= held) resident -= agents::resident_bytes(set, plans[i - held]);
        most = std::max(most, resident);
        largest = std::max(largest, agents::checkpoint_bytes(set, plans[i]));
    }
    // A thread that writes a checkpoint holds it twice: as numbers, and sealed.
    return program + bars + features + most + 2 * threads * largest;
}

}  // namespace barsweep::cli
