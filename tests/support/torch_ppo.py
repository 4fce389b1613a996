"""One update of PPO (Schulman et al., arXiv 1707.06347; advantages of arXiv 1506.02438) with PyTorch's autograd in double,
over the rollout that agents_dump found. A minibatch is a whole rollout, so its order changes nothing but an epoch is a step."""
import torch

from torch_parts import Adam, Dump, Network, close


class Rollout:
    """The step of lane l at lock-step t lies in slot t * lanes + l."""

    def __init__(self, dump):
        facts = self.facts = dump.facts
        self.row, self.action = dump.row("row"), dump.row("action")
        self.terminated, self.ended, self.reward = dump.row("terminated"), dump.row("ended"), dump.row("reward")
        seen, next_seen = (dump.row(name, -1, 8)[:, : facts["seen_count"]] for name in ("seen", "next_seen"))
        if facts["feature_count"]:
            features = dump.row("features", -1, facts["feature_count"])
            seen, next_seen = torch.cat([features[self.row], seen], 1), torch.cat([features[self.row + 1], next_seen], 1)
        self.states, self.nexts = seen, next_seen

    def advantages(self, values, next_values):
        """Equation 16 backwards; what an episode brought never reaches another: a truncated step bootstraps from its own
        last state, one that ended by the task from nothing."""
        facts, lanes = self.facts, self.facts["lanes"]
        advantages = torch.zeros_like(values)
        for lane in range(lanes):
            after = 0.0
            for slot in reversed(range(lane, len(values), lanes)):
                worth = 0.0 if self.terminated[slot] else next_values[slot]
                missed = self.reward[slot] * facts["reward_scale"] + facts["gamma"] * worth - values[slot]
                after = missed + (0.0 if self.ended[slot] else facts["gamma"] * facts["gae_lambda"] * after)
                advantages[slot] = after
        return advantages


def loss_of(facts, rollout, chance_before, values_before, advantages, returns, log_chances, values):
    """Equations 7 and 9; shares of the steps, and of the divergence that stops an update (J. Schulman, "Approximating KL
    divergence", 2020, k3)."""
    if facts["normalise_advantage"]:
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    log_ratio = log_chances[torch.arange(len(values)), rollout.action] - chance_before
    ratio = log_ratio.exp()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - facts["clip"], 1 + facts["clip"]) * advantages)
    missed = (values - returns) ** 2
    if facts["clip_value"]:
        held = values_before + (values - values_before).clamp(-facts["clip_value"], facts["clip_value"])
        missed = torch.maximum(missed, (held - returns) ** 2)
    entropy = -(log_chances.exp() * log_chances).sum(1)
    loss = facts["value_weight"] * missed - gain - facts["entropy"] * entropy
    return loss, (ratio - 1 - log_ratio).detach(), ratio.detach()


def check_ppo(folder):
    dump = Dump(folder)
    facts, rollout = dump.facts, Rollout(dump)
    actor, critic = Network(facts["actor"]), Network(facts["critic"])
    before = [dump.row(name) for name in ("parameters_before", "first_before", "second_before")]
    assert len(before[0]) == actor.size + critic.size
    assert sorted(dump.row("order").tolist()) == list(range(len(rollout.action))), "an epoch that leaves steps out"

    def judged(row, states):
        log_chances = torch.log_softmax(actor(row[: actor.size], states), 1)
        return log_chances, critic(row[actor.size :], states)[:, 0]

    with torch.no_grad():
        log_chances, values = judged(before[0], rollout.states)
        next_values = judged(before[0], rollout.nexts)[1]
    chance_before = log_chances[torch.arange(len(values)), rollout.action]
    close("log of the actions' chances", dump.row("log_chance"), chance_before, atol=1e-5)
    close("values", dump.row("values"), values, atol=1e-5)
    advantages = rollout.advantages(values, next_values)
    close("advantages", dump.row("advantages"), advantages, rtol=2e-4, atol=2e-4 * float(advantages.abs().mean()))
    close("returns", dump.row("returns"), advantages + values, rtol=2e-4, atol=1e-4)
    assert "acrobot" in str(folder) or rollout.ended.any(), "no episode ends"

    # An update begins with the rate that the steps before its rollout left.
    begun = facts["steps"] - len(values)
    rate = facts["learning_rate"] * (max(0.0, 1 - begun / facts["last_rung"]) if facts["anneal"] else 1)
    made = facts["number"] - facts["number_before"]
    theirs = Adam(*before, facts["number_before"] + 1, rate, 1e-5)
    ratios, stopped = None, False
    for epoch in range(facts["epochs"]):
        theirs.row.grad = None
        loss, divergence, ratios = loss_of(
            facts, rollout, chance_before, values, advantages, advantages + values, *judged(theirs.row, rollout.states)
        )
        if facts["target_kl"] and float(divergence.mean()) > 1.5 * facts["target_kl"]:
            stopped = True
            break
        loss.mean().backward()
        gradient = theirs.row.grad.clone()
        theirs.step(gradient, facts["max_norm"])
    assert made == epoch + (0 if stopped else 1), f"{made} steps, theirs stopped after {epoch}"
    assert stopped == bool(facts["target_kl"]), "a divergence that stops nothing"
    order = dump.row("order")
    close("losses", dump.row("losses") * len(order), loss[order], rtol=1e-3, atol=1e-3)
    close("divergence", dump.row("divergence") * len(order), divergence[order], rtol=1e-2, atol=1e-5)
    if "clipped_ratio" in str(folder):
        assert ((ratios - 1).abs() > facts["clip"]).double().mean() > 0.1, "ratios that tell nothing"

    own = dump.row("gradient")
    close("gradient", own, gradient, rtol=2e-3, atol=1e-3 * float(gradient.abs().max()) * facts["epochs"])
    clear = own.abs() > 1e-2 * own.abs().max()
    moved = float((theirs.row - before[0]).abs().max().detach())
    close("parameters", dump.row("parameters")[clear], theirs.row[clear], rtol=0, atol=1e-2 * moved)
    if made == 1:
        led = Adam(*before, facts["number"], rate, 1e-5)
        led.step(own, facts["max_norm"])
        close("parameters by our gradient", dump.row("parameters"), led.row, rtol=2e-6, atol=1e-3 * rate)
        for name, ours, moment in zip(("first", "second"), (dump.row("first"), dump.row("second")), led.moments()):
            close(f"{name} moment", ours, moment, rtol=1e-4, atol=1e-7 * float(moment.abs().max()))
    padding = torch.cat([actor.padding(), critic.padding()])
    for name in ("parameters", "gradient", "first", "second"):
        least = 1e-30 if name == "second" else 0  # where second moments are kept from underflow
        assert dump.row(name)[padding].abs().max() <= least, f"{name}: padding that isn't 0"
