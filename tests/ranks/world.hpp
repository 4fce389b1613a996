#pragma once
#include "cluster/comm.hpp"

namespace barsweep::cluster {

/// All ranks of the test program, for the length of main().
inline Comm* world = nullptr;

}  // namespace barsweep::cluster
