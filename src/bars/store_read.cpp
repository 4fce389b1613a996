#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "bars/bar_store.hpp"
#include "bars/features_read.hpp"
#include "bars/findings_table.hpp"
#include "bars/gaps.hpp"
#include "bars/hdf5_read.hpp"
#include "bars/store_open.hpp"
#include "base/error.hpp"

namespace barsweep::bars {
namespace {

namespace fs = std::filesystem;

int read_decimals(const Symbol& symbol, const char* name)
{
    const auto value = read_number(symbol.group.get(), name);
    if (value && *value >= 0 && *value <= 18) return static_cast<int>(*value);
    throw UserError({symbol.where, fmt::format("an attribute {} of 0 to 18", name),
                     value ? std::to_string(*value) : "none", ingest_again});
}

/// What every BarSeries promises, held against what stands in the file.
void check_invariants(const BarSeries& series, const std::string& where)
{
    const auto refuse = [&](const char* dataset, std::size_t row, const char* expected) {
        return UserError({fmt::format("{}/{}, row {}", where, dataset, row), expected,
                          "another value", ingest_again});
    };
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (i > 0 && series.time[i] <= series.time[i - 1])
            throw refuse("time", i, "a time after that of the row before");
        const auto& [open, high, low, close] = series.ohlc[i];
        if (high < std::max({open, low, close}))
            throw refuse("ohlc", i, "the high to be the highest");
        if (low > std::min(open, close)) throw refuse("ohlc", i, "the low to be the lowest");
        if (series.volume[i] < 0) throw refuse("volume", i, "0 or more");
        if (series.sigma[i] < 0) throw refuse("sigma", i, "0 or more");
    }
}

void check_features(const Symbol& symbol, const FeatureTable& table, Sums sums)
{
    std::vector<float> values(static_cast<std::size_t>(table.rows * table.count));
    load_features(symbol, table, sums, values.data());
}

Findings read_findings(const Symbol& symbol, bool verify)
{
    if (H5Lexists(symbol.group.get(), "findings", H5P_DEFAULT) <= 0) return {};
    const auto where = symbol.where + "/findings";
    const auto dataset = open_dataset(symbol.group.get(), symbol.where, "findings");
    const Handle type{H5Dget_type(dataset.get()), H5Tclose};
    const auto shape = shape_of(dataset.get());
    const auto refuse = [&](const std::string& found) {
        return UserError({where, "rows of kind, count, line, column, text", found, ingest_again});
    };
    if (shape.size() != 1 || shape[0] > 100'000) throw refuse(shape_name(shape));
    if (H5Tget_class(type.get()) != H5T_COMPOUND) throw refuse(type_name(type.get()));
    std::vector<char> bytes(shape[0] * H5Tget_size(type.get()));
    if (H5Tdetect_class(type.get(), H5T_VLEN) > 0 || !from_table(type.get(), {}))
        throw refuse("other members");
    if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
        throw refuse("a damaged dataset");
    if (verify) check_sums(dataset.get(), where, bytes.data(), bytes.size());
    return *from_table(type.get(), bytes);
}

}  // namespace

std::vector<std::string> list_symbols(const fs::path& path)
{
    const auto file = open_store(path);
    return symbols_in(file.get());
}

BarSeries read_store(const fs::path& path, const std::string& name, bool verify)
{
    const auto file = open_store(path);
    const auto symbol = open_symbol(file.get(), path, name);
    const auto read = [&](const char* dataset, const std::vector<hsize_t>& shape) {
        return read_integers(symbol.group.get(), symbol.where, dataset, shape, verify);
    };
    BarSeries series;
    series.symbol = symbol.name;
    series.price_decimals = read_decimals(symbol, "price_decimals");
    series.volume_decimals = read_decimals(symbol, "volume_decimals");
    series.time = read("time", {0});
    const hsize_t n = series.size();
    const auto prices = read("ohlc", {n, 4});
    series.ohlc.resize(n);
    std::memcpy(series.ohlc.data(), prices.data(), prices.size() * sizeof prices[0]);
    series.volume = read("volume", {n});
    series.sigma = read("sigma", {n});
    check_invariants(series, symbol.where);
    series.interval = commonest_step(series.time);
    const auto features = describe_features(symbol, n);
    if (verify) {
        read_findings(symbol, true);
        if (features) check_features(symbol, *features, Sums::required);
        const auto stored = read_text(symbol.group.get(), "canonical_sha256");
        if (const auto sum = canonical_sha256(series); sum != stored)
            throw UserError(
                {symbol.where, "bars whose canonical_sha256 is " + stored, sum, ingest_again});
    }
    return series;
}

StoreInfo read_info(const fs::path& path, const std::string& name)
{
    const auto file = open_store(path);
    const auto symbol = open_symbol(file.get(), path, name);
    StoreInfo info;
    if (const auto sources = read_texts(file.get(), "sources")) info.sources = *sources;
    info.created_by = read_text(file.get(), "created_by");
    info.timezone = read_text(symbol.group.get(), "timezone");
    info.canonical_sha256 = read_text(symbol.group.get(), "canonical_sha256");
    info.warmup = read_number(symbol.group.get(), "warmup").value_or(info.warmup);
    info.findings = read_findings(symbol, false);
    const auto time = open_dataset(symbol.group.get(), symbol.where, "time");
    const auto shape = shape_of(time.get());
    if (const auto features = describe_features(symbol, shape.empty() ? 0 : shape[0])) {
        check_features(symbol, *features, Sums::where_stored);
        info.features = features->count;
        info.features_type = features->type;
        info.feature_names = features->names;
    }
    return info;
}

}  // namespace barsweep::bars
