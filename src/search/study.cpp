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
      promotions_(plan_.pruner.eta, plan_.rungs.size())
{
    for (const auto& parameter : plan_.space.parameters)
        forms_.push_back(journal::parameter_form(parameter));
    read_attributes();
    index_reports();

    check_identity();
    begin();
    take_foreign();
    for (const auto& [key, value] : plan_.identity.items())
        if (!attributes_.contains(key)) note(key, value);
}

void Study::index_reports()
{
    ledger_.scan([&](std::size_t i, const LedgerLine& line) {
        if (line.op != journal::Op::trial_attribute) return;
        if (const auto found = journal::find_rung(line.text))
            reports_.push_back({found->trial, found->rung, found->replicate, i});
    });
    std::ranges::sort(reports_);
    reports_.shrink_to_fit();
}

/// Each must be, byte for byte, what `note` writes.
void Study::read_attributes()
{
    for (const auto& line : ledger_.attributes()) {
        const auto record = ordered_json::parse(strict_json(line.text), nullptr, false);
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
            if (ledger_.recorded().size() > 1 && ledger_.recorded()[1].ours)
                throw changed(key, "nothing", text(value));
            continue;
        }
        const bool grown =
            key == "study.trials" && whole_number(found->second) <= whole_number(value);
        if (text(found->second) != text(value) && !grown && key != "study.timeout")
            throw changed(key, text(found->second), text(value));
    }
    // By their reports: a creation that stands there twice is a damaged line, told as one.
    if (!reports_.empty() && reports_.back().trial >= plan_.trials) throw too_few_trials();
}

UserError Study::too_few_trials() const
{
    std::int64_t begun = ledger_.foreign_trials();
    ledger_.scan([&](std::size_t, const LedgerLine& line) {
        begun += line.op == journal::Op::create_trial;
    });
    return UserError({"study.trials", "at least the " + shortest(begun) + " trials of this study",
                      shortest(plan_.trials), "raise it, or give another --out"});
}

std::optional<Report> Study::recorded(std::int64_t trial, int rung, int replicate) const
{
    const Recorded wanted{trial, rung, replicate, 0};
    const auto found = std::ranges::lower_bound(reports_, wanted);
    if (found == reports_.end() || found->trial != trial || found->rung != rung ||
        found->replicate != replicate)
        return {};
    const auto line = ledger_.recorded()[found->line];
    try {
        return journal::parse_rung(line.text);
    } catch (const std::exception&) {
        throw ledger_.refusal(line, "an undamaged report of trial " + shortest(trial));
    }
}

int Study::due(std::int64_t trial) const
{
    const auto& record = trials_.at(static_cast<std::size_t>(trial));
    return record.last ? record.last->rung + 1 : 0;
}

Decision Study::tell(const Report& report)
{
    return tell_all(std::vector{report});
}

Decision Study::tell_all(const std::vector<Report>& reports)
{
    take_foreign();
    const auto& first = reports.at(0);
    auto& record = trials_.at(static_cast<std::size_t>(first.trial));
    if (record.state != TrialState::running || record.paused || first.rung != due(first.trial) ||
        std::ssize(reports) != plan_.replicates)
        throw std::logic_error("trial " + shortest(first.trial) + ": a report of rung " +
                               shortest(first.rung) + " isn't due");
    std::vector<Report> held;
    for (const auto& report : reports) {
        ledger_.append(journal::trial_attribute(report.trial,
                                                journal::rung_name(report.rung, report.replicate),
                                                journal::rung_json(report)));
        held.push_back(recorded(report.trial, report.rung, report.replicate).value_or(report));
        record.seconds += held.back().seconds;
    }
    record.last = together(held, plan_.replicate_score, plan_.direction);
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

    const double seconds = record.seconds / static_cast<double>(plan_.replicates);
    if (plan_.trial_timeout > 0 && seconds > plan_.trial_timeout)
        return finish(record, TrialState::fail,
                      "computing took " + shortest(seconds) + " s, more than trial_timeout = " +
                          shortest(plan_.trial_timeout) + " s" + where);
    if (rung + 1 == plan_.rungs.size()) {
        if (std::isnan(score))
            return finish(record, TrialState::fail, "no score: " + report.reason + where);
        record.value = score;
        return finish(record, TrialState::complete, "");
    }
    return plan_.pruner.kind == PrunerKind::asha ? promote_or_pause(record) : go_on_or_cut(record);
}

/// As pruners order it.
double Study::rank(double score) const
{
    return rank_score(plan_.direction == Direction::maximize ? score : -score);
}

std::string Study::of_ranks() const
{
    return plan_.direction == Direction::maximize ? "" : "of negated scores: ";
}

Decision Study::go_on_or_cut(TrialRecord& record)
{
    std::vector<double> ranks;
    for (const auto& one : record.rungs) ranks.push_back(rank(one.score));
    const int first_cut = first_cut_of(plan_.pruner, plan_.rungs.size(), record.trial.number);
    const int rung = record.last->rung;
    auto& rivals = rivals_[{first_cut, rung}];
    const auto& [step, score] = record.rungs.back();
    const auto cause =
        rung < first_cut ? std::nullopt : cut(plan_.pruner, {step, ranks, rivals, score});
    rivals.insert(ranks.back());
    if (!cause) return Decision::go_on;
    return finish(record, TrialState::pruned, of_ranks() + *cause);
}

Decision Study::promote_or_pause(TrialRecord& record)
{
    const auto& [step, score] = record.rungs.back();
    if (step < plan_.pruner.warmup) return Decision::go_on;
    const auto place =
        promotions_.report(record.trial.number, record.last->rung, step, rank(score));
    if (place.goes_on) {
        note_place(record, place);
        return Decision::go_on;
    }
    record.paused = true;
    note_place(record, place);
    leave(record);
    return Decision::paused;
}

/// Records why a trial goes on or waits at its rung.
void Study::note_place(TrialRecord& record, const Promotions::Place& place)
{
    record.cause = of_ranks() + place.told;
    ledger_.append(journal::trial_attribute(
        record.trial.number,
        journal::standing_name(place.goes_on ? "promoted" : "paused", place.rung),
        json_string(record.cause)));
}

/// It isn't computed any more, for now or for good: what it came to is told to the sampler.
void Study::leave(TrialRecord& record)
{
    --in_flight_;
    std::erase_if(running_,
                  [&](const Trial& trial) { return trial.number == record.trial.number; });
    sampler_.tell(tried(record));
}

Decision Study::finish(TrialRecord& record, TrialState state, std::string cause)
{
    const std::int64_t number = record.trial.number;
    if (!cause.empty())
        ledger_.append(journal::trial_attribute(number, "cause", json_string(cause)));
    ledger_.append(journal::finish(
        number, state, state == TrialState::complete ? std::optional(record.value) : std::nullopt));
    record.state = state;
    if (!cause.empty()) record.cause = std::move(cause);
    if (!record.paused) leave(record);
    record.paused = false;
    record.last->metrics.clear();  // the ledger has them, and of many trials they are much
    return Decision::finished;
}

Tried Study::tried(const TrialRecord& record) const
{
    Tried tried{record.trial, record.state, std::nan("")};
    if (record.state == TrialState::complete) tried.loss = record.value;
    if (record.paused) tried.state = TrialState::pruned;
    if (tried.state == TrialState::pruned && !record.rungs.empty()) {
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
