#pragma once
#include <string>

#include "agents/bundle.hpp"
#include "bars/bar_series.hpp"
#include "cli/job_texts.hpp"
#include "device/buffer.hpp"
#include "kernels/rules.hpp"

namespace barsweep::cli {

/// A policy's job as one reads it from a file; `file`: the bundle's, for sentences.
JobTexts job_of_bundle(const agents::Bundle& bundle, const std::string& file);

/// The features of the bars in `store` as the policy takes them in. Throws UserError where they, or
/// the decimals, aren't those it learned on.
device::Buffer<float> load_inputs(const agents::Bundle& bundle, const std::string& store,
                                  const bars::BarSeries& series);

/// Throws UserError where the account's levels aren't those that the policy chooses among.
void check_levels(const agents::Bundle& bundle, const kernels::Rules& rules);

}  // namespace barsweep::cli
