// Seconds and bars a second of importing one CSV file, a line for each stage and for the whole.
// Usage: bench_import FILE [csv|binance|bitfinex]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "bars/csv_import.hpp"
#include "bars/csv_rows.hpp"
#include "bars/source_file.hpp"

using namespace barsweep::bars;

namespace {

/// The best of five runs: the one least disturbed by others on the machine.
template <class Work>
void time(const char* name, std::size_t bars, Work work)
{
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::min(best, seconds.count());
    }
    std::printf("%s,%zu,%.6f,%.0f\n", name, bars, best, static_cast<double>(bars) / best);
}

CsvFormat format_of(const std::string& name)
{
    return name == "bitfinex"  ? CsvFormat::bitfinex
           : name == "binance" ? CsvFormat::binance
           : name == "csv"     ? CsvFormat::csv
                               : CsvFormat::automatic;
}

void run(const std::string& file, CsvFormat format)
{
    ImportOptions options;
    options.format = format;
    options.duplicates = Duplicates::first;
    const auto source = read_source(file);
    const auto layout = find_layout(source.name, source.text, format, {});
    const auto bars = import_csv({file}, options).series.size();
    std::puts("name,bars,seconds,bars_per_second");
    time("read_and_sha256", bars, [&] { read_source(file); });
    time("parse_and_check", bars, [&] {
        std::vector<RawBar> rows;
        Faults faults;
        Findings findings;
        read_rows(source.name, source.text, layout, {}, 0, rows, faults, findings);
        faults.refuse();
    });
    time("import", bars, [&] { import_csv({file}, options); });
}

}  // namespace

int main(int argc, char** argv)
try {
    if (argc < 2) {
        std::fputs("usage: bench_import FILE [csv|binance|bitfinex]\n", stderr);
        return 2;
    }
    run(argv[1], format_of(argc > 2 ? argv[2] : ""));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_import: %s\n", error.what());
    return 1;
}
