"""Our update and our policies against PyTorch's: the program's side comes from agents_dump, the other from a Python that
has torch, $BARSWEEP_PYTHON or this one."""
import os
import pathlib
import subprocess
import sys

import pytest

PYTHON = os.environ.get("BARSWEEP_PYTHON", sys.executable)
SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "support" / "torch_second_opinion.py"


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    program = os.environ.get("BARSWEEP_AGENTS_DUMP", "")
    if not os.path.exists(program):
        pytest.skip("this build has no LibTorch (BARSWEEP_TORCH)")
    tried = subprocess.run([PYTHON, "-c", "import torch"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"{PYTHON} can't import torch (BARSWEEP_PYTHON): {tried.stderr.strip().splitlines()[-1]}")
    folder = tmp_path_factory.mktemp("dump")
    subprocess.run([program, folder], check=True)
    return folder


def second_opinion(folder, what):
    done = subprocess.run([PYTHON, SCRIPT, folder, what], capture_output=True, text=True)
    return done.returncode, done.stderr


def test_an_update_is_that_of_autograd_and_torchs_adam(dump):
    assert second_opinion(dump, "updates") == (0, "")


def test_the_torchscript_policy_takes_our_actions(dump):
    assert second_opinion(dump, "bundle") == (0, "")


def test_the_second_opinion_sees_a_changed_digit(dump):
    """A loss that is off by a thousandth is told: the comparison can fail."""
    import array
    import json
    case = json.loads((dump / "cases.json").read_text())[0]
    sizes, batch = case["sizes"], case["batch"]
    count = sum((a + 1) * b for a, b in zip(sizes, sizes[1:]))
    file = dump / "case0.bin"
    good = file.read_bytes()
    at = 4 * (2 * count + 2 * batch * sizes[0] + 2 * batch) + 8 * batch
    loss = array.array("f", good[at : at + 4])
    loss[0] *= 1.001
    file.write_bytes(good[:at] + loss.tobytes() + good[at + 4 :])
    code, text = second_opinion(dump, "updates")
    file.write_bytes(good)
    assert code == 1 and "case 0" in text and "loss" in text
