#pragma once
#include <cstddef>
#include <exception>
#include <span>

#include "kernels/mlp_shape.hpp"

namespace barsweep::agents {

/// Learners whose stages run together.
inline constexpr std::size_t most_together = 8;

/// Calls `f` for each that still stands; what it throws becomes that learner's failure.
template <class Group, class F>
void for_each_standing(const Group& group, F f)
{
    for (auto* state : group) {
        if (state->failure) continue;
        try {
            f(*state);
        } catch (...) {
            state->failure = std::current_exception();
        }
    }
}

/// Arguments of one kernel for a group, kept on the stack: a step allocates nothing.
template <class Args>
class Together {
public:
    void add(const Args& args) { all_[count_++] = args; }
    std::span<const Args> all() const { return {all_, count_}; }

private:
    Args all_[most_together];
    std::size_t count_ = 0;
};

/// The same views, to be read alone.
template <class T>
kernels::View<const T> read(kernels::View<T> view)
{
    return {view.data, view.size};
}

inline kernels::Rows<const float> read(kernels::Rows<float> rows)
{
    return {rows.data, rows.stride};
}

}  // namespace barsweep::agents
