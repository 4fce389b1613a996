#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agents/learner.hpp"
#include "agents/sealed.hpp"

namespace barsweep::agents {
namespace {

std::string text_of(const DqnConfig& c)
{
    auto text = fmt::format(
        "dqn hidden {} activation {} norm {} lr {} gamma {} batch {} buffer {} starts {} every {} "
        "target {} tau {} clip {} epsilon {} {} {} double {} dueling {} n {} ",
        fmt::join(c.hidden, ","), static_cast<int>(c.activation), c.layer_norm, c.learning_rate,
        c.gamma, c.batch, c.buffer, c.learning_starts, c.update_every, c.target_every, c.tau,
        c.max_grad_norm, c.epsilon_start, c.epsilon_end, c.exploration_fraction, c.double_q,
        c.dueling, c.n_step);
    return text + fmt::format(
                      "prioritised {} {} {} distribution {} {} {} {} loss {} all {} engine {} "
                      "lanes {} episode {} view {}\n",
                      c.prioritised, c.priority_exponent, c.priority_correction,
                      static_cast<int>(c.distribution), c.atoms, c.value_lowest, c.value_highest,
                      static_cast<int>(c.loss), c.all_actions, static_cast<int>(c.engine), c.lanes,
                      c.episode, static_cast<int>(c.observation));
}

std::string text_of(const PpoConfig& c)
{
    auto text = fmt::format(
        "ppo hidden {} activation {} norm {} lr {} anneal {} gamma {} lambda {} clip {} {} entropy "
        "{} value {} rollout {} batch {} epochs {} ",
        fmt::join(c.hidden, ","), static_cast<int>(c.activation), c.layer_norm, c.learning_rate,
        c.anneal, c.gamma, c.gae_lambda, c.clip, c.clip_value, c.entropy, c.value_weight, c.rollout,
        c.batch, c.epochs);
    return text + fmt::format("advantage {} kl {} clip {} engine {} lanes {} episode {} view {}\n",
                              c.normalise_advantage, c.target_kl, c.max_grad_norm,
                              static_cast<int>(c.engine), c.lanes, c.episode,
                              static_cast<int>(c.observation));
}

std::string text_of(const kernels::Rules& r)
{
    const std::vector<kernels::i64> levels(r.levels_ppm, r.levels_ppm + r.level_count);
    return fmt::format(
        "initial {} levels {} spread {} rate {} reserve {} unit {} fill {} barrier {} "
        "target {} stop {} hold {} through {} slippage {} reentry {} carry {} {} "
        "ruin {}\n",
        r.initial, fmt::join(levels, ","), r.half_spread_nanoticks, r.rate_ppb, r.reserve_ppm,
        r.unit_lots, static_cast<int>(r.fill), static_cast<int>(r.barrier), r.target_ppm,
        r.stop_ppm, r.hold_bars, r.target_through, r.stop_slippage, static_cast<int>(r.reentry),
        r.carry_long_ppb, r.carry_short_ppb, r.ruin_ppm);
}

}  // namespace

std::string fingerprint(const TrainingSet& set, const LearnerPlan& plan)
{
    auto text = std::visit([](const auto& config) { return text_of(config); }, plan.config);
    text += text_of(plan.rules);
    text +=
        fmt::format("reward {} {} {} {}\n", static_cast<int>(plan.reward.kind),
                    plan.reward.barrier_weight, plan.reward.drawdown_weight, plan.reward.normalise);
    text += fmt::format("seed {} trial {} replicate {} last {}\n", plan.key.seed, plan.key.trial,
                        plan.key.replicate, plan.last_rung);
    text += fmt::format("bars {} features {} train {} {} scale {}\n", set.market.bars(),
                        set.feature_count, set.train.first, set.train.last, set.reward_scale);
    return digest(text);
}

}  // namespace barsweep::agents
