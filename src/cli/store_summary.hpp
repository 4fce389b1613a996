#pragma once
#include <string>

#include "bars/bar_series.hpp"
#include "bars/bar_store.hpp"

namespace barsweep::cli {

/// What `ingest` and `info` say of a store's bars: one JSON object with the keys of FORMATS.md, or
/// lines for a person.
std::string summary_json(const bars::BarSeries& series, const bars::StoreInfo& info);
std::string summary_text(const bars::BarSeries& series, const bars::StoreInfo& info);

}  // namespace barsweep::cli
