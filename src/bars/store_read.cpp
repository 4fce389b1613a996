#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "bars/bar_store.hpp"
#include "bars/findings_table.hpp"
#include "bars/gaps.hpp"
#include "bars/hdf5_read.hpp"
#include "base/error.hpp"

namespace barsweep::bars {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t most_features = 512;

Handle open_file(const fs::path& path)
{
    quiet_hdf5();
    const auto refuse = [&](const std::string& found) {
        return UserError({path.string(), "a bar store", found,
                          "make one with `barsweep ingest FILE.csv --out STORE.h5`"});
    };
    std::error_code ignored;
    if (!fs::exists(path, ignored)) throw refuse("no file");
    if (!fs::is_regular_file(path, ignored)) throw refuse("something that is no file");
    const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access.get(), false, true);  // NFS and Lustre often refuse locks
#endif
    Handle file{H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
    if (!file)
        throw refuse(H5Fis_hdf5(path.c_str()) > 0
                         ? "an HDF5 file that is damaged, cut off or unreadable"
                         : "a file that is not HDF5, or that can't be read");
    if (read_text(file.get(), "format") != store_format)
        throw refuse("an HDF5 file of another kind (no attribute format = \"barsweep bars\")");
    if (const auto version = read_number(file.get(), "version"); version != store_version)
        throw refuse(version ? fmt::format("version {} of the format; this program reads {}",
                                           *version, store_version)
                             : "no version of the format");
    return file;
}

std::vector<std::string> symbols_in(hid_t file)
{
    std::vector<std::string> names;
    const auto add = [](hid_t group, const char* name, const H5L_info_t*, void* to) -> herr_t {
        const Handle object{H5Oopen(group, name, H5P_DEFAULT), H5Oclose};
        if (object && H5Iget_type(object.get()) == H5I_GROUP)
            static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
    };
    H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    std::ranges::sort(names);
    return names;
}

/// One symbol's group, with FILE:/SYMBOL for messages.
struct Symbol {
    std::string name, where;
    Handle group;
};

Symbol open_symbol(hid_t file, const fs::path& path, std::string name)
{
    const auto names = symbols_in(file);
    const auto listed = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty())
        throw UserError({path.string(), "the bars of a symbol", "none", ingest_again});
    if (name.empty() && names.size() > 1)
        throw UserError({path.string(), "one symbol", listed, "choose one with --symbol"});
    if (name.empty()) name = names.front();
    if (std::ranges::find(names, name) == names.end())
        throw UserError({path.string(), fmt::format("the symbol '{}'", name), listed,
                         "choose one of them with --symbol"});
    return {name, fmt::format("{}:/{}", path.string(), name),
            Handle{H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose}};
}

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

/// Features of one's own are taken at any width and byte order, but only whole and finite.
void check_features(const Symbol& symbol, hsize_t bars, StoreInfo& info)
{
    if (H5Lexists(symbol.group.get(), "features", H5P_DEFAULT) <= 0) return;
    const auto where = symbol.where + "/features";
    const auto dataset = open_dataset(symbol.group.get(), symbol.where, "features");
    const Handle type{H5Dget_type(dataset.get()), H5Tclose};
    const auto bytes = H5Tget_size(type.get());
    if (H5Tget_class(type.get()) != H5T_FLOAT || (bytes != 4 && bytes != 8))
        throw UserError({where, "32-bit or 64-bit floats", type_name(type.get()), ingest_again});
    const auto shape = shape_of(dataset.get());
    if (shape.size() != 2 || shape[0] != bars || shape[1] < 1 || shape[1] > most_features)
        throw UserError({where, fmt::format("shape {} x F, F from 1 to {}", bars, most_features),
                         shape_name(shape), ingest_again});
    info.features = static_cast<std::int64_t>(shape[1]);
    info.features_type = type_name(type.get());

    const hsize_t step = std::max<hsize_t>(1, (1 << 22) / shape[1]);
    std::vector<double> values;
    const Handle space{H5Dget_space(dataset.get()), H5Sclose};
    for (hsize_t row = 0; row < bars; row += step) {
        const hsize_t start[2] = {row, 0}, count[2] = {std::min(step, bars - row), shape[1]};
        values.resize(count[0] * count[1]);
        const Handle memory{H5Screate_simple(2, count, nullptr), H5Sclose};
        if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
            H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT,
                    values.data()) < 0)
            throw UserError({where, "readable values", "a damaged dataset", ingest_again});
        const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
        if (bad == values.end()) continue;
        const auto at = static_cast<hsize_t>(bad - values.begin());
        throw UserError(
            {fmt::format("{}, row {}, column {}", where, row + at / shape[1], at % shape[1]),
             "a finite number", fmt::format("{}", *bad), ingest_again});
    }
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
    const auto file = open_file(path);
    return symbols_in(file.get());
}

BarSeries read_store(const fs::path& path, const std::string& name, bool verify)
{
    const auto file = open_file(path);
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
    StoreInfo shape_only;
    check_features(symbol, n, shape_only);
    if (verify) {
        read_findings(symbol, true);
        const auto stored = read_text(symbol.group.get(), "canonical_sha256");
        if (const auto sum = canonical_sha256(series); sum != stored)
            throw UserError(
                {symbol.where, "bars whose canonical_sha256 is " + stored, sum, ingest_again});
    }
    return series;
}

StoreInfo read_info(const fs::path& path, const std::string& name)
{
    const auto file = open_file(path);
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
    check_features(symbol, shape.empty() ? 0 : shape[0], info);
    return info;
}

}  // namespace barsweep::bars
