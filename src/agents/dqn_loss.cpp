#include "agents/dqn_loss.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/act.hpp"

namespace barsweep::agents {

double dqn_loss(const BatchValues& values, const Minibatch& minibatch, const UpdateRules& rules,
                float* gradient)
{
    const auto gamma = static_cast<float>(rules.gamma);
    const auto share = 1 / static_cast<float>(values.batch);
    const auto actions = values.actions;
    std::fill_n(gradient, values.batch * actions, 0.0f);
    double loss = 0;
    for (std::int64_t i = 0; i < values.batch; ++i) {
        const float* next = values.target_next + i * actions;
        const float* chooser = rules.double_q ? values.online_next + i * actions : next;
        const float best =
            next[kernels::first_largest(chooser, static_cast<kernels::i32>(actions))];
        const float goal = minibatch.rewards[i] + gamma * minibatch.continues[i] * best;
        const auto taken = i * actions + minibatch.actions[i];
        const float error = values.online[taken] - goal;
        const float size = std::abs(error);
        loss += size < 1 ? 0.5f * error * error : size - 0.5f;
        gradient[taken] = (size < 1 ? error : error > 0 ? 1.0f : -1.0f) * share;
    }
    return loss / static_cast<double>(values.batch);
}

}  // namespace barsweep::agents
