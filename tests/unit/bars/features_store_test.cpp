// The features as they lie in a store: where, how, under which names, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "bars/bar_store.hpp"
#include "bars/features.hpp"
#include "bars/hdf5_handle.hpp"
#include "bars/synthetic.hpp"
#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

BarSeries some_bars(std::int64_t count)
{
    SyntheticOptions options;
    options.bars = count;
    auto series = synthesize(options);
    series.symbol.assign(1, 'X');  // g++ 12 warns wrongly of = "X" (PR 105651)
    return series;
}

std::filesystem::path write(const Folder& folder, const BarSeries& series)
{
    StoreInfo info;
    info.created_by = "a test";
    info.canonical_sha256 = canonical_sha256(series);
    write_store(folder / "bars.h5", series, info);
    return folder / "bars.h5";
}

/// Where the dataset begins; its layout in `layout`.
haddr_t place_in(const std::filesystem::path& path, H5D_layout_t& layout)
{
    const Handle file{H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    const Handle dataset{H5Dopen2(file.get(), "X/features", H5P_DEFAULT), H5Dclose};
    const Handle creation{H5Dget_create_plist(dataset.get()), H5Pclose};
    layout = H5Pget_layout(creation.get());
    return H5Dget_offset(dataset.get());
}

/// Opens a store for a change by the test.
template <class Change>
void change(const std::filesystem::path& path, Change work)
{
    const Handle file{H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
    const Handle group{H5Gopen2(file.get(), "X", H5P_DEFAULT), H5Gclose};
    work(group.get());
}

/// Puts features of another kind in their place.
void replace_features(hid_t group, hid_t type, hsize_t rows, hsize_t columns, bool packed)
{
    H5Ldelete(group, "features", H5P_DEFAULT);
    const hsize_t shape[] = {rows, columns}, chunk[] = {2, columns};
    const Handle space{H5Screate_simple(2, shape, nullptr), H5Sclose};
    const Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    if (packed) {
        H5Pset_chunk(creation.get(), 2, chunk);
        H5Pset_deflate(creation.get(), 1);
    }
    const Handle dataset{
        H5Dcreate2(group, "features", type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
        H5Dclose};
    std::vector<double> values;
    for (hsize_t i = 0; i < rows * columns; ++i) values.push_back(static_cast<double>(i) + 0.375);
    H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void name_features(hid_t group, const std::vector<const char*>& names)  // as h5py does
{
    if (H5Aexists(group, "feature_names") > 0) H5Adelete(group, "feature_names");
    if (names.empty()) return;
    const hsize_t count = names.size();
    const Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
    H5Tset_size(type.get(), H5T_VARIABLE);
    const Handle space{H5Screate_simple(1, &count, nullptr), H5Sclose};
    const Handle attribute{
        H5Acreate2(group, "feature_names", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose};
    H5Awrite(attribute.get(), type.get(), names.data());
}

TEST(StoredFeatures, AreThoseOfTheBarsInOnePieceOnAPageBoundary)
{
    for (const std::int64_t bars : {1, 20, 21, 5'000}) {
        const Folder folder;
        const auto series = some_bars(bars);
        const auto path = write(folder, series);
        H5D_layout_t layout{};
        const auto offset = place_in(path, layout);
        ASSERT_EQ(layout, H5D_CONTIGUOUS);
        EXPECT_EQ(offset % 4096, 0u) << bars;

        const auto features = compute_features(series);
        EXPECT_EQ(read_features(path), features);
        const auto bytes = bytes_of(path);
        ASSERT_LE(offset + features.size() * 4, bytes.size());
        EXPECT_EQ(std::memcmp(bytes.data() + offset, features.data(), features.size() * 4), 0);
    }
}

TEST(StoredFeatures, AreReadIntoMemoryOfTheCallers)
{
    const Folder folder;
    const auto series = some_bars(3'000);
    const auto path = write(folder, series);
    std::vector<float> values(3'000 * feature_count + 2, -7);
    read_features_into(path, "X", values.data() + 1, values.size() - 2);
    EXPECT_EQ(values.front(), -7);
    EXPECT_EQ(values.back(), -7);
    EXPECT_TRUE(std::equal(values.begin() + 1, values.end() - 1, compute_features(series).begin()));
    EXPECT_THAT(refusal([&] { read_features_into(path, "X", values.data(), 51); }),
                HasSubstr("/X/features: expected 51 values, found 153000"));
}

TEST(StoredFeatures, HaveTheirNamesAndAWarmup)
{
    const Folder folder;
    const auto path = write(folder, some_bars(300));
    const auto info = read_info(path);
    EXPECT_EQ(info.features, feature_count);
    EXPECT_EQ(info.features_type, "32-bit float");
    EXPECT_EQ(info.warmup, 240);
    EXPECT_THAT(info.feature_names, ElementsAreArray(feature_names));
    const auto table = describe_features(path);
    EXPECT_EQ(table.rows, 300);
    EXPECT_EQ(table.count, feature_count);
    EXPECT_THAT(table.names, ElementsAreArray(feature_names));
}

TEST(StoredFeatures, AChangedByteIsFoundWhereverTheyAreRead)
{
    const Folder folder;
    const auto path = write(folder, some_bars(20'000));  // 4 blocks
    H5D_layout_t layout{};
    const auto offset = place_in(path, layout);
    const auto good = bytes_of(path);
    for (const std::size_t at : {0, 1'048'575, 1'048'576, 20'000 * 51 * 4 - 4}) {
        auto changed = good;
        changed[offset + at] = static_cast<char>(changed[offset + at] ^ 1);
        const auto file = folder.write("changed.h5", changed);
        const auto said = HasSubstr(":/X/features: expected crc32c");
        EXPECT_THAT(refusal([&] { read_features(file); }), said);
        EXPECT_THAT(refusal([&] { read_info(file); }), said);
        EXPECT_THAT(refusal([&] { read_store(file, {}, true); }), said);
    }
}

TEST(StoredFeatures, OfAFileCutInThemAreRefused)
{
    const Folder folder;
    const auto path = write(folder, some_bars(2'000));
    H5D_layout_t layout{};
    const auto offset = place_in(path, layout);
    std::filesystem::resize_file(path, offset + 1'000);
    EXPECT_THAT(refusal([&] { read_features(path); }), HasSubstr("bars.h5"));
}

TEST(StoredFeatures, AStoreWithoutThemIsReadAndSaysToIngestAgain)
{
    const Folder folder;
    const auto series = some_bars(300);
    const auto path = write(folder, series);
    change(path, [](hid_t group) { H5Ldelete(group, "features", H5P_DEFAULT); });
    EXPECT_EQ(read_store(path, {}, true).ohlc, series.ohlc);
    EXPECT_EQ(read_info(path).features, 0);
    for (const auto& said :
         {refusal([&] { read_features(path); }), refusal([&] { describe_features(path); })})
        EXPECT_THAT(said,
                    HasSubstr("/X/features: expected features for a policy to read, found none: "
                              "the store was made without them. To fix: make the store again with "
                              "`barsweep ingest`."));
}

TEST(StoredFeatures, OfOnesOwnAreTakenInAnyFloatOrderAndLayout)
{
    for (const auto type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE})
        for (const bool packed : {false, true}) {
            const Folder folder;
            const auto path = write(folder, some_bars(5));
            change(path, [&](hid_t group) {
                replace_features(group, type, 5, 2, packed);
                name_features(group, {"mood", "späte"});
            });
            EXPECT_THAT(read_features(path), ElementsAre(0.375F, 1.375F, 2.375F, 3.375F, 4.375F,
                                                         5.375F, 6.375F, 7.375F, 8.375F, 9.375F));
            EXPECT_THAT(describe_features(path).names, ElementsAre("mood", "späte"));
        }
}

TEST(StoredFeatures, WithoutNamesAreNumbered)
{
    const Folder folder;
    const auto path = write(folder, some_bars(5));
    change(path, [](hid_t group) {
        replace_features(group, H5T_IEEE_F32LE, 5, 512, false);
        name_features(group, {});
    });
    const auto names = describe_features(path).names;
    ASSERT_EQ(names.size(), 512u);
    EXPECT_EQ(names.front(), "feature_1");
    EXPECT_EQ(names.back(), "feature_512");
}

TEST(StoredFeatures, WithAnotherNumberOfNamesAreRefused)
{
    const Folder folder;
    const auto path = write(folder, some_bars(5));
    change(path, [](hid_t group) { name_features(group, {"one", "two"}); });
    EXPECT_THAT(
        refusal([&] { read_store(path); }),
        HasSubstr("/X/features: expected 51 names in the attribute feature_names, found 2"));
}

TEST(StoredFeatures, BeyondAFloatAreRefused)
{
    const Folder folder;
    const auto path = write(folder, some_bars(3));
    change(path, [](hid_t group) {
        replace_features(group, H5T_IEEE_F64LE, 3, 1, false);
        name_features(group, {});
        const Handle dataset{H5Dopen2(group, "features", H5P_DEFAULT), H5Dclose};
        const double values[] = {1, 2, 1e300};
        H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    });
    EXPECT_THAT(refusal([&] { read_features(path); }),
                HasSubstr("/X/features, row 2, column 0: expected a finite number, found inf"));
}

}  // namespace
}  // namespace barsweep::bars
