#pragma once
#include "base/whole_file.hpp"

namespace barsweep::cli {

using barsweep::write_whole;

}  // namespace barsweep::cli
