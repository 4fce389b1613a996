#!/usr/bin/env python3
"""Recomputes what agents_dump wrote, with PyTorch's autograd, its Adam and its TorchScript loader, from the papers.
`torch_second_opinion.py FOLDER dqn|ppo|bundles` fails with the first number that differs; several cases: their names."""
import pathlib
import sys

import numpy
import torch

from torch_dqn import check_dqn
from torch_parts import close
from torch_ppo import check_ppo

ROWS = 1000


def check_bundle(folder):
    def row(name, *shape):
        return torch.from_numpy(numpy.fromfile(folder / f"{name}.f32", "<f4")).reshape(shape)

    ours = row("values", ROWS, 5)
    theirs = torch.jit.load(folder / "best" / "policy.pt")(row("features", ROWS, 51), row("account", ROWS, 8)).detach()
    close("values", ours, theirs, rtol=1e-4, atol=1e-5)
    clear = ours.topk(2).values.diff().abs().squeeze(1) > 2e-5
    assert clear.sum() > ROWS // 2 and len(ours.argmax(1).unique()) > 1, "rows that tell nothing"
    assert torch.equal(ours.argmax(1)[clear], theirs.argmax(1)[clear]), "another action"


CHECKS = {"dqn": check_dqn, "ppo": check_ppo, "bundles": check_bundle}

if __name__ == "__main__":
    torch.set_num_threads(1)
    what, named = sys.argv[2], sys.argv[3:]
    cases = sorted(path for path in (pathlib.Path(sys.argv[1]) / what).iterdir() if not named or path.name in named)
    failed = 0
    for case in cases:
        try:
            CHECKS[what](case)
            print(f"{what} {case.name}: equal")
        except AssertionError as error:
            failed = 1
            print(f"{what} {case.name}: {error}", file=sys.stderr)
    sys.exit(failed or not cases)
