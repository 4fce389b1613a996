#include <numbers>

#include "bars/features_rows.hpp"

namespace barsweep::bars {
namespace {

constexpr Nanoseconds day = 86'400'000'000'000, week = 7 * day;
constexpr double minute = 60e9;  // ns

Nanoseconds floor_modulo(Nanoseconds time, Nanoseconds cycle)
{
    const auto rest = time % cycle;
    return rest < 0 ? rest + cycle : rest;
}

void put_angle(Nanoseconds into_cycle, Nanoseconds cycle, double* out)
{
    const double turn = static_cast<double>(into_cycle) / static_cast<double>(cycle);
    out[0] = std::sin(2 * std::numbers::pi * turn);
    out[1] = std::cos(2 * std::numbers::pi * turn);
}

}  // namespace

void ClockFeatures::step(std::size_t t, double* out)
{
    put_angle(floor_modulo(time_[t], day), day, out);
    constexpr auto from_monday = 3 * day;  // 1970-01-01 was a Thursday
    put_angle(floor_modulo(floor_modulo(time_[t], week) + from_monday, week), week, out + 2);
    if (t > 0) out[4] = std::log1p(minus(time_[t], time_[t - 1]) / minute);
}

}  // namespace barsweep::bars
