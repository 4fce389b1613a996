"""`learn.py dqn|ppo STORE.h5 STEPS`: stable-baselines3 over the bars of a store on one core, end to end, as
tests/bench/learn_bench.cpp has ours do the same amounts of work; what isn't named here is as its authors set it.
Its DQN isn't double, which saves it one of six passes an update."""
import sys
import time

import stable_baselines3
import torch

from bar_environment import BarEnvironment

kind, store, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(1)
environment = BarEnvironment(store)
made = {
    "dqn": (
        stable_baselines3.DQN,
        dict(train_freq=4, gradient_steps=1, learning_starts=1_000, buffer_size=50_000, target_update_interval=1_000),
    ),
    "ppo": (stable_baselines3.PPO, dict(n_steps=2_048, n_epochs=10)),
}
learner, settings = made[kind]
best = float("inf")
for seed in range(3):
    model = learner(
        "MlpPolicy", environment, policy_kwargs={"net_arch": [256, 256]}, batch_size=64, seed=seed, device="cpu", **settings
    )
    start = time.process_time()
    model.learn(steps)
    best = min(best, (time.process_time() - start) / model.num_timesteps)
who = f"stable-baselines3 {stable_baselines3.__version__}"
# Its PPO counts epochs: each is a pass over all steps of a rollout.
updates = model._n_updates if kind == "dqn" else model._n_updates * 2_048 // 64
note = f"{kind.upper()}; floats; 54-256-256-5; batch 64"
print(f"{kind},{who},{1 / best:.0f},steps/s,{note}")
print(f"{kind},{who},{updates / model.num_timesteps / best:.0f},updates/s,{note}")
