#include "bars/csv_import.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Nanoseconds minute = 60'000'000'000;
constexpr const char* two_bars =
    "time,open,high,low,close,volume\n"
    "2024-01-02 10:00:00,10,11,9,10.5,100\n"
    "2024-01-02 10:01:00,10.5,11.25,10,10.8,90.5\n";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string gzip(const std::string& text)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

TEST(CsvImport, TakesTheFinestDigitsFoundAsTheScale)
{
    const auto series = import_text(two_bars).series;
    EXPECT_EQ(series.price_decimals, 2);
    EXPECT_EQ(series.volume_decimals, 1);
    EXPECT_THAT(series.ohlc[0], ElementsAre(1000, 1100, 900, 1050));
    EXPECT_THAT(series.ohlc[1], ElementsAre(1050, 1125, 1000, 1080));
    EXPECT_THAT(series.volume, ElementsAre(1000, 905));
    EXPECT_EQ(series.interval, minute);
    EXPECT_EQ(series.time[1] - series.time[0], minute);
}

TEST(CsvImport, LineEndsAndByteOrderMarkChangeNothing)
{
    const std::string text = two_bars;
    const auto bars = canonical_sha256(import_text(text).series);
    for (const auto& other :
         {replaced(text, "\n", "\r\n"), replaced(text, "\n", "\r"), "\xEF\xBB\xBF" + text,
          text.substr(0, text.size() - 1), replaced(text, ",", ";"), replaced(text, ",", "\t"),
          replaced(text, ",", ", "), "# by hand\n" + text, replaced(text, "10.5", "\"10.5\"")})
        EXPECT_EQ(canonical_sha256(import_text(other).series), bars) << other;
}

TEST(CsvImport, KnowsGzipByItsFirstBytesNotByItsName)
{
    const auto bars = canonical_sha256(import_text(two_bars).series);
    EXPECT_EQ(canonical_sha256(import_text(gzip(two_bars)).series), bars);
    const std::string text = two_bars;
    EXPECT_EQ(
        canonical_sha256(import_text(gzip(text.substr(0, 80)) + gzip(text.substr(80))).series),
        bars);
}

TEST(CsvImport, RefusesADamagedGzip)
{
    const auto packed = gzip(two_bars);
    EXPECT_THAT(refusal([&] { import_text(packed.substr(0, packed.size() - 9)); }),
                HasSubstr("expected a whole gzip file, found one that is cut off"));
    auto damaged = packed;
    damaged[30] = static_cast<char>(damaged[30] ^ 0x55);
    EXPECT_THAT(refusal([&] { import_text(damaged); }), HasSubstr("a whole gzip file"));
}

TEST(CsvImport, NotesBlankAndCommentLines)
{
    const auto findings =
        import_text(replaced(two_bars, "100\n", "100\n\n# split 2:1\n")).info.findings;
    EXPECT_EQ(findings.at("blank_line").first[0].line, 3);
    EXPECT_EQ(findings.at("comment_line").first[0].what, "# split 2:1");
}

TEST(CsvImport, ReadsMillisecondsAndMicrosecondsInOneFile)
{
    const auto series = import_text(
                            "1735689540000,1,1,1,1,1,0,0,0,0,0,0\n"
                            "1735689600000000,1,1,1,1,1,0,0,0,0,0,0\n")
                            .series;
    EXPECT_EQ(series.time[1] - series.time[0], minute);
}

TEST(CsvImport, AMissingVolumeIsZeroAndNoFinding)
{
    const auto import = import_text("date,open,high,low,close\n2024-01-02,1,1,1,1\n");
    EXPECT_THAT(import.series.volume, ElementsAre(0));
    EXPECT_FALSE(import.info.findings.contains("zero_volume"));
}

TEST(CsvImport, NotesZeroVolumesJumpsAndGaps)
{
    const auto findings =
        import_text(
            "t,o,h,l,c,v\n"
            "0,10,10,10,10,5\n60,10,10,10,10,0\n120,16,16,16,16,1\n300,16,16,16,16,1\n")
            .info.findings;
    EXPECT_EQ(findings.at("zero_volume").first[0].line, 3);
    EXPECT_EQ(findings.at("jump").count, 1);
    EXPECT_EQ(findings.at("jump").first[0].line, 4);
    EXPECT_EQ(findings.at("jump").first[0].what, "16 after 10");
    EXPECT_EQ(findings.at("gap").first[0].what, "2 missing after 1970-01-01T00:02:00Z");
}

TEST(CsvImport, FillsGapsWithFlatBarsWhereAsked)
{
    ImportOptions options;
    options.gaps = Gaps::fill;
    const auto [series, info] =
        import_text("t,o,h,l,c,v\n0,1,2,1,2,5\n60,2,2,2,2,5\n240,3,3,3,3,5\n", options);
    ASSERT_EQ(series.size(), 5u);
    EXPECT_THAT(series.ohlc[3], ElementsAre(2, 2, 2, 2));
    EXPECT_THAT(series.volume, ElementsAre(5, 5, 0, 0, 5));
    EXPECT_EQ(series.time[3], 3 * minute);
    EXPECT_EQ(info.findings.at("filled_bar").count, 2);
    EXPECT_EQ(series.sigma.size(), 5u);
}

TEST(CsvImport, RefusesAGapWhereAskedTo)
{
    ImportOptions options;
    options.gaps = Gaps::error;
    EXPECT_THAT(
        refusal([&] { import_text("t,o,h,l,c\n0,1,1,1,1\n60,1,1,1,1\n240,1,1,1,1\n", options); }),
        HasSubstr("bars.csv:4: expected bars without a gap, found 2 missing after"));
}

TEST(CsvImport, SeveralFilesAreOneSeries)
{
    const Folder folder;
    const auto first = folder.write("one.csv", "t,o,h,l,c\n0,1,1,1,1\n");
    const auto second = folder.write("two.csv", "t,o,h,l,c\n60,1,1.5,1,1.5\n");
    const auto [series, info] = import_csv({first, second}, {});
    EXPECT_EQ(series.symbol, "one");
    EXPECT_THAT(series.time, ElementsAre(0, minute));
    EXPECT_THAT(info.sources, ElementsAre(HasSubstr("one.csv "), HasSubstr("two.csv ")));
    EXPECT_THAT(refusal([&] {
                    import_csv({second, first}, {});
                }),
                HasSubstr("1 step back (first: " + first.string() + ":2, 1970-01-01T00:00:00Z)"));
}

TEST(CsvImport, TakesTheSymbolFromTheFilesName)
{
    const Folder folder;
    const auto file = folder.write("BTC USD.2015.csv", two_bars);
    EXPECT_EQ(import_csv({file}, {}).series.symbol, "BTC_USD");
    ImportOptions options;
    options.symbol = "XBT";
    EXPECT_EQ(import_csv({file}, options).series.symbol, "XBT");
}

TEST(CsvImport, RefusesAFileThatIsNotThere)
{
    EXPECT_THAT(
        refusal([] { import_csv({"/nowhere/bars.csv"}, {}); }),
        HasSubstr("/nowhere/bars.csv: expected a readable file of bars, found No such file"));
    EXPECT_THAT(refusal([] { import_csv({"/tmp"}, {}); }), HasSubstr("found a folder"));
}

/// Whatever byte a file ends at, it is bars or a sentence.
TEST(CsvImport, AFileCutAnywhereIsBarsOrAUserError)
{
    const Folder folder;
    const std::string text = replaced(two_bars, "\n", "\r\n");
    for (const auto& whole :
         {text, gzip(text), "1735689600000,1,2,1,2,1\n1735689660000,2,2,1,1,3e-2\n" + text})
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            const auto file = folder.write("cut.csv", whole.substr(0, size));
            try {
                const auto series = import_csv({file}, {}).series;
                EXPECT_GE(series.size(), 1u);
                EXPECT_EQ(series.sigma.size(), series.size());
            } catch (const UserError& error) {
                EXPECT_THAT(error.what(), HasSubstr("cut.csv"));
            }
        }
}

TEST(CsvImport, AFileWithAnyByteChangedIsBarsOrAUserError)
{
    const Folder folder;
    const std::string text = two_bars;
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char byte : {'\0', '\n', ',', '9', '-', '"', '\xff'}) {
            auto changed = text;
            changed[at] = byte;
            const auto file = folder.write("changed.csv", changed);
            try {
                EXPECT_GE(import_csv({file}, {}).series.size(), 1u);
            } catch (const UserError&) {
            }
        }
}

}  // namespace
}  // namespace barsweep::bars
