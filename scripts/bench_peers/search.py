"""`search.py BENCH_SAMPLERS FOLDER [TABLE.csv...]`: the best value that our samplers and Optuna's find, in the same
run on the same problems: the median over seeds, and the two-sided p of a rank-sum test between the two. What
Optuna found is kept in FOLDER, line by line, so that a run that was stopped goes on; a table is a grid of settings
with a learning curve each (tests/bench/samplers_bench.cpp reads the same; scripts/record_tables.py makes some).
SEARCH_SAMPLERS and SEARCH_PROBLEMS, words, choose some of each."""
import csv
import math
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys

os.environ["OMP_NUM_THREADS"] = "1"
import optuna
import scipy.stats

try:
    import torch
except ImportError:
    torch = None

optuna.logging.set_verbosity(optuna.logging.ERROR)
program, folder, tables = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]

HEIGHT = (1, 1.2, 3, 3.2)
A = ((10, 3, 17, 3.5, 1.7, 8), (0.05, 10, 17, 0.1, 8, 14), (3, 3.5, 1.7, 10, 17, 8), (17, 8, 0.05, 10, 0.1, 14))
P = (
    (0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886),
    (0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991),
    (0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650),
    (0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381),
)


def branin(p):
    x, y = p["x0"], p["x1"]
    bend = y - 5.1 / (4 * math.pi**2) * x * x + 5 / math.pi * x - 6
    return bend * bend + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def hartmann6(p):
    x = list(p.values())
    return -sum(h * math.exp(-sum(a * (v - q) ** 2 for a, v, q in zip(A[k], x, P[k]))) for k, h in enumerate(HEIGHT))


def rosenbrock(p):
    x = list(p.values())
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))


def ackley(p):
    x = [v - 10 * math.cos(1.7 * k + 0.5) for k, v in enumerate(p.values())]
    squares, waves = sum(v * v for v in x) / len(x), sum(math.cos(2 * math.pi * v) for v in x) / len(x)
    return 20 - 20 * math.exp(-0.2 * math.sqrt(squares)) + math.e - math.exp(waves)


def mixed(p):
    rate, batch = math.log10(p["learning_rate"] / 3e-3), math.log2(int(p["batch"])) - 8
    worse = {"relu": 0.3, "tanh": 0.8, "gelu": 0, "elu": 0.5}[p["activation"]]
    return (
        rate**2 + 0.3 * (math.log2(p["hidden"]) - 7.5) ** 2 + 0.2 * (p["layers"] - 3) ** 2
        + worse * (1 + 0.5 * abs(rate)) + 6 * (p["dropout"] - 0.15) ** 2 + 0.15 * batch**2 + 0.1 * rate * batch
        + (0.7 * math.log10(p["one_minus_gamma"] / 0.02)) ** 2
    )


MIXED = {
    "learning_rate": "log 1e-5 1e-1", "hidden": "intlog 16 512", "layers": "int 1 6",
    "activation": "choice relu tanh gelu elu", "dropout": "float 0 0.5", "batch": "choice 16 32 64 128 256 512",
    "one_minus_gamma": "log 1e-3 0.2",
}
PROBLEMS = {
    "branin": ({"x0": "float -5 10", "x1": "float 0 15"}, branin),
    "hartmann6": ({f"x{i}": "float 0 1" for i in range(6)}, hartmann6),
    "rosenbrock10": ({f"x{i}": "float -5 10" for i in range(10)}, rosenbrock),
    "ackley10": ({f"x{i}": "float -32.768 32.768" for i in range(10)}, ackley),
    "mixed": (MIXED, mixed),
}


def table_problems(file):
    """A problem an environment: a trial looks its setting up; a setting without a last return fails."""
    rows = list(csv.DictReader(open(file)))
    columns = list(rows[0])
    names = columns[1 : columns.index("r0")]
    last = f"r{sum(column[1:].isdigit() for column in columns) - 1}"
    for environment in sorted({row["env"] for row in rows}):
        mine = [row for row in rows if row["env"] == environment]
        values = {name: sorted({float(row[name]) for row in mine}) for name in names}
        found = {tuple(float(row[name]) for name in names): -float(row[last]) if row[last] else None for row in mine}
        space = {name: f"int 0 {len(values[name]) - 1}" for name in names}
        TABLE_OF[environment] = file
        yield environment, (space, lambda p, f=found, v=values: f.get(tuple(v[name][p[name]] for name in v)))


TABLE_OF = {}
for table in tables:
    PROBLEMS |= table_problems(table)
if "SEARCH_PROBLEMS" in os.environ:
    PROBLEMS = {name: PROBLEMS[name] for name in os.environ["SEARCH_PROBLEMS"].split()}


def suggest(trial, name, text):
    kind, *words = text.split()
    if kind == "choice":
        return trial.suggest_categorical(name, words)
    if kind.startswith("int"):
        return trial.suggest_int(name, int(words[0]), int(words[1]), log=kind == "intlog")
    return trial.suggest_float(name, float(words[0]), float(words[1]), log=kind == "log")


SAMPLERS = {
    "sobol": lambda seed: optuna.samplers.QMCSampler(seed=seed, scramble=True),
    "tpe": lambda seed: optuna.samplers.TPESampler(seed=seed),
    "cmaes": lambda seed: optuna.samplers.CmaEsSampler(seed=seed, warn_independent_sampling=False),
    "gp": lambda seed: optuna.samplers.GPSampler(seed=seed),
}


def budgets(sampler):
    return (5, [60]) if sampler == "gp" else (20, [50, 100, 200])


def theirs(job):
    """Optuna's best after each budget."""
    sampler, problem, seed = job
    if torch:
        torch.set_num_threads(1)
    space, loss = PROBLEMS[problem]
    study = optuna.create_study(sampler=SAMPLERS[sampler](seed))
    best, values = math.inf, []
    for number in range(max(budgets(sampler)[1])):
        trial = study.ask()
        value = loss({name: suggest(trial, name, text) for name, text in space.items()})
        if value is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, value)
            best = min(best, value)
        if number + 1 in budgets(sampler)[1]:
            values.append((sampler, problem, seed, number + 1, best))
    return values


def all_of_theirs(cells):
    kept = folder / f"search_optuna_{optuna.__version__}.csv"
    kept.touch()
    found = [(s, p, int(seed), int(n), float(best)) for s, p, seed, n, best in csv.reader(open(kept))]
    done = {row[:3] for row in found}
    jobs = [(s, p, seed) for s, p in cells for seed in range(budgets(s)[0]) if (s, p, seed) not in done]
    with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool, open(kept, "a") as out:
        for values in pool.imap(theirs, jobs):
            found += values
            out.write("".join(",".join(map(str, row)) + "\n" for row in values))
            out.flush()
    return found


def ours(sampler, problem):
    seeds, trials = budgets(sampler)
    words = [program, sampler, problem, str(seeds), ",".join(map(str, trials)), TABLE_OF.get(problem, "")]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    return [(s, p, int(seed), int(n), float(best)) for s, p, seed, n, best, _ in map(lambda row: row.split(","), lines)]


def main():
    chosen = os.environ.get("SEARCH_SAMPLERS", "sobol tpe cmaes gp").split()
    if not torch and "gp" in chosen:
        chosen.remove("gp")
        print("search.py: Optuna's Gaussian process isn't measured: PyTorch doesn't load here", file=sys.stderr)
    if not tables:
        print("search.py: no table of sweeps here, so none is searched", file=sys.stderr)
    cells = [(s, p) for s in chosen for p in PROBLEMS]
    peers, wins, worse = all_of_theirs(cells), 0, 0
    for sampler, problem in cells:
        mine = ours(sampler, problem)
        for trials in budgets(sampler)[1]:
            a, b = ([row[4] for row in rows if row[:2] == (sampler, problem) and row[3] == trials] for rows in (mine, peers))
            p = scipy.stats.mannwhitneyu(a, b).pvalue
            ahead = scipy.stats.mannwhitneyu(a, b, alternative="less").pvalue < 0.5
            wins, worse = wins + (p <= 0.05 and ahead), worse + (p <= 0.05 and not ahead)
            figure, note = f"{sampler} {problem} {trials}", f"median of {len(a)} seeds; p {p:.3f} {'ahead' if ahead else 'behind'}"
            print(f"search {figure},barsweep,{statistics.median(a):.6g},loss,{note}", flush=True)
            print(f"search {figure},optuna {optuna.__version__},{statistics.median(b):.6g},loss,median of {len(b)} seeds", flush=True)
    print(f"search,barsweep,{wins},cells,ahead at p <= 0.05; behind: {worse}")


if __name__ == "__main__":
    main()
