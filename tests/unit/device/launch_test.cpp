#include "device/launch.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace barsweep::device {
namespace {

/// Numbers of all signs and magnitudes near 1; no two runs of a test differ.
std::vector<float> numbers(std::size_t count)
{
    std::vector<float> row;
    std::uint32_t state = 1;
    while (row.size() < count) {
        state = state * 1'664'525 + 1'013'904'223;
        row.push_back(static_cast<float>(state >> 8) * 0x1p-23f - 1);
    }
    return row;
}

TEST(Launch, ANetworkHasTheBitsOfOneRowAfterAnother)
{
    const kernels::MlpShape shape{3, {59, 300, 77, 5}};
    constexpr kernels::i64 rows = 11;
    const auto parameters = numbers(static_cast<std::size_t>(parameter_count(shape)));
    const auto x = numbers(rows * 59);
    std::vector<float> together(static_cast<std::size_t>(network_work(shape, rows)));
    auto apart = together;
    const auto args = [&](std::vector<float>& work, kernels::i64 row, kernels::i64 count) {
        float* own = work.data() + network_work(shape, row);
        return kernels::ForwardArgs{shape,
                                    {parameters.data(), parameter_count(shape)},
                                    {x.data() + row * 59, 59},
                                    count,
                                    {own, network_work(shape, count)}};
    };
    const auto all = args(together, 0, rows);
    forward(Backend::cpu, {&all, 1});
    for (kernels::i64 row = 0; row < rows; ++row) {
        kernels::forward<kernels::MultiplyInThread>(args(apart, row, 1));
    }
    EXPECT_EQ(together, apart);
}

TEST(Buffer, GivesBackWhatWasCopiedInAndStartsOnACacheLine)
{
    const std::vector<int> host{3, 1, 4, 1, 5};
    const Buffer<int> buffer{Backend::cpu, host};
    EXPECT_EQ(buffer.download(), host);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.read().data) % 64, 0u);
    EXPECT_EQ(Buffer<int>(Backend::cpu, 0).download(), std::vector<int>{});
}

TEST(Launch, PhiloxFillWritesEveryWordOnce)
{
    Buffer<kernels::u32> buffer{Backend::cpu, 1'001};
    philox_fill(Backend::cpu, {{5, 6}, {7, 8}, buffer.write()});
    const auto words = buffer.download();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto block = kernels::philox4x32({static_cast<kernels::u32>(i / 4), 0, 7, 8}, {5, 6});
        const kernels::u32 lanes[4] = {block.x, block.y, block.z, block.w};
        ASSERT_EQ(words[i], lanes[i % 4]) << i;
    }
}

/// A market that swings, long and short in turn; every vector width must say the same bits.
TEST(Launch, WideVectorUnitsGiveTheBitsOfAPlainBuild)
{
    std::vector<kernels::i64> ohlc, open, close, sigma, wanted;
    for (kernels::i64 t = 0; t < 3'000; ++t) {
        const kernels::i64 price = 100'000 + t * t % 1'709 - 7 * (t % 101);
        ohlc.insert(ohlc.end(), {price, price + 9, price - 9, price + t % 7});
        open.push_back(price);
        close.push_back(price + t % 7);
        sigma.push_back(2'000'000);
        wanted.push_back(t % 90 < 40 ? 1'000'000 : t % 90 < 70 ? -500'000 : 0);
    }
    kernels::Rules rules;
    rules.initial = 1'000'000'000;
    rules.half_spread_nanoticks = 1'000'000'000;
    kernels::BacktestTotals launched, plain;
    kernels::BacktestArgs args;
    args.ohlc = {ohlc.data(), static_cast<kernels::i64>(ohlc.size())};
    args.open = {open.data(), 3'000};
    args.close = {close.data(), 3'000};
    args.sigma = {sigma.data(), 3'000};
    args.wanted = {wanted.data(), 2'999};
    args.rules = {&rules, 1};
    args.last = 2'999;
    args.price_bound = 200'000;
    args.totals = {&launched, 1};
    backtest(Backend::cpu, args);
    args.totals = {&plain, 1};
    kernels::backtest_one(args, 0);

    EXPECT_GT(plain.fills, 50);
    EXPECT_EQ(launched.final_equity, plain.final_equity);
    EXPECT_EQ(launched.returns.mean, plain.returns.mean);
    EXPECT_EQ(launched.returns.m2, plain.returns.m2);
    EXPECT_EQ(launched.returns.m3, plain.returns.m3);
    EXPECT_EQ(launched.returns.m4, plain.returns.m4);
    EXPECT_EQ(launched.returns.downside, plain.returns.downside);
}

}  // namespace
}  // namespace barsweep::device
