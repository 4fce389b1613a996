#include "search/enqueue.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

struct Points {
    TemporaryFolder folder;
    Space space = parse_space({{"fast", "int 2 40"},
                               {"gamma", "float 0.9 0.999"},
                               {"rule", "choice a b"},
                               {"slow", "int 50 90 if rule = b"}},
                              "job.ini");

    std::vector<Params> read(const std::string& text)
    {
        write(folder / "points", text);
        return read_enqueued(folder / "points", space);
    }

    std::string fault(const std::string& text)
    {
        try {
            read(text);
        } catch (const UserError& error) {
            return error.what();
        }
        return "accepted";
    }
};

}  // namespace

TEST(Enqueue, ReadsJsonAndCsvAlike)
{
    Points points;
    const std::vector<Params> expected{{{"fast", std::int64_t{7}}, {"gamma", 0.95}, {"rule", "a"}},
                                       {{"fast", std::int64_t{8}}},
                                       {{"rule", "b"}, {"slow", std::int64_t{60}}}};
    EXPECT_EQ(points.read(R"([{"fast": 7, "gamma": 0.95, "rule": "a"}, {"fast": 8},
                              {"rule": "b", "slow": 60}])"),
              expected);
    EXPECT_EQ(points.read("fast,gamma,rule,slow\r\n7,0.95,\"a\",\r\n8,,,\r\n,,b,60\r\n"), expected);
}

TEST(Enqueue, NamesEveryFaultByLineOrPointAndField)
{
    Points points;
    EXPECT_THAT(points.fault("fast,quick\n7,1\n"),
                HasSubstr("points:1: expected a parameter of [space]: fast, gamma, rule, slow, "
                          "found 'quick'"));
    EXPECT_THAT(points.fault("fast\n7\n41\n"),
                HasSubstr("points:3: expected fast as a value that [space] can draw, found '41'"));
    EXPECT_THAT(points.fault("fast,rule\n7\n"), HasSubstr("points:2: expected 2 cells"));
    EXPECT_THAT(points.fault("fast,fast\n7,7\n"), HasSubstr("points:1: expected fast once"));
    EXPECT_THAT(points.fault("[{\"fast\": 7},\n {\"fast\": 7.5}]"),
                HasSubstr("point 2: expected fast as a value that [space] can draw, found '7.5'"));
    EXPECT_THAT(points.fault("[{\"fast\": 7},\n {\"fast\" 8}]"),
                HasSubstr("points:2: expected a JSON list of objects"));
    EXPECT_THAT(points.fault("[{\"fast\": [7]}]"), HasSubstr("fast as a number or text"));
    EXPECT_THAT(points.fault("{\"fast\": 7}"), HasSubstr("a JSON list of objects"));
    EXPECT_THAT(points.fault(R"([{"rule": "a", "slow": 60}])"),
                HasSubstr("point 1: expected no slow where rule = a"));
    EXPECT_THAT(points.fault(R"([{"slow": 60}])"), HasSubstr("expected rule beside slow"));
    EXPECT_THAT(points.fault("  \n"), HasSubstr("expected points to try first, found nothing"));
    EXPECT_THAT([&] { read_enqueued(points.folder / "none", points.space); },
                testing::ThrowsMessage<UserError>(HasSubstr("none that can be read")));
}

TEST(Enqueue, PointsComeFirstAndTheSamplerIsNotPutOut)
{
    TemporaryFolder folder;
    auto plan = small_plan(6);
    const auto first_params = [&](const std::string& name) {
        Ledger ledger(folder / name);
        Study study(plan, ledger);
        run_study(study, ledger, Commit::once);
        std::vector<Params> all;
        for (const auto& record : study.trials()) all.push_back(record.trial.params);
        return all;
    };
    const auto without = first_params("without");
    plan.enqueued = {{{"fast", std::int64_t{7}}}, {{"rule", "b"}}};
    const auto with = first_params("with");
    ASSERT_THAT(with, SizeIs(6));
    EXPECT_EQ(with[0].at("fast"), Value(std::int64_t{7}));
    EXPECT_EQ(with[1].at("rule"), Value("b"));
    EXPECT_THAT(with[0], SizeIs(3));
    EXPECT_NE(with[0].at("gamma"), with[1].at("gamma"));
    for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(with[i], without[i - 2]);
    const auto text = read(folder / "with");
    EXPECT_EQ(first_params("with"), with);
    EXPECT_EQ(read(folder / "with"), text);
}
