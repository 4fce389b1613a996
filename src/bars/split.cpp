#include "bars/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/time.hpp"

namespace barsweep::bars {
namespace {

constexpr int share_places = 9;
constexpr std::int64_t whole = 1'000'000'000;  ///< 1 at share_places
constexpr Nanoseconds day = 86'400'000'000'000;

struct Key {
    const char* name;
    const std::string* value;
};

UserError refuse(const Key& key, const std::string& expected, const std::string& fix)
{
    return UserError(
        {fmt::format("[data] {}", key.name), expected, fmt::format("'{}'", *key.value), fix});
}

bool is_range(const Key& key)
{
    return key.value->find("..") != std::string::npos;
}

/// Shares of the rows warmup..N-1, each window's end rounded down.
std::array<Window, 3> from_shares(std::int64_t rows, std::int64_t warmup,
                                  const std::array<Key, 3>& keys)
{
    std::array<Window, 3> windows;
    std::int64_t sum = 0;
    auto first = warmup;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto value = parse_decimal(*keys[i].value);
        const auto share = value ? to_units(*value, share_places) : std::nullopt;
        if (!share || *share <= 0 || *share >= whole)
            throw refuse(keys[i], "a share between 0 and 1, or dates 2015-01-01..2015-06-30",
                         "write a share such as 0.6");
        sum += *share;
        if (sum > whole)
            throw refuse(keys[i], "shares that make at most 1 together", "lower one of the shares");
        __extension__ using Wide = __int128;
        const auto end = warmup + static_cast<std::int64_t>(Wide{rows - warmup} * sum / whole);
        windows[i] = {first, end - 1};
        first = end;
    }
    return windows;
}

/// "2015-01-01..2015-06-30": the rows in it. The end is included, of a plain date the whole day.
Window from_dates(const BarSeries& series, std::int64_t warmup, const Key& key)
{
    const auto at = key.value->find("..");
    if (at == std::string::npos)
        throw refuse(key, "dates as the other windows have",
                     "give all three as shares or all as dates");
    const auto end_text = key.value->substr(at + 2);
    const auto begin = parse_instant(key.value->substr(0, at));
    auto end = parse_instant(end_text);
    if (!begin || !end)
        throw refuse(key, "two dates such as 2015-01-01..2015-06-30", "correct the dates");
    constexpr std::size_t date_only = 10;
    if (end_text.size() == date_only) *end += day - 1;
    const auto day_of = [](Nanoseconds time) { return time / day - (time % day < 0); };
    if (day_of(*begin) < day_of(series.time.front()) || day_of(*end) > day_of(series.time.back()))
        throw refuse(key,
                     fmt::format("dates inside the store's {} to {}",
                                 to_iso8601(series.time.front()), to_iso8601(series.time.back())),
                     "choose dates that the bars cover");
    const auto row = [&](auto iterator) { return iterator - series.time.begin(); };
    return {std::max<std::int64_t>(row(std::ranges::lower_bound(series.time, *begin)), warmup),
            row(std::ranges::upper_bound(series.time, *end)) - 1};
}

/// Purge and embargo move the two sides of the border between training and validation.
void part(Split& split, const SplitOptions& options)
{
    const auto train_end = split.train.last;
    split.validation.first = std::max(split.validation.first, train_end + 1 + options.embargo);
    split.train.last = std::min(train_end, split.validation.first - 1 - options.purge);
}

}  // namespace

Split split_windows(const BarSeries& series, const SplitOptions& options)
{
    const std::array<Key, 3> keys{
        {{"train", &options.train}, {"validation", &options.validation}, {"test", &options.test}}};
    const auto rows = static_cast<std::int64_t>(series.size());
    const auto non_negative = [](const char* name, std::int64_t value) {
        if (value < 0)
            throw UserError({fmt::format("[data] {}", name), "0 bars or more",
                             std::to_string(value), "give a count of bars"});
    };
    non_negative("purge", options.purge);
    non_negative("embargo", options.embargo);

    Split split;
    if (std::ranges::any_of(keys, is_range)) {
        split = {from_dates(series, options.warmup, keys[0]),
                 from_dates(series, options.warmup, keys[1]),
                 from_dates(series, options.warmup, keys[2])};
    } else {
        const auto windows = from_shares(rows, options.warmup, keys);
        split = {windows[0], windows[1], windows[2]};
    }
    if (split.validation.first <= split.train.last)
        throw refuse(keys[1], "a window after the training window", "move it behind");
    if (split.test.first <= split.validation.last)
        throw refuse(keys[2], "a window after the validation window", "move it behind");
    part(split, options);
    const std::array<Window, 3> windows{split.train, split.validation, split.test};
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (windows[i].bars() < 2)
            throw refuse(keys[i],
                         fmt::format("a window of at least 2 of the store's {} bars", rows),
                         "widen the window, or lower purge, embargo or warm-up");
    return split;
}

}  // namespace barsweep::bars
