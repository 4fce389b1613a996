#include "bars/hdf5_read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "bars/crc.hpp"
#include "base/error.hpp"

namespace barsweep::bars {
namespace {

/// Elements, or empty where the product is beyond what a machine holds.
std::optional<std::size_t> elements(const std::vector<hsize_t>& shape)
{
    std::size_t count = 1;
    for (const auto length : shape)
        if (__builtin_mul_overflow(count, length, &count) || count > (std::size_t{1} << 36))
            return {};
    return count;
}

bool fits(const std::vector<hsize_t>& shape, const std::vector<hsize_t>& wanted)
{
    if (shape.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (wanted[i] == 0 ? shape[i] == 0 : shape[i] != wanted[i]) return false;
    return true;
}

std::string wanted_name(const std::vector<hsize_t>& wanted)
{
    std::vector<std::string> lengths;
    for (const auto length : wanted) lengths.push_back(length == 0 ? "N" : std::to_string(length));
    return fmt::format("{}", fmt::join(lengths, " x "));
}

std::string trimmed(const char* text, std::size_t width)
{
    return {text, strnlen(text, width)};
}

}  // namespace

std::string type_name(hid_t type)
{
    const auto bits = 8 * H5Tget_size(type);
    const auto kind = H5Tget_class(type);
    const auto* order = H5Tget_order(type) == H5T_ORDER_BE ? "big-endian " : "";
    if (kind == H5T_INTEGER)
        return fmt::format("{}-bit {}{}integer", bits, order,
                           H5Tget_sign(type) == H5T_SGN_NONE ? "unsigned " : "");
    if (kind == H5T_FLOAT) return fmt::format("{}-bit {}float", bits, order);
    if (kind == H5T_STRING) return "text";
    return kind == H5T_COMPOUND ? "compound" : "another type";
}

std::string shape_name(const std::vector<hsize_t>& shape)
{
    return shape.empty() ? "a single value" : fmt::format("{}", fmt::join(shape, " x "));
}

std::vector<hsize_t> shape_of(hid_t dataset)
{
    const Handle space{H5Dget_space(dataset), H5Sclose};
    const int rank = H5Sget_simple_extent_ndims(space.get());
    std::vector<hsize_t> shape(rank > 0 ? static_cast<std::size_t>(rank) : 0);
    if (rank > 0) H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
    return shape;
}

Handle open_dataset(hid_t group, const std::string& where, const std::string& name)
{
    Handle dataset{H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose};
    if (!dataset)
        throw UserError({where + "/" + name, "a dataset", "none of that name", ingest_again});
    return dataset;
}

std::vector<std::int64_t> read_integers(hid_t group, const std::string& where,
                                        const std::string& name, const std::vector<hsize_t>& shape,
                                        bool verify)
{
    const auto dataset = open_dataset(group, where, name);
    const auto place = where + "/" + name;
    const Handle type{H5Dget_type(dataset.get()), H5Tclose};
    const bool wide_unsigned =
        H5Tget_sign(type.get()) == H5T_SGN_NONE && H5Tget_size(type.get()) >= sizeof(std::int64_t);
    if (H5Tget_class(type.get()) != H5T_INTEGER || H5Tget_size(type.get()) > 8 || wide_unsigned)
        throw UserError({place, "integers that fit 64 bits", type_name(type.get()), ingest_again});
    const auto found = shape_of(dataset.get());
    const auto count = elements(found);
    if (!fits(found, shape) || !count)
        throw UserError(
            {place, fmt::format("shape {}", wanted_name(shape)), shape_name(found), ingest_again});
    std::vector<std::int64_t> values(*count);
    if (H5Dread(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        throw UserError({place, fmt::format("{} readable values", *count),
                         "a damaged dataset, or one packed by a filter that isn't there",
                         ingest_again});
    if (verify) check_sums(dataset.get(), place, values.data(), values.size() * 8);
    return values;
}

void check_sums(hid_t dataset, const std::string& where, const void* bytes, std::size_t size)
{
    const auto sums = crc32c_blocks(bytes, size);
    std::vector<std::uint32_t> stored(sums.size());
    const Handle attribute{H5Aopen(dataset, "crc32c", H5P_DEFAULT), H5Aclose};
    const Handle space{H5Aget_space(attribute.get()), H5Sclose};
    if (!attribute ||
        H5Sget_simple_extent_npoints(space.get()) != static_cast<hssize_t>(sums.size()) ||
        H5Aread(attribute.get(), H5T_NATIVE_UINT32, stored.data()) < 0)
        throw UserError({where, fmt::format("{} checksums in the attribute crc32c", sums.size()),
                         attribute ? "another number of them" : "none", ingest_again});
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] != stored[i])
            throw UserError({where, fmt::format("crc32c {:08x} of block {}", stored[i], i),
                             fmt::format("{:08x}: the data changed on disk", sums[i]),
                             ingest_again});
}

std::optional<std::int64_t> read_number(hid_t object, const char* name)
{
    const Handle attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
    if (!attribute) return {};
    const Handle type{H5Aget_type(attribute.get()), H5Tclose};
    const Handle space{H5Aget_space(attribute.get()), H5Sclose};
    std::int64_t value = 0;
    if (H5Tget_class(type.get()) != H5T_INTEGER || H5Sget_simple_extent_npoints(space.get()) != 1 ||
        H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) < 0)
        return {};
    return value;
}

std::optional<std::vector<std::string>> read_texts(hid_t object, const char* name)
{
    const Handle attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
    if (!attribute) return {};
    const Handle type{H5Aget_type(attribute.get()), H5Tclose};
    const Handle space{H5Aget_space(attribute.get()), H5Sclose};
    const auto points = H5Sget_simple_extent_npoints(space.get());
    if (H5Tget_class(type.get()) != H5T_STRING || points < 1) return {};
    const auto count = static_cast<std::size_t>(points);
    std::vector<std::string> texts;
    if (H5Tis_variable_str(type.get()) > 0) {  // as h5py writes them
        std::vector<char*> values(count, nullptr);
        if (H5Aread(attribute.get(), type.get(), values.data()) < 0) return {};
        for (const char* value : values) texts.emplace_back(value == nullptr ? "" : value);
        H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, values.data());
        return texts;
    }
    const auto width = H5Tget_size(type.get());
    std::vector<char> values(count * width);
    if (H5Aread(attribute.get(), type.get(), values.data()) < 0) return {};
    for (std::size_t i = 0; i < count; ++i) texts.push_back(trimmed(&values[i * width], width));
    return texts;
}

std::string read_text(hid_t object, const char* name)
{
    const auto texts = read_texts(object, name);
    return texts ? texts->front() : std::string{};
}

}  // namespace barsweep::bars
