#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "bars/source_file.hpp"
#include "device/launch.hpp"
#include "sim/trace.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;

std::filesystem::path traces()
{
    const char* given = std::getenv("BARSWEEP_SHARED");
    const std::filesystem::path shared =
        given != nullptr ? given : BARSWEEP_SOURCE_DIR "/../shared";
    return shared / "reference/traces";
}

/// A recorded trace as lanes live it: one episode over all its bars. One feature a bar, its row.
struct TraceWorld {
    Trace trace;
    std::vector<i64> ohlc;
    std::vector<float> features;
    i64 start = 0;
    i64 decisions;

    explicit TraceWorld(Trace recorded)
        : trace{std::move(recorded)}, decisions{static_cast<i64>(trace.bars.size()) - 1}
    {
        for (const auto& bar : trace.bars) {
            features.push_back(static_cast<float>(features.size()));
            ohlc.insert(ohlc.end(), {bar.open, bar.high, bar.low, bar.close});
        }
    }

    kernels::World world() const
    {
        return {{ohlc.data(), static_cast<i64>(ohlc.size())},
                {trace.sigma_ppb.data(), static_cast<i64>(trace.sigma_ppb.size())},
                {features.data(), static_cast<i64>(features.size())},
                1,
                kernels::AccountView::full,
                {&start, 1},
                decisions};
    }

    /// Rewards by a logarithm may differ from the reference's by one float.
    void expect_reward(std::size_t t, float computed) const
    {
        const float recorded = trace.rows[t].reward;
        const bool logarithmic = trace.reward.kind == kernels::RewardKind::logarithmic;
        if (logarithmic && std::nextafter(recorded, computed) == computed) return;
        EXPECT_EQ(recorded, computed) << t;
    }
};

void expect_bits(const float* computed, const std::array<float, 8>& recorded, std::size_t t)
{
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(computed[k], recorded[k]) << t << " " << k;
}

class Recorded : public testing::TestWithParam<int> {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(traces())) {
            GTEST_SKIP() << "the recorded traces are not on this machine";
        }
    }

    static TraceWorld load()
    {
        const auto name = "trace_" + std::to_string(GetParam()) + ".json.gz";
        const auto source = bars::read_source(traces() / name);
        return TraceWorld{read_trace(source.text, source.name)};
    }
};

TEST_P(Recorded, ALanesTransitionsAreTheReferences)
{
    const auto lived = load();
    const auto& rows = lived.trace.rows;
    kernels::Lane lane;
    begin_episode(lived.world(), lived.trace.rules, 0, lane);
    std::vector<kernels::Transition> replay(rows.size());
    for (std::size_t t = 0; t < rows.size(); ++t) {
        ASSERT_EQ(lane.row, static_cast<i64>(t));
        const auto action = static_cast<kernels::i8>(lived.trace.actions[t]);
        device::experience(device::Backend::cpu, {lived.world(),
                                                  lived.trace.rules,
                                                  lived.trace.reward,
                                                  {&action, 1},
                                                  {&lane, 1},
                                                  {replay.data(), static_cast<i64>(rows.size())},
                                                  static_cast<i64>(t)});
        if (t + 1 < rows.size()) {
            EXPECT_EQ(lane.account.cash, rows[t].after.cash);
        }
    }
    EXPECT_EQ(lane.status, kernels::Status::no_episode);
    for (std::size_t t = 0; t < rows.size(); ++t) {
        expect_bits(replay[t].seen, rows[t].seen, t);
        if (t + 1 < rows.size()) expect_bits(replay[t].next_seen, rows[t + 1].seen, t);
        lived.expect_reward(t, replay[t].reward);
        EXPECT_EQ(replay[t].terminated != 0, rows[t].terminated) << t;
    }
}

TEST_P(Recorded, GivenActionsWriteTheReferencesStatesRewardsAndLabels)
{
    const auto lived = load();
    const auto& rows = lived.trace.rows;
    const auto count = static_cast<std::size_t>(lived.decisions);
    std::vector<kernels::i8> actions;
    for (const i64 action : lived.trace.actions) {
        actions.push_back(static_cast<kernels::i8>(action));
    }
    kernels::GivenRun run;
    run.account = fresh_account(lived.trace.rules);
    std::vector<float> states(9 * count), next_states(9 * count), rewards(count);
    std::vector<kernels::Label> labels(count);
    device::fused_experience_given(device::Backend::cpu,
                                   {lived.world(),
                                    0,
                                    lived.decisions,
                                    {&lived.trace.rules, 1},
                                    {&lived.trace.reward, 1},
                                    {actions.data(), lived.decisions},
                                    {&run, 1},
                                    {states.data(), static_cast<i64>(states.size())},
                                    {next_states.data(), static_cast<i64>(next_states.size())},
                                    {rewards.data(), lived.decisions},
                                    {labels.data(), lived.decisions}});
    ASSERT_EQ(run.status, kernels::Status::good);
    ASSERT_EQ(run.lived, static_cast<i64>(rows.size()));
    EXPECT_EQ(run.terminated, rows.back().terminated);
    EXPECT_EQ(run.account.cash, rows.back().after.cash);
    EXPECT_EQ(run.account.realised, rows.back().after.realised);
    for (std::size_t t = 0; t < rows.size(); ++t) {
        EXPECT_EQ(states[9 * t], static_cast<float>(t));
        EXPECT_EQ(next_states[9 * t], static_cast<float>(t + 1));
        expect_bits(&states[9 * t + 1], rows[t].seen, t);
        if (t + 1 < rows.size()) expect_bits(&next_states[9 * t + 1], rows[t + 1].seen, t);
        lived.expect_reward(t, rewards[t]);
        EXPECT_EQ(static_cast<i64>(labels[t]), rows[t].label) << t;
    }
}

INSTANTIATE_TEST_SUITE_P(Reference, Recorded, testing::Range(1, 25));

}  // namespace
}  // namespace barsweep::sim
