#!/usr/bin/env python3
"""`record_tables.py BARSWEEP FOLDER STORE.h5...`: records a table a store, FOLDER/NAME.csv: the full grid of 300 double
DQN settings, each learnt for 30,720 steps and scored at 5 rungs, none cut. A search is replayed on it: a trial looks its
setting up (`scripts/bench search` does). A table is a sweep's ledger, so a run that is stopped goes on where it was; the
settings that are done so far are always in the CSV. Some 5 seconds of a core a setting on hourly bars.
TABLE_TRIALS=N stops after N settings; RANKS=R runs R ranks (default 2)."""
import csv
import json
import os
import pathlib
import subprocess
import sys

RUNGS = (2048, 5120, 10240, 20480, 30720)
GRID = {
    "agent.batch": "choice 32 64",
    "agent.gamma": "choice 0.9 0.95 0.98 0.99 0.995",
    "agent.hidden": "choice 32,32 64,64",
    "agent.learning_rate": "choice 0.00003 0.0001 0.0003 0.001 0.003",
    "agent.target_every": "choice 500 2000 8000",
}
JOB = """\
[study]
name   = {name}
seed   = 7
trials = {trials}
slots  = 4
min_trades = 1                      # a score wherever one can be had: the table is to have few holes

[account]
levels     = -1 0 1
spread_bps = 0.7

[agent]
kind = dqn

[rungs]
bars = {rungs}

[search]
sampler = grid
pruner  = none

[space]
{space}
"""


def sweep(barsweep, folder, store):
    """Exit code of the sweep: 75 when it was stopped."""
    trials = int(os.environ.get("TABLE_TRIALS", "300"))
    name = store.stem
    space = "\n".join(f"{key} = {text}" for key, text in GRID.items())
    job = folder / f"{name}.ini"
    job.write_text(JOB.format(name=name, trials=trials, rungs=" ".join(map(str, RUNGS)), space=space))
    command = ["mpirun", "--oversubscribe", "-n", os.environ.get("RANKS", "2"), barsweep, "sweep", job]
    return subprocess.run([*command, "--data", store, "--out", folder / f"{name}-study"]).returncode


def trials_of(ledger):
    """(parameters, scores by step) of each trial of a ledger, by number."""
    trials = []
    for line in ledger.read_text().splitlines():
        record = json.loads(line)
        match record["op_code"]:
            case 4:
                trials.append(({}, {}))
            case 5:
                of = json.loads(record["distribution"])["attributes"]
                value = of["choices"][int(record["param_value_internal"])]
                trials[record["trial_id"]][0][record["param_name"]] = value
            case 7:
                trials[record["trial_id"]][1][record["step"]] = record["intermediate_value"]
    return trials


def write(table, name, trials):
    """`env`, settings, r0..r4: an undefined score is empty, widths are told by the first."""
    part = table.with_suffix(".part")
    with part.open("w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["env", *(key.removeprefix("agent.") for key in GRID), *(f"r{k}" for k in range(len(RUNGS)))])
        for params, scores in trials:
            if RUNGS[-1] in scores:
                settings = [str(params[key]).split(",")[0] for key in GRID]
                found = [scores.get(step) for step in RUNGS]
                rows.writerow([name, *settings, *("" if score is None or score != score else score for score in found)])
    part.rename(table)


if os.geteuid() == 0:  # as scripts/lib.sh has it
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
barsweep, folder = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
code = 0
for store in map(pathlib.Path, sys.argv[3:]):
    code = sweep(barsweep, folder, store) or code
    ledger = folder / f"{store.stem}-study" / "ledger.jsonl"
    if ledger.exists():
        write(folder / f"{store.stem}.csv", store.stem, trials_of(ledger))
sys.exit(code if code != 4 else 0)  # 4: none passed selection, which a table needn't
