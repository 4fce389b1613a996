#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace barsweep::cli {

/// A key of the job file; also an option --SECTION.KEY of the command line.
struct JobKey {
    std::string name;               ///< "study.trials"
    std::string fallback;           ///< text of the default; empty: none
    std::string example;            ///< a text that is accepted, for sentences
    std::string meaning;            ///< with unit and range, for --help
    std::string ppo_fallback = {};  ///< the default where agent.kind = ppo; empty: the same
};

/// All of them but those of [space], in the order of FORMATS.md.
const std::vector<JobKey>& job_keys();

/// What agent.kind may be, and with which of them a key of [agent] or [reward] means something.
enum class AgentKind { rule, dqn, ppo };
const std::vector<std::string>& agent_kinds();  ///< names, by AgentKind
bool belongs(const std::string& key, AgentKind kind);
const std::string& fallback_of(const JobKey& key, AgentKind kind);

/// Says where files lie or how long a run may take: nothing that makes a study the one it is.
bool incidental(const std::string& key);

/// Null: no such key.
const JobKey* find_key(std::string_view name);

/// Names that may stand in [space]: what makes a trial, all of [agent] but its kind, and
/// [account].
const std::vector<std::string>& searchable_keys();

/// Metrics that can select: all that sim tells of a run.
const std::vector<std::string>& score_names();

}  // namespace barsweep::cli
