#pragma once
#include <filesystem>

#include "agents/learner.hpp"

namespace barsweep::agents {

/// Whole or not at all (base/whole_file.hpp).
void save_checkpoint(const std::filesystem::path& path, const Learner& learner);

/// `learner` goes on from the file. Throws UserError naming it where it is damaged or of another
/// plan; `learner` is then as before.
void load_checkpoint(const std::filesystem::path& path, Learner& learner);

}  // namespace barsweep::agents
