#include <istream>
#include <iterator>
#include <ostream>
#include <type_traits>

#include "agents/bytes.hpp"
#include "agents/learner_state.hpp"
#include "agents/sealed.hpp"
#include "base/error.hpp"

namespace barsweep::agents {
namespace {

constexpr auto kind = "barsweep dqn checkpoint 1";

/// Calls `f` for every number of a lane, in the file's order.
template <class Lane, class F>
bool numbers_of(Lane& lane, F f)
{
    auto& a = lane.account;
    auto& s = lane.stats;
    return f(a.cash) && f(a.lots) && f(a.basis) && f(a.costs) && f(a.peak) && f(a.upper) &&
           f(a.lower) && f(a.age) && f(a.level) && f(a.realised) && f(s.count) && f(s.mean) &&
           f(s.m2) && f(lane.episode) && f(lane.row) && f(lane.last);
}

/// The same of a step in replay.
template <class Transition, class F>
bool numbers_of_step(Transition& t, F f)
{
    bool whole = f(t.row) && f(t.action) && f(t.terminated) && f(t.reward);
    for (auto& x : t.seen) whole = whole && f(x);
    for (auto& x : t.next_seen) whole = whole && f(x);
    return whole;
}

}  // namespace

void Learner::save(std::ostream& stream) const
{
    State& s = *state_;
    std::string bytes;
    const auto put_one = [&](const auto& x) {
        put(bytes, &x);
        return true;
    };
    put(bytes, &s.steps);
    put(bytes, &s.updates);
    for (std::size_t i = 0; i < s.lanes.size(); ++i) {
        numbers_of(s.lanes.read().data[i], put_one);
    }
    for (std::int64_t i = 0; i < s.filled(); ++i) numbers_of_step(s.replay.read()[i], put_one);
    for (const auto* row : {&s.online, &s.target, &s.first, &s.second}) {
        put(bytes, row->read().data, row->read().size);
    }
    const auto file = seal(kind, s.identity, bytes);
    stream.write(file.data(), static_cast<std::streamsize>(file.size()));
}

void Learner::load(std::istream& stream)
{
    const std::string where = "checkpoint";
    const std::string file{std::istreambuf_iterator<char>{stream}, {}};
    const Unsealed sealed = unseal(file, kind, where);
    State& s = *state_;
    if (sealed.identity != s.identity) {
        throw UserError({where, "a checkpoint of this trial on these bars", "one of another",
                         "remove it, or name the study folder that it belongs to"});
    }
    auto bytes = sealed.payload;
    const auto take_one = [&](auto& x) { return take(bytes, &x); };
    bool whole = take(bytes, &s.steps) && take(bytes, &s.updates);
    for (std::size_t i = 0; whole && i < s.lanes.size(); ++i) {
        whole = numbers_of(s.lanes.write().data[i], take_one);
    }
    for (std::int64_t i = 0; whole && i < s.filled(); ++i) {
        whole = numbers_of_step(s.replay.write()[i], take_one);
    }
    for (auto* row : {&s.online, &s.target, &s.first, &s.second}) {
        whole = whole && take(bytes, row->write().data, row->write().size);
    }
    // The checksum and the identity held, so this would be a fault of `save`.
    if (!whole || !bytes.empty()) throw std::logic_error("checkpoint: not what save writes");
}

}  // namespace barsweep::agents
