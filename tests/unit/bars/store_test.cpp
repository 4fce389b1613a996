#include "bars/bar_store.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "bars/features.hpp"
#include "bars/synthetic.hpp"
#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BarSeries some_bars(std::int64_t count)
{
    SyntheticOptions options;
    options.bars = count;
    auto series = synthesize(options);
    series.symbol = "TEST";
    return series;
}

StoreInfo info_of(const BarSeries& series)
{
    StoreInfo info;
    info.sources = {"a.csv 00ff", "b.csv 11ee"};
    info.created_by = "a test";
    info.timezone = "UTC";
    info.canonical_sha256 = canonical_sha256(series);
    info.findings["gap"] = {7, {{3, "", "2 missing"}, {9, "time", "späte Bars"}}};
    info.findings["filled_bar"] = {12, {}};
    return info;
}

TEST(Store, GivesBackWhatWasWritten)
{
    const Folder folder;
    const auto path = folder / "bars.h5";
    const auto series = some_bars(50'000);
    write_store(path, series, info_of(series));
    const auto back = read_store(path, "TEST", true);
    EXPECT_EQ(back.symbol, "TEST");
    EXPECT_EQ(back.time, series.time);
    EXPECT_EQ(back.ohlc, series.ohlc);
    EXPECT_EQ(back.volume, series.volume);
    EXPECT_EQ(back.sigma, series.sigma);
    EXPECT_EQ(back.price_decimals, series.price_decimals);
    EXPECT_EQ(back.interval, series.interval);
    EXPECT_THAT(list_symbols(path), ElementsAre("TEST"));
    EXPECT_FALSE(std::filesystem::exists(folder / "bars.h5.part"));
}

TEST(Store, GivesBackWhatTheImportSaw)
{
    const Folder folder;
    const auto series = some_bars(10);
    write_store(folder / "bars.h5", series, info_of(series));
    const auto info = read_info(folder / "bars.h5");
    EXPECT_THAT(info.sources, ElementsAre("a.csv 00ff", "b.csv 11ee"));
    EXPECT_EQ(info.created_by, "a test");
    EXPECT_EQ(info.timezone, "UTC");
    EXPECT_EQ(info.canonical_sha256, canonical_sha256(series));
    EXPECT_EQ(info.findings.at("gap").count, 7);
    ASSERT_EQ(info.findings.at("gap").first.size(), 2u);
    EXPECT_EQ(info.findings.at("gap").first[1].line, 9);
    EXPECT_EQ(info.findings.at("gap").first[1].column, "time");
    EXPECT_EQ(info.findings.at("gap").first[1].what, "späte Bars");
    EXPECT_EQ(info.findings.at("filled_bar").count, 12);
    EXPECT_TRUE(info.findings.at("filled_bar").first.empty());
    EXPECT_EQ(info.features, feature_count);
}

TEST(Store, TakesAFewHundredSourceFiles)
{
    const Folder folder;
    const auto series = some_bars(10);
    auto info = info_of(series);
    info.sources.assign(5'000, std::string(90, 'x'));
    write_store(folder / "bars.h5", series, info);
    const auto sources = read_info(folder / "bars.h5").sources;
    EXPECT_EQ(sources.front(), info.sources.front());
    EXPECT_THAT(sources.back(), HasSubstr(" more"));
}

TEST(Store, ReplacesAStoreButNoOtherFile)
{
    const Folder folder;
    const auto series = some_bars(10);
    write_store(folder / "bars.h5", some_bars(20), info_of(some_bars(20)));
    write_store(folder / "bars.h5", series, info_of(series));
    EXPECT_EQ(read_store(folder / "bars.h5").size(), 10u);
    const auto other = folder.write("bars.csv", "precious");
    EXPECT_THAT(refusal([&] { write_store(other, series, info_of(series)); }),
                HasSubstr("expected a bar store, found a file that is not HDF5"));
    EXPECT_EQ(bytes_of(other), "precious");
}

TEST(Store, LeavesNothingWhereThereIsNoFolder)
{
    const Folder folder;
    const auto series = some_bars(10);
    EXPECT_THAT(refusal([&] { write_store(folder / "none/bars.h5", series, info_of(series)); }),
                HasSubstr("expected a place that can be written, found No such file or directory"));
    EXPECT_TRUE(folder.empty());
}

TEST(Store, SaysThatAFolderIsReadOnly)
{
    if (::geteuid() == 0) GTEST_SKIP() << "root may write into a read-only folder";
    const Folder folder;
    const auto series = some_bars(10);
    std::filesystem::create_directory(folder / "locked");
    ::chmod((folder / "locked").c_str(), 0555);
    EXPECT_THAT(refusal([&] { write_store(folder / "locked/bars.h5", series, info_of(series)); }),
                HasSubstr("Permission denied"));
}

/// The file-size limit stands in for a full disk: the same write(2) fails in the same way.
TEST(Store, SaysThatTheDiskIsFullAndLeavesNothing)
{
    const Folder folder;
    const auto series = some_bars(50'000);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    for (const rlim_t most : {0, 1'000, 4'096, 500'000, 2'000'000}) {
        const rlimit limit{most, old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto sentence =
            refusal([&] { write_store(folder / "bars.h5", series, info_of(series)); });
        ::setrlimit(RLIMIT_FSIZE, &old);
        EXPECT_THAT(sentence, HasSubstr("bars.h5: expected a place that can be written, found"))
            << most;
        EXPECT_TRUE(folder.empty()) << most;
    }
    std::signal(SIGXFSZ, old_handler);
}

TEST(Store, RefusesASymbolThatIsNoName)
{
    const Folder folder;
    for (const auto* symbol : {"", "A/B", "."}) {
        auto series = some_bars(10);
        series.symbol = symbol;
        EXPECT_THAT(refusal([&] { write_store(folder / "bars.h5", series, info_of(series)); }),
                    HasSubstr("--symbol: expected a name without '/'"));
    }
    EXPECT_TRUE(folder.empty());
}

TEST(Store, VerifyFindsEveryChangedByteOfTheColumns)
{
    const Folder folder;
    const auto path = folder / "bars.h5";
    const auto series = some_bars(5'000);
    write_store(path, series, info_of(series));
    const auto good = bytes_of(path);
    const auto data = series.size() * (8 + 32 + 8 + 8 + feature_count * sizeof(float));
    ASSERT_GT(good.size(), data);
    int found = 0, tried = 0;
    for (std::size_t at = good.size() - data; at < good.size(); at += 4'093, ++tried) {
        auto changed = good;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        const auto file = folder.write("changed.h5", changed);
        const auto sentence = refusal([&] { read_store(file, {}, true); });
        found += !sentence.empty();
        // A byte between the datasets changes nothing that is read.
        if (sentence.empty()) {
            EXPECT_EQ(read_store(file).ohlc, series.ohlc);
        }
    }
    EXPECT_GT(found, tried * 9 / 10);
}

TEST(Store, AFileCutAnywhereIsRefused)
{
    const Folder folder;
    const auto series = some_bars(100);
    write_store(folder / "bars.h5", series, info_of(series));
    const auto whole = bytes_of(folder / "bars.h5");
    for (std::size_t size = 0; size < whole.size(); size += 97) {
        const auto file = folder.write("cut.h5", whole.substr(0, size));
        EXPECT_THAT(refusal([&] { read_store(file, {}, true); }), HasSubstr("cut.h5")) << size;
    }
}

TEST(Store, RefusesWhatIsNoStore)
{
    const Folder folder;
    EXPECT_THAT(refusal([&] { read_store(folder / "none.h5"); }), HasSubstr("found no file"));
    EXPECT_THAT(refusal([&] { read_store(folder / ""); }), HasSubstr("something that is no file"));
    EXPECT_THAT(refusal([&] { read_store(folder.write("text.h5", "time,open")); }),
                HasSubstr("found a file that is not HDF5"));
}

TEST(Store, NamesTheSymbolsThereAreForOneThatIsNot)
{
    const Folder folder;
    const auto series = some_bars(10);
    write_store(folder / "bars.h5", series, info_of(series));
    EXPECT_THAT(refusal([&] { read_store(folder / "bars.h5", "OTHER"); }),
                HasSubstr("expected the symbol 'OTHER', found TEST"));
}

TEST(Store, IsReadWhileAnotherProgramHoldsALock)
{
    const Folder folder;
    const auto series = some_bars(10);
    write_store(folder / "bars.h5", series, info_of(series));
    std::filesystem::permissions(folder / "bars.h5", std::filesystem::perms::owner_read);
    const int file = ::open((folder / "bars.h5").c_str(), O_RDONLY);
    ASSERT_EQ(::flock(file, LOCK_EX), 0);
    EXPECT_EQ(read_store(folder / "bars.h5").size(), 10u);
    ::close(file);
}

}  // namespace
}  // namespace barsweep::bars
