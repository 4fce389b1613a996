#pragma once
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>

#include "agents/bundle.hpp"
#include "bars/bar_series.hpp"
#include "bars/split.hpp"
#include "cli/job_texts.hpp"
#include "sim/account_options.hpp"

namespace barsweep::cli {

/// Everything about a run but what decides.
struct Ground {
    std::string store;
    bars::BarSeries series;
    std::optional<JobTexts> job;
    double ppy = 0;
    bars::Window window;
};

/// Reads the store and lays the command line over the bundle's own job, or the one that --job
/// names. Throws UserError for what is wrong with any of them.
Ground make_ground(const boost::program_options::variables_map& given, const std::string& store,
                   const std::optional<agents::Bundle>& bundle);

/// The account as those two say it, not yet resolved against the bars; and resolved.
sim::AccountOptions account_options(const boost::program_options::variables_map& given,
                                    const Ground& ground);
sim::ResolvedAccount account_of(const sim::AccountOptions& options, const Ground& ground);

/// An option's text; empty: it wasn't given.
std::string option_text(const boost::program_options::variables_map& given,
                        const std::string& name);

/// The sentence for a command line that won't do.
[[noreturn]] void refuse_usage(const std::string& expected, const std::string& found,
                               const std::string& fix);

}  // namespace barsweep::cli
