#include "agents/bundle.hpp"

#include <gmock/gmock.h>

#include "agents/bundle_policy.hpp"
#include "base/error.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

using testing::HasSubstr;

Bundle small_bundle(const TrainingSet& set, const LearnerPlan& plan = small_plan())
{
    Learner learner{set, plan};
    Bundle bundle;
    bundle.policy = run_to(learner, 100).policy();
    bundle.scaling = set.scaling;
    bundle.feature_names = {bars::feature_names.begin(), bars::feature_names.end()};
    bundle.price_decimals = 4;
    bundle.volume_decimals = 2;
    bundle.symbol = "SINE";
    bundle.data_sha256 = "0123abcd";
    bundle.levels_ppm = {-1'000'000, -500'000, 0, 500'000, 1'000'000};
    bundle.job = {{"account.fee_bps", "1.5"}, {"agent.kind", "dqn"}};
    bundle.metrics = {{"sharpe", 0.1}, {"total_return", 1.0 / 3}};
    bundle.program = "0.1.0";
    return bundle;
}

template <class F>
std::string sentence(F f)
{
    try {
        f();
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(Bundle, ComesBackAsItWasToTheLastBit)
{
    const auto set = small_set();
    const Folder folder;
    const auto bundle = small_bundle(set);
    write_bundle(folder / "best", bundle);
    const auto back = read_bundle(folder / "best");
    EXPECT_EQ(back.scaling.first, bundle.scaling.first);
    EXPECT_EQ(back.scaling.mean, bundle.scaling.mean);
    EXPECT_EQ(back.scaling.deviation, bundle.scaling.deviation);
    EXPECT_EQ(back.feature_names, bundle.feature_names);
    EXPECT_EQ(
        std::tuple(back.price_decimals, back.volume_decimals, back.symbol, back.data_sha256,
                   back.levels_ppm, back.job, back.metrics, back.program),
        std::tuple(bundle.price_decimals, bundle.volume_decimals, bundle.symbol, bundle.data_sha256,
                   bundle.levels_ppm, bundle.job, bundle.metrics, bundle.program));
}

/// Whatever head, activation and kind of agent: its own numbers, and the same run by them.
TEST(Bundle, EveryPolicyComesBackAndRunsAsBefore)
{
    const auto set = small_set();
    const Folder folder;
    const bars::Window window{240, 1'999};
    auto plans = small_plans();
    plans.push_back(small_plan());
    dqn(plans.back()).distribution = kernels::Distribution::quantile;
    dqn(plans.back()).atoms = 7;
    dqn(plans.back()).observation = kernels::AccountView::three;
    for (const auto& plan : plans) {
        const auto policy = small_bundle(set, plan).policy;
        write_bundle(folder / "best", small_bundle(set, plan));
        const auto back = read_bundle(folder / "best").policy;
        EXPECT_EQ(back.parameters, policy.parameters);
        const auto numbers = [](const sim::Policy& p) {
            return std::tuple(p.view, p.shape.activation, p.shape.layer_norm, p.head.levels,
                              p.head.dueling, p.head.distribution, p.head.atoms, p.head.lowest,
                              p.head.highest);
        };
        EXPECT_EQ(numbers(back), numbers(policy));
        EXPECT_TRUE(std::equal(back.shape.sizes, back.shape.sizes + 4, policy.shape.sizes));
        const auto run = [&](const sim::Policy& p) {
            return sim::run_policy(set.market, set.features, p, plan.rules, window, 1e5).metrics;
        };
        EXPECT_EQ(run(back), run(policy));
    }
}

TEST(Bundle, APolicyOfNumbersThatCannotBeIsNone)
{
    const auto set = small_set();
    std::string good;
    put_policy(good, small_bundle(set, rainbow_plan()).policy);
    sim::Policy policy;
    EXPECT_TRUE(read_policy(good, policy));
    EXPECT_FALSE(read_policy(good + "    ", policy));
    EXPECT_FALSE(read_policy(std::string_view{good}.substr(0, good.size() - 4), policy));
    for (std::size_t at = 0; at < 17; ++at) {  // whole numbers of 4 bytes
        auto bad = good;
        bad[4 * at + 3] = '\x7f';
        if (at < 12) {
            EXPECT_FALSE(read_policy(bad, policy)) << at;  // of this shape's, the others are unused
        }
    }
}

TEST(Bundle, WritingAgainGivesTheSameFiles)
{
    const auto set = small_set();
    const Folder folder;
    for (const auto* name : {"a", "b"}) write_bundle(folder / name, small_bundle(set));
    for (const auto* name : {"policy.bin", "policy.pt", "bundle.json"}) {
        EXPECT_EQ(file_bytes(folder / "a" / name), file_bytes(folder / "b" / name)) << name;
    }
}

TEST(Bundle, ADamagedOrMissingPartIsRefusedByName)
{
    const auto set = small_set();
    const Folder folder;
    const auto best = folder / "best";
    const auto* const other_description =
        "bundle.json: expected the description that policy.bin was written with, found another";
    const auto refusal = [&](const std::string& name, auto damage) {
        write_bundle(best, small_bundle(set));
        auto bytes = file_bytes(best / name);
        damage(bytes);
        std::ofstream{best / name, std::ios::binary} << bytes;
        return sentence([&] { read_bundle(best); });
    };
    EXPECT_THAT(refusal("policy.bin", [](std::string& b) { b[b.size() / 2] ^= 1; }),
                HasSubstr("policy.bin: expected the bytes that bundle.json tells of"));
    EXPECT_THAT(refusal("bundle.json", [](std::string& b) { b.resize(b.size() / 2); }),
                HasSubstr("bundle.json: expected the description of a policy"));
    EXPECT_THAT(refusal("bundle.json",
                        [](std::string& b) { b.replace(b.find("levels_ppm"), 6, "lovels"); }),
                HasSubstr("bundle.json: expected every key of a bundle"));
    EXPECT_THAT(
        refusal("bundle.json",
                [](std::string& b) { b.replace(b.find("\"version\": 2"), 12, "\"version\": 9"); }),
        HasSubstr("bundle.json: expected version 2, found 9"));
    for (const std::string told : {"-1000000", "1.5", "price_decimals\": 4", "SINE"}) {
        const auto another = [&](std::string& b) { b[b.find(told) + told.size() - 1] ^= 1; };
        EXPECT_THAT(refusal("bundle.json", another), HasSubstr(other_description)) << told;
    }
    EXPECT_THAT(
        refusal("bundle.json", [](std::string& b) { b[b.find('.', b.find("\"mean\"")) + 1] ^= 1; }),
        HasSubstr(other_description));
    EXPECT_THAT(sentence([&] { read_bundle(folder / "none"); }),
                HasSubstr("none/bundle.json: expected a file that can be read"));
}

TEST(Bundle, RefusesBarsOfOtherFeaturesOrDecimals)
{
    const auto set = small_set();
    const auto bundle = small_bundle(set);
    BarsOffered bars{"other.h5", bundle.feature_names, 4, 2};
    EXPECT_NO_THROW(check_bars(bundle, bars));
    bars.feature_names[2] = "ret_4";
    EXPECT_EQ(
        sentence([&] { check_bars(bundle, bars); }),
        "other.h5: expected feature 3 as the policy learned on, 'ret_3', found 'ret_4'. To fix: "
        "make a store of such bars with `barsweep ingest`, or sweep on these.");
    bars.feature_names = bundle.feature_names;
    bars.feature_names.push_back("more");
    EXPECT_THAT(sentence([&] { check_bars(bundle, bars); }),
                HasSubstr("feature 52 as the policy learned on, none, found 'more'"));
    bars.feature_names = {};
    EXPECT_THAT(sentence([&] { check_bars(bundle, bars); }), HasSubstr("'ret_1', found none"));
    bars.feature_names = bundle.feature_names;
    bars.price_decimals = 5;
    EXPECT_THAT(
        sentence([&] { check_bars(bundle, bars); }),
        HasSubstr(
            "prices of 4 decimals and volumes of 2, as the policy learned on, found 5 and 2"));
}

}  // namespace
}  // namespace barsweep::agents
