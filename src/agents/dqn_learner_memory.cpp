#include "agents/dqn_learner_memory.hpp"

#include <algorithm>

#include "agents/carver.hpp"
#include "kernels/square_sum.hpp"
#include "kernels/sum_tree.hpp"

namespace barsweep::agents {

using kernels::i64;

DqnMemory lay_out(const DqnConfig& config, const Lanes& lanes, std::byte* start)
{
    const auto shape = dqn_shape(config, lanes.inputs(), lanes.levels);
    const i64 parameters = kernels::parameter_count(shape);
    const i64 promises = config.batch * (config.all_actions ? lanes.levels : 1);
    const i64 outputs = kernels::padded(shape.outputs());
    const i64 passing = std::min(kernels::passing_rows, std::max(promises, lanes.count));

    DqnMemory m;
    Carver carve{start};
    for (auto* row : {&m.online, &m.target, &m.first, &m.second, &m.gradient}) {
        carve(*row, parameters);
    }
    carve(m.square, 1);
    carve(m.leaves, kernels::square_sum_leaves(parameters));
    carve(m.finite, 1);
    carve(m.work, kernels::network_work(shape, std::max(config.batch, passing)));
    carve(m.scratch, kernels::backward_scratch(shape, config.batch));
    carve(m.delta, config.batch * outputs);
    carve(m.next, std::max(promises, lanes.count) * outputs);
    carve(m.promised, promises * outputs);
    carve(m.observations, lanes.count * lanes.inputs());
    carve(m.actions, lanes.count);
    carve(m.picks, config.batch);
    carve(m.drawn, config.prioritised ? config.batch : 0);
    carve(m.weights, config.prioritised ? config.batch : 0);
    carve(m.states, (config.batch + promises) * lanes.inputs());
    carve(m.taken, config.batch);
    carve(m.rewards, promises);
    carve(m.discounts, promises);
    carve(m.losses, config.batch);
    carve(m.errors, config.batch);
    carve(m.largest, 1);
    carve(m.tree, config.prioritised ? kernels::sum_tree_size(config.buffer) : 0);
    m.zeroed = carve.used;
    carve(m.ring, config.buffer);
    carve(m.accounts, config.all_actions ? config.buffer : 0);
    m.bytes = carve.used;
    return m;
}

std::int64_t dqn_bytes(const DqnConfig& config, const Lanes& lanes)
{
    return lay_out(config, lanes, nullptr).bytes;
}

}  // namespace barsweep::agents
