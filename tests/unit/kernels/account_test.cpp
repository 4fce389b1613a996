#include "kernels/account.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace barsweep::kernels {
namespace {

constexpr i64 flat = 0, up = 1'000'000, down = -1'000'000;
constexpr i64 one_percent = 10'000'000;  // sigma, ppb

constexpr Rules plain(i64 initial)
{
    Rules rules;
    rules.initial = initial;
    rules.barrier = Barrier::off;
    return rules;
}

constexpr Bar still(i64 price)
{
    return {price, price, price, price};
}

/// Worked by hand. 10,000 of money, long at an open of 50 with a half spread of 0.25 ticks and 1 %
/// of notional: a lot costs 50 + 0.25 + 0.5 = 50.75, so 197 lots (9,997.75); costs are 147.75, up
/// to 148. Cash 10,000 - 9,850 - 148 = 2; at a close of 60 equity is 2 + 11,820.
constexpr bool a_bar_worked_by_hand()
{
    Rules rules = plain(10'000);
    rules.half_spread_nanoticks = 250'000'000;
    rules.rate_ppb = 10'000'000;
    Account a = fresh_account(rules);
    const Step step = advance(rules, a, still(48), {50, 61, 49, 60}, 0, up, NoSink{});
    return step.status == Status::good && step.before == 10'000 && step.equity == 11'822 &&
           a.lots == 197 && a.cash == 2 && a.costs == 148 && a.basis == 9'850 && a.peak == 11'822 &&
           a.level == up && a.age == 1 && a.realised == 0;
}
static_assert(a_bar_worked_by_hand());

/// The same lots sold at 58 (a close below 60 was decided on): 11,426 less 49.25 + 114.26 up to
/// 164.
constexpr bool the_way_out_costs_its_own_side()
{
    Rules rules = plain(10'000);
    rules.half_spread_nanoticks = 250'000'000;
    rules.rate_ppb = 10'000'000;
    Account a = fresh_account(rules);
    advance(rules, a, still(48), {50, 61, 49, 60}, 0, up, NoSink{});
    const Step step = advance(rules, a, {50, 61, 49, 60}, {58, 58, 40, 40}, 0, flat, NoSink{});
    return a.lots == 0 && a.cash == 2 + 11'426 - 164 && a.costs == 148 + 164 &&
           a.realised == 197 * 8 && a.basis == 0 && a.level == 0 && step.equity == a.cash;
}
static_assert(the_way_out_costs_its_own_side());

struct Legs {
    std::vector<Leg>& legs;
    void operator()(const Account&, const Leg& leg) { legs.push_back(leg); }
};

TEST(Account, AReversalClosesThenOpensAndEachLegPays)
{
    Rules rules = plain(1'000);
    rules.unit_lots = 1;
    rules.half_spread_nanoticks = 1'000'000'000;  // 1 tick
    Account a = fresh_account(rules);
    std::vector<Leg> legs;

    advance(rules, a, still(100), still(100), 0, up, Legs{legs});
    advance(rules, a, still(100), still(110), 0, down, Legs{legs});
    ASSERT_EQ(legs.size(), 3u);
    EXPECT_EQ(legs[1].lots, -1);
    EXPECT_EQ(legs[2].lots, -1);
    EXPECT_EQ(legs[2].price, 110);
    EXPECT_EQ(a.realised, 10);
    EXPECT_EQ(a.costs, 3);
    EXPECT_EQ(a.basis, -110);
    EXPECT_EQ(a.cash, 1'000 - 100 + 220 - 3);
}

TEST(Account, IsFilledAtTheNextOpenOrAtTheCloseDecidedOn)
{
    Rules rules = plain(1'000);
    Account next = fresh_account(rules);
    advance(rules, next, {90, 130, 90, 125}, {200, 200, 100, 100}, 0, up, NoSink{});
    EXPECT_EQ(next.basis, 5 * 200);

    rules.fill = Fill::close;
    Account close = fresh_account(rules);
    advance(rules, close, {90, 130, 90, 125}, {200, 200, 100, 100}, 0, up, NoSink{});
    EXPECT_EQ(close.basis, 8 * 125);
}

TEST(Account, TheReserveAndTheCostOfTheFillStayInCash)
{
    Rules rules = plain(100'000);
    rules.reserve_ppm = 250'000;
    rules.half_spread_nanoticks = 3'000'000'000;
    Account a = fresh_account(rules);
    advance(rules, a, still(997), still(997), 0, up, NoSink{});
    EXPECT_EQ(a.lots, 75);  // of 75,000 at 1,000 a lot
    EXPECT_EQ(a.cash, 25'000);
}

TEST(Account, OnlyALevelThatDiffersTrades)
{
    const Rules rules = plain(1'000);
    Account a = fresh_account(rules);
    std::vector<Leg> legs;
    for (const i64 price : {100, 150, 50, 100}) {
        advance(rules, a, still(100), still(price), 0, up, Legs{legs});
    }
    EXPECT_EQ(legs.size(), 1u);
}

TEST(Account, ALevelOfTheSameSideChangesTheSizeAndKeepsTheBarriers)
{
    Rules rules = plain(10'000);
    rules.barrier = Barrier::label;
    Account a = fresh_account(rules);
    advance(rules, a, still(100), still(100), one_percent, up / 2, NoSink{});
    const Account half = a;
    advance(rules, a, still(100), still(100), one_percent, up, NoSink{});
    EXPECT_EQ(half.lots, 50);
    EXPECT_EQ(a.lots, 100);
    EXPECT_EQ(a.upper, half.upper);
    EXPECT_EQ(a.age, 2);
}

struct BarrierCase {
    const char* name;
    Bar next;
    Label label;
    i64 exit;  ///< ticks
};

/// Long at 1000 with sigma 1 %: target 1020, stop 990, at most 2 bars.
Account long_at_1000(const Rules& rules)
{
    Account a = fresh_account(rules);
    advance(rules, a, still(1'000), still(1'000), one_percent, up, NoSink{});
    return a;
}

TEST(Account, BarriersAreMetOpenFirstThenStopThenTargetThenTime)
{
    Rules rules = plain(100'000);
    rules.barrier = Barrier::exit;
    rules.hold_bars = 2;
    rules.stop_slippage = 4;
    for (const auto& [name, next, label, exit] : {
             BarrierCase{
                 "open beyond the target", {1'030, 1'040, 980, 1'000}, Label::target, 1'030},
             BarrierCase{"open beyond the stop", {980, 1'040, 970, 1'000}, Label::stop, 980},
             BarrierCase{"both inside", {1'000, 1'020, 980, 1'010}, Label::stop, 986},
             BarrierCase{
                 "the stop slips to the low at most", {1'000, 1'000, 989, 1'000}, Label::stop, 989},
             BarrierCase{"a touch of the target", {1'000, 1'020, 995, 1'000}, Label::target, 1'020},
             BarrierCase{"time", {1'000, 1'019, 991, 1'005}, Label::timeout, 1'005},
         }) {
        Account a = long_at_1000(rules);
        std::vector<Leg> legs;
        const Step step = advance(rules, a, still(1'000), next, one_percent, up, Legs{legs});
        EXPECT_EQ(step.label, label) << name;
        ASSERT_EQ(legs.size(), 1u) << name;
        EXPECT_EQ(legs[0].price, exit) << name;
        EXPECT_EQ(a.lots, 0) << name;
    }
}

TEST(Account, ATouchIsNotATradeThroughTheTarget)
{
    Rules rules = plain(100'000);
    rules.barrier = Barrier::label;
    rules.target_through = 1;
    Account a = long_at_1000(rules);
    const Bar touch{1'000, 1'020, 1'000, 1'000};
    EXPECT_EQ(advance(rules, a, still(1'000), touch, one_percent, up, NoSink{}).label, Label::none);
    const Bar through{1'000, 1'021, 1'000, 1'000};
    EXPECT_EQ(advance(rules, a, touch, through, one_percent, up, NoSink{}).label, Label::target);
    EXPECT_EQ(a.lots, 100) << "a label only reports";
    EXPECT_EQ(a.upper, a.lower) << "and is told once";
}

TEST(Account, AfterAnExitTheSameRequestWaitsForAnotherUnlessToldNotTo)
{
    for (const auto reentry : {Reentry::level_change, Reentry::any}) {
        Rules rules = plain(100'000);
        rules.barrier = Barrier::exit;
        rules.reentry = reentry;
        Account a = long_at_1000(rules);
        advance(rules, a, still(1'000), {1'000, 1'000, 985, 985}, one_percent, up, NoSink{});
        advance(rules, a, still(985), still(985), one_percent, up, NoSink{});
        EXPECT_EQ(a.lots != 0, reentry == Reentry::any);
    }
}

TEST(Account, CarryIsChargedForEveryCloseHeldAndRoundedAgainstTheAccount)
{
    Rules rules = plain(10'000);
    rules.carry_long_ppb = 10'000'050;  // 1 % and a little
    rules.carry_short_ppb = -10'000'050;
    Account a = fresh_account(rules);
    advance(rules, a, still(100), still(100), 0, up, NoSink{});
    EXPECT_EQ(a.costs, 101);
    advance(rules, a, still(100), still(100), 0, down, NoSink{});
    EXPECT_EQ(a.lots, -98) << "of the 9,899 that are left";
    EXPECT_EQ(a.costs, 101 - 98) << "received, rounded down";
}

TEST(Account, RuinClosesThePositionAtThatClose)
{
    Rules rules = plain(1'000);
    rules.ruin_ppm = 200'000;
    Account a = fresh_account(rules);
    advance(rules, a, still(100), still(100), 0, up, NoSink{});
    Account before = a;
    EXPECT_FALSE(advance(rules, before, still(100), still(21), 0, up, NoSink{}).terminated);
    const Step step = advance(rules, a, still(100), still(20), 0, up, NoSink{});
    EXPECT_TRUE(step.terminated);
    EXPECT_EQ(step.equity, 200);
    EXPECT_EQ(a.lots, 0);
    EXPECT_EQ(a.level, 0);
}

TEST(Account, NegativePricesAreMoneyToo)
{
    Rules rules = plain(1'000);
    rules.unit_lots = 3;
    rules.rate_ppb = 100'000'000;
    Account a = fresh_account(rules);
    advance(rules, a, still(-10), still(-10), 0, up, NoSink{});
    EXPECT_EQ(a.cash, 1'000 + 30 - 3) << "paid to hold it; the fee is of the magnitude";
    advance(rules, a, still(-10), still(-15), 0, flat, NoSink{});
    EXPECT_EQ(a.cash, 1'027 - 45 - 5);
    EXPECT_EQ(a.realised, -15);
}

}  // namespace
}  // namespace barsweep::kernels
