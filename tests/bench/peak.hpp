#pragma once
#include <immintrin.h>
#include <time.h>

namespace barsweep::bench {

/// Processor time that `work` takes, so that a busy machine doesn't count.
inline double seconds(auto work)
{
    const auto now = [] {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double before = now();
    work();
    return now() - before;
}

/// Chains of fused multiply-adds that don't wait for each other and touch no memory.
[[gnu::target("arch=x86-64-v4")]] inline float chains_of_512_bits(long rounds)
{
    __m512 sums[12];
    for (auto& sum : sums) sum = _mm512_set1_ps(1);
    const __m512 by = _mm512_set1_ps(0.999f), plus = _mm512_set1_ps(0.25f);
    for (long k = 0; k < rounds; ++k) {
        for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, by, plus);
    }
    for (int i = 1; i < 12; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
    return _mm512_cvtss_f32(sums[0]);
}

[[gnu::target("arch=x86-64-v3")]] inline float chains_of_256_bits(long rounds)
{
    __m256 sums[12];
    for (auto& sum : sums) sum = _mm256_set1_ps(1);
    const __m256 by = _mm256_set1_ps(0.999f), plus = _mm256_set1_ps(0.25f);
    for (long k = 0; k < rounds; ++k) {
        for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, by, plus);
    }
    for (int i = 1; i < 12; ++i) sums[0] = _mm256_add_ps(sums[0], sums[i]);
    return _mm256_cvtss_f32(sums[0]);
}

/// Flops a second of one core at its best, two a fused multiply-add; best of several. 0 on a
/// processor without them.
inline double fma_peak()
{
    constexpr long rounds = 200'000;
    const bool wide = __builtin_cpu_supports("x86-64-v4");
    if (!wide && !__builtin_cpu_supports("x86-64-v3")) return 0;
    const double flops = 2.0 * 12 * (wide ? 16 : 8) * rounds;
    double best = 0;
    volatile float sink = 0;
    for (int i = 0; i < 5; ++i) {
        const double rate =
            flops /
            seconds([&] { sink = wide ? chains_of_512_bits(rounds) : chains_of_256_bits(rounds); });
        best = rate > best ? rate : best;
    }
    return best;
}

}  // namespace barsweep::bench
