"""One update of DQN as its papers write it, with PyTorch's autograd in double, over what agents_dump found in replay."""
import math

import torch

from torch_parts import Dump, Network, check_step, close


class Steps:
    """A replay ring: transition number g lies in slot g mod size, its lane's next one is number g + lanes."""

    def __init__(self, dump):
        facts = self.facts = dump.facts
        self.columns = {name: dump.row(name) for name in ("row", "action", "terminated", "ended", "reward")}
        self.seen, self.next_seen = (dump.row(name, -1, 8)[:, : facts["seen_count"]] for name in ("seen", "next_seen"))
        self.features = dump.row("features", -1, facts["feature_count"]) if facts["feature_count"] else None
        self.size = facts["buffer"]

    def state(self, slot):
        return self.whole(self.columns["row"][slot], self.seen[slot])

    def next_state(self, slot):
        return self.whole(self.columns["row"][slot] + 1, self.next_seen[slot])

    def whole(self, row, seen):
        return seen if self.features is None else torch.cat([self.features[row], seen])

    def ahead(self, slot):
        """Reward of up to n steps, what the bootstrap counts, and the state it is of: R. Sutton 1988; Rainbow, equation 1."""
        facts, newest = self.facts, self.facts["steps"] - 1
        number = max(g for g in range(newest - self.size + 1, newest + 1) if g % self.size == slot)
        reward, discount = 0.0, 1.0
        for _ in range(facts["n_step"]):
            at = number % self.size
            reward += discount * float(self.columns["reward"][at])
            discount *= facts["gamma"]
            number += facts["lanes"]
            if self.columns["ended"][at] or number > newest:
                break
        if self.columns["terminated"][at]:
            discount = 0.0
        return reward * facts["reward_scale"], discount, self.next_state(at)


def numbers_of(facts, outputs):
    """[rows, levels, atoms] of a network's outputs; Wang et al. 2016, equation 9."""
    parts = outputs.reshape(len(outputs), -1, facts["atoms"] if facts["distribution"] != "none" else 1)
    if not facts["dueling"]:
        return parts
    value, advantage = parts[:, :1], parts[:, 1:]
    return value + advantage - advantage.mean(1, keepdim=True)


def support_of(facts):
    return torch.linspace(facts["lowest"], facts["highest"], facts["atoms"], dtype=torch.float64)


def values_of(facts, numbers):
    if facts["distribution"] == "c51":
        return torch.softmax(numbers, -1) @ support_of(facts)
    return numbers.mean(-1)


def losses_of(facts, own, goal, rewards, discounts):
    """A loss and what a priority is made of a row; own, goal [rows, atoms]."""
    kind = facts["distribution"]
    if kind == "none":
        error = own[:, 0] - (rewards + discounts * goal[:, 0])
        small = 0.5 * error**2
        loss = small if facts["squared"] else torch.where(error.abs() < 1, small, error.abs() - 0.5)
        return loss, error.detach().abs()
    if kind == "quantile":  # Dabney et al. 2018, equation 10, kappa 1
        goals = rewards[:, None] + discounts[:, None] * goal
        u = goals[:, None, :] - own[:, :, None]  # [rows, own, goal]
        tau = ((torch.arange(facts["atoms"], dtype=torch.float64) + 0.5) / facts["atoms"])[None, :, None]
        huber = torch.where(u.abs() <= 1, 0.5 * u**2, u.abs() - 0.5)
        loss = ((tau - (u < 0).double()).abs() * huber).mean(2).sum(1)
        return loss, loss.detach()
    atoms = support_of(facts)  # Bellemare et al. 2017, equation 7, and the divergence it is for
    gap = atoms[1] - atoms[0]
    moved = (rewards[:, None] + discounts[:, None] * atoms).clamp(facts["lowest"], facts["highest"])
    hats = (1 - (moved[:, None, :] - atoms[None, :, None]).abs() / gap).clamp(0, 1)
    target = (hats * torch.softmax(goal, -1)[:, None, :]).sum(2)
    entropy = torch.where(target > 0, target * target.clamp_min(1e-300).log(), torch.zeros_like(target))
    loss = (entropy - target * torch.log_softmax(own, -1)).sum(1)
    return loss, loss.detach().clamp_min(0)


def check_minibatch(dump, steps):
    """What was gathered is what the ring holds. Returns states, rewards, discounts, next states."""
    facts, batch = dump.facts, dump.facts["batch"]
    inputs, picks = facts["shape"]["sizes"][0], dump.row("picks")
    gathered = dump.row("states", -1, inputs)
    states, nexts = gathered[:batch], gathered[batch:]
    rewards, discounts = dump.row("rewards"), dump.row("discounts")
    assert len(nexts) == len(rewards) == len(discounts) == batch * (facts["levels"] if facts["all_actions"] else 1)
    close("states", states, torch.stack([steps.state(slot) for slot in picks]), rtol=0, atol=0)
    assert torch.equal(dump.row("taken"), steps.columns["action"][picks])
    if not facts["all_actions"]:
        ahead = [steps.ahead(int(slot)) for slot in picks]
        close("rewards", rewards, torch.tensor([a[0] for a in ahead], dtype=torch.float64), rtol=1e-5)
        close("discounts", discounts, torch.tensor([a[1] for a in ahead], dtype=torch.float64), rtol=1e-5)
        close("next states", nexts, torch.stack([a[2] for a in ahead]), rtol=0, atol=0)
    else:  # of the level taken the ring knows
        at = torch.arange(batch) * facts["levels"] + dump.row("taken")
        close("rewards of the levels taken", rewards[at], steps.columns["reward"][picks] * facts["reward_scale"], rtol=1e-5)
        close("next states of those", nexts[at], torch.stack([steps.next_state(slot) for slot in picks]), rtol=0, atol=0)
        assert len(set(rewards.reshape(batch, -1)[0].tolist())) > 1, "all levels bring the same"
    return states, rewards, discounts, nexts


def check_priorities(dump, errors):
    """Schaul et al. 2016: proportional priorities, one pick from each equal part of their sum, importance weights."""
    facts, batch, slots = dump.facts, dump.facts["batch"], dump.facts["buffer"]
    before, after = dump.numpy("tree_before"), dump.numpy("tree")
    half = len(before) // 2
    for tree in (before, after):
        assert all(int(tree[n]) == int(tree[2 * n]) + int(tree[2 * n + 1]) for n in range(1, half)), "sums that aren't"
    leaves = [int(x) for x in before[half : half + slots]]
    for number in range(facts["steps"] - facts["lanes"], facts["steps"]):
        leaves[number % slots] = int(dump.numpy("largest_before")[0])
    total, picks, drawn = sum(leaves), dump.numpy("picks"), [int(x) for x in dump.numpy("drawn")]
    below = [0]
    for leaf in leaves:
        below.append(below[-1] + leaf)
    for i, slot in enumerate(picks):
        assert drawn[i] == leaves[slot] > 0
        assert below[slot] < total * (i + 1) / batch and below[slot + 1] >= total * i / batch, f"pick {i} is out of its part"
    beta = facts["correction"] + (1 - facts["correction"]) * min(1, facts["steps"] / facts["last_rung"])
    weights = torch.tensor([(slots * p / total) ** -beta for p in drawn], dtype=torch.float64)
    weights = weights / weights.max()
    close("importance weights", dump.row("weights"), weights, rtol=1e-5)
    assert weights.min() < 0.9, "weights that tell nothing"
    for slot, error in zip(picks, errors.tolist()):
        leaves[slot] = (error + 1e-6) ** facts["exponent"] * 2**20
    for slot, leaf in enumerate(leaves):
        assert math.isclose(int(after[half + slot]), leaf, rel_tol=2e-4, abs_tol=1.5), f"priority of slot {slot}"
    return weights


def check_dqn(folder):
    dump = Dump(folder)
    facts, network = dump.facts, Network(dump.facts["shape"])
    states, rewards, discounts, nexts = check_minibatch(dump, Steps(dump))
    before = [dump.row(name) for name in ("online_before", "first_before", "second_before")]
    target = dump.row("target_before")
    assert not torch.equal(before[0], target) or facts["target_every"] == facts["lanes"], "a target that tells nothing"

    with torch.no_grad():
        goals = numbers_of(facts, network(target, nexts))
        choosers = numbers_of(facts, network(before[0], nexts)) if facts["double"] else goals
        best = values_of(facts, choosers).argmax(1)
        goals = goals[torch.arange(len(goals)), best]
    online = before[0].clone().requires_grad_()
    own = numbers_of(facts, network(online, states))
    if facts["all_actions"]:
        own = own.flatten(0, 1)
    else:
        own = own[torch.arange(len(own)), dump.row("taken")]
    losses, errors = losses_of(facts, own, goals, rewards, discounts)
    losses, errors = (x.reshape(facts["batch"], -1).mean(1) for x in (losses, errors))
    close("errors", dump.row("errors"), errors, rtol=2e-4, atol=2e-5)
    weights = check_priorities(dump, errors) if facts["prioritised"] else torch.ones(facts["batch"], dtype=torch.float64)
    loss = (weights * losses).mean()
    close("losses", dump.row("losses") * facts["batch"], weights * losses, rtol=2e-4, atol=2e-5)
    loss.backward()
    norm = check_step(dump, before, online.grad, facts["number"], facts["learning_rate"], 1e-8, facts["max_norm"])
    assert "clipped" not in str(folder) or norm > facts["max_norm"], "nothing was clipped"
    for name in ("online", "target", "gradient", "first", "second"):
        least = 1e-30 if name == "second" else 0  # where second moments are kept from underflow
        assert dump.row(name)[network.padding()].abs().max() <= least, f"{name}: padding that isn't 0"

    moved = dump.row("online")
    if facts["tau"]:
        expected = target + facts["tau"] * (moved - target)
    else:
        due = facts["steps"] // facts["target_every"] > (facts["steps"] - facts["lanes"]) // facts["target_every"]
        expected = moved if due else target
    close("target network", dump.row("target"), expected, rtol=1e-6, atol=1e-7 if facts["tau"] else 0)
