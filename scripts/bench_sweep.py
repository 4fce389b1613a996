#!/usr/bin/env python3
"""`bench_sweep.py BARSWEEP FOLDER`: trials a second over FOLDER/bars.h5 on one and two ranks of one computing
thread each, how much of a second rank is won, and how much of a core rank 0 spends on coordinating: its main
thread, which also writes the ledger, and loads the bars and judges the winner at the ends."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

TRIALS = 4000  # none is cut: 5 seconds or so a rank

barsweep, folder = sys.argv[1], pathlib.Path(sys.argv[2])
environment = {**os.environ, "BARSWEEP_THREADS": "1"}


def main_thread_of_rank_0(study):
    """Where Linux counts the processor time of the main thread of the study's rank 0; None: not started."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            rank_0 = b"OMPI_COMM_WORLD_RANK=0\0" in (process / "environ").read_bytes()
            if rank_0 and str(study).encode() in (process / "cmdline").read_bytes():
                return process / "task" / process.name / "stat"
        except OSError:
            pass  # it ended meanwhile
    return None


def processor_seconds(stat):
    """User and system time so far (proc(5), fields 14 and 15)."""
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sweep(ranks):
    """Trials a second, and rank 0's main thread in shares of a core."""
    study = folder / f"study-{ranks}"
    shutil.rmtree(study, ignore_errors=True)
    command = ["mpirun", "--oversubscribe", "-n", str(ranks), barsweep, "sweep", "jobs/sma_minute.ini", "--json"]
    command += ["--data", folder / "bars.h5", "--out", study]
    command += ["--study.trials", str(TRIALS), "--search.pruner", "none"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
        stat, coordinating = None, 0.0
        while running.poll() is None:
            stat = stat or main_thread_of_rank_0(study)
            try:
                coordinating = processor_seconds(stat) if stat else 0.0
            except OSError:
                pass  # it has ended, mpirun not yet
            time.sleep(0.02)
        seconds = json.load(running.stdout)["seconds"]
    return TRIALS / seconds, coordinating / seconds


rate = {}
for ranks in (1, 2):
    rate[ranks], share = sweep(ranks)
    who = f"barsweep {ranks} rank{'s' * (ranks > 1)}"
    print(f"sweep,{who},{rate[ranks]:.1f},trials/s,{TRIALS} trials; none cut", flush=True)
    print(f"coordinating,{who},{share:.4f},of a core,rank 0's main thread; loading and judging included", flush=True)
print(f"sweep efficiency,barsweep 2 ranks,{rate[2] / (2 * rate[1]):.3f},of 1,on {os.cpu_count()} cores")
