#include <fmt/format.h>
#include <fmt/ostream.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <stdexcept>

#include "bars/bar_store.hpp"
#include "base/whole_file.hpp"
#include "cli/arguments.hpp"
#include "cli/backtest_output.hpp"
#include "sim/actions.hpp"

namespace barsweep::cli {
namespace {

namespace po = boost::program_options;

po::options_description describe()
{
    po::options_description help{
        "usage: barsweep backtest STORE.h5 (--rule RULE | --actions FILE.csv) [OPTION...]\n"
        "One run over all bars of a store. A decision at the close of a bar is filled at the next\n"
        "open (account.fill)",
        100, 60};
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    // clang-format off
    help.add_options()
        ("rule", text("RULE"), "sma:FAST:SLOW[:long_flat]: moving averages of closes, in bars")
        ("actions", text("FILE.csv"), "columns bar and level (-1..1), or bar and units (base units held)")
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

[[noreturn]] void refuse(const std::string& expected, const std::string& found,
                         const std::string& fix)
{
    throw UserError({"command line", expected, found, fix}, Exit::usage);
}

std::string value(const po::variables_map& given, const std::string& name)
{
    return given.count(name) ? given[name].as<std::string>() : std::string{};
}

sim::Rule parse_rule(const std::string& text)
{
    constexpr std::int64_t longest = 1'000'000;  // bars
    const auto bad = [&]() {
        refuse("a rule as sma:FAST:SLOW or sma:FAST:SLOW:long_flat, 1 <= FAST < SLOW <= 1000000",
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

double ppy_of(const po::variables_map& given, const bars::BarSeries& series)
{
    const auto text = value(given, "data.ppy");
    if (text.empty() || text == "auto") return bars::measured_ppy(series);
    double ppy = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), ppy);
    if (error != std::errc{} || rest != text.data() + text.size() || !(ppy > 0 && ppy < 1e12)) {
        refuse("data.ppy as a number above 0", "'" + text + "'",
               "write for example --data.ppy 525600");
    }
    return ppy;
}

sim::AccountOptions account_options(const po::variables_map& given)
{
    std::map<std::string, std::string> values;
    for (const auto& key : sim::account_keys()) {
        values[key.name] = value(given, fmt::format("account.{}", key.name));
    }
    return sim::parse_account(values, "command line");
}

/// A run ready to start.
struct Plan {
    sim::ResolvedAccount account;
    sim::Wanted wanted;
    bool units = false;  ///< wanted are lots
};

Plan plan_actions(const po::variables_map& given, const bars::BarSeries& series, double ppy,
                  bars::Window window)
{
    const auto file = value(given, "actions");
    const auto actions =
        sim::read_actions(file, static_cast<std::int64_t>(series.size()), value(given, "column"));
    auto options = account_options(given);
    if (actions.units) options.unit = sim::finest_unit(actions);
    Plan plan{resolve_account(options, series, ppy, "command line"), {}, actions.units};
    if (actions.units) plan.account.rules.unit_lots = kernels::million;  // 1 ppm is 1 lot
    plan.wanted = wants_of(actions, plan.account.lot_decimals, window, file);
    return plan;
}

Exit run(const po::variables_map& given, const std::string& store)
{
    const auto series = bars::read_store(store, value(given, "symbol"));
    if (series.size() == 0) {
        throw UserError({store, "one bar or more", "none", "ingest a file with bars"});
    }
    const bool ppy_given = !value(given, "data.ppy").empty() && value(given, "data.ppy") != "auto";
    const double ppy = ppy_of(given, series);
    const bars::Window window{0, static_cast<std::int64_t>(series.size()) - 1};
    const auto market = sim::load_market(device::Backend::cpu, series);
    const auto plan =
        given.count("actions")
            ? plan_actions(given, series, ppy, window)
            : Plan{resolve_account(account_options(given), series, ppy, "command line"),
                   rule_wants(market, parse_rule(value(given, "rule")), window)};

    std::vector<sim::FillRow> fills;
    const auto fills_path = value(given, "fills");
    const auto result = run_backtest(market, plan.account.rules, window, plan.wanted, ppy,
                                     fills_path.empty() ? nullptr : &fills);
    const BacktestReport report{series, plan.account, result, ppy, ppy_given};
    if (!fills_path.empty()) write_whole(fills_path, fills_csv(report, fills));
    if (const auto path = value(given, "actions-out"); !path.empty()) {
        write_whole(path, actions_csv(plan.wanted, plan.units, plan.account.lot_decimals));
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
    if (given.count("rule") + given.count("actions") != 1) {
        refuse("one of --rule and --actions", given.count("rule") ? "both" : "neither",
               "write for example --rule sma:20:50");
    }
    return run(given, store);
} catch (const std::overflow_error& error) {
    throw UserError({"barsweep backtest", "money below 2^63 of its smallest unit", error.what(),
                     "give coarser --account.lot_decimals or less money"});
}

}  // namespace barsweep::cli
