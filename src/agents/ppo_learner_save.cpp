#include "agents/bytes.hpp"
#include "agents/ppo_learner_state.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

/// Calls `f(first, count)` for all numbers that a learner's memory keeps of `filled` steps, in the
/// file's order.
template <class F>
bool numbers_of(const PpoMemory& m, i64 filled, i64 seen, F f)
{
    for (const auto* row : {&m.parameters, &m.first, &m.second}) {
        if (!f(row->data, row->size)) return false;
    }
    for (i64 i = 0; i < filled; ++i) {
        auto& step = m.rollout[i];
        const bool whole = f(&step.row, i64{1}) && f(&step.action, i64{1}) &&
                           f(&step.terminated, i64{1}) && f(&step.ended, i64{1}) &&
                           f(&step.reward, i64{1}) && f(step.seen, seen) && f(step.next_seen, seen);
        if (!whole) return false;
    }
    return f(m.log_chance.data, filled);
}

}  // namespace

void PpoLearner::save(std::string& bytes) const
{
    const State& s = *state_;
    put(bytes, &s.steps);
    put(bytes, &s.updates);
    numbers_of(s.memory, s.filled(), s.lanes.seen_count, [&](const auto* first, i64 count) {
        put(bytes, first, count);
        return true;
    });
    s.lanes.save(bytes);
}

bool PpoLearner::load(std::string_view& bytes)
{
    State& s = *state_;
    return take(bytes, &s.steps) && take(bytes, &s.updates) && s.steps >= 0 && s.updates >= 0 &&
           s.steps % s.lanes.count == 0 &&
           numbers_of(s.memory, s.filled(), s.lanes.seen_count,
                      [&](auto* first, i64 count) { return take(bytes, first, count); }) &&
           s.lanes.load(bytes);
}

}  // namespace barsweep::agents
