#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "search/space.hpp"
#include "search/trial.hpp"

/// The records of an Optuna 5 journal, as text. Members that may differ between two runs of one job
/// (dates, seconds, rank, device) stand last in a record, so that two records are the same decision
/// where their `stable_part`s are the same bytes.
namespace barsweep::search::journal {

enum class Op {
    create_study = 0,
    delete_study = 1,
    study_attribute = 2,
    study_system_attribute = 3,
    create_trial = 4,
    parameter = 5,
    finish = 6,
    intermediate = 7,
    trial_attribute = 8,
    trial_system_attribute = 9,
    discard_trials = 10,  ///< of rustuna; Optuna passes it over
};

/// The worker_id of every record of ours: one writer, whichever process it was.
inline constexpr std::string_view worker = "barsweep";

/// `direction`: 1 minimise, 2 maximise.
std::string create_study(std::string_view name, int direction);
/// `json`: the value's text. One key a record, as Optuna demands.
std::string study_attribute(std::string_view key, std::string_view json);
std::string create_trial();
std::string trial_attribute(std::int64_t trial, std::string_view key, std::string_view json);
std::string intermediate(std::int64_t trial, std::int64_t step, double value);
/// `value`: of a complete trial; the others have none.
std::string finish(std::int64_t trial, TrialState state, std::optional<double> value);

/// As Optuna's distribution_to_json; a stepped high is the grid's last value, which Optuna would
/// otherwise correct with a warning on every load.
std::string distribution_json(const Distribution& distribution);

/// What a parameter's records have in common, made once a study: all around trial and value.
struct ParameterForm {
    std::string before, after;
};
ParameterForm parameter_form(const Parameter& parameter);
/// Optuna's internal value: numbers as doubles, a choice by its index.
std::string parameter(std::int64_t trial, const ParameterForm& form,
                      const Distribution& distribution, const Value& value);

/// The value that a record of `parameter` holds; empty: it is no such record of this trial and
/// form, or its value isn't one of the distribution.
std::optional<Value> recorded_value(std::string_view record, std::int64_t trial,
                                    const ParameterForm& form, const Distribution& distribution);

/// Why a trial goes on or waits at a rung: "promoted_K", "paused_K".
std::string standing_name(std::string_view what, int rung);
/// Whether a record of ours holds a `standing_name` of "promoted".
bool is_promotion(std::string_view record);

/// A rung's report as the value of the trial's attribute `rung_name(report.rung,
/// report.replicate)`.
std::string rung_name(int rung, int replicate = 0);
std::string rung_json(const Report& report);
struct TrialRung {
    std::int64_t trial = 0;
    int rung = 0;
    int replicate = 0;
};
/// Whose report a record of ours holds; empty: it is something else.
std::optional<TrialRung> find_rung(std::string_view record);
/// The report that `find_rung` found; throws nlohmann's exceptions where a member is of another
/// type.
Report parse_rung(std::string_view record);

/// A record up to its first member that may differ between two runs.
std::string_view stable_part(std::string_view record);

/// Operation and author of any whole JSON object, and of what trial it is where another program
/// wrote it; empty: no journal record.
struct Heading {
    Op op{};
    bool ours = false;
    std::int64_t trial = -1;  ///< -1: of none, or ours
};
std::optional<Heading> heading(std::string_view record);

/// Now, as Optuna writes times: UTC, microseconds, "+00:00".
std::string time();

}  // namespace barsweep::search::journal
