#pragma once

// A function whose loops are built for wider vector units too, picked when the program is loaded.
// Bits are the same: sums keep their order and nothing is contracted. The sanitizers run before the
// loader has picked.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BARSWEEP_WIDE \
    [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4"), gnu::flatten]]
#else
#define BARSWEEP_WIDE
#endif
