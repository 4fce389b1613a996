"""What the PyTorch second opinions share: dumps read, networks rebuilt, numbers compared. All in double."""
import json
import pathlib

import numpy
import torch

TYPES = {"f32": "<f4", "f64": "<f8", "i8": "i1", "i32": "<i4", "i64": "<i8", "u64": "<u8"}
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh, "silu": torch.nn.functional.silu}


class Dump:
    """A case of agents_dump: `facts`, and rows by name, floats as double."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.facts = json.loads((self.folder / "facts.json").read_text())

    def numpy(self, name):
        (file,) = self.folder.glob(name + ".*")
        return numpy.fromfile(file, TYPES[file.suffix[1:]])

    def row(self, name, *shape):
        values = self.numpy(name)
        values = values.astype(numpy.float64 if values.dtype.kind == "f" else numpy.int64)
        return torch.from_numpy(values).reshape(shape or (-1,))


class Network:
    """Where a network's parts lie in a row of parameters: layer after layer W [inputs, width], b, and where the layer is
    normalised gain and shift, each [width]; widths are whole sixteens, and what is beyond a layer's units is 0."""

    def __init__(self, facts):
        self.sizes, self.activation = facts["sizes"], ACTIVATIONS[facts["activation"]]
        self.parts, at = [], 0
        for layer, (inputs, units) in enumerate(zip(self.sizes, self.sizes[1:])):
            width = -(-units // 16) * 16
            last = layer + 2 == len(self.sizes)
            rows = [inputs, 1] + ([1, 1] if facts["layer_norm"] and not last else [])
            self.parts.append([])
            for count in rows:
                self.parts[-1].append((at, count, width, units))
                at += count * width
        self.size = at

    def take(self, row, part):
        at, count, width, units = part
        block = row[at : at + count * width].reshape(count, width)[:, :units]
        return block if count > 1 else block[0]

    def padding(self):
        """True at the floats that are no parameter."""
        beyond = torch.ones(self.size, dtype=torch.bool)
        for at, count, width, units in (part for layer in self.parts for part in layer):
            beyond[at : at + count * width].reshape(count, width)[:, :units] = False
        return beyond

    def __call__(self, row, x):
        for layer, parts in enumerate(self.parts):
            weights, bias = self.take(row, parts[0]), self.take(row, parts[1])
            x = x @ weights.reshape(self.sizes[layer], -1) + bias
            if len(parts) == 4:
                gain, shift = self.take(row, parts[2]), self.take(row, parts[3])
                x = torch.nn.functional.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-5)
            if layer + 1 < len(self.parts):
                x = self.activation(x)
        return x


def close(name, ours, theirs, rtol=1e-4, atol=1e-6):
    torch.testing.assert_close(ours, theirs.detach(), rtol=rtol, atol=atol, msg=lambda text: f"{name}: {text}")


class Adam:
    """torch.optim.Adam over a row, set to what an optimiser has behind it."""

    def __init__(self, row, first, second, number, rate, eps):
        self.row = row.clone().requires_grad_()
        self.made = torch.optim.Adam([self.row], lr=rate, betas=(0.9, 0.999), eps=eps)
        self.made.state[self.row] = {"step": torch.tensor(float(number - 1)), "exp_avg": first.clone(), "exp_avg_sq": second.clone()}

    def step(self, gradient, max_norm):
        """Returns the norm before clipping."""
        self.row.grad = gradient.clone()
        norm = torch.nn.utils.clip_grad_norm_([self.row], max_norm or float("inf"))
        self.made.step()
        return norm

    def moments(self):
        state = self.made.state[self.row]
        return state["exp_avg"], state["exp_avg_sq"]


def check_step(dump, before, gradient, number, rate, eps, max_norm, names=("online", "first", "second", "gradient")):
    """A step of the optimiser: by their gradient, and exactly by ours. Returns their norm."""
    parameters, first, second, own = (dump.row(name) for name in names)
    theirs = Adam(*before, number, rate, eps)
    norm = theirs.step(gradient, max_norm)
    close("gradient", own, gradient, rtol=1e-3, atol=2e-6 * float(norm))
    led = Adam(*before, number, rate, eps)
    led.step(own, max_norm)
    close("parameters by our gradient", parameters, led.row, rtol=2e-6, atol=1e-3 * rate)
    for name, ours, moment in zip(("first moment", "second moment"), (first, second), led.moments()):
        close(name, ours, moment, rtol=1e-4, atol=1e-7 * float(moment.abs().max()))
    # Where a gradient is all but 0, its last digits decide which way Adam's first steps go.
    clear = own.abs() > 1e-3 * own.abs().max()
    assert clear.any(), "a gradient of nothing"
    close("parameters", parameters[clear], theirs.row[clear], atol=1e-2 * rate)
    return norm
