#include "search/study.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/error.hpp"
#include "search/json_text.hpp"
#include "search/numbers.hpp"

namespace barsweep::search {
namespace {

using nlohmann::ordered_json;

std::string text(const ordered_json& value)
{
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// A value that a job holds as a number or as its text.
std::optional<std::int64_t> whole_number(const ordered_json& value)
{
    return parse_number<std::int64_t>(value.is_string() ? value.get<std::string>() : text(value));
}

UserError changed(const std::string& key, const std::string& began, const std::string& now)
{
    return UserError(
        {key, began + ", with which this study began", now, "set it back, or give another --out"});
}

/// " (rung 1, 102400 bars; agent.fast = 5, agent.slow = 30)": what a person needs to try it alone.
std::string circumstances(const TrialRecord& record, int rung, std::int64_t step)
{
    std::string params;
    for (const auto& [name, value] : record.trial.params)
        params += (params.empty() ? "; " : ", ") + name + " = " + to_text(value);
    return " (rung " + shortest(rung) + ", " + shortest(step) + " bars" + params + ")";
}

}  // namespace

Study::Study(StudyPlan plan, Ledger& ledger)
    : plan_(std::move(plan)),
      ledger_(ledger),
      sampler_(plan_.sampler, plan_.space),
      rivals_(plan_.rungs.size())
{
    for (const auto& parameter : plan_.space.parameters)
        forms_.push_back(journal::parameter_form(parameter));
    read_attributes();
    for (const auto& line : ledger_.recorded())
        if (const auto found = journal::find_rung(line.text))
            reports_[{found->trial, found->rung}] = &line;

    check_identity();
    begin();
    take_foreign();
    for (const auto& [key, value] : plan_.identity.items())
        if (!attributes_.contains(key)) note(key, value);
}

/// Each must be, byte for byte, what `note` writes.
void Study::read_attributes()
{
    for (const auto& line : ledger_.attributes()) {
        const auto record = ordered_json::parse(strict_json(line.text));
        const auto found = record.find("user_attr");
        const bool one = found != record.end() && found->is_object() && found->size() == 1;
        const std::string key = one ? found->begin().key() : "";
        const ordered_json value = one ? found->front() : ordered_json();
        const auto again = journal::study_attribute(key, text(value));
        if (line.text != again) throw ledger_.refusal(line, again);
        attributes_[key] = value;
    }
}

/// A ledger that began otherwise is refused, naming the key.
void Study::check_identity() const
{
    if (ledger_.recorded().empty() && !ledger_.attributes().empty())
        throw ledger_.refusal(ledger_.attributes().front(),
                              journal::create_study(plan_.name, static_cast<int>(plan_.direction)));
    for (const auto& [key, value] : plan_.identity.items()) {
        const auto found = attributes_.find(key);
        if (found == attributes_.end()) {
            if (ledger_.recorded().size() > 1) throw changed(key, "nothing", text(value));
            continue;
        }
        const bool grown =
            key == "study.trials" && whole_number(found->second) <= whole_number(value);
        if (text(found->second) != text(value) && !grown && key != "study.timeout")
            throw changed(key, text(found->second), text(value));
    }
    // By their reports: a creation that stands there twice is a damaged line, told as one.
    if (!reports_.empty() && reports_.rbegin()->first.first >= plan_.trials) throw too_few_trials();
}

UserError Study::too_few_trials() const
{
    const auto begun =
        std::ranges::count(ledger_.recorded(), journal::Op::create_trial, &LedgerLine::op);
    return UserError({"study.trials", "at least the " + shortest(begun) + " trials of this study",
                      shortest(plan_.trials), "raise it, or give another --out"});
}

std::optional<Trial> Study::ask()
{
    take_foreign();
    const auto number = static_cast<std::int64_t>(trials_.size());
    const auto* next = ledger_.next_recorded();
    if (number >= plan_.trials) {
        if (next && next->op == journal::Op::create_trial) throw too_few_trials();
        return {};
    }
    if (next && next->op != journal::Op::create_trial) {
        if (!running_.empty()) return {};
        throw ledger_.refusal(*next, "the creation of trial " + shortest(number));
    }
    auto params = sampler_.draw(number - foreign_, running_);
    if (!params) return {};

    ledger_.append(journal::create_trial());
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        const auto& [name, distribution] = plan_.space.parameters[i];
        const auto found = params->find(name);
        if (found == params->end()) continue;
        ledger_.append(journal::parameter(number, forms_[i], distribution, found->second));
    }
    TrialRecord record;
    record.trial = {number, std::move(*params)};
    trials_.push_back(std::move(record));
    running_.push_back(trials_.back().trial);
    return trials_.back().trial;
}

std::optional<Report> Study::recorded(std::int64_t trial, int rung) const
{
    const auto found = reports_.find({trial, rung});
    if (found == reports_.end()) return {};
    try {
        return journal::parse_rung(found->second->text);
    } catch (const std::exception&) {
        throw ledger_.refusal(*found->second, "an undamaged report of trial " + shortest(trial));
    }
}

Decision Study::tell(const Report& report)
{
    take_foreign();
    auto& record = trials_.at(static_cast<std::size_t>(report.trial));
    const int due = record.last ? record.last->rung + 1 : 0;
    if (record.state != TrialState::running || report.rung != due)
        throw std::logic_error("trial " + shortest(report.trial) + ": a report of rung " +
                               shortest(report.rung) + " isn't due");

    ledger_.append(journal::trial_attribute(report.trial, journal::rung_name(report.rung),
                                            journal::rung_json(report)));
    record.last = recorded(report.trial, report.rung).value_or(report);
    record.seconds += record.last->seconds;
    return decide(record, *record.last);
}

Decision Study::decide(TrialRecord& record, const Report& report)
{
    const auto rung = static_cast<std::size_t>(report.rung);
    const std::int64_t step = plan_.rungs.at(rung);
    const std::string where = circumstances(record, report.rung, step);
    if (!report.failure.empty()) return finish(record, TrialState::fail, report.failure + where);

    const double score = std::isfinite(report.score) ? report.score : std::nan("");
    ledger_.append(journal::intermediate(report.trial, step, score));
    record.rungs.push_back({step, score});

    if (plan_.trial_timeout > 0 && record.seconds > plan_.trial_timeout)
        return finish(record, TrialState::fail,
                      "computing took " + shortest(record.seconds) +
                          " s, more than trial_timeout = " + shortest(plan_.trial_timeout) + " s" +
                          where);
    if (rung + 1 == plan_.rungs.size()) {
        if (std::isnan(score))
            return finish(record, TrialState::fail, "no score: " + report.reason + where);
        record.value = score;
        return finish(record, TrialState::complete, "");
    }

    const bool maximize = plan_.direction == Direction::maximize;
    const double rank = rank_score(maximize ? score : -score);
    auto& rivals = rivals_[rung];
    const auto cause = cut(plan_.pruner, step, rank, rivals);
    rivals.insert(std::ranges::upper_bound(rivals, rank), rank);
    if (!cause) return Decision::go_on;
    return finish(record, TrialState::pruned, (maximize ? "" : "of negated scores: ") + *cause);
}

Decision Study::finish(TrialRecord& record, TrialState state, std::string cause)
{
    const std::int64_t number = record.trial.number;
    if (!cause.empty())
        ledger_.append(journal::trial_attribute(number, "cause", json_string(cause)));
    ledger_.append(journal::finish(
        number, state, state == TrialState::complete ? std::optional(record.value) : std::nullopt));
    record.state = state;
    record.cause = std::move(cause);
    std::erase_if(running_, [&](const Trial& trial) { return trial.number == number; });
    sampler_.tell(tried(record));
    return Decision::finished;
}

Tried Study::tried(const TrialRecord& record) const
{
    Tried tried{record.trial, record.state, std::nan("")};
    if (record.state == TrialState::complete) tried.loss = record.value;
    if (record.state == TrialState::pruned && !record.rungs.empty()) {
        tried.loss = record.rungs.back().score;
        tried.step = record.rungs.back().step;
    }
    if (!std::isfinite(tried.loss)) tried.loss = std::nan("");  // of another program: the worst
    if (plan_.direction == Direction::maximize) tried.loss = -tried.loss;
    return tried;
}

const TrialRecord* Study::best() const
{
    const TrialRecord* best = nullptr;
    for (const auto& record : trials_) {
        if (record.state != TrialState::complete || record.foreign) continue;
        const bool better =
            best && (plan_.direction == Direction::maximize ? record.value > best->value
                                                            : record.value < best->value);
        if (!best || better) best = &record;
    }
    return best;
}

void Study::note(const std::string& key, ordered_json value)
{
    const auto found = attributes_.find(key);
    if (found != attributes_.end() && text(found->second) == text(value)) return;
    if (const auto* next = ledger_.next_recorded())
        throw ledger_.refusal(*next, "nothing, since the study ends before it");
    ledger_.append(journal::study_attribute(key, text(value)));
    attributes_[key] = std::move(value);
}

ordered_json Study::noted(const std::string& key) const
{
    const auto found = attributes_.find(key);
    return found == attributes_.end() ? ordered_json() : found->second;
}

}  // namespace barsweep::search
