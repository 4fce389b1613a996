#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "bars/bar_store.hpp"
#include "bars/crc.hpp"
#include "bars/features.hpp"
#include "bars/findings_table.hpp"
#include "bars/hdf5_handle.hpp"
#include "base/error.hpp"
#include "base/whole_file.hpp"

namespace barsweep::bars {
namespace {

namespace fs = std::filesystem;

UserError cannot_write(const fs::path& path, const std::string& found)
{
    return UserError({path.string(), "a place that can be written", found,
                      "free space there or choose another --out"},
                     Exit::machine);
}

/// Thrown inside this file where an HDF5 call fails, and told as cannot_write.
struct WriteFailed {
    int cause = errno;  ///< taken at once: closing what is open changes it
};

void must(bool went_well)
{
    if (!went_well) throw WriteFailed{};
}

const Handle& must(const Handle& handle)
{
    must(static_cast<bool>(handle));
    return handle;
}

void write_attribute(hid_t object, const char* name, hid_t stored, hid_t given, const void* values,
                     hsize_t count)
{
    const Handle space{count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                       H5Sclose};
    Handle attribute{H5Acreate2(object, name, stored, must(space).get(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose};
    must(H5Awrite(must(attribute).get(), given, values) >= 0);
    must(attribute.close());
}

void write_number(hid_t object, const char* name, std::int64_t value)
{
    write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value, 1);
}

/// Fixed-size UTF-8 strings: h5py, h5dump and Fortran read them alike.
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts)
{
    std::size_t width = 1;
    for (const auto& text : texts) width = std::max(width, text.size());
    std::string values(width * texts.size(), '\0');
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(&values[i * width], width);
    const Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
    must(H5Tset_size(type.get(), width) >= 0 && H5Tset_strpad(type.get(), H5T_STR_NULLPAD) >= 0 &&
         H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0);
    write_attribute(object, name, type.get(), type.get(), values.data(), texts.size());
}

/// An attribute holds at most 64 KiB: of very many sources the last ones are only counted.
std::vector<std::string> fitting(std::vector<std::string> sources)
{
    constexpr std::size_t most_bytes = 60'000;
    std::size_t width = 1;
    for (const auto& source : sources) width = std::max(width, source.size());
    const auto kept = std::max<std::size_t>(most_bytes / width, 2) - 1;
    if (sources.size() <= kept + 1) return sources;
    const auto more = sources.size() - kept;
    sources.resize(kept);
    sources.push_back(fmt::format("and {} more", more));
    return sources;
}

void write_dataset(hid_t group, const char* name, hid_t type, std::vector<hsize_t> shape,
                   const void* values, std::size_t bytes)
{
    const Handle space{H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                       H5Sclose};
    Handle dataset{
        H5Dcreate2(group, name, type, must(space).get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose};
    must(H5Dwrite(must(dataset).get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    const auto sums = crc32c_blocks(values, bytes);
    if (!sums.empty())
        write_attribute(dataset.get(), "crc32c", H5T_STD_U32LE, H5T_NATIVE_UINT32, sums.data(),
                        sums.size());
    must(dataset.close());
}

void write_columns(hid_t group, const BarSeries& series, const StoreInfo& info)
{
    const hsize_t n = series.size();
    const auto column = [&](const char* name, const std::vector<std::int64_t>& values) {
        write_dataset(group, name, H5T_STD_I64LE, {n}, values.data(), n * 8);
    };
    column("time", series.time);
    write_dataset(group, "ohlc", H5T_STD_I64LE, {n, 4}, series.ohlc.data(), n * 32);
    column("volume", series.volume);
    column("sigma", series.sigma);
    const auto features = compute_features(series);
    write_dataset(group, "features", H5T_IEEE_F32LE, {n, feature_count}, features.data(),
                  features.size() * sizeof features[0]);
    const auto table = to_table(info.findings);
    if (table.rows > 0)
        write_dataset(group, "findings", must(table.type).get(), {table.rows}, table.bytes.data(),
                      table.bytes.size());
}

void write_file(const fs::path& path, const BarSeries& series, const StoreInfo& info)
{
    const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    must(H5Pset_libver_bounds(must(access).get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110) >= 0);
    constexpr hsize_t feature_row = feature_count * sizeof(float);
    must(H5Pset_alignment(access.get(), feature_row, 4096) >= 0);
    Handle file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
    write_texts(must(file).get(), "format", {store_format});
    write_number(file.get(), "version", store_version);
    write_texts(file.get(), "created_by", {info.created_by});
    if (!info.sources.empty()) write_texts(file.get(), "sources", fitting(info.sources));

    Handle group{
        H5Gcreate2(file.get(), series.symbol.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Gclose};
    write_number(must(group).get(), "price_decimals", series.price_decimals);
    write_number(group.get(), "volume_decimals", series.volume_decimals);
    write_number(group.get(), "interval_ns", series.interval);
    write_number(group.get(), "warmup", info.warmup);
    write_texts(group.get(), "timezone", {info.timezone});
    write_texts(group.get(), "feature_names", {feature_names.begin(), feature_names.end()});
    write_texts(group.get(), "canonical_sha256", {info.canonical_sha256});
    const double ppy = measured_ppy(series);
    write_attribute(group.get(), "bars_per_year", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &ppy, 1);
    write_columns(group.get(), series, info);
    must(group.close());
    must(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0);
    must(file.close());
}

bool sync(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool synced = ::fsync(file) == 0;
    return ::close(file) == 0 && synced;
}

void check_target(const fs::path& path, const fs::path& part, const std::string& symbol)
{
    if (symbol.empty() || symbol == "." || symbol.find('/') != std::string::npos)
        throw UserError({"--symbol", "a name without '/'", fmt::format("'{}'", symbol),
                         "choose another --symbol"},
                        Exit::usage);
    std::error_code unknown;
    if (fs::exists(path, unknown))
        list_symbols(path);  // throws where it is no bar store: not ours to replace
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) throw cannot_write(path, std::strerror(errno));
    ::close(file);
}

}  // namespace

void write_store(const fs::path& path, const BarSeries& series, const StoreInfo& info)
{
    quiet_hdf5();
    const fs::path part = path.string() + ".part";
    check_target(path, part, series.symbol);
    std::error_code ignored;
    try {
        errno = 0;
        write_file(part, series, info);
        must(sync(part));
        // A full disk can leave a file whose every close went well: believe only what reads back,
        // the features by their checksums.
        const auto back = read_store(part, series.symbol, true);
        must(back.time == series.time && back.ohlc == series.ohlc && back.volume == series.volume &&
             back.sigma == series.sigma);
        must(::rename(part.c_str(), path.c_str()) == 0);
        must(sync_folder_of(path) == 0);
    } catch (const WriteFailed& failed) {
        fs::remove(part, ignored);
        throw cannot_write(path, failed.cause != 0 ? fmt::format("a write that failed ({})",
                                                                 std::strerror(failed.cause))
                                                   : "a write that failed");
    } catch (...) {
        fs::remove(part, ignored);
        throw;
    }
}

}  // namespace barsweep::bars
