#include "cli/backtest_ground.hpp"

#include <fmt/format.h>

#include "bars/bar_store.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "cli/backtest_model.hpp"
#include "cli/job_options.hpp"
#include "cli/job_values.hpp"

namespace barsweep::cli {
namespace {

namespace po = boost::program_options;

double ppy_of(const po::variables_map& given, const bars::BarSeries& series)
{
    const auto text = option_text(given, "data.ppy");
    if (text.empty() || text == "auto") return bars::measured_ppy(series);
    const auto ppy = parse_number<double>(text);
    if (!ppy || !(*ppy > 0 && *ppy < 1e12)) {
        refuse_usage("data.ppy as a number above 0", "'" + text + "'",
                     "write for example --data.ppy 525600");
    }
    return *ppy;
}

/// What stands below the command line: a policy's own job, or the one named; empty: neither.
std::optional<JobTexts> job_below(const po::variables_map& given,
                                  const std::optional<agents::Bundle>& bundle)
{
    if (!bundle && !given.count("job")) return std::nullopt;
    auto texts = bundle ? job_of_bundle(*bundle, option_text(given, "model") + "/bundle.json")
                        : read_job(option_text(given, "job"), {});
    const auto take = [&](const std::string& key) {
        if (given.count(key))
            texts.values[key] = {option_text(given, key), Source::command_line, 0};
    };
    take("data.ppy");
    for (const auto& key : sim::account_keys()) take(fmt::format("account.{}", key.name));
    return texts;
}

bars::Window window_of(const po::variables_map& given, const Ground& ground)
{
    const auto last = static_cast<std::int64_t>(ground.series.size()) - 1;
    const auto name = option_text(given, "window");
    if (name.empty() || name == "all") {
        const bars::Window all{given.count("model") ? store_warmup : 0, last};
        if (all.bars() >= 1) return all;
        throw UserError({ground.store, fmt::format("more than {} bars", all.first),
                         std::to_string(ground.series.size()), "ingest more of them"});
    }
    if (name != "train" && name != "validation" && name != "test")
        refuse_usage("--window as all, train, validation or test", "'" + name + "'",
                     "write for example --window validation");
    if (!ground.job)
        refuse_usage("a job that places --window " + name, "none", "give --job JOB.ini beside it");
    const auto windows = resolve_job(*ground.job, ground.series).windows;
    return name == "train" ? windows.train : name == "test" ? windows.test : windows.validation;
}

}  // namespace

void refuse_usage(const std::string& expected, const std::string& found, const std::string& fix)
{
    throw UserError({"command line", expected, found, fix}, Exit::usage);
}

std::string option_text(const po::variables_map& given, const std::string& name)
{
    return given.count(name) ? given[name].as<std::string>() : std::string{};
}

Ground make_ground(const po::variables_map& given, const std::string& store,
                   const std::optional<agents::Bundle>& bundle)
{
    Ground ground{store, {}, job_below(given, bundle), 0, {}};
    auto symbol = option_text(given, "symbol");
    if (symbol.empty() && !bundle && ground.job) symbol = (*ground.job)["data.symbol"];
    ground.series = bars::read_store(store, symbol);
    if (ground.series.size() == 0) {
        throw UserError({store, "one bar or more", "none", "ingest a file with bars"});
    }
    ground.ppy = ground.job
                     ? positive_or_auto(*ground.job, "data.ppy", bars::measured_ppy(ground.series))
                     : ppy_of(given, ground.series);
    ground.window = window_of(given, ground);
    return ground;
}

sim::AccountOptions account_options(const po::variables_map& given, const Ground& ground)
{
    std::map<std::string, std::string> values;
    for (const auto& key : sim::account_keys()) {
        const auto name = fmt::format("account.{}", key.name);
        values[key.name] = ground.job ? (*ground.job)[name] : option_text(given, name);
    }
    return sim::parse_account(values, ground.job ? ground.job->file : "command line");
}

sim::ResolvedAccount account_of(const sim::AccountOptions& options, const Ground& ground)
{
    return resolve_account(options, ground.series, ground.ppy,
                           ground.job ? ground.job->file : "command line");
}

}  // namespace barsweep::cli
