#include <gmock/gmock.h>

#include <set>

#include "base/error.hpp"
#include "search/sampler.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::HasSubstr;

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

const Lines agents{{"agent.kind", "choice dqn ppo"},
                   {"agent.n_step", "int 1 3 if agent.kind = dqn"},
                   {"agent.clip", "float 0.1 0.3 step 0.1 if agent.kind = ppo"},
                   {"agent.decay", "choice x y if agent.n_step = 2 3"},
                   {"agent.width", "int 1 2"}};

std::string fault(const Lines& lines, const std::map<std::string, std::string>& fixed = {})
{
    try {
        parse_space(lines, "job.ini", fixed);
    } catch (const UserError& error) {
        return error.what();
    }
    return "accepted";
}

/// A trial has just the parameters whose conditions its others meet.
void expect_whole(const Space& space, const Params& params)
{
    const bool dqn = params.at("agent.kind") == Value("dqn");
    EXPECT_EQ(params.contains("agent.n_step"), dqn);
    EXPECT_EQ(params.contains("agent.clip"), !dqn);
    const bool decays = dqn && std::get<std::int64_t>(params.at("agent.n_step")) >= 2;
    EXPECT_EQ(params.contains("agent.decay"), decays);
    EXPECT_TRUE(params.contains("agent.width"));
    for (const auto& [name, distribution] : space.parameters)
        EXPECT_TRUE(!params.contains(name) || contains(distribution, params.at(name))) << name;
}

}  // namespace

TEST(Condition, EverySamplerDrawsWholeTrialsAndNoMore)
{
    const auto space = parse_space(agents, "job.ini");
    for (const auto kind : {SamplerKind::random, SamplerKind::grid, SamplerKind::sobol,
                            SamplerKind::tpe, SamplerKind::cmaes, SamplerKind::gp}) {
        Sampler sampler({kind, 3}, space);
        std::set<std::string> kinds;
        for (std::int64_t n = 0; n < 20; ++n) {
            const auto drawn = sampler.draw(n);
            if (!drawn) break;  // the grid is spent
            const auto& params = *drawn;
            expect_whole(space, params);
            kinds.insert(to_text(params.at("agent.kind")));
            sampler.tell({{n, params}, TrialState::complete, static_cast<double>(n % 7)});
        }
        EXPECT_EQ(kinds.size(), 2u) << static_cast<int>(kind);
    }
}

TEST(Condition, TheGridHasEachConfigurationOnce)
{
    // dqn: n_step 1; 2 and 3 with x or y: 5. ppo: 3 clips. Twice, for the width.
    const auto space = parse_space(agents, "job.ini");
    Sampler grid({SamplerKind::grid, 5}, space);
    std::set<Params> seen;
    std::int64_t n = 0;
    for (; auto params = grid.draw(n); ++n) seen.insert(*params);
    EXPECT_EQ(n, 16);
    EXPECT_EQ(seen.size(), 16u);
}

TEST(Condition, AFixedKeySettlesIt)
{
    const Lines lines{{"agent.n_step", "int 1 3 if agent.kind = dqn"},
                      {"agent.decay", "choice x y if agent.n_step = 2 3"},
                      {"agent.width", "int 1 2"}};
    const auto dqn = parse_space(lines, "job.ini", {{"agent.kind", "dqn"}});
    EXPECT_EQ(dqn.parameters.size(), 3u);
    EXPECT_EQ(dqn.conditions.size(), 1u);
    const auto rule =
        parse_space(lines, "job.ini", {{"agent.kind", "rule"}, {"agent.n_step", "2"}});
    ASSERT_EQ(rule.parameters.size(), 1u);
    EXPECT_EQ(rule.parameters[0].name, "agent.width");
    EXPECT_TRUE(rule.conditions.empty());
}

TEST(Condition, WhatCannotBeIsAnErrorByParameter)
{
    EXPECT_THAT(fault({{"a", "int 1 3 if b = 2"}}),
                HasSubstr("a: there is no b that its condition could stand on"));
    EXPECT_THAT(fault({{"a", "int 1 3 if b = 4"}, {"b", "int 1 3"}}), HasSubstr("a: b is never 4"));
    EXPECT_THAT(fault({{"a", "int 1 3 if b = z"}, {"b", "choice x y"}}),
                HasSubstr("a: b is never z"));
    EXPECT_THAT(fault({{"a", "int 1 3 if b = 0.5"}, {"b", "float 0 1"}}),
                HasSubstr("a: a condition stands on a choice or an integer, and b is a float"));
    const auto cycle = fault({{"a", "int 1 3 if b = 1"}, {"b", "int 1 3 if a = 1"}});
    EXPECT_THAT(cycle, HasSubstr("a: its condition comes back to itself"));
    EXPECT_THAT(cycle, HasSubstr("b: its condition comes back to itself"));
    EXPECT_THAT(fault({{"a", "int 1 3 if b ="}, {"b", "int 1 3"}}),
                HasSubstr("a: expected int LOW HIGH"));
}

TEST(Condition, TheLedgerHoldsATrialsOwnParametersAndGoesOnFromThem)
{
    auto plan = small_plan(8);
    plan.pruner = {};
    plan.space = parse_space({{"fast", "int 2 40"},
                              {"gamma", "float 0.9 0.999"},
                              {"mode", "choice a b"},
                              {"slow", "int 50 90 if mode = b"}},
                             "job.ini");
    TemporaryFolder folder;
    start(folder / "l", plan);
    const auto text = read(folder / "l");
    Ledger ledger(folder / "l");
    Study study(plan, ledger);
    run_study(study, ledger, Commit::once);
    std::size_t with = 0;
    for (const auto& record : study.trials()) {
        const bool has = record.trial.params.at("mode") == Value("b");
        EXPECT_EQ(record.trial.params.contains("slow"), has);
        with += has;
    }
    EXPECT_GT(with, 0u);
    EXPECT_LT(with, 8u);
    EXPECT_EQ(read(folder / "l"), text);

    // Take the line of one that must be there out: the ledger is refused by its line.
    auto lines = lines_of(text);
    const auto slow = std::ranges::find_if(
        lines, [](const auto& line) { return line.find("\"param_name\":\"slow\"") != line.npos; });
    const auto number = slow - lines.begin() + 1;
    lines.erase(slow);
    write(folder / "l", joined(lines));
    try {
        start(folder / "l", plan);
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("l:" + std::to_string(number) + ": "));
        EXPECT_THAT(error.what(), HasSubstr("slow"));
    }
}
