#pragma once
#include <nlohmann/json.hpp>

#include "agents/dqn_config.hpp"
#include "agents/learner.hpp"
#include "dump_folder.hpp"
#include "kernels/experience.hpp"

namespace barsweep::agents {

/// `FOLDER/dqn/CASE`, `FOLDER/ppo/CASE`: what an update found and what it left.
/// `FOLDER/bundles/CASE`: a bundle, and what our network makes of rows.
void dump_dqn(const std::filesystem::path& folder);
void dump_ppo(const std::filesystem::path& folder);
void dump_bundles(const std::filesystem::path& folder);

/// A network's form, for facts.json.
nlohmann::json shape_facts(const kernels::MlpShape& shape);

/// Bars that a trial can learn on, and rules with a fee.
TrainingSet dump_set();
kernels::Rules dump_rules();

/// Steps as columns: row, action, terminated, ended, reward, seen, next_seen.
void put_steps(const DumpFolder& folder, kernels::View<const kernels::Transition> ring);

}  // namespace barsweep::agents
