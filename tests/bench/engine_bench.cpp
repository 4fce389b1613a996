// The fused engine on one core beside the machine's peak of fused multiply-adds:
// name,network,gflops,share of the peak. Processor time; a figure is the best of many rounds, and
// the peak is measured again beside each. Flops are the network's own: padding isn't counted.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

#include "base/random.hpp"
#include "bench/peak.hpp"
#include "device/launch.hpp"
#include "device/tiled.hpp"

using namespace barsweep;
using kernels::i64;
using kernels::MlpShape;

namespace {

constexpr auto cpu = device::Backend::cpu;

device::Buffer<float> random_row(i64 count, double size = 0.1)
{
    RandomStream random{1, Purpose::synthetic_bars};
    std::vector<float> row;
    for (i64 i = 0; i < count; ++i) {
        row.push_back(static_cast<float>((2 * random.uniform() - 1) * size));
    }
    return {cpu, std::span<const float>{row}};
}

double best_peak = 0;

void report(const std::string& name, const std::string& network, double flops,
            const std::function<void()>& work)
{
    const int repeats = std::max(1, static_cast<int>(2e8 / flops));
    double best = 0, share = 0;
    for (int round = 0; round < 15; ++round) {
        const double peak = bench::fma_peak();
        best_peak = std::max(peak, best_peak);
        const double taken = bench::seconds([&] {
            for (int i = 0; i < repeats; ++i) work();
        });
        best = std::max(best, flops * repeats / taken);
        share = std::max(share, flops * repeats / taken / peak);
    }
    std::printf("%s,%s,%.1f,%.3f\n", name.c_str(), network.c_str(), best * 1e-9,
                std::min(share, best / best_peak));
    std::fflush(stdout);
}

/// One product of [rows, steps] by [steps, columns].
void report_product(i64 rows, kernels::i32 columns, i64 steps)
{
    const auto a = random_row(rows * (steps + 16)), b = random_row(steps * columns);
    auto c = random_row(rows * (columns + 16));
    const kernels::Product product{a.read().data,
                                   steps + 16,
                                   1,
                                   {b.read().data, columns},
                                   {nullptr, 0},
                                   {c.write().data, columns + 16},
                                   rows,
                                   columns,
                                   steps};
    const auto network =
        std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(steps);
    report("product", network, 2.0 * static_cast<double>(rows * steps) * columns, [&] {
        if (device::widest_vectors() == device::Vectors::of_512_bits) {
            device::Multiply<device::Vectors::of_512_bits>::run(product);
        } else {
            device::Multiply<device::Vectors::of_256_bits>::run(product);
        }
    });
}

/// Multiply-adds of a row, of its forward pass and of its gradient by what goes into the layers.
double forward_work(const MlpShape& shape)
{
    double sum = 0;
    for (int l = 0; l < shape.layers; ++l) sum += 1.0 * shape.sizes[l] * shape.sizes[l + 1];
    return 2 * sum;
}

double backward_work(const MlpShape& shape)
{
    return 2 * forward_work(shape) - 2.0 * shape.sizes[0] * shape.sizes[1];
}

/// A network with an optimiser, and a second one of its shape, in one piece of memory as a learner
/// has it.
struct Slot {
    MlpShape shape;
    device::Buffer<float> memory;
    i64 used = 0;
    kernels::View<float> p, target, m, v, g, work, passing, outputs, x, delta, scratch;
    device::Buffer<double> leaves, square;
    device::Buffer<kernels::i32> finite;
    i64 number = 0;

    /// `rows` go forward and back, `only` more forward alone.
    Slot(const MlpShape& given, i64 rows, i64 only)
        : shape{given},
          memory{cpu, std::size_t{1} << 21},
          leaves{cpu, static_cast<std::size_t>(kernels::square_sum_leaves(parameter_count(shape)))},
          square{cpu, 1},
          finite{cpu, 1}
    {
        const i64 all = rows + only;
        for (auto* row : {&p, &target, &m, &v, &g}) carve(*row, parameter_count(shape), 0.1);
        carve(work, network_work(shape, rows), 0);
        carve(passing, passing_work(shape, all), 0);
        carve(outputs, all * kernels::padded(shape.outputs()), 0);
        carve(x, all * shape.inputs(), 1);
        carve(delta, rows * kernels::padded(shape.outputs()), 0);
        carve(scratch, backward_scratch(shape, rows), 0);
        for (auto* row : {&m, &v}) std::fill_n(row->data, row->size, 0.0f);
        for (i64 r = 0; r < rows; ++r) delta[r * kernels::padded(shape.outputs())] = 0.01f;
    }

    void carve(kernels::View<float>& view, i64 size, double most)
    {
        view = {memory.write().data + used, size};
        used += (size + 15) / 16 * 16;
        const auto numbers = random_row(size, most);
        std::copy_n(numbers.read().data, size, view.data);
    }

    kernels::Rows<const float> rows_from(i64 first) const
    {
        return {x.data + first * shape.inputs(), shape.inputs()};
    }

    void forward_only(kernels::View<float> parameters, i64 first, i64 count)
    {
        const kernels::ForwardArgs args{shape,
                                        {parameters.data, parameters.size},
                                        rows_from(first),
                                        count,
                                        passing,
                                        {outputs.data, kernels::padded(shape.outputs())}};
        device::forward(cpu, {&args, 1});
    }

    void forward(i64 count)
    {
        const kernels::ForwardArgs args{shape, {p.data, p.size}, rows_from(0), count, work};
        device::forward(cpu, {&args, 1});
    }

    void backward(i64 count)
    {
        const kernels::BackwardArgs args{
            shape, {p.data, p.size}, rows_from(0), count, work, delta, scratch, g};
        device::backward(cpu, {&args, 1});
    }

    void square_sum()
    {
        const kernels::SquareSumArgs args{{g.data, g.size}, leaves.write(), square.write()};
        device::square_sum(cpu, {&args, 1});
    }

    void adam()
    {
        const kernels::AdamArgs args{.parameters = p,
                                     .first = m,
                                     .second = v,
                                     .gradient = {g.data, g.size},
                                     .square = square.read(),
                                     .learning_rate = 1e-4,
                                     .max_norm = 10,
                                     .number = ++number,
                                     .finite = finite.write()};
        device::adam(cpu, {&args, 1});
    }
};

std::string name_of(const MlpShape& shape)
{
    std::string name;
    for (int l = 0; l <= shape.layers; ++l) {
        if (l > 0) name += '-';
        name += std::to_string(shape.sizes[l]);
    }
    const char* const activations[] = {"", " tanh", " silu"};
    return name + activations[static_cast<int>(shape.activation)] +
           (shape.layer_norm ? " norm" : "");
}

void report_dqn(const MlpShape& shape)
{
    const auto name = name_of(shape);
    const double row = forward_work(shape);
    const auto parameters = static_cast<double>(parameter_count(shape));
    Slot slot{shape, 64, 192};
    for (const i64 rows : {256, 64, 16, 1}) {
        report("forward_" + std::to_string(rows), name, static_cast<double>(rows) * row,
               [&] { slot.forward_only(slot.p, 0, rows); });
    }
    report("forward_kept_64", name, 64 * row, [&] { slot.forward(64); });
    slot.forward(64);
    report("backward_64", name, 64 * backward_work(shape), [&] { slot.backward(64); });
    report("adam", name, 16 * parameters, [&] { slot.adam(); });
    report("square_sum", name, 2 * parameters, [&] { slot.square_sum(); });
    report("double_dqn_passes", name, 192 * row + 64 * backward_work(shape), [&] {
        slot.forward_only(slot.target, 64, 64);
        slot.forward_only(slot.p, 64, 64);
        slot.forward(64);
        slot.backward(64);
        slot.square_sum();
        slot.adam();
    });
}

void report_ppo(const MlpShape& actor)
{
    MlpShape critic = actor;
    critic.sizes[critic.layers] = 1;
    Slot a{actor, 64, 0}, c{critic, 64, 0};
    const double row =
        forward_work(actor) + forward_work(critic) + backward_work(actor) + backward_work(critic);
    report("ppo_minibatch", name_of(actor), 64 * row, [&] {
        for (Slot* slot : {&a, &c}) {
            slot->forward(64);
            slot->backward(64);
        }
        for (Slot* slot : {&a, &c}) {
            slot->square_sum();
            slot->adam();
        }
    });
}

}  // namespace

int main()
{
    std::puts("name,network,gflops,share");
    report_product(64, 256, 256);
    report_product(128, 256, 256);
    report_product(256, 256, 64);
    report_product(64, 256, 54);
    using enum kernels::Activation;
    report_dqn({3, {54, 256, 256, 5}, relu});
    report_ppo({3, {54, 256, 256, 5}, tanh});
    report_dqn({3, {54, 64, 64, 5}, relu});
    report_dqn({3, {54, 128, 128, 5}, silu, true});
    report_ppo({3, {54, 64, 64, 5}, tanh});
    std::printf("peak,,%.1f,1\n", best_peak * 1e-9);
}
