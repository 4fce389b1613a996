#include <gtest/gtest.h>

#include "kernels/account.hpp"
#include "random_market.hpp"

namespace barsweep::kernels {
namespace {

/// equity - (initial + realised + (lots * close - basis) - costs), exact.
i128 imbalance(const Rules& rules, const Account& a, i64 close)
{
    const i128 worth = i128{a.lots} * close;
    return a.cash + worth - (i128{rules.initial} + a.realised + (worth - a.basis) - a.costs);
}

/// The accounts after each decision; ends at ruin.
std::vector<Account> accounts_of(const RandomCase& made)
{
    std::vector<Account> after;
    Account a = fresh_account(made.rules);
    for (std::size_t t = 0; t + 1 < made.bars.size(); ++t) {
        const auto step = advance(made.rules, a, made.bars[t], made.bars[t + 1], made.sigma[t],
                                  made.wanted[t], NoSink{});
        EXPECT_EQ(step.status, Status::good);
        after.push_back(a);
        if (step.terminated) break;
    }
    return after;
}

bool equal(const Account& a, const Account& b)
{
    return a.cash == b.cash && a.lots == b.lots && a.basis == b.basis && a.costs == b.costs &&
           a.peak == b.peak && a.upper == b.upper && a.lower == b.lower && a.age == b.age &&
           a.level == b.level && a.realised == b.realised;
}

TEST(AccountProperty, NothingAppearsAndNothingIsLost)
{
    std::int64_t fills = 0;
    for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
        const auto made = random_case(seed, 120);
        const auto after = accounts_of(made);
        for (std::size_t t = 0; t < after.size(); ++t) {
            ASSERT_EQ(imbalance(made.rules, after[t], made.bars[t + 1].close), 0)
                << "seed " << seed << ", bar " << t;
        }
        fills += after.back().costs > 0;
    }
    EXPECT_GT(fills, 1'000) << "the markets do trade";
}

TEST(AccountProperty, AnotherFutureLeavesThePastUntouched)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto made = random_case(seed, 200);
        const auto past = accounts_of(made);
        Dice other{seed + 1'000'000};
        const auto future = random_bars(other, 100);
        std::copy(future.begin(), future.end(), made.bars.begin() + 100);
        const auto changed = accounts_of(made);
        for (std::size_t t = 0; t < 99 && t < past.size(); ++t) {
            ASSERT_TRUE(equal(past[t], changed[t])) << "seed " << seed << ", bar " << t;
        }
    }
}

TEST(AccountProperty, AFlatMarketCostsExactlyTheCosts)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto made = random_case(seed, 200);
        for (auto& bar : made.bars) bar = {1'000, 1'000, 1'000, 1'000};
        const auto after = accounts_of(made);
        for (const auto& a : after) {
            ASSERT_EQ(a.realised, 0);
            ASSERT_EQ(a.cash + a.lots * 1'000, made.rules.initial - a.costs) << "seed " << seed;
        }
    }
}

TEST(AccountProperty, AHigherFeeNeverLeavesMore)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto made = random_case(seed, 200);
        made.rules.initial = 1'000'000'000'000;
        made.rules.unit_lots = 100;  // the same lots at every fee
        made.rules.ruin_ppm = 0;
        made.rules.carry_long_ppb = made.rules.carry_short_ppb = 0;
        i64 before = INT64_MAX;
        for (const i64 rate : {0, 1, 1'000, 100'000, 5'000'000}) {
            made.rules.rate_ppb = rate;
            const auto after = accounts_of(made);
            const i64 equity = after.back().cash + after.back().lots * made.bars.back().close;
            ASSERT_LE(equity, before) << "seed " << seed << ", rate " << rate;
            before = equity;
        }
    }
}

TEST(AccountOverflow, AnEquityOfTheLastInt64IsGoodAndOneMoreIsNot)
{
    Rules rules;
    rules.initial = 1;
    rules.unit_lots = i64{1} << 31;
    rules.barrier = Barrier::off;
    rules.ruin_ppm = 0;
    const i64 price = i64{1} << 31;
    const Bar open{price, price, price, price};
    Account start = fresh_account(rules);
    ASSERT_EQ(advance(rules, start, open, open, 0, 1'000'000, NoSink{}).status, Status::good);
    EXPECT_EQ(start.cash, 1 - (i64{1} << 62));

    // 1 - 2^62 + 2^31 * close: lots * close alone passes 2^63 in both, equity in the second only
    const i64 most = 3 * (i64{1} << 31) - 1;
    Account good = start;
    const auto step =
        advance(rules, good, open, {price, most, price, most}, 0, 1'000'000, NoSink{});
    EXPECT_EQ(step.status, Status::good);
    EXPECT_EQ(step.equity, INT64_MAX - (i64{1} << 31) + 2);

    Account bad = start;
    const i64 beyond = most + 1;
    EXPECT_EQ(
        advance(rules, bad, open, {price, beyond, price, beyond}, 0, 1'000'000, NoSink{}).status,
        Status::overflow);
    EXPECT_TRUE(equal(bad, start)) << "left as before that bar";
}

TEST(AccountOverflow, MoneyOfAnySizeIsExactOrRefused)
{
    int good = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
        Dice dice{seed};
        auto made = random_case(seed, 40);
        made.bars = random_bars(dice, 40, dice.between(1, 1'000) << dice.between(0, 50));
        made.rules.initial = dice.between(1, 1'000) << dice.between(0, 53);
        if (dice.chance(0.5)) made.rules.unit_lots = dice.between(1, 1'000) << dice.between(0, 52);
        made.rules.half_spread_nanoticks = dice.between(0, 1'000) << dice.between(0, 53);
        Account a = fresh_account(made.rules);
        for (std::size_t t = 0; t + 1 < made.bars.size(); ++t) {
            const Account before = a;
            const auto step = advance(made.rules, a, made.bars[t], made.bars[t + 1], made.sigma[t],
                                      made.wanted[t], NoSink{});
            if (step.status == Status::overflow) {
                ASSERT_TRUE(equal(a, before)) << "seed " << seed;
                ++refused;
                break;
            }
            ASSERT_EQ(imbalance(made.rules, a, made.bars[t + 1].close), 0) << "seed " << seed;
            ASSERT_EQ(i128{step.equity}, a.cash + i128{a.lots} * made.bars[t + 1].close);
            ++good;
            if (step.terminated) break;
        }
    }
    EXPECT_GT(good, 10'000);
    EXPECT_GT(refused, 300);
}

TEST(AccountOverflow, ASigmaBeyondItsBoundIsRefusedOnlyWhereABarrierNeedsIt)
{
    Rules rules;
    rules.initial = 1'000;
    const Bar bar{100, 100, 100, 100};
    Account a = fresh_account(rules);
    EXPECT_EQ(advance(rules, a, bar, bar, i64{1} << 32, 1'000'000, NoSink{}).status,
              Status::overflow);
    rules.barrier = Barrier::off;
    EXPECT_EQ(advance(rules, a, bar, bar, i64{1} << 32, 1'000'000, NoSink{}).status, Status::good);
}

}  // namespace
}  // namespace barsweep::kernels
