#include "cli/backtest_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "bars/bar_store.hpp"
#include "base/error.hpp"
#include "cli/job_keys.hpp"
#include "cli/study_data.hpp"

namespace barsweep::cli {

JobTexts job_of_bundle(const agents::Bundle& bundle, const std::string& file)
{
    JobTexts texts;
    texts.file = file;
    for (const auto& key : job_keys()) texts.values[key.name];
    for (const auto& [key, text] : bundle.job)
        if (find_key(key)) texts.values[key].text = text;
    take_fallbacks(texts);
    return texts;
}

device::Buffer<float> load_inputs(const agents::Bundle& bundle, const std::string& store,
                                  const bars::BarSeries& series)
{
    const auto table = bars::describe_features(store, series.symbol);
    agents::check_bars(bundle, {store, table.names, series.price_decimals, series.volume_decimals});
    auto features = load_features(store, series.symbol, series.size() * table.names.size());
    bars::apply_scaling({features.write().data, features.size()}, bundle.scaling);
    return features;
}

void check_levels(const agents::Bundle& bundle, const kernels::Rules& rules)
{
    const std::span levels{rules.levels_ppm, static_cast<std::size_t>(rules.level_count)};
    if (std::ranges::equal(levels, bundle.levels_ppm)) return;
    throw UserError({"account.levels",
                     fmt::format("the levels that the policy learned to choose among, in ppm {}",
                                 fmt::join(bundle.levels_ppm, " ")),
                     fmt::format("{}", fmt::join(levels, " ")), "leave account.levels out"});
}

}  // namespace barsweep::cli
