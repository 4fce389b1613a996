#include <fmt/format.h>
#include <fmt/ostream.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "base/log.hpp"
#include "base/whole_file.hpp"
#include "cli/arguments.hpp"
#include "cli/backtest_ground.hpp"
#include "cli/backtest_model.hpp"
#include "cli/backtest_output.hpp"
#include "cli/command.hpp"
#include "cli/job_arguments.hpp"
#include "sim/actions.hpp"

namespace barsweep::cli {
namespace {

namespace po = boost::program_options;

po::options_description describe()
{
    po::options_description help{
        "usage: barsweep backtest STORE.h5 (--rule RULE | --actions FILE.csv | --model BUNDLE) "
        "[OPTION...]\n"
        "One run over the bars of a store. A decision at the close of a bar is filled at the next\n"
        "open (account.fill). A sweep's numbers come again with --model DIR/best --window test",
        100, 60};
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    // clang-format off
    help.add_options()
        ("rule", text("RULE"), "sma:FAST:SLOW[:long_flat]: moving averages of closes, in bars")
        ("actions", text("FILE.csv"), "columns bar and level (-1..1), or bar and units (base units held)")
        ("model", text("BUNDLE"), "the folder best/ of a study: its policy, by the account it learned with")
        ("job", text("JOB.ini"), "account, data.ppy and windows of a job; what is given here wins over it")
        ("window", text("WINDOW"), "all [all: from the first bar, with --model after the warm-up], or train, validation "
            "or test as the model's own job, or --job, places them in this store")
        ("column", text("NAME"), "of --actions: another column; units where its name ends so")
        ("symbol", text("S"), "which series; needed only where the store has several")
        ("fills", text("OUT.csv"), "write every fill, exact")
        ("actions-out", text("FILE.csv"), "write what every bar asked for")
        ("json", "print one JSON object")
        ("help,h", "show this and stop")
        ("data.ppy", text("N"), "bars a year for yearly figures; without it measured over the store");
    // clang-format on
    for (const auto& key : sim::account_keys()) {
        const auto option = fmt::format("account.{}", key.name);
        const auto meaning = *key.fallback == '\0'
                                 ? std::string{key.meaning}
                                 : fmt::format("{} [{}]", key.meaning, key.fallback);
        help.add_options()(option.c_str(), text("VALUE"), meaning.c_str());
    }
    return help;
}

sim::Rule parse_rule(const std::string& text)
{
    constexpr std::int64_t longest = 1'000'000;  // bars
    const auto bad = [&]() {
        refuse_usage(
            "a rule as sma:FAST:SLOW or sma:FAST:SLOW:long_flat, 1 <= FAST < SLOW <= 1000000",
            "'" + text + "'", "write for example --rule sma:20:50");
    };
    const std::string_view prefix = "sma:";
    if (!text.starts_with(prefix)) bad();
    sim::Rule rule;
    const auto* end = text.data() + text.size();
    auto at = std::from_chars(text.data() + prefix.size(), end, rule.fast);
    if (at.ec != std::errc{} || at.ptr == end || *at.ptr != ':') bad();
    at = std::from_chars(at.ptr + 1, end, rule.slow);
    if (at.ec != std::errc{}) bad();
    const std::string_view rest{at.ptr, static_cast<std::size_t>(end - at.ptr)};
    rule.long_flat = rest == ":long_flat";
    if (!rest.empty() && !rule.long_flat) bad();
    if (rule.fast < 1 || rule.fast >= rule.slow || rule.slow > longest) bad();
    return rule;
}

/// A run that is done.
struct Run {
    sim::ResolvedAccount account;
    sim::BacktestResult result;
    sim::Wanted wanted;
    bool units = false;  ///< wanted are lots
};

using Fills = std::vector<sim::FillRow>*;  ///< null: none are kept

Run run_actions(const po::variables_map& given, const Ground& ground, Fills fills)
{
    const auto file = option_text(given, "actions");
    const auto actions = sim::read_actions(file, static_cast<std::int64_t>(ground.series.size()),
                                           option_text(given, "column"));
    auto options = account_options(given, ground);
    if (actions.units) options.unit = sim::finest_unit(actions);
    Run run{account_of(options, ground), {}, {}, actions.units};
    auto& rules = run.account.rules;
    if (actions.units) rules.unit_lots = kernels::million;  // 1 ppm is 1 lot
    run.wanted = wants_of(actions, run.account.lot_decimals, ground.window, file);
    const auto market = sim::load_market(device::Backend::cpu, ground.series);
    run.result = run_backtest(market, rules, ground.window, run.wanted, ground.ppy, fills);
    return run;
}

Run run_rule(const po::variables_map& given, const Ground& ground, Fills fills)
{
    const auto rule = parse_rule(option_text(given, "rule"));
    const auto market = sim::load_market(device::Backend::cpu, ground.series);
    Run run{account_of(account_options(given, ground), ground), {}, {}};
    run.wanted = rule_wants(market, rule, ground.window);
    run.result =
        run_backtest(market, run.account.rules, ground.window, run.wanted, ground.ppy, fills);
    return run;
}

Run run_model(const po::variables_map& given, const Ground& ground, const agents::Bundle& bundle,
              Fills fills)
{
    const auto inputs = load_inputs(bundle, ground.store, ground.series);
    const auto market = sim::load_market(device::Backend::cpu, ground.series);
    Run run{account_of(account_options(given, ground), ground), {}, {}};
    check_levels(bundle, run.account.rules);
    if (bars::canonical_sha256(ground.series) != bundle.data_sha256)
        log_line(ground.store + ": not the bars that the policy was selected on");
    run.result = run_policy(market, inputs, bundle.policy, run.account.rules, ground.window,
                            ground.ppy, fills, &run.wanted);
    return run;
}

Exit run(const po::variables_map& given, const std::string& store)
{
    std::optional<agents::Bundle> bundle;
    if (given.count("model")) bundle = agents::read_bundle(option_text(given, "model"));
    const auto ground = make_ground(given, store, bundle);
    const auto fills_path = option_text(given, "fills");
    std::vector<sim::FillRow> rows;
    const Fills fills = fills_path.empty() ? nullptr : &rows;
    const auto run = bundle                   ? run_model(given, ground, *bundle, fills)
                     : given.count("actions") ? run_actions(given, ground, fills)
                                              : run_rule(given, ground, fills);

    const auto ppy = ground.job ? (*ground.job)["data.ppy"] : option_text(given, "data.ppy");
    const BacktestReport report{
        ground.series, run.account, run.result, ground.ppy, !ppy.empty() && ppy != "auto",
        ground.window};
    if (fills) write_whole(fills_path, fills_csv(report, rows));
    if (const auto path = option_text(given, "actions-out"); !path.empty()) {
        write_whole(path, actions_csv(run.wanted, ground.window.first, run.units,
                                      run.account.lot_decimals));
    }
    fmt::print("{}", given.count("json") ? backtest_json(report) : backtest_text(report));
    return Exit::done;
}

}  // namespace

Exit backtest(const Arguments& arguments)
try {
    const auto options = describe();
    const auto given = parse_arguments(arguments, options, "STORE");
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(options));
        return Exit::done;
    }
    const auto store = only_word(given, "STORE", "one bar store",
                                 "write `barsweep backtest STORE.h5 --rule sma:20:50`");
    const auto deciders = given.count("rule") + given.count("actions") + given.count("model");
    if (deciders != 1) {
        refuse_usage("one of --rule, --actions and --model", deciders == 0 ? "none" : "several",
                     "write for example --rule sma:20:50");
    }
    if (given.count("model") && given.count("job")) {
        refuse_usage("one of --model and --job", "both", "leave --job out: a model brings its own");
    }
    return run(given, store);
} catch (const std::overflow_error& error) {
    throw UserError({"barsweep backtest", "money below 2^63 of its smallest unit", error.what(),
                     "give coarser --account.lot_decimals or less money"});
}

}  // namespace barsweep::cli
