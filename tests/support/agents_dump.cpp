// `agents_dump FOLDER`: updates and a bundle with all that went in and came out, for scripts that
// compute the same with PyTorch. Rows of float32 (actions: int64) one after the other; cases.json
// says of what sizes.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "agents/bundle.hpp"
#include "agents/dqn_update.hpp"
#include "agents/learner.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"
#include "unit/agents/support.hpp"

namespace barsweep::agents {
namespace {

struct Case {
    std::vector<std::int32_t> sizes;
    std::int64_t batch;
    UpdateRules rules;
    double terminated;  ///< share of rows
};

const std::vector<Case> cases{
    {{59, 256, 256, 5}, 64, {0.99, 3e-4, 10, true}, 0.1},
    {{59, 256, 256, 5}, 64, {0.99, 3e-4, 0.05, true}, 0},
    {{54, 64, 5}, 32, {0.9, 1e-2, 10, false}, 0.5},
    {{10, 7, 13, 9, 2}, 5, {0.999, 1e-3, 0, true}, 1},
    {{3, 16}, 1, {0.5, 1e-3, 0.5, false}, 0},
    {{59, 33, 128, 16}, 257, {0, 1e-3, 1, true}, 0.2},
};

class File {
public:
    explicit File(const std::filesystem::path& path) : stream_{path, std::ios::binary} {}

    template <class T>
    void put(const T* values, std::size_t count)
    {
        stream_.write(reinterpret_cast<const char*>(values),
                      static_cast<std::streamsize>(count * sizeof(T)));
    }
    template <class T>
    void put(const std::vector<T>& values)
    {
        put(values.data(), values.size());
    }

private:
    std::ofstream stream_;
};

std::vector<float> draw(RandomStream& draws, std::int64_t count, double size)
{
    std::vector<float> row(static_cast<std::size_t>(count));
    for (auto& x : row) x = static_cast<float>((2 * draws.uniform() - 1) * size);
    return row;
}

template <class T>
kernels::View<T> write(std::vector<T>& row)
{
    return {row.data(), static_cast<kernels::i64>(row.size())};
}

template <class T>
kernels::View<const T> read(const std::vector<T>& row)
{
    return {row.data(), static_cast<kernels::i64>(row.size())};
}

/// Online and target parameters, then of each of three updates: states and next states, rewards,
/// continues, actions; loss and norm; gradient and new parameters.
nlohmann::json dump_updates(const Case& one, std::uint64_t seed, const std::filesystem::path& path)
{
    kernels::MlpShape shape;
    shape.layers = static_cast<int>(one.sizes.size()) - 1;
    std::copy(one.sizes.begin(), one.sizes.end(), shape.sizes);
    RandomStream draws{seed, Purpose::network_weights};
    const auto count = kernels::parameter_count(shape);
    const double size = 2 / std::sqrt(shape.sizes[shape.layers - 1]);
    auto online = draw(draws, count, size), target = draw(draws, count, size);
    std::vector<float> first(online.size()), second(online.size());
    UpdateBuffers buffers{shape, one.batch};
    File file{path};
    file.put(online);
    file.put(target);
    for (std::int64_t number = 1; number <= 3; ++number) {
        auto states = draw(draws, 2 * one.batch * shape.inputs(), 2);
        auto rewards = draw(draws, one.batch, 3), continues = draw(draws, one.batch, 1);
        for (auto& x : continues) x = (x + 1) / 2 < static_cast<float>(one.terminated) ? 0 : 1;
        std::vector<kernels::i64> actions(static_cast<std::size_t>(one.batch));
        for (auto& action : actions) {
            action =
                static_cast<kernels::i64>(draws.below(static_cast<std::uint64_t>(shape.outputs())));
        }
        for (const auto* row : {&states, &rewards, &continues}) file.put(*row);
        file.put(actions);
        const auto outcome = dqn_update(
            buffers, {write(online), read(target), write(first), write(second)},
            {read(states), read(rewards), read(continues), read(actions)}, one.rules, number);
        const float told[] = {static_cast<float>(outcome.loss),
                              static_cast<float>(outcome.grad_norm)};
        file.put(told, 2);
        file.put(buffers.gradient().data, static_cast<std::size_t>(count));
        file.put(online);
    }
    return {{"sizes", one.sizes},
            {"batch", one.batch},
            {"gamma", one.rules.gamma},
            {"learning_rate", one.rules.learning_rate},
            {"max_grad_norm", one.rules.max_grad_norm},
            {"double_q", one.rules.double_q}};
}

/// best/ of a trial that has learnt a little; features as stored, account features (as a lane's,
/// drawn), our values [rows, levels].
void dump_bundle(const std::filesystem::path& folder)
{
    bars::SyntheticOptions options;
    options.bars = 1'000;
    const auto stored = bars::compute_features(bars::synthesize(options));
    const bars::Window window{240, 999};
    Bundle bundle;
    bundle.scaling = bars::fit_scaling(stored, bars::feature_count, window);
    const auto set = small_set();
    Learner learner{set, small_plan()};
    bundle.policy = run_to(learner, 400).policy();
    bundle.feature_names = {bars::feature_names.begin(), bars::feature_names.end()};
    bundle.levels_ppm = {-1'000'000, -500'000, 0, 500'000, 1'000'000};
    write_bundle(folder / "best", bundle);

    auto scaled = stored;
    bars::apply_scaling(scaled, bundle.scaling);
    RandomStream draws{1, Purpose::network_weights};
    const auto account = draw(draws, 1'000 * 8, 1);
    std::vector<float> x, y(5 * 1'000);
    std::vector<float> scratch(
        static_cast<std::size_t>(1'000 * kernels::mlp_scratch(bundle.policy.shape)));
    for (std::ptrdiff_t row = 0; row < 1'000; ++row) {
        x.insert(x.end(), scaled.begin() + 51 * row, scaled.begin() + 51 * (row + 1));
        x.insert(x.end(), account.begin() + 8 * row, account.begin() + 8 * (row + 1));
    }
    device::mlp(device::Backend::cpu, {bundle.policy.shape, read(bundle.policy.parameters), read(x),
                                       write(y), write(scratch), 1'000});
    File file{folder / "values.bin"};
    file.put(stored);
    file.put(account);
    file.put(y);
}

}  // namespace
}  // namespace barsweep::agents

int main(int count, char** arguments)
{
    using namespace barsweep::agents;
    if (count != 2) {
        std::cerr << "agents_dump FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    auto json = nlohmann::json::array();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        json.push_back(dump_updates(cases[i], i, folder / ("case" + std::to_string(i) + ".bin")));
    }
    std::ofstream{folder / "cases.json"} << json.dump(1);
    dump_bundle(folder);
}
