// Stores written by others: any byte order and layout is taken, a wrong type or shape is named (the
// faults of case D15, in our layout).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <limits>

#include "bars/bar_store.hpp"
#include "bars/hdf5_handle.hpp"
#include "support.hpp"

/// HDF5 is told not to tidy up at exit (hdf5_handle.hpp), so what it still holds is no leak of
/// ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:libhdf5";
}

namespace barsweep::bars {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// These tests call HDF5 themselves, so what the program does first is done before all of them.
[[maybe_unused]] const bool quiet = (quiet_hdf5(), true);

enum class Pack { contiguous, gzip };

struct Column {
    hid_t type;
    std::vector<hsize_t> shape;
    std::vector<double> values;  // exact for all the integers used here
    Pack pack = Pack::contiguous;
};

using Columns = std::map<std::string, Column>;

/// Three bars; a test changes what it is about.
Columns three_bars()
{
    return {{"time", {H5T_STD_I64LE, {3}, {60, 120, 180}}},
            {"ohlc", {H5T_STD_I64LE, {3, 4}, {1, 66306, 1, 66306, 5, 9, 4, 8, 8, 8, 2, 3}}},
            {"volume", {H5T_STD_I64LE, {3}, {1, 0, 1e12}}},
            {"sigma", {H5T_STD_I64LE, {3}, {0, 7, 28530}}}};
}

Column features(hid_t type, hsize_t rows, hsize_t columns)
{
    Column column{type, {rows, columns}, std::vector<double>(rows * columns, 6.375)};
    return column;
}

void write_text(hid_t object, const char* name, const char* text)  // as h5py: of variable length
{
    const Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
    H5Tset_size(type.get(), H5T_VARIABLE);
    const Handle space{H5Screate(H5S_SCALAR), H5Sclose};
    const Handle attribute{
        H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
    H5Awrite(attribute.get(), type.get(), &text);
}

void write_number(hid_t object, const char* name, std::int64_t value)
{
    const Handle space{H5Screate(H5S_SCALAR), H5Sclose};
    const Handle attribute{
        H5Acreate2(object, name, H5T_STD_I32BE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
    H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value);
}

void write_column(hid_t group, const std::string& name, const Column& column)
{
    const Handle space{
        H5Screate_simple(static_cast<int>(column.shape.size()), column.shape.data(), nullptr),
        H5Sclose};
    const Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    if (column.pack == Pack::gzip) {
        const std::vector<hsize_t> chunk(column.shape.size(), 2);
        H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
        H5Pset_shuffle(creation.get());
        H5Pset_deflate(creation.get(), 4);
    }
    const Handle dataset{H5Dcreate2(group, name.c_str(), column.type, space.get(), H5P_DEFAULT,
                                    creation.get(), H5P_DEFAULT),
                         H5Dclose};
    ASSERT_GE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       column.values.data()),
              0);
}

std::filesystem::path write(const Folder& folder, const Columns& columns, std::int64_t version = 1)
{
    const auto path = folder / "other.h5";
    const Handle file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
    write_text(file.get(), "format", "barsweep bars");
    write_number(file.get(), "version", version);
    const Handle group{H5Gcreate2(file.get(), "X", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose};
    write_number(group.get(), "price_decimals", 2);
    write_number(group.get(), "volume_decimals", 0);
    for (const auto& [name, column] : columns) write_column(group.get(), name, column);
    return path;
}

std::string refuse(const Columns& columns)
{
    const Folder folder;
    const auto path = write(folder, columns);
    return refusal([&] { read_store(path); });
}

void expect_three_bars(const BarSeries& series)
{
    EXPECT_THAT(series.time, ElementsAre(60, 120, 180));
    EXPECT_THAT(series.ohlc[0], ElementsAre(1, 66306, 1, 66306));
    EXPECT_THAT(series.ohlc[2], ElementsAre(8, 8, 2, 3));
    EXPECT_THAT(series.volume, ElementsAre(1, 0, 1'000'000'000'000));
    EXPECT_THAT(series.sigma, ElementsAre(0, 7, 28530));
    EXPECT_EQ(series.interval, 60);
}

TEST(ForeignStore, IsReadInBigEndian)
{
    auto columns = three_bars();
    for (auto& [name, column] : columns) column.type = H5T_STD_I64BE;
    const Folder folder;
    expect_three_bars(read_store(write(folder, columns)));
}

TEST(ForeignStore, IsReadInChunksOfGzip)
{
    auto columns = three_bars();
    for (auto& [name, column] : columns) column.pack = Pack::gzip;
    const Folder folder;
    expect_three_bars(read_store(write(folder, columns)));
}

TEST(ForeignStore, IsReadInNarrowIntegers)
{
    auto columns = three_bars();
    columns["ohlc"].type = H5T_STD_U32BE;
    columns["sigma"].type = H5T_STD_I16LE;
    const Folder folder;
    expect_three_bars(read_store(write(folder, columns)));
}

TEST(ForeignStore, RefusesFloatPrices)
{
    auto columns = three_bars();
    columns["ohlc"].type = H5T_IEEE_F64LE;
    EXPECT_THAT(
        refuse(columns),
        HasSubstr("other.h5:/X/ohlc: expected integers that fit 64 bits, found 64-bit float"));
}

TEST(ForeignStore, RefusesUnsignedIntegersThatMayPass63Bits)
{
    auto columns = three_bars();
    columns["volume"].type = H5T_STD_U64LE;
    EXPECT_THAT(refuse(columns),
                HasSubstr("/X/volume: expected integers that fit 64 bits, found 64-bit unsigned"));
}

TEST(ForeignStore, RefusesAMissingDataset)
{
    for (const auto* name : {"time", "ohlc", "volume", "sigma"}) {
        auto columns = three_bars();
        columns.erase(name);
        EXPECT_THAT(refuse(columns),
                    HasSubstr(std::string{"/X/"} + name + ": expected a dataset, found none"));
    }
}

TEST(ForeignStore, RefusesRowsThatDiffer)
{
    auto columns = three_bars();
    columns["ohlc"] = {H5T_STD_I64LE, {2, 4}, {1, 1, 1, 1, 1, 1, 1, 1}};
    EXPECT_THAT(refuse(columns), HasSubstr("/X/ohlc: expected shape 3 x 4, found 2 x 4"));
    columns["ohlc"] = {H5T_STD_I64LE, {4, 3}, std::vector<double>(12, 1)};
    EXPECT_THAT(refuse(columns), HasSubstr("/X/ohlc: expected shape 3 x 4, found 4 x 3"));
}

TEST(ForeignStore, RefusesBarsThatAreNone)
{
    auto columns = three_bars();
    columns["ohlc"].values[5] = 3;
    EXPECT_THAT(refuse(columns), HasSubstr("/X/ohlc, row 1: expected the high to be the highest"));
    columns = three_bars();
    columns["ohlc"].values[6] = 6;
    EXPECT_THAT(refuse(columns), HasSubstr("/X/ohlc, row 1: expected the low to be the lowest"));
    columns = three_bars();
    columns["time"].values[2] = 120;
    EXPECT_THAT(refuse(columns),
                HasSubstr("/X/time, row 2: expected a time after that of the row before"));
    columns = three_bars();
    columns["volume"].values[0] = -1;
    EXPECT_THAT(refuse(columns), HasSubstr("/X/volume, row 0: expected 0 or more"));
}

TEST(ForeignStore, TakesFeaturesOfOnesOwnInAnyFloat)
{
    for (const auto type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE})
        for (const hsize_t count : {1, 50, 51, 512}) {
            auto columns = three_bars();
            columns["features"] = features(type, 3, count);
            const Folder folder;
            const auto path = write(folder, columns);
            expect_three_bars(read_store(path));
            EXPECT_EQ(read_info(path).features, static_cast<std::int64_t>(count));
            EXPECT_THAT(read_info(path).features_type, HasSubstr("float"));
        }
}

TEST(ForeignStore, RefusesFeaturesOfAWrongShapeOrType)
{
    auto columns = three_bars();
    columns["features"] = features(H5T_IEEE_F32LE, 3, 513);
    EXPECT_THAT(refuse(columns),
                HasSubstr("/X/features: expected shape 3 x F, F from 1 to 512, found 3 x 513"));
    columns["features"] = features(H5T_IEEE_F32LE, 2, 51);
    EXPECT_THAT(refuse(columns), HasSubstr("found 2 x 51"));
    columns["features"] = features(H5T_STD_I32LE, 3, 51);
    EXPECT_THAT(refuse(columns),
                HasSubstr("/X/features: expected 32-bit or 64-bit floats, found 32-bit integer"));
}

TEST(ForeignStore, RefusesFeaturesThatAreNotFinite)
{
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        auto columns = three_bars();
        columns["features"] = features(H5T_IEEE_F32BE, 3, 51);
        columns["features"].values[51 + 7] = bad;
        const Folder folder;
        const auto path = write(folder, columns);
        const auto said = HasSubstr("/X/features, row 1, column 7: expected a finite number");
        EXPECT_THAT(refusal([&] { read_info(path); }), said);
        EXPECT_THAT(refusal([&] { read_features(path); }), said);
        expect_three_bars(read_store(path));  // rules read no features
    }
}

TEST(ForeignStore, RefusesAnotherVersion)
{
    const Folder folder;
    const auto path = write(folder, three_bars(), 2);
    EXPECT_THAT(refusal([&] { read_store(path); }),
                HasSubstr("version 2 of the format; this program reads 1"));
}

TEST(ForeignStore, HasNoChecksumsToVerify)
{
    const Folder folder;
    const auto path = write(folder, three_bars());
    EXPECT_THAT(refusal([&] { read_store(path, {}, true); }),
                HasSubstr("/X/time: expected 1 checksums in the attribute crc32c, found none"));
}

TEST(ForeignStore, RefusesHdf5FilesOfOtherKindsByName)
{
    const std::vector<std::string> others{"samples/bad_shapes.h5", "samples/pandas_fixed.h5",
                                          "bars/freqtrade/tests/testdata/UNITTEST_BTC-5m.h5"};
    if (!std::filesystem::exists(shared(others[0])))
        GTEST_SKIP() << "BARSWEEP_SHARED with samples/ is not here";
    for (const auto& other : others)
        EXPECT_THAT(
            refusal([&] { read_store(shared(other)); }),
            HasSubstr(other + ": expected a bar store, found an HDF5 file of another kind"));
}

}  // namespace
}  // namespace barsweep::bars
