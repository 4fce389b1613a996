#!/usr/bin/env python3
"""`bench_sweep.py BARSWEEP FOLDER`: trials a second of jobs/sma_minute.ini over FOLDER/bars.h5 on one and two
ranks of one computing thread each, how much of a second rank is won, and rank 0's share spent coordinating."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

barsweep, folder = sys.argv[1], pathlib.Path(sys.argv[2])
environment = {**os.environ, "BARSWEEP_THREADS": "1"}
rate = {}
for ranks in (1, 2):
    study = folder / f"study-{ranks}"
    shutil.rmtree(study, ignore_errors=True)
    command = ["mpirun", "--oversubscribe", "-n", str(ranks), barsweep, "sweep", "jobs/sma_minute.ini"]
    command += ["--data", folder / "bars.h5", "--out", study, "--json"]
    answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout)
    rate[ranks] = sum(answer["trials"].values()) / answer["seconds"]
    print(f"sweep,barsweep {ranks} rank{'s' * (ranks > 1)},{rate[ranks]:.2f},trials/s,", flush=True)
print(f"sweep efficiency,barsweep 2 ranks,{rate[2] / (2 * rate[1]):.3f},of 1,on {os.cpu_count()} cores")
