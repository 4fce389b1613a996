"""Our updates and our policies against PyTorch's: the program's side comes from agents_dump, the other from a Python that
has torch, $BARSWEEP_PYTHON or this one."""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest

PYTHON = os.environ.get("BARSWEEP_PYTHON", sys.executable)
SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "support" / "torch_second_opinion.py"


def dump_into(folder):
    program = os.environ.get("BARSWEEP_AGENTS_DUMP", "")
    if not os.path.exists(program):
        pytest.skip("this build has no LibTorch (BARSWEEP_TORCH)")
    tried = subprocess.run([PYTHON, "-c", "import torch, numpy"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"{PYTHON} can't import torch (BARSWEEP_PYTHON): {tried.stderr.strip().splitlines()[-1]}")
    subprocess.run([program, folder], check=True)
    return folder


def second_opinion(folder, what, *cases):
    """The exit status, what was equal, what wasn't."""
    done = subprocess.run([PYTHON, SCRIPT, folder, what, *cases], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def told_of_changes(folder, what, changes):
    """What is said of cases with the largest number of one row changed: {(case, row): text}. `changes`: (case, row,
    factor). One PyTorch for all of them."""
    for case, name, factor in changes:
        changed = folder / what / f"{case}~{name}"
        shutil.copytree(folder / what / case, changed)
        (file,) = changed.glob(name + ".*")
        row = numpy.fromfile(file, "<f4")
        row[abs(row).argmax()] *= factor
        row.tofile(file)
    code, equal, text = second_opinion(folder, what, *(f"{case}~{name}" for case, name, _ in changes))
    assert code == 1 and not equal, equal
    said = text.split(f"{what} ")
    return {(case, name): next(line for line in said if line.startswith(f"{case}~{name}: ")) for case, name, _ in changes}
