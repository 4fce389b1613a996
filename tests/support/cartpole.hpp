#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace barsweep::agents {

/// A pole on a cart, pushed left or right. A. Barto, R. Sutton, C. Anderson, "Neuronlike adaptive
/// elements that can solve difficult learning control problems", IEEE Transactions on Systems, Man,
/// and Cybernetics 13(5), 1983, appendix, without friction; Euler steps of 0.02 s; the bounds, the
/// start and the 500 steps are those of Gymnasium's CartPole-v1.
struct CartPole {
    static constexpr int actions = 2;
    static constexpr int observations = 4;
    static constexpr std::int64_t most_steps = 500;
    static constexpr double start_width = 0.05;

    /// Position and speed of the cart, m and m/s; angle from upright and its speed, rad and rad/s.
    std::array<double, 4> state{};

    struct Outcome {
        double reward;
        bool terminated;
    };

    Outcome step(int action)
    {
        constexpr double gravity = 9.8, cart = 1.0, pole = 0.1, half_length = 0.5, seconds = 0.02;
        auto& [x, speed, angle, turning] = state;
        const double force = action == 1 ? 10 : -10;
        const double sine = std::sin(angle), cosine = std::cos(angle);
        const double pushed =
            (force + pole * half_length * turning * turning * sine) / (cart + pole);
        const double turn = (gravity * sine - cosine * pushed) /
                            (half_length * (4.0 / 3 - pole * cosine * cosine / (cart + pole)));
        const double push = pushed - pole * half_length * turn * cosine / (cart + pole);
        x += seconds * speed;
        speed += seconds * push;
        angle += seconds * turning;
        turning += seconds * turn;
        const bool fallen = std::abs(x) > 2.4 || std::abs(angle) > 12 * std::numbers::pi / 180;
        return {1, fallen};
    }

    void observe(float* out) const
    {
        for (int k = 0; k < observations; ++k) out[k] = static_cast<float>(state[std::size_t(k)]);
    }
};

}  // namespace barsweep::agents
