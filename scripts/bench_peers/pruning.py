"""`pruning.py FOLDER`: writes 30 sets of 100 learning curves of 81 steps into FOLDER (a + b t^-c and noise of 0.02,
lower is better), for tests/bench/pruning_bench.cpp, and prunes them with Optuna: the steps run, as a share of all, and
what the chosen trial's curve ends above the best one's, both as means over the sets."""
import pathlib
import statistics
import sys

import numpy
import optuna

STEPS, TRIALS, SETS = 81, 100, 30
folder = pathlib.Path(sys.argv[1])
optuna.logging.set_verbosity(optuna.logging.ERROR)


def curves(seed):
    """(without noise, with it)."""
    random = numpy.random.default_rng(1000 + seed)
    level, fall, rate = random.normal(1, 0.15, TRIALS), random.uniform(0.2, 2, TRIALS), random.uniform(0.3, 1.2, TRIALS)
    true = level[:, None] + fall[:, None] * numpy.arange(1, STEPS + 1) ** -rate[:, None]
    return true, true + 0.02 * random.standard_normal((TRIALS, STEPS))


def pruned(pruner, true, seen):
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0), pruner=pruner)
    used, complete = 0, []
    for row, curve in enumerate(seen):
        trial = study.ask()
        for step, value in enumerate(curve, 1):
            used += 1
            trial.report(float(value), step)
            if step < STEPS and trial.should_prune():
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
                break
        else:
            study.tell(trial, float(curve[-1]))
            complete.append(row)
    chosen = min(complete, key=lambda row: seen[row, -1])
    return used / seen.size, true[chosen, -1] - true[:, -1].min()


folder.mkdir(parents=True, exist_ok=True)
sets = [curves(seed) for seed in range(SETS)]
for seed, (true, seen) in enumerate(sets):
    numpy.savetxt(folder / f"{seed}.csv", numpy.column_stack([seen, true[:, -1]]), delimiter=",", fmt="%.17g")
for name, pruner in {
    "none": lambda: optuna.pruners.NopPruner(),
    "median": lambda: optuna.pruners.MedianPruner(n_startup_trials=5, n_warmup_steps=5),
    "halving eta 3 first 1": lambda: optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=3),
    "halving eta 3 first 3": lambda: optuna.pruners.SuccessiveHalvingPruner(min_resource=3, reduction_factor=3),
    "hyperband eta 3 first 1": lambda: optuna.pruners.HyperbandPruner(max_resource=STEPS, reduction_factor=3),
}.items():
    shares, regrets = zip(*(pruned(pruner(), *of) for of in sets))
    who = f"optuna {optuna.__version__}"
    print(f"pruning {name},{who},{statistics.mean(shares):.4f},share of the steps,mean of {SETS}; median {statistics.median(shares):.4f}")
    print(f"pruning {name},{who},{statistics.mean(regrets):.4f},regret,mean of {SETS}")
