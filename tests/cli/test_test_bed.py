"""CartPole and Acrobot as our learners meet them, step by step against Gymnasium's."""
import os
import subprocess

import numpy
import pytest

gymnasium = pytest.importorskip("gymnasium")
PROGRAM = os.environ.get("BARSWEEP_BED_DUMP", "")


def rollout(task):
    if not os.path.exists(PROGRAM):
        pytest.skip("no bed_dump (BARSWEEP_BED_DUMP)")
    text = subprocess.run([PROGRAM, task], capture_output=True, text=True, check=True).stdout
    return numpy.array([[float(cell) for cell in line.split(",")] for line in text.splitlines()])


@pytest.mark.parametrize("name,task,seen", [("CartPole-v1", "cartpole", 4), ("Acrobot-v1", "acrobot", 6)])
def test_every_step_is_gymnasiums(name, task, seen):
    rows = rollout(task)
    environment = gymnasium.make(name).unwrapped
    most = gymnasium.spec(name).max_episode_steps
    ends = truncated = 0
    for row in rows:
        step, before, action = int(row[0]), row[1:5], int(row[5])
        observation, after = row[6 : 6 + seen], row[6 + seen : 10 + seen]
        reward, terminated, ended = row[10 + seen :]
        if step == 0:
            environment.reset(seed=1)
        environment.state = before.copy()
        theirs, their_reward, over, _, _ = environment.step(action)
        numpy.testing.assert_allclose(after, environment.state, rtol=1e-10, atol=1e-12)
        numpy.testing.assert_allclose(observation, theirs, rtol=1e-6, atol=1e-6)
        assert reward == their_reward and terminated == over
        assert ended == (over or step + 1 == most)
        ends += ended
        truncated += ended and not over
    assert ends > 3 and (truncated > 0) == (task == "acrobot"), "lives that tell nothing"


@pytest.mark.parametrize("name,task", [("CartPole-v1", "cartpole"), ("Acrobot-v1", "acrobot")])
def test_lives_start_where_gymnasiums_do(name, task):
    rows = rollout(task)
    starts = rows[rows[:, 0] == 0, 1:5]
    bound = {"cartpole": 0.05, "acrobot": 0.1}[task]
    environment = gymnasium.make(name).unwrapped
    theirs = []
    for seed in range(500):
        environment.reset(seed=seed)
        theirs.append(environment.state)
    for own in (starts, numpy.array(theirs)):
        assert abs(own).max() <= bound
    assert len(starts) < 50 or abs(starts).max() > 0.9 * bound
