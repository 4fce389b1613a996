#pragma once

namespace barsweep::agents {

inline constexpr auto bundle_format = "barsweep bundle";
inline constexpr int bundle_version = 1;
inline constexpr auto policy_kind = "barsweep policy 1";

}  // namespace barsweep::agents
