#pragma once
#include <cstdint>
#include <memory>

#include "kernels/mlp_shape.hpp"

namespace barsweep::agents {

/// A slot's networks and optimiser, rows of parameter_count(shape) floats each, aligned to 64
/// bytes.
struct DqnRows {
    kernels::View<float> online;
    kernels::View<const float> target;
    kernels::View<float> first;  ///< Adam's moments
    kernels::View<float> second;
};

struct Minibatch {
    kernels::View<const float> states;   ///< [2 * batch, inputs]: the states, then the next states
    kernels::View<const float> rewards;  ///< [batch], scaled
    kernels::View<const float> continues;       ///< [batch] 0 where terminated, else 1
    kernels::View<const kernels::i64> actions;  ///< [batch] index into the outputs
};

struct UpdateRules {
    double gamma = 0.99;
    double learning_rate = 3e-4;
    double max_grad_norm = 10;  ///< 0: no clipping
    bool double_q = true;
};

struct UpdateOutcome {
    double loss = 0;       ///< mean over the batch
    double grad_norm = 0;  ///< before clipping
    bool finite = true;    ///< loss and all new parameters
};

/// What an update of one shape works in, kept from one to the next.
class UpdateBuffers {
public:
    UpdateBuffers(const kernels::MlpShape& shape, std::int64_t batch);
    ~UpdateBuffers();
    UpdateBuffers(UpdateBuffers&&) noexcept;
    UpdateBuffers& operator=(UpdateBuffers&&) noexcept;

    /// Of the last update, before clipping, laid out like the parameters.
    kernels::View<const float> gradient() const;

    struct Tensors;
    Tensors& tensors() const { return *tensors_; }

private:
    std::unique_ptr<Tensors> tensors_;
};

/// One update by double DQN (H. van Hasselt et al., AAAI 2016, equation 4; not double: V. Mnih et
/// al., Nature 518, 2015, algorithm 1): Huber loss with beta 1, its gradients clipped by their
/// common norm, Adam. `number` counts updates from 1. Forward and backward are written out over
/// LibTorch's matrix products on one thread, so that the bits depend on the arguments alone.
UpdateOutcome dqn_update(UpdateBuffers& buffers, const DqnRows& rows, const Minibatch& minibatch,
                         const UpdateRules& rules, std::int64_t number);

}  // namespace barsweep::agents
