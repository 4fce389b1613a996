#pragma once
#include <optional>

#include "bars/bar_store.hpp"
#include "bars/store_open.hpp"

namespace barsweep::bars {

/// Type, shape and names of a symbol's features, refused where they are none that we take; empty
/// where the store has no features.
std::optional<FeatureTable> describe_features(const Symbol& symbol, hsize_t bars);

enum class Sums {
    required,      ///< a dataset without checksums is refused
    where_stored,  ///< as others' stores have none
};

/// Reads all values into `out`, [rows, count], and checks that they are finite and their sums.
void load_features(const Symbol& symbol, const FeatureTable& table, Sums sums, float* out);

}  // namespace barsweep::bars
