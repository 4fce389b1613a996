#include "cli/dqn_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

#include "agents/learner.hpp"
#include "agents/network.hpp"
#include "kernels/experience.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::cli {
namespace {

using agents::LearnerPlan;

kernels::MlpShape shape_of(const StudyData& data, const LearnerPlan& plan)
{
    return agents::shape_of(plan.config, data.training_set().feature_count, plan.rules.level_count);
}

double weights_of(const StudyData& data, const LearnerPlan& plan)
{
    return static_cast<double>(kernels::parameter_count(shape_of(data, plan)));
}

/// What an update's time follows: five passes over a batch, and Adam, which costs about as much as
/// ten rows.
double update_work(const StudyData& data, const LearnerPlan& plan)
{
    return weights_of(data, plan) * (static_cast<double>(plan.config.batch) + 10);
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
    const auto most = static_cast<std::int64_t>(2e8 / weights_of(data, plan)) + 64;
    window.last = std::min(window.last, window.first + most);
    const auto begun = computing_seconds();
    sim::run_policy(set.market, set.features, policy, plan.rules, window, data.job.ppy);
    return seconds_since(begun) / static_cast<double>(window.decisions());
}

/// Fills replay first, so that a minibatch comes from as many places as it will.
Prices measure(const StudyData& data, LearnerPlan plan)
{
    auto& config = plan.config;
    const auto some = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(5e8 / weights_of(data, plan)), 256, 8'192);
    config.update_every = config.lanes;
    config.learning_starts = std::max<std::int64_t>(1, some / config.lanes) * config.lanes;
    config.buffer = std::min(config.buffer, config.learning_starts + config.lanes);
    config.buffer = std::max(config.buffer, config.lanes);

    agents::Learner learner{data.training_set(), plan};
    Prices prices;
    auto begun = computing_seconds();
    while (learner.steps() < config.learning_starts) learner.step();
    prices.step = seconds_since(begun) / static_cast<double>(learner.steps());

    learner.step();  // the first update makes LibTorch ready
    begun = computing_seconds();
    std::int64_t updates = 0;
    for (; updates < 8 || seconds_since(begun) < 0.15; ++updates) learner.step();
    prices.update = seconds_since(begun) / static_cast<double>(updates) -
                    prices.step * static_cast<double>(config.lanes);
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

std::int64_t updates_by(const agents::DqnConfig& config, std::int64_t steps)
{
    return std::max(steps, config.learning_starts) / config.update_every;
}

RungSeconds seconds_of(const StudyData& data, const LearnerPlan& plan, const Prices& prices)
{
    const auto decisions = static_cast<double>(data.job.windows.validation.decisions());
    RungSeconds seconds;
    std::int64_t before = 0;
    for (const auto rung : data.job.plan.rungs) {
        const auto updates = updates_by(plan.config, rung) - updates_by(plan.config, before);
        seconds.push_back(prices.step * static_cast<double>(rung - before) +
                          prices.update * static_cast<double>(updates) +
                          prices.decision * decisions);
        before = rung;
    }
    return seconds;
}

/// Bytes of a trial's state that a checkpoint holds too: networks, moments, replay as far as it is
/// filled in the end.
std::int64_t kept_bytes(const StudyData& data, const LearnerPlan& plan)
{
    constexpr std::int64_t number = sizeof(float);
    const auto filled = std::min(plan.config.buffer, plan.last_rung);
    return filled * static_cast<std::int64_t>(sizeof(kernels::Transition)) +
           4 * number * kernels::parameter_count(shape_of(data, plan));
}

/// Minibatch, outputs and deltas of each layer, gradients, lanes.
std::int64_t work_bytes(const StudyData& data, const LearnerPlan& plan)
{
    constexpr std::int64_t number = sizeof(float);
    const auto shape = shape_of(data, plan);
    const auto& config = plan.config;
    std::int64_t units = 0;
    for (int l = 1; l <= shape.layers; ++l) units += shape.sizes[l];
    return number * (2 * config.batch * shape.inputs() + 4 * config.batch * units +
                     kernels::parameter_count(shape) +
                     config.lanes * (shape.inputs() + kernels::mlp_scratch(shape))) +
           config.lanes * static_cast<std::int64_t>(sizeof(kernels::Lane));
}

}  // namespace

std::vector<RungSeconds> time_learners(const StudyData& data, const std::vector<LearnerPlan>& plans,
                                       int threads)
{
    const auto lighter = [&](const LearnerPlan& a, const LearnerPlan& b) {
        return update_work(data, a) < update_work(data, b);
    };
    const auto [light, heavy] = std::minmax_element(plans.begin(), plans.end(), lighter);
    const auto low = measure_together(data, *light, threads);
    const auto high = measure_together(data, *heavy, threads);
    const auto small = weights_of(data, *light), large = weights_of(data, *heavy);
    const Line step{small, low.step, large, high.step};
    const Line decision{small, low.decision, large, high.decision};
    const Line update{update_work(data, *light), low.update, update_work(data, *heavy),
                      high.update};
    std::vector<RungSeconds> seconds;
    for (const auto& plan : plans) {
        const auto weights = weights_of(data, plan);
        seconds.push_back(seconds_of(
            data, plan,
            {step.at(weights), update.at(update_work(data, plan)), decision.at(weights)}));
    }
    return seconds;
}

std::int64_t memory_of_learners(const StudyData& data, const std::vector<LearnerPlan>& plans,
                                int slots, int threads)
{
    constexpr std::int64_t program = 150 << 20;  // MPI, LibTorch and its tables, as touched
    constexpr std::int64_t bar_bytes = 56 + 64;  // a series' columns, a market's
    const auto rows = static_cast<std::int64_t>(data.series.size());
    const auto bars = bar_bytes * rows;
    const auto features = static_cast<std::int64_t>(sizeof(float)) * rows *
                          std::int64_t{data.training_set().feature_count};

    std::int64_t resident = 0, most = 0, largest = 0;
    const auto held = static_cast<std::size_t>(slots);
    const auto bytes = [&](std::size_t i) {
        return kept_bytes(data, plans[i]) + work_bytes(data, plans[i]);
    };
    for (std::size_t i = 0; i < plans.size(); ++i) {
        resident += bytes(i);
        if (i >= held) resident -= bytes(i - held);
        most = std::max(most, resident);
        largest = std::max(largest, kept_bytes(data, plans[i]));
    }
    // A thread that writes a checkpoint holds it about three times: as numbers, sealed, and on its
    // way.
    return program + bars + features + most + 3 * threads * largest;
}

}  // namespace barsweep::cli
