#include <algorithm>

#include "base/error.hpp"
#include "search/json_text.hpp"
#include "search/numbers.hpp"
#include "search/random_draw.hpp"
#include "search/study.hpp"

namespace barsweep::search {

std::optional<Trial> Study::ask()
{
    take_foreign();
    if (const auto* next = ledger_.next_recorded()) return ask_recorded(*next);
    if (auto trial = promote(false)) return trial;
    if (auto trial = draw()) return trial;
    if (in_flight_ > 0) return {};
    if (auto trial = promote(true)) return trial;
    end_waiting();
    return {};
}

/// What the ledger says came next here; every record made is compared with it.
std::optional<Trial> Study::ask_recorded(LedgerLine next)
{
    const auto number = static_cast<std::int64_t>(trials_.size());
    if (next.op == journal::Op::create_trial) {
        if (number >= plan_.trials) throw too_few_trials();
        auto params = recorded_params(number);
        return params ? create(number, std::move(*params)) : draw();
    }
    if (journal::is_promotion(next.text)) {
        if (auto trial = promote(false)) return trial;
        if (in_flight_ == 0)
            if (auto trial = promote(true)) return trial;
        throw ledger_.refusal(next, "no promotion of a trial there");
    }
    if (in_flight_ > 0) return {};
    if (promotions_.none_waits())
        throw ledger_.refusal(next, "the creation of trial " + shortest(number));
    end_waiting();
    return ask();
}

/// Of the trial whose creation is next; empty: the ledger ends before its last parameter.
std::optional<Params> Study::recorded_params(std::int64_t number) const
{
    const auto& lines = ledger_.recorded();
    std::size_t at = ledger_.cursor();  // the creation
    std::optional<LedgerLine> line;
    const auto go_on = [&] {
        line = ++at < lines.size() ? std::optional(lines[at]) : std::nullopt;
    };
    const auto is_parameter = [&] { return line && line->op == journal::Op::parameter; };
    Params params;
    go_on();
    for (std::size_t i = 0; i < forms_.size() && is_parameter(); ++i) {
        const auto& [name, distribution] = plan_.space.parameters[i];
        const auto value = journal::recorded_value(line->text, number, forms_[i], distribution);
        if (!value) continue;
        params.emplace(name, *value);
        go_on();
    }
    if (is_parameter())
        throw ledger_.refusal(*line, "a parameter of trial " + shortest(number) +
                                         " that [space] has, once, in name order, with a value of "
                                         "its range");
    for (const auto& parameter : plan_.space.parameters) {
        if (params.contains(parameter.name) == is_active(plan_.space, parameter.name, params))
            continue;
        if (!line) return {};
        throw ledger_.refusal(*line, params.contains(parameter.name)
                                         ? "no " + parameter.name + " before it, by its condition"
                                         : "the parameter " + parameter.name + " before it");
    }
    return params;
}

/// Point `index` of our own.
std::optional<Params> Study::configuration(std::int64_t index)
{
    const auto first = std::ssize(plan_.enqueued);
    if (index >= first) return sampler_.draw(index - first, running_);
    auto params = RandomDraw(plan_.sampler.seed, plan_.space).draw(-1 - index);
    for (const auto& [name, value] : plan_.enqueued[static_cast<std::size_t>(index)])
        params[name] = value;
    return active_only(plan_.space, std::move(params));
}

std::optional<Trial> Study::draw()
{
    const auto number = static_cast<std::int64_t>(trials_.size());
    if (number >= plan_.trials) return {};
    auto params = configuration(number - foreign_);
    if (!params) return {};
    return create(number, std::move(*params));
}

Trial Study::create(std::int64_t number, Params params)
{
    ledger_.append(journal::create_trial());
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        const auto& [name, distribution] = plan_.space.parameters[i];
        const auto found = params.find(name);
        if (found == params.end()) continue;
        ledger_.append(journal::parameter(number, forms_[i], distribution, found->second));
    }
    TrialRecord record;
    record.trial = {number, std::move(params)};
    trials_.push_back(std::move(record));
    running_.push_back(trials_.back().trial);
    ++in_flight_;
    return trials_.back().trial;
}

std::optional<Trial> Study::promote(bool last)
{
    const auto place = promotions_.next(plan_.rungs, last);
    if (!place) return {};
    promotions_.promote(*place);
    auto& record = trials_[static_cast<std::size_t>(place->trial)];
    record.paused = false;
    note_place(record, *place);
    ++in_flight_;
    return record.trial;
}

/// Nothing is computed and nothing new comes: what waits is pruned.
void Study::end_waiting()
{
    for (const auto& place : promotions_.waiting(plan_.rungs))
        finish(trials_[static_cast<std::size_t>(place.trial)], TrialState::pruned,
               of_ranks() + place.told + ", at the study's end");
    promotions_.send_home();
}

std::optional<journal::TrialRung> Study::next_recorded() const
{
    const auto* next = ledger_.next_recorded();
    return next ? journal::find_rung(next->text) : std::nullopt;
}

}  // namespace barsweep::search
