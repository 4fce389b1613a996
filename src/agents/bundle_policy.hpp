#pragma once
#include <string>
#include <string_view>

#include "sim/policy_run.hpp"

namespace barsweep::agents {

/// Appends all that a policy is.
void put_policy(std::string& bytes, const sim::Policy& policy);

/// Reads it back; false for anything but a whole policy.
[[nodiscard]] bool read_policy(std::string_view bytes, sim::Policy& policy);

}  // namespace barsweep::agents
