// `agents_dump FOLDER`: updates and bundles with all that went in and came out, for scripts that
// compute the same with PyTorch (torch_second_opinion.py).
#include "agents_dump.hpp"

#include <iostream>

#include "bars/synthetic.hpp"

namespace barsweep::agents {

nlohmann::json shape_facts(const kernels::MlpShape& shape)
{
    static const char* const activations[] = {"relu", "tanh", "silu"};
    return {{"sizes", std::vector<int>(shape.sizes, shape.sizes + shape.layers + 1)},
            {"activation", activations[static_cast<int>(shape.activation)]},
            {"layer_norm", shape.layer_norm}};
}

TrainingSet dump_set()
{
    bars::SyntheticOptions options;
    options.kind = bars::SyntheticKind::sine;
    options.bars = 1'000;
    const auto series = bars::synthesize(options);
    const bars::Window train{240, options.bars - 1};
    const auto stored = bars::compute_features(series);
    return make_training_set(sim::load_market(device::Backend::cpu, series),
                             {device::Backend::cpu, std::span<const float>{stored}},
                             bars::feature_count, train, train, 1 / options.volatility);
}

kernels::Rules dump_rules()
{
    kernels::Rules rules;
    rules.initial = 1'000'000'000'000;
    rules.rate_ppb = 100'000;
    return rules;
}

void put_steps(const DumpFolder& folder, kernels::View<const kernels::Transition> ring)
{
    std::vector<std::int32_t> row;
    std::vector<std::int8_t> action, terminated, ended;
    std::vector<float> reward, seen, next_seen;
    for (kernels::i64 i = 0; i < ring.size; ++i) {
        const auto& one = ring[i];
        row.push_back(one.row);
        action.push_back(one.action);
        terminated.push_back(one.terminated);
        ended.push_back(one.ended);
        reward.push_back(one.reward);
        seen.insert(seen.end(), std::begin(one.seen), std::end(one.seen));
        next_seen.insert(next_seen.end(), std::begin(one.next_seen), std::end(one.next_seen));
    }
    folder.put("row", row);
    folder.put("action", action);
    folder.put("terminated", terminated);
    folder.put("ended", ended);
    folder.put("reward", reward);
    folder.put("seen", seen);
    folder.put("next_seen", next_seen);
}

}  // namespace barsweep::agents

int main(int count, char** arguments)
{
    if (count != 2) {
        std::cerr << "usage: agents_dump FOLDER\n";
        return 2;
    }
    barsweep::agents::dump_dqn(arguments[1]);
    barsweep::agents::dump_ppo(arguments[1]);
    barsweep::agents::dump_bundles(arguments[1]);
}
