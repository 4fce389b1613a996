"""The features as others find them: in the store, by h5py, against the numpy second opinion as float32."""
import json
import os
import pathlib
import subprocess

import pytest

from helpers import ROOT, run, synth_store

PYTHON = pathlib.Path(os.environ.get("BARSWEEP_PYTHON", ROOT / ".venv/bin/python"))

READ = """
import json, sys
import h5py, numpy as np
from features_numpy import NAMES, features
with h5py.File(sys.argv[1]) as file:
    group = file["SYNTH"]
    data = group["features"]
    time, ohlc, volume = (group[name][:] for name in ("time", "ohlc", "volume"))
    own = features(time, *ohlc.T, volume, int(group.attrs["volume_decimals"]))
    apart = np.abs(data[:].astype(float) - own) - (1e-12 + 1e-6 * np.abs(own))
    print(json.dumps({
        "shape": data.shape, "dtype": data.dtype.str, "chunks": data.chunks, "offset": data.id.get_offset(),
        "warmup": int(group.attrs["warmup"]), "named": [n.decode() for n in group.attrs["feature_names"]] == NAMES,
        "blocks": len(data.attrs["crc32c"]), "apart": [NAMES[i] for i in np.flatnonzero(apart.max(axis=0) > 0)]}))
"""


def h5py_reads(store):
    if not PYTHON.exists():
        pytest.skip(f"{PYTHON} isn't here (BARSWEEP_PYTHON): scripts/setup makes it")
    done = subprocess.run([PYTHON, "-c", READ, store], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "tests/support")})
    if done.returncode == 77 or "No module named" in done.stderr:
        pytest.skip(f"{PYTHON}: {(done.stdout + done.stderr).strip().splitlines()[-1]}; scripts/setup installs it")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_store_holds_the_features_as_formats_says(tmp_path):
    seen = h5py_reads(synth_store(tmp_path, bars=6000))
    assert seen["shape"] == [6000, 51]
    assert (seen["dtype"], seen["chunks"], seen["offset"] % 4096) == ("<f4", None, 0)
    assert (seen["warmup"], seen["named"], seen["blocks"]) == (240, True, 2)
    assert seen["apart"] == []


def test_info_counts_them_and_verify_finds_a_changed_byte(tmp_path):
    store = synth_store(tmp_path, bars=3000)
    assert json.loads(run("info", store, "--json").stdout)["features"] == 51
    assert "features          51 of 32-bit float" in run("info", store, "--verify").stdout
    changed = bytearray(store.read_bytes())
    changed[-3000 * 51 * 2] ^= 1
    store.write_bytes(changed)
    refused = run("info", store, "--verify", expect=3)
    assert f"{store}:/SYNTH/features: expected crc32c" in refused.stderr


def test_the_same_bars_give_the_same_bytes_of_features(tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    stores = []
    for folder in folders:
        folder.mkdir()
        stores.append(synth_store(folder, bars=2000).read_bytes())
    assert stores[0][-2000 * 51 * 4:] == stores[1][-2000 * 51 * 4:]
