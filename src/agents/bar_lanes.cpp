#include "agents/bar_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "agents/bytes.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

constexpr auto cpu = device::Backend::cpu;

/// Calls `f` for every number of a lane, in a checkpoint's order.
template <class Lane, class F>
bool numbers_of(Lane& lane, F f)
{
    auto& a = lane.account;
    auto& s = lane.stats;
    return f(a.cash) && f(a.lots) && f(a.basis) && f(a.costs) && f(a.peak) && f(a.upper) &&
           f(a.lower) && f(a.age) && f(a.level) && f(a.realised) && f(s.count) && f(s.mean) &&
           f(s.m2) && f(lane.episode) && f(lane.row) && f(lane.last);
}

}  // namespace

Lanes lane_numbers(const TrainingSet& set, const BarLanesPlan& plan)
{
    Lanes lanes;
    lanes.count = plan.lanes;
    lanes.feature_count = set.feature_count;
    lanes.seen_count = kernels::account_feature_count(plan.observation);
    lanes.levels = static_cast<kernels::i32>(plan.rules.level_count);
    lanes.features = set.features.read();
    lanes.reward_scale = set.reward_scale;
    return lanes;
}

BarLanes::BarLanes(const TrainingSet& set, const BarLanesPlan& plan)
    : set_{set},
      plan_{plan},
      episodes_{set.train, plan.episode, plan.key.seed, plan.key.replicate},
      lanes_(static_cast<std::size_t>(plan.lanes))
{
    const kernels::World start = world();
    kernels::i64 episode = 0;
    for (auto& lane : lanes_) kernels::begin_episode(start, plan_.rules, episode++, lane);
}

Lanes BarLanes::lanes()
{
    Lanes lanes = lane_numbers(set_, plan_);
    lanes.observe = [this](kernels::View<float> out) {
        device::observe(cpu, {world(), plan_.rules, {lanes_.data(), plan_.lanes}, out});
    };
    lanes.step = [this](auto actions, auto ring, auto accounts, std::int64_t first_slot) {
        step(actions, ring, accounts, first_slot);
    };
    lanes.counterfactual = [this](kernels::CounterfactualArgs args) {
        args.world = world();
        args.rules = plan_.rules;
        args.reward = plan_.reward;
        device::counterfactual(cpu, args);
    };
    lanes.save = [this](std::string& bytes) { save(bytes); };
    lanes.load = [this](std::string_view& bytes) { return load(bytes); };
    return lanes;
}

kernels::World BarLanes::world()
{
    kernels::i64 furthest = 0;
    for (const auto& lane : lanes_) furthest = std::max(furthest, lane.episode);
    return {set_.market.ohlc.read(), set_.market.sigma.read(),
            set_.features.read(),    set_.feature_count,
            plan_.observation,       episodes_.up_to(furthest + plan_.lanes),
            episodes_.bars()};
}

void BarLanes::step(kernels::View<const kernels::i8> actions,
                    kernels::View<kernels::Transition> ring,
                    kernels::View<kernels::Account> accounts, std::int64_t first_slot)
{
    for (std::int64_t i = 0; accounts.size > 0 && i < plan_.lanes; ++i) {
        accounts[(first_slot + i) % accounts.size] = lanes_[static_cast<std::size_t>(i)].account;
    }
    const kernels::World around = world();
    device::experience(cpu, {around,
                             plan_.rules,
                             plan_.reward,
                             actions,
                             {lanes_.data(), plan_.lanes},
                             ring,
                             first_slot});
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const kernels::Lane& lane = lanes_[i];
        if (lane.status == kernels::Status::good) continue;
        throw std::overflow_error(fmt::format(
            "the account of lane {} can't be told in 64 bits at store row {}: cash {}, lots {}, "
            "close {}",
            i, lane.row, lane.account.cash, lane.account.lots, around.ohlc[4 * lane.row + 3]));
    }
}

void BarLanes::save(std::string& bytes) const
{
    for (const auto& lane : lanes_) {
        numbers_of(lane, [&](const auto& x) {
            put(bytes, &x);
            return true;
        });
    }
}

bool BarLanes::load(std::string_view& bytes)
{
    const auto take_one = [&](auto& x) { return take(bytes, &x); };
    return std::ranges::all_of(lanes_,
                               [&](kernels::Lane& lane) { return numbers_of(lane, take_one); });
}

}  // namespace barsweep::agents
