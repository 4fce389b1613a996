#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/journal.hpp"
#include "search/ledger.hpp"
#include "search/promotions.hpp"
#include "search/pruner.hpp"
#include "search/replicates.hpp"
#include "search/sampler.hpp"
#include "search/trial.hpp"
#include "search/tried.hpp"

namespace barsweep::search {

/// What a study is, checked before it starts.
struct StudyPlan {
    std::string name;
    std::uint64_t seed = 0;
    std::int64_t trials = 0;
    Direction direction = Direction::maximize;
    std::vector<std::int64_t> rungs;  ///< cumulative bars, increasing; the ledger's steps
    double trial_timeout = 0;         ///< seconds of computing a trial may take; 0: no limit
    int replicates = 1;               ///< seeds that a trial runs with
    ReplicateScore replicate_score = ReplicateScore::mean;
    SamplerOptions sampler;
    PrunerOptions pruner;
    Space space;
    std::vector<Params> enqueued{};  ///< tried first; what a point lacks is drawn at random
    /// What the study stands on, as user attributes: the resolved job by key, the data's identity.
    /// A folder whose ledger says otherwise is refused naming the key; `trials` and `timeout` may
    /// grow.
    nlohmann::ordered_json identity;
};

/// `paused`: its score is not good enough to go on now, and it may be promoted later (`ask`).
enum class Decision { go_on, paused, finished };

/// Ask and tell, folded over the ledger. Holds no clock and no MPI; a study is the same on any
/// number of ranks because `ask` and `tell` are called in the same order (Coordinator).
///
/// What it records, each batch ending in a commit by the caller:
/// - at the start: the study, then `identity`, one user attribute a record;
/// - ask: the trial, then its parameters in name order; or, of one that waited, the attribute
///   "promoted_K", which says why;
/// - tell: the whole report as the user attribute "rung_K" (of replicate R from 1 on
///   "rung_K_replicate_R"), then the score as intermediate value
/// (none
///   where the rung failed), then, where the trial ends, its cause (not of a complete one) and its
///   final record; where trials are paused and promoted, "paused_K" or "promoted_K" with the cause;
/// - at the end: a cause and a final record for each trial that still waits.
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

    /// The next trial to compute, from rung `due` on: one that waited and is promoted, else a new
    /// one. None when all have been handed out (or a grid is spent) and nothing waits or may go on
    /// yet; none yet where the ledger has reports next: a study whose `trials` grew first ends the
    /// trials it had. What the ledger already holds is taken from it: no sampler draws again.
    std::optional<Trial> ask();

    /// The rung that this trial computes next.
    int due(std::int64_t trial) const;

    /// The report of this trial and rung that the ledger already holds, for a study that goes on.
    std::optional<Report> recorded(std::int64_t trial, int rung, int replicate = 0) const;

    /// Whose report the ledger has next; empty: none is left there. In whatever order reports came
    /// in an earlier start, a study that goes on must take them so.
    std::optional<journal::TrialRung> next_recorded() const;

    /// Takes a rung's reports, one a replicate, in their logical order: records them, and decides.
    /// `finished` says that the trial is complete, pruned or failed, and that the ledger knows.
    /// An undefined score (not finite) is worst for pruning, and at the last rung a failure.
    Decision tell_all(const std::vector<Report>& reports);
    Decision tell(const Report& report);  ///< of a study of one replicate

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
    /// Where a report stands in the ledger.
    struct Recorded {
        std::int64_t trial = 0;
        int rung = 0, replicate = 0;
        std::size_t line = 0;  ///< of Ledger::recorded

        auto operator<=>(const Recorded&) const = default;
    };

    void begin();
    void index_reports();
    void take_foreign();
    void read_attributes();
    void check_identity() const;
    UserError too_few_trials() const;
    std::optional<Trial> ask_recorded(LedgerLine next);
    std::optional<Params> recorded_params(std::int64_t number) const;
    std::optional<Params> configuration(std::int64_t index);
    std::optional<Trial> draw();
    Trial create(std::int64_t number, Params params);
    std::optional<Trial> promote(bool last);
    void end_waiting();
    Decision decide(TrialRecord& record, const Report& report);
    Decision go_on_or_cut(TrialRecord& record);
    Decision promote_or_pause(TrialRecord& record);
    void note_place(TrialRecord& record, const Promotions::Place& place);
    void leave(TrialRecord& record);
    double rank(double score) const;
    std::string of_ranks() const;
    Decision finish(TrialRecord& record, TrialState state, std::string cause);
    Tried tried(const TrialRecord& record) const;

    StudyPlan plan_;
    Ledger& ledger_;
    Sampler sampler_;
    std::vector<journal::ParameterForm> forms_;  ///< of the space's parameters, in their order
    std::vector<TrialRecord> trials_;
    std::vector<Trial> running_;  ///< ours that the sampler wasn't told of, in number order
    std::int64_t in_flight_ = 0;  ///< ours that are computed: neither finished nor paused
    std::int64_t foreign_ = 0;    ///< trials of other programs so far
    std::map<std::pair<int, int>, Rivals> rivals_;  ///< by first rung of cuts, and rung
    Promotions promotions_;
    std::map<std::string, nlohmann::ordered_json> attributes_;
    std::vector<Recorded> reports_;  ///< the ledger's, in the order of their members
};

}  // namespace barsweep::search
