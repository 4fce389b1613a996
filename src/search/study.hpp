#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/journal.hpp"
#include "search/ledger.hpp"
#include "search/pruner.hpp"
#include "search/sampler.hpp"
#include "search/trial.hpp"
#include "search/tried.hpp"

namespace barsweep::search {

enum class Direction { minimize = 1, maximize = 2 };  // Optuna's numbers

/// What a study is, checked before it starts.
struct StudyPlan {
    std::string name;
    std::uint64_t seed = 0;
    std::int64_t trials = 0;
    Direction direction = Direction::maximize;
    std::vector<std::int64_t> rungs;  ///< cumulative bars, increasing; the ledger's steps
    double trial_timeout = 0;         ///< seconds of computing a trial may take; 0: no limit
    SamplerOptions sampler;
    PrunerOptions pruner;
    Space space;
    /// What the study stands on, as user attributes: the resolved job by key, the data's identity.
    /// A folder whose ledger says otherwise is refused naming the key; `trials` and `timeout` may
    /// grow.
    nlohmann::ordered_json identity;
};

enum class Decision { go_on, finished };

/// Ask and tell, folded over the ledger. Holds no clock and no MPI; a study is the same on any
/// number of ranks because `ask` and `tell` are called in the same order (Coordinator).
///
/// What it records, each batch ending in a commit by the caller:
/// - at the start: the study, then `identity`, one user attribute a record;
/// - ask: the trial, then its parameters in name order;
/// - tell: the whole report as the user attribute "rung_K", then the score as intermediate value
/// (none
///   where the rung failed), then, where the trial ends, its cause (not of a complete one) and its
///   final record.
///
/// Trials of another program (Optuna) that stand in the ledger are history: numbered and counted in
/// `trials` as they stand, and told to the sampler where they are complete or pruned, but never run
/// here (also where they are still running or waiting), no rivals of our rungs, and never the best:
/// nothing here can make their values again. For Optuna to begin a study that goes on here, these
/// must match: the study's name and its one direction; each parameter's name, its kind, logarithm
/// and choices (as strings), with values in [space]'s range; a complete or pruned trial has every
/// parameter that [space] gives it. The other way round nothing must: Optuna takes the ledger as it
/// is.
class Study {
public:
    Study(StudyPlan plan, Ledger& ledger);

    const StudyPlan& plan() const noexcept { return plan_; }

    /// The next trial; none when all have been handed out (or a grid is spent), and none yet where
    /// the ledger has reports next: a study whose `trials` grew first ends the trials it had.
    std::optional<Trial> ask();

    /// The report of this trial and rung that the ledger already holds, for a study that goes on.
    std::optional<Report> recorded(std::int64_t trial, int rung) const;

    /// Takes a rung's report in its logical order: records it, and decides. `finished` says that
    /// the trial is complete, pruned or failed, and that the ledger knows.
    /// An undefined score (not finite) is worst for pruning, and at the last rung a failure.
    Decision tell(const Report& report);

    const std::vector<TrialRecord>& trials() const noexcept { return trials_; }

    /// The complete trial of our own of the best value; ties go to the lower number; null: none is
    /// complete.
    const TrialRecord* best() const;

    /// A fact of the whole study (the winner, when the test window was opened), as a user
    /// attribute; recorded once, however often the same is noted. Another value for the same key is
    /// recorded too, and holds from then on.
    void note(const std::string& key, nlohmann::ordered_json value);
    /// What `note` recorded last; null where nothing was.
    nlohmann::ordered_json noted(const std::string& key) const;

private:
    void begin();
    void take_foreign();
    void read_attributes();
    void check_identity() const;
    UserError too_few_trials() const;
    Decision decide(TrialRecord& record, const Report& report);
    Decision finish(TrialRecord& record, TrialState state, std::string cause);
    Tried tried(const TrialRecord& record) const;

    StudyPlan plan_;
    Ledger& ledger_;
    Sampler sampler_;
    std::vector<journal::ParameterForm> forms_;  ///< of the space's parameters, in their order
    std::vector<TrialRecord> trials_;
    std::vector<Trial> running_;               ///< ours, in number order
    std::int64_t foreign_ = 0;                 ///< trials of other programs so far
    std::vector<std::vector<double>> rivals_;  ///< a rung's scores so far, as `cut` takes them
    std::map<std::string, nlohmann::ordered_json> attributes_;
    std::map<std::pair<std::int64_t, int>, const LedgerLine*> reports_;  ///< recorded ones
};

}  // namespace barsweep::search
