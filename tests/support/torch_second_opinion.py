#!/usr/bin/env python3
"""Recomputes what agents_dump wrote, with PyTorch's autograd, its Adam and its TorchScript loader.
`torch_second_opinion.py FOLDER updates|bundle` fails with the first number that differs."""
import json
import pathlib
import sys

import torch


class Rows:
    """Reads rows from the front of a file."""

    def __init__(self, path):
        self.bytes, self.at = bytearray(path.read_bytes()), 0

    def take(self, *shape, dtype=torch.float32):
        count = torch.Size(shape).numel()
        row = torch.frombuffer(self.bytes, dtype=dtype, count=count, offset=self.at)
        self.at += row.nbytes
        return row.reshape(shape).clone()


def layers_of(row, sizes):
    """[(W [in, out], b [out])] of one row of parameters."""
    layers, at = [], 0
    for inputs, outputs in zip(sizes, sizes[1:]):
        weights = row[at : at + inputs * outputs].reshape(inputs, outputs)
        at += inputs * outputs
        layers.append((weights, row[at : at + outputs]))
        at += outputs
    assert at == len(row)
    return layers


def values(row, sizes, x):
    layers = layers_of(row, sizes)
    for i, (weights, bias) in enumerate(layers):
        x = x @ weights + bias
        x = torch.relu(x) if i + 1 < len(layers) else x
    return x


def close(name, ours, theirs, rtol=1e-4, atol=1e-6):
    torch.testing.assert_close(ours, theirs, rtol=rtol, atol=atol, msg=lambda text: f"{name}: {text}")


def check_updates(case, path):
    rows, sizes, batch = Rows(path), case["sizes"], case["batch"]
    count = sum((a + 1) * b for a, b in zip(sizes, sizes[1:]))
    online = rows.take(count).requires_grad_()
    target = rows.take(count)
    adam = torch.optim.Adam([online], lr=case["learning_rate"], betas=(0.9, 0.999), eps=1e-8)
    # The same optimiser once more, led by our own gradients: what it makes of them is told exactly.
    led = online.detach().clone().requires_grad_()
    led_adam = torch.optim.Adam([led], lr=case["learning_rate"], betas=(0.9, 0.999), eps=1e-8)
    limit = case["max_grad_norm"] or float("inf")
    for number in range(3):
        states, next_states = rows.take(2 * batch, sizes[0]).split(batch)
        rewards, continues = rows.take(batch), rows.take(batch)
        actions = rows.take(batch, dtype=torch.int64)
        loss, norm = rows.take(2)
        gradient, parameters = rows.take(count), rows.take(count)

        with torch.no_grad():
            next_values = values(target, sizes, next_states)
            chooser = values(online, sizes, next_states) if case["double_q"] else next_values
            best = next_values.gather(1, chooser.argmax(1, keepdim=True)).squeeze(1)
            goals = rewards + case["gamma"] * continues * best
        adam.zero_grad()
        taken = values(online, sizes, states).gather(1, actions[:, None]).squeeze(1)
        their_loss = torch.nn.functional.smooth_l1_loss(taken, goals)
        their_loss.backward()
        close("loss", loss, their_loss.detach())
        close("gradient", gradient, online.grad, atol=1e-6 * float(norm))
        their_norm = torch.nn.utils.clip_grad_norm_([online], limit)
        close("norm of the gradient", norm, their_norm)
        adam.step()

        led.grad = gradient.clone()
        torch.nn.utils.clip_grad_norm_([led], limit)
        led_adam.step()
        close("parameters by our gradient", parameters, led.detach(), rtol=1e-6, atol=1e-7)
        # Where a gradient is all but 0, its last digits decide which way Adam's first steps go.
        clear = gradient.abs() > 1e-3 * gradient.abs().max()
        close("parameters", parameters[clear], online.detach()[clear], atol=1e-2 * case["learning_rate"])
        with torch.no_grad():  # so that three updates are compared, not their drift
            online.copy_(parameters)
            led.copy_(parameters)
    assert rows.at == len(rows.bytes)


def check_bundle(folder):
    rows = Rows(folder / "values.bin")
    features, account, ours = rows.take(1000, 51), rows.take(1000, 8), rows.take(1000, 5)
    theirs = torch.jit.load(folder / "best" / "policy.pt")(features, account)
    close("values", ours, theirs.detach(), rtol=1e-5, atol=1e-5)
    clear = ours.topk(2).values.diff().abs().squeeze(1) > 1e-5
    assert clear.sum() > 900 and len(ours.argmax(1).unique()) > 1, "rows that tell nothing"
    assert torch.equal(ours.argmax(1)[clear], theirs.argmax(1)[clear]), "another action"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "bundle":
        check_bundle(root)
    for i, one in enumerate(json.loads((root / "cases.json").read_text()) if sys.argv[2] == "updates" else []):
        try:
            check_updates(one, root / f"case{i}.bin")
        except AssertionError as error:
            sys.exit(f"case {i}, {one}: {error}")
