"""One update of PPO by each of its options equals what PyTorch makes of its rollout."""
import pytest

from second_opinion import dump_into, second_opinion, told_of_changes


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return dump_into(tmp_path_factory.mktemp("dump"))


def test_an_update_is_that_of_the_papers_by_autograd_and_torchs_adam(dump):
    code, equal, text = second_opinion(dump, "ppo")
    assert (code, text) == (0, "") and len(equal) == 7


def test_the_second_opinion_sees_a_changed_digit(dump):
    changes = {
        ("plain", "log_chance", 1.001): "log of the actions' chances",
        ("plain", "values", 1.001): "values",
        ("plain", "advantages", 1.001): "advantages",
        ("plain", "returns", 1.001): "returns",
        ("plain", "losses", 1.01): "losses",
        ("clipped_ratio", "divergence", 1.1): "divergence",
        ("plain", "gradient", 1.01): "gradient",
        ("plain", "parameters", 1.001): "parameters",
    }
    said = told_of_changes(dump, "ppo", list(changes))
    for (case, name, _), word in changes.items():
        assert said[case, name].startswith(f"{case}~{name}: {word}")
