#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "bars/synthetic.hpp"
#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/whole_file.hpp"

namespace barsweep::bars {
namespace {

std::string line_of(const BarSeries& series, std::size_t i)
{
    const auto& [open, high, low, close] = series.ohlc[i];
    const auto price = [&](std::int64_t ticks) { return to_text(ticks, series.price_decimals); };
    return fmt::format("{},{},{},{},{},{}\n", to_iso8601(series.time[i]), price(open), price(high),
                       price(low), price(close), to_text(series.volume[i], series.volume_decimals));
}

bool write_lines(std::FILE* file, const BarSeries& series)
{
    bool good = std::fputs("time,open,high,low,close,volume\n", file) >= 0;
    for (std::size_t i = 0; i < series.size() && good; ++i)
        good = std::fputs(line_of(series, i).c_str(), file) >= 0;
    return good && std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
}

}  // namespace

void write_csv(const std::filesystem::path& path, const BarSeries& series)
{
    const auto part = path.string() + ".part";
    std::FILE* const file = std::fopen(part.c_str(), "we");
    const bool written = file != nullptr && write_lines(file, series);
    int cause = errno;
    const bool closed = file != nullptr && std::fclose(file) == 0;
    if (written && closed && std::rename(part.c_str(), path.c_str()) == 0 &&
        sync_folder_of(path) == 0)
        return;
    if (written) cause = errno;
    if (file != nullptr) std::remove(part.c_str());
    throw UserError({path.string(), "a place that can be written", std::strerror(cause),
                     "free space there or choose another --out"},
                    Exit::machine);
}

}  // namespace barsweep::bars
