"""`learn.py STORE.h5 STEPS`: DQN of stable-baselines3 over the bars of a store on one core, end to end, as
tests/bench/learn_bench.cpp has ours do it; its DQN isn't double, which saves it one of six passes an update."""
import sys
import time

import stable_baselines3
import torch

from bar_environment import BarEnvironment

store, steps = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(1)
environment = BarEnvironment(store)
best = float("inf")
for seed in range(3):
    start = time.process_time()
    model = stable_baselines3.DQN(
        "MlpPolicy",
        environment,
        policy_kwargs={"net_arch": [256, 256]},
        learning_rate=3e-4,
        batch_size=64,
        train_freq=4,
        gradient_steps=1,
        learning_starts=1_000,
        buffer_size=50_000,
        target_update_interval=1_000,
        exploration_fraction=0.5,
        seed=seed,
        device="cpu",
    )
    model.learn(steps)
    best = min(best, time.process_time() - start)
who = f"stable-baselines3 {stable_baselines3.__version__}"
print(f"dqn,{who},{steps / best:.0f},steps/s,DQN; floats; 54-256-256-5; batch 64")
print(f"dqn,{who},{model._n_updates / best:.0f},updates/s,DQN; floats; 54-256-256-5; batch 64")
