#pragma once
#include <chrono>

namespace barsweep::cluster {

/// How long a rank's main thread sleeps between two looks at MPI, which can't wake it; a report of
/// its own threads does. Naps grow while nothing happens.
using Nap = std::chrono::microseconds;
constexpr Nap shortest_nap{50};
constexpr Nap longest_among_ranks{1'000};
constexpr Nap longest_alone{20'000};  ///< one rank: only signals and the timeout are looked for

}  // namespace barsweep::cluster
