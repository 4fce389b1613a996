#include "sim/account_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "base/number.hpp"

namespace barsweep::sim {
namespace {

const std::vector<AccountKey> keys{
    {"initial", "10000", "10000", "money at the start, quote currency"},
    {"levels", "-1 -0.5 0 0.5 1", "-1 0 1", "exposures an agent may ask for, shares of equity"},
    {"spread", "0", "0.1", "full bid-ask, price units; half is paid a side"},
    {"spread_bps", "0", "1.5", "full bid-ask, 1e-4 of the price; instead of spread"},
    {"fee_bps", "0", "10", "fee of each side, 1e-4 of its notional"},
    {"cash_reserve", "0", "0.1", "share of equity that stays in cash when a position is sized"},
    {"lot_decimals", "auto", "3", "1 lot is 10^-this base units, 0 to 18; auto: from the money"},
    {"unit", "", "1", "base units held at exposure 1; none: sized by equity"},
    {"fill", "next_open", "next_open", "next_open, or close: that of the bar decided on"},
    {"barrier", "label", "label", "off, label (reports only) or exit (closes the position)"},
    {"target", "2", "2", "distance of the target barrier, sigmas"},
    {"stop", "1", "1", "distance of the stop barrier, sigmas"},
    {"hold", "60", "60", "bars after which a position's barriers time out"},
    {"target_through", "0", "1", "ticks a bar must trade beyond the target; 0: a touch counts"},
    {"stop_slippage", "0", "2", "ticks a stop inside the bar fills worse, within the bar"},
    {"reentry", "level_change", "level_change",
     "level_change: after an exit another level first; any"},
    {"carry_long_bps", "0", "500",
     "financing of longs, 1e-4 of notional a year; below 0: received"},
    {"carry_short_bps", "0", "300", "borrow fee of shorts, 1e-4 of notional a year"},
    {"ruin", "0.2", "0.2", "share of the initial money at which the account ends"},
};

/// The text of one key, and where its sentences begin.
struct Text {
    const std::string& where;
    const AccountKey& key;
    const std::string& value;

    [[noreturn]] void refuse(const std::string& expected) const
    {
        throw UserError({where, fmt::format("account.{} as {}", key.name, expected),
                         "'" + value + "'",
                         fmt::format("write for example account.{} = {}", key.name, key.example)});
    }

    /// low <= number <= high.
    Decimal decimal(std::int64_t low, std::int64_t high) const
    {
        const auto number = parse_decimal(value);
        kernels::i128 unit = 1;
        for (int i = 0; number && i < number->places; ++i) unit *= 10;
        if (!number || number->digits < low * unit || number->digits > high * unit) {
            refuse(fmt::format("a decimal number from {} to {}", low, high));
        }
        return *number;
    }

    std::int64_t whole(std::int64_t low, std::int64_t high) const
    {
        const auto number = parse_number<std::int64_t>(value);
        if (!number || *number < low || *number > high) {
            refuse(fmt::format("a whole number from {} to {}", low, high));
        }
        return *number;
    }

    int word(const std::vector<std::string>& words) const
    {
        const auto found = std::find(words.begin(), words.end(), value);
        if (found == words.end()) refuse(fmt::format("one of {}", fmt::join(words, ", ")));
        return static_cast<int>(found - words.begin());
    }

    /// Decimals divided by blanks or commas.
    std::vector<Decimal> decimals() const
    {
        std::string blanks = value;
        std::replace(blanks.begin(), blanks.end(), ',', ' ');
        std::vector<Decimal> numbers;
        std::istringstream words{blanks};
        for (std::string word; words >> word;) {
            const Text one{where, key, word};
            numbers.push_back(one.decimal(-max_leverage, max_leverage));
        }
        if (numbers.size() < 2 || numbers.size() > kernels::max_levels) {
            refuse(fmt::format("2 to {} decimal numbers", kernels::max_levels));
        }
        return numbers;
    }

    static constexpr std::int64_t max_leverage = 100;
};

constexpr std::int64_t most_bars = 1'000'000'000;
constexpr std::int64_t most_money = 1'000'000'000'000'000;

void read_size(AccountOptions& options, const std::string& name, const Text& text)
{
    if (name == "initial") options.initial = text.decimal(0, most_money);
    if (name == "levels") options.levels = text.decimals();
    if (name == "cash_reserve") options.cash_reserve = text.decimal(0, 1);
    if (name == "lot_decimals" && text.value != "auto") {
        options.lot_decimals = static_cast<int>(text.whole(0, 18));
    }
    if (name == "unit") options.unit = text.decimal(0, most_money);
    if (name == "ruin") options.ruin = text.decimal(0, 1);
}

void read_costs(AccountOptions& options, const std::string& name, const Text& text)
{
    if (name == "spread") options.spread = text.decimal(0, most_money);
    if (name == "spread_bps") options.spread_bps = text.decimal(0, 10'000);
    if (name == "fee_bps") options.fee_bps = text.decimal(0, 5'000);
    if (name == "carry_long_bps") options.carry_long_bps = text.decimal(-100'000, 100'000);
    if (name == "carry_short_bps") options.carry_short_bps = text.decimal(-100'000, 100'000);
}

void read_barriers(AccountOptions& options, const std::string& name, const Text& text)
{
    using kernels::Barrier, kernels::Fill, kernels::Reentry;
    if (name == "fill") options.fill = Fill{text.word({"next_open", "close"})};
    if (name == "barrier") options.barrier = Barrier{text.word({"off", "label", "exit"})};
    if (name == "target") options.target = text.decimal(0, 1'000);
    if (name == "stop") options.stop = text.decimal(0, 1'000);
    if (name == "hold") options.hold = text.whole(1, most_bars);
    if (name == "target_through") options.target_through = text.whole(0, most_money);
    if (name == "stop_slippage") options.stop_slippage = text.whole(0, most_money);
    if (name == "reentry") options.reentry = Reentry{text.word({"level_change", "any"})};
}

}  // namespace

const std::vector<AccountKey>& account_keys()
{
    return keys;
}

AccountOptions parse_account(const std::map<std::string, std::string>& values,
                             const std::string& where)
{
    AccountOptions options;
    for (const auto& [name, value] : values) {
        const auto key = std::find_if(keys.begin(), keys.end(),
                                      [&](const AccountKey& known) { return known.name == name; });
        if (key == keys.end()) throw std::logic_error("parse_account: no key " + name);
        if (value.empty()) continue;
        const Text text{where, *key, value};
        read_size(options, name, text);
        read_costs(options, name, text);
        read_barriers(options, name, text);
    }
    if (options.spread.digits != 0 && options.spread_bps.digits != 0) {
        throw UserError({where, "account.spread or account.spread_bps", "both",
                         "keep the one that the broker quotes"});
    }
    return options;
}

}  // namespace barsweep::sim
