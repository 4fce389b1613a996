// Networks in the loop, one core: name,hidden,unit,value. `row`: microseconds a row of a forward
// pass, alone and among 16; `evaluate`: bars a second of a greedy run; `collect`: steps a second of
// 16 lanes without learning. The best of five.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "base/random.hpp"
#include "device/launch.hpp"
#include "sim/policy_run.hpp"

using namespace barsweep;
using kernels::i64;

namespace {

constexpr i64 bar_count = 50'000;
constexpr int feature_count = 51;
constexpr int lanes = 16;
constexpr auto cpu = device::Backend::cpu;

std::vector<float> random_floats(std::uint64_t seed, i64 count)
{
    RandomStream random{seed, Purpose::synthetic_bars};
    std::vector<float> row;
    for (i64 i = 0; i < count; ++i) row.push_back(static_cast<float>(random.uniform() - 0.5) / 4);
    return row;
}

bars::BarSeries walk()
{
    RandomStream random{1, Purpose::synthetic_bars};
    bars::BarSeries series;
    i64 close = 100'000;
    for (i64 i = 0; i < bar_count; ++i) {
        const i64 open = close;
        close = open + static_cast<i64>(random.below(41)) - 20;
        series.time.push_back(i);
        series.ohlc.push_back({open, std::max(open, close) + 3, std::min(open, close) - 3, close});
        series.volume.push_back(1);
    }
    series.sigma.assign(bar_count, 100'000);
    return series;
}

/// Seconds of processor time a run, the best of five.
double seconds(const std::function<void()>& run)
{
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = std::clock();
        run();
        best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

device::Buffer<float> floats(i64 count)
{
    return {cpu, static_cast<std::size_t>(count)};
}

void measure_rows(const sim::Policy& policy, int width)
{
    const device::Buffer<float> parameters{cpu, std::span<const float>{policy.parameters}};
    const device::Buffer<float> x{
        cpu, std::span<const float>{random_floats(2, lanes * policy.shape.inputs())}};
    auto work = floats(network_work(policy.shape, lanes));
    for (const i64 rows : {1, lanes}) {
        constexpr int repeats = 2'000;
        const double time = seconds([&] {
            for (int i = 0; i < repeats; ++i) {
                const kernels::ForwardArgs pass{policy.shape,
                                                parameters.read(),
                                                {x.read().data, policy.shape.inputs()},
                                                rows,
                                                work.write()};
                device::forward(cpu, {&pass, 1});
            }
        });
        std::printf("row_of_%ld,%d,microseconds,%.3f\n", rows, width,
                    time * 1e6 / repeats / static_cast<double>(rows));
    }
}

void measure_collection(const sim::Policy& policy, const sim::Market& market,
                        const device::Buffer<float>& features, const kernels::Rules& rules,
                        int width)
{
    constexpr i64 episode = 2'000, steps = 4'000;
    std::vector<i64> starts;
    for (i64 j = 0; j < 4 * lanes; ++j) starts.push_back(j * 700);
    const kernels::World world{market.ohlc.read(),
                               market.sigma.read(),
                               features.read(),
                               feature_count,
                               policy.view,
                               {starts.data(), static_cast<i64>(starts.size())},
                               episode};
    const device::Buffer<float> parameters{cpu, std::span<const float>{policy.parameters}};
    auto x = floats(lanes * policy.shape.inputs());
    auto y = floats(lanes * policy.shape.outputs());
    auto work = floats(network_work(policy.shape, lanes));
    device::Buffer<kernels::i8> actions{cpu, lanes};
    std::vector<kernels::Transition> replay(100'000);
    const double time = seconds([&] {
        std::vector<kernels::Lane> all(lanes);
        for (i64 l = 0; l < lanes; ++l) {
            begin_episode(world, rules, l, all[static_cast<std::size_t>(l)]);
        }
        for (i64 t = 0; t < steps; ++t) {
            device::observe(cpu, {world, rules, {all.data(), lanes}, x.write()});
            const kernels::ForwardArgs pass{policy.shape,
                                            parameters.read(),
                                            {x.read().data, policy.shape.inputs()},
                                            lanes,
                                            work.write()};
            device::forward(cpu, {&pass, 1});
            for (int l = 0; l < lanes; ++l) {
                std::copy_n(outputs_of(policy.shape, work.write().data)[l], policy.shape.outputs(),
                            y.write().data + l * policy.shape.outputs());
            }
            const auto step = static_cast<kernels::u64>(t * lanes);
            device::act(cpu, {y.read(), policy.shape.outputs(), 0.1, 1, step, actions.write()});
            device::experience(cpu, {world,
                                     rules,
                                     {},
                                     actions.read(),
                                     {all.data(), lanes},
                                     {replay.data(), static_cast<i64>(replay.size())},
                                     t * lanes});
        }
        if (all[0].status != kernels::Status::good) std::abort();
    });
    std::printf("collect,%d,steps_per_second,%.0f\n", width, steps * lanes / time);
}

}  // namespace

int main()
{
    const auto market = sim::load_market(cpu, walk());
    const device::Buffer<float> features{
        cpu, std::span<const float>{random_floats(3, bar_count * feature_count)}};
    kernels::Rules rules;
    rules.initial = 100'000 * 100'000L;
    rules.rate_ppb = 1'000;
    std::puts("name,hidden,unit,value");
    for (const int width : {256, 64}) {
        sim::Policy policy;
        policy.shape = {3, {feature_count + 8, width, width, 5}};
        policy.parameters = random_floats(4, parameter_count(policy.shape));
        measure_rows(policy, width);
        const double time = seconds([&] {
            run_policy(market, features, policy, rules, {0, bar_count - 1}, 525'600);
        });
        std::printf("evaluate,%d,bars_per_second,%.0f\n", width, bar_count / time);
        measure_collection(policy, market, features, rules, width);
    }
}
