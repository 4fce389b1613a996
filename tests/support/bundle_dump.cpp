#include "agents/bundle.hpp"
#include "agents_dump.hpp"
#include "bars/synthetic.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

constexpr std::int64_t rows = 1'000;

AgentConfig plain()
{
    DqnConfig config;
    config.hidden = {16, 12};
    config.batch = 8;
    config.learning_starts = 32;
    config.lanes = 4;
    config.episode = 30;
    return config;
}

AgentConfig rainbow()
{
    auto config = std::get<DqnConfig>(plain());
    config.dueling = config.prioritised = config.layer_norm = true;
    config.n_step = 3;
    config.distribution = kernels::Distribution::c51;
    config.atoms = 11;
    config.activation = kernels::Activation::silu;
    return config;
}

AgentConfig quantile()
{
    auto config = std::get<DqnConfig>(plain());
    config.distribution = kernels::Distribution::quantile;
    config.atoms = 7;
    return config;
}

AgentConfig ppo()
{
    PpoConfig config;
    config.hidden = {16, 12};
    config.lanes = 4;
    config.batch = 32;
    config.episode = 30;
    return config;
}

/// A policy that has learnt a little; features as stored, account features drawn, what each level
/// is worth to our network [rows, levels].
void dump_bundle(const AgentConfig& config, const std::filesystem::path& path)
{
    bars::SyntheticOptions options;
    options.bars = rows;
    const auto stored = bars::compute_features(bars::synthesize(options));
    const auto set = dump_set();
    LearnerPlan plan;
    plan.config = config;
    plan.rules = dump_rules();
    plan.key = {7, 0, 0};
    plan.last_rung = 2'000;
    Learner learner{set, plan};
    while (learner.steps() < 400) learner.step();

    Bundle bundle;
    bundle.scaling = bars::fit_scaling(stored, bars::feature_count, {240, rows - 1});
    bundle.policy = learner.policy();
    bundle.feature_names = {bars::feature_names.begin(), bars::feature_names.end()};
    bundle.levels_ppm = {-1'000'000, -500'000, 0, 500'000, 1'000'000};
    const DumpFolder folder{path};
    write_bundle(path / "best", bundle);

    auto scaled = stored;
    bars::apply_scaling(scaled, bundle.scaling);
    RandomStream draws{1, Purpose::network_weights};
    std::vector<float> account, x, values;
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
        x.insert(x.end(), scaled.begin() + 51 * row, scaled.begin() + 51 * (row + 1));
        for (int k = 0; k < 8; ++k) {
            account.push_back(static_cast<float>(2 * draws.uniform() - 1));
            x.push_back(account.back());
        }
    }
    const auto& [shape, head, parameters, view] = bundle.policy;
    std::vector<float> work(static_cast<std::size_t>(kernels::network_work(shape, rows)));
    const kernels::ForwardArgs pass{
        shape,
        {parameters.data(), static_cast<kernels::i64>(parameters.size())},
        {x.data(), shape.inputs()},
        rows,
        {work.data(), static_cast<kernels::i64>(work.size())}};
    device::forward(device::Backend::cpu, {&pass, 1});
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* outputs = kernels::outputs_of(shape, work.data())[row];
        for (int level = 0; level < head.levels; ++level)
            values.push_back(kernels::level_value(head, outputs, level));
    }
    folder.put("features", stored);
    folder.put("account", account);
    folder.put("values", values);
}

}  // namespace

void dump_bundles(const std::filesystem::path& folder)
{
    dump_bundle(plain(), folder / "bundles" / "plain");
    dump_bundle(rainbow(), folder / "bundles" / "rainbow");
    dump_bundle(quantile(), folder / "bundles" / "quantile");
    dump_bundle(ppo(), folder / "bundles" / "ppo");
}

}  // namespace barsweep::agents
