#include <algorithm>

#include "agents/bytes.hpp"
#include "agents/dqn_learner_state.hpp"
#include "kernels/sum_tree.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

/// Calls `f(first, count)` for all numbers of a step in replay, in the file's order.
template <class Step, class F>
bool numbers_of(Step& step, i64 seen, F f)
{
    return f(&step.row, i64{1}) && f(&step.action, i64{1}) && f(&step.terminated, i64{1}) &&
           f(&step.ended, i64{1}) && f(&step.reward, i64{1}) && f(step.seen, seen) &&
           f(step.next_seen, seen);
}

/// The same of an account.
template <class Account, class F>
bool numbers_of(Account& a, F f)
{
    for (auto* x : {&a.cash, &a.lots, &a.basis, &a.costs, &a.peak, &a.upper, &a.lower, &a.age,
                    &a.level, &a.realised}) {
        if (!f(x, i64{1})) return false;
    }
    return true;
}

/// Calls `f` for all numbers that a learner's memory keeps of `filled` steps.
template <class F>
bool numbers_of(const DqnMemory& m, i64 filled, i64 seen, F f)
{
    bool whole = true;
    for (i64 i = 0; whole && i < filled; ++i) whole = numbers_of(m.ring[i], seen, f);
    for (i64 i = 0; whole && m.accounts.size != 0 && i < filled; ++i) {
        whole = numbers_of(m.accounts[i], f);
    }
    if (m.tree.size != 0) {
        whole = whole && f(m.largest.data, i64{1}) && f(m.tree.data + m.tree.size / 2, filled);
    }
    for (const auto* row : {&m.online, &m.target, &m.first, &m.second}) {
        whole = whole && f(row->data, row->size);
    }
    return whole;
}

}  // namespace

void DqnLearner::save(std::string& bytes) const
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

bool DqnLearner::load(std::string_view& bytes)
{
    State& s = *state_;
    const bool whole =
        take(bytes, &s.steps) && take(bytes, &s.updates) && s.steps >= 0 && s.updates >= 0 &&
        numbers_of(s.memory, s.filled(), s.lanes.seen_count,
                   [&](auto* first, i64 count) { return take(bytes, first, count); }) &&
        s.lanes.load(bytes);
    const auto tree = s.memory.tree;
    for (i64 node = tree.size / 2 - 1; node > 0; --node) {
        tree[node] = tree[2 * node] + tree[2 * node + 1];
    }
    return whole;
}

}  // namespace barsweep::agents
