#include "bars/features_read.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "bars/hdf5_read.hpp"
#include "base/error.hpp"

namespace barsweep::bars {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t most_features = 512;

struct Place {
    int file;  ///< HDF5's own descriptor: the file that was opened, whatever its name now means
    off_t offset;
};

/// Where the values stand as they are in memory, in one piece of the file itself; else empty.
std::optional<Place> place_of(hid_t dataset)
{
    const Handle type{H5Dget_type(dataset), H5Tclose};
    const Handle creation{H5Dget_create_plist(dataset), H5Pclose};
    if (H5Tequal(type.get(), H5T_IEEE_F32LE) <= 0 || H5Tequal(type.get(), H5T_NATIVE_FLOAT) <= 0 ||
        H5Pget_layout(creation.get()) != H5D_CONTIGUOUS ||
        H5Pget_external_count(creation.get()) != 0)
        return {};
    const auto offset = H5Dget_offset(dataset);
    const Handle file{H5Iget_file_id(dataset), H5Fclose};
    const Handle access{H5Fget_access_plist(file.get()), H5Pclose};
    void* descriptor = nullptr;
    if (offset == HADDR_UNDEF || H5Pget_driver(access.get()) != H5FD_SEC2 ||
        H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &descriptor) < 0)
        return {};
    return Place{*static_cast<int*>(descriptor), static_cast<off_t>(offset)};
}

/// Empty where all went well.
std::string read_at(Place place, void* out, std::size_t bytes)
{
    auto* at = static_cast<char*>(out);
    while (bytes > 0) {
        const auto got = ::pread(place.file, at, bytes, place.offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fmt::format("a read that failed ({})", std::strerror(errno));
        if (got == 0) return "a file that is cut off";
        at += got;
        place.offset += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return {};
}

std::vector<std::string> names_of(const Symbol& symbol, hid_t dataset, std::size_t count)
{
    auto names = read_texts(symbol.group.get(), "feature_names");
    if (!names) names = read_texts(dataset, "feature_names");
    if (names && names->size() != count)
        throw UserError({symbol.where + "/features",
                         fmt::format("{} names in the attribute feature_names", count),
                         std::to_string(names->size()), ingest_again});
    if (names) return *names;
    std::vector<std::string> numbered;
    for (std::size_t i = 1; i <= count; ++i) numbered.push_back(fmt::format("feature_{}", i));
    return numbered;
}

struct Opened {
    Handle file;
    Symbol symbol;
    FeatureTable table;
};

Opened open_features(const fs::path& path, const std::string& name)
{
    auto file = open_store(path);
    auto symbol = open_symbol(file.get(), path, name);
    const auto shape = shape_of(open_dataset(symbol.group.get(), symbol.where, "time").get());
    auto table = describe_features(symbol, shape.empty() ? 0 : shape[0]);
    if (!table)
        throw UserError({symbol.where + "/features", "features for a policy to read",
                         "none: the store was made without them", ingest_again});
    return {std::move(file), std::move(symbol), std::move(*table)};
}

}  // namespace

std::optional<FeatureTable> describe_features(const Symbol& symbol, hsize_t bars)
{
    if (H5Lexists(symbol.group.get(), "features", H5P_DEFAULT) <= 0) return {};
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
    return FeatureTable{static_cast<std::int64_t>(shape[0]), static_cast<std::int64_t>(shape[1]),
                        type_name(type.get()), names_of(symbol, dataset.get(), shape[1])};
}

void load_features(const Symbol& symbol, const FeatureTable& table, Sums sums, float* out)
{
    const auto where = symbol.where + "/features";
    const auto dataset = open_dataset(symbol.group.get(), symbol.where, "features");
    const auto columns = static_cast<std::size_t>(table.count);
    const auto size = static_cast<std::size_t>(table.rows) * columns;
    std::string fault;
    if (const auto place = place_of(dataset.get()))
        fault = read_at(*place, out, size * sizeof *out);
    else if (H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
        fault = "a damaged dataset, or one packed by a filter that isn't there";
    if (!fault.empty()) throw UserError({where, "readable values", fault, ingest_again});
    if (sums == Sums::required || H5Aexists(dataset.get(), "crc32c") > 0)
        check_sums(dataset.get(), where, out, size * sizeof *out);

    const auto* bad = std::find_if(out, out + size, [](float x) { return !std::isfinite(x); });
    if (bad == out + size) return;
    const auto at = static_cast<std::size_t>(bad - out);
    throw UserError({fmt::format("{}, row {}, column {}", where, at / columns, at % columns),
                     "a finite number", fmt::format("{}", *bad), ingest_again});
}

FeatureTable describe_features(const fs::path& path, const std::string& symbol)
{
    return open_features(path, symbol).table;
}

std::vector<float> read_features(const fs::path& path, const std::string& name)
{
    const auto [file, symbol, table] = open_features(path, name);
    std::vector<float> values(static_cast<std::size_t>(table.rows * table.count));
    load_features(symbol, table, Sums::where_stored, values.data());
    return values;
}

void read_features_into(const fs::path& path, const std::string& name, float* out, std::size_t size)
{
    const auto [file, symbol, table] = open_features(path, name);
    const auto found = static_cast<std::size_t>(table.rows * table.count);
    if (size != found)
        throw UserError({symbol.where + "/features", fmt::format("{} values", size),
                         std::to_string(found), "start again: the store was replaced meanwhile"});
    load_features(symbol, table, Sums::where_stored, out);
}

}  // namespace barsweep::bars
