#pragma once

namespace barsweep::agents {

inline constexpr auto bundle_format = "barsweep bundle";
inline constexpr int bundle_version = 2;
inline constexpr auto policy_kind = "barsweep policy 2";

}  // namespace barsweep::agents
