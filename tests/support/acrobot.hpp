#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace barsweep::agents {

/// Two links that hang from a joint; a torque at the second joint is to swing the end above a line
/// one link over the first. R. Sutton, "Generalization in reinforcement learning: successful
/// examples using sparse coarse coding", NIPS 1996, figure 4; one Runge-Kutta step of 0.2 s; the
/// masses, bounds, start and the 500 steps are those of Gymnasium's Acrobot-v1 (its "book" form).
struct Acrobot {
    static constexpr int actions = 3;
    static constexpr int observations = 6;
    static constexpr std::int64_t most_steps = 500;
    static constexpr double start_width = 0.1;
    using State = std::array<double, 4>;

    State state{};  ///< angles of both links (0: hanging, in line), rad; their speeds, rad/s

    struct Outcome {
        double reward;
        bool terminated;
    };

    Outcome step(int action)
    {
        constexpr double pi = std::numbers::pi;
        const double torque = action - 1;
        state = runge_kutta(state, torque, 0.2);
        state[0] = wrapped(state[0]);
        state[1] = wrapped(state[1]);
        state[2] = std::clamp(state[2], -4 * pi, 4 * pi);
        state[3] = std::clamp(state[3], -9 * pi, 9 * pi);
        const bool high = -std::cos(state[0]) - std::cos(state[1] + state[0]) > 1;
        return {high ? 0.0 : -1.0, high};
    }

    void observe(float* out) const
    {
        const double seen[] = {std::cos(state[0]), std::sin(state[0]), std::cos(state[1]),
                               std::sin(state[1]), state[2],           state[3]};
        for (const double x : seen) *out++ = static_cast<float>(x);
    }

private:
    /// Both links: mass 1 kg, length 1 m, centre of mass at 0.5 m, moment of inertia 1 kg m^2.
    static State motion(const State& s, double torque)
    {
        constexpr double gravity = 9.8, middle = 0.5, inertia = 1;
        const auto [first, second, speed, second_speed] = s;
        const double sine = std::sin(second), cosine = std::cos(second);
        const double d1 = middle * middle + 1 + middle * middle + 2 * middle * cosine + 2 * inertia;
        const double d2 = middle * middle + middle * cosine + inertia;
        const double phi2 = middle * gravity * std::sin(first + second);
        const double phi1 = -middle * second_speed * second_speed * sine -
                            2 * middle * second_speed * speed * sine +
                            (middle + 1) * gravity * std::sin(first) + phi2;
        const double turn2 = (torque + d2 / d1 * phi1 - middle * speed * speed * sine - phi2) /
                             (middle * middle + inertia - d2 * d2 / d1);
        return {speed, second_speed, -(d2 * turn2 + phi1) / d1, turn2};
    }

    static State moved(const State& s, const State& by, double seconds)
    {
        State next = s;
        for (std::size_t k = 0; k < s.size(); ++k) next[k] += seconds * by[k];
        return next;
    }

    static State runge_kutta(const State& s, double torque, double seconds)
    {
        const State k1 = motion(s, torque);
        const State k2 = motion(moved(s, k1, seconds / 2), torque);
        const State k3 = motion(moved(s, k2, seconds / 2), torque);
        const State k4 = motion(moved(s, k3, seconds), torque);
        State next = s;
        for (std::size_t k = 0; k < s.size(); ++k)
            next[k] += seconds / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
        return next;
    }

    /// Into -pi..pi.
    static double wrapped(double angle)
    {
        constexpr double pi = std::numbers::pi;
        while (angle > pi) angle -= 2 * pi;
        while (angle < -pi) angle += 2 * pi;
        return angle;
    }
};

}  // namespace barsweep::agents
