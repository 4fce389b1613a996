#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "search/journal_trial.hpp"
#include "search/json_text.hpp"
#include "search/numbers.hpp"
#include "search/study.hpp"

namespace barsweep::search {
namespace {

UserError began_otherwise(const char* key, const std::string& began, const std::string& now)
{
    return UserError({key, began + ", with which another program began this study", now,
                      "set it so, or give another --out"});
}

/// A parameter that a trial of this space has and this one lacks; empty: none.
std::string missing(const Space& space, const Params& params)
{
    for (const auto& parameter : space.parameters)
        if (!params.contains(parameter.name) && is_active(space, parameter.name, params))
            return "one without " + parameter.name;
    return {};
}

}  // namespace

/// The study's first record, whoever wrote it.
void Study::begin()
{
    const int direction = static_cast<int>(plan_.direction);
    const auto* first = ledger_.next_recorded();
    if (!first || first->ours || first->op != journal::Op::create_study) {
        ledger_.append(journal::create_study(plan_.name, direction));
        return;
    }
    const auto record = nlohmann::json::parse(strict_json(first->text));
    const auto name = record.value("study_name", nlohmann::json()),
               directions = record.value("directions", nlohmann::json());
    if (name != plan_.name) throw began_otherwise("study.name", name.dump(), plan_.name);
    if (directions != nlohmann::json::array({direction}))
        throw began_otherwise("study.direction",
                              directions == nlohmann::json::array({1})   ? "minimize"
                              : directions == nlohmann::json::array({2}) ? "maximize"
                                                                         : "several directions",
                              direction == 1 ? "minimize" : "maximize");
    ledger_.pass();
    if (const auto* next = ledger_.next_recorded(); next && !next->ours)
        throw ledger_.refusal(*next, "a record of a trial of this one study");
    if (ledger_.next_recorded() == nullptr && ledger_.foreign_trials() >= plan_.trials)
        throw UserError({"study.trials",
                         "more than the " + shortest(ledger_.foreign_trials()) +
                             " trials that another program made",
                         shortest(plan_.trials), "raise it, or give another --out"});
}

/// Takes in what other programs recorded up to here (Ledger::take_foreign).
void Study::take_foreign()
{
    for (const auto& line : ledger_.take_foreign()) try {
            const auto json = nlohmann::json::parse(strict_json(line.text));
            const bool created = line.op == journal::Op::create_trial;
            if (created) {
                trials_.emplace_back();
                trials_.back().trial.number = static_cast<std::int64_t>(trials_.size()) - 1;
                trials_.back().foreign = true;
                ++foreign_;
            }
            auto& record =
                created ? trials_.back() : trials_.at(json.at("trial_id").get<std::size_t>());
            if (record.state != TrialState::running) continue;
            auto fault = mismatch(plan_.space, json);
            if (created)
                take_creation(record, json);
            else
                take_record(record, line.op, json);
            const bool telling = tells({record.trial, record.state});
            if (fault.empty() && telling) fault = missing(plan_.space, record.trial.params);
            if (!fault.empty())
                throw UserError({ledger_.where(line),
                                 "another program's trial in this job's [space]", fault,
                                 "widen [space], or give another --out"});
            if (telling) sampler_.tell(tried(record));
        } catch (const UserError&) {
            throw;
        } catch (const std::exception&) {
            throw ledger_.refusal(line, "a whole record of another program's trial");
        }
}

}  // namespace barsweep::search
