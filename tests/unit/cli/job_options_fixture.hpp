#pragma once
#include "cli/job_options.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "cli/estimate.hpp"

namespace barsweep::cli {

/// 2,000 hours around 1,000.00, up and down by a triangle of 100 bars.
inline bars::BarSeries hours()
{
    bars::BarSeries series;
    series.symbol = "TEST";
    series.price_decimals = 2;
    series.interval = 3'600'000'000'000;
    for (std::int64_t i = 0; i < 2'000; ++i) {
        const std::int64_t close = 100'000 + 20 * (i % 100 < 50 ? i % 100 : 100 - i % 100);
        series.time.push_back(1'420'070'400'000'000'000 + i * series.interval);
        series.ohlc.push_back({close, close + 10, close - 10, close});
        series.volume.push_back(1);
    }
    bars::compute_sigma(series);
    return series;
}

class JobOptionsTest : public testing::Test {
protected:
    JobOptionsTest() { std::filesystem::create_directories(folder_); }
    ~JobOptionsTest() override { std::filesystem::remove_all(folder_); }

    /// The lines stand below rungs that suit the 2,000 bars.
    Job resolve(const std::string& lines, const Overrides& overrides = {})
    {
        std::ofstream{file_} << "[rungs]\nbars = 200 600 1000\n" << lines;
        return resolve_job(read_job(file_, overrides), series_);
    }

    std::string sentence(const std::string& lines, const Overrides& overrides = {})
    {
        try {
            resolve(lines, overrides);
        } catch (const UserError& error) {
            EXPECT_EQ(error.exit(), Exit::bad_input);
            const std::string text = error.what();
            return text.starts_with(folder_.string()) ? text.substr(folder_.string().size() + 1)
                                                      : text;
        }
        return "accepted";
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("barsweep_options_" + std::to_string(::getpid()));
    std::filesystem::path file_ = folder_ / "job.ini";
    bars::BarSeries series_ = hours();
};

}  // namespace barsweep::cli
