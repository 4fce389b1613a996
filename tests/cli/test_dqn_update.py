"""One update of DQN by each of its options, and every form of a bundle, equal what PyTorch makes of them."""
import pytest

from second_opinion import dump_into, second_opinion, told_of_changes


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return dump_into(tmp_path_factory.mktemp("dump"))


def test_an_update_is_that_of_the_papers_by_autograd_and_torchs_adam(dump):
    code, equal, text = second_opinion(dump, "dqn")
    assert (code, text) == (0, "") and len(equal) == 12


def test_the_torchscript_policy_takes_our_actions(dump):
    code, equal, text = second_opinion(dump, "bundles")
    assert (code, text) == (0, "") and len(equal) == 4


def test_the_second_opinion_sees_a_changed_digit(dump):
    changes = {
        ("double", "losses", 1.01): "losses",
        ("double", "gradient", 1.01): "gradient",
        ("double", "rewards", 1.001): "rewards",
        ("n_step_polyak", "online", 1.0001): "parameters",
        ("n_step_polyak", "target", 1.0001): "target network",
        ("n_step_polyak", "discounts", 1.001): "discounts",
        ("prioritised", "weights", 1.001): "importance weights",
        ("quantile", "states", 1.0001): "next states",
        ("c51", "errors", 1.01): "errors",
    }
    said = told_of_changes(dump, "dqn", list(changes))
    for (case, name, _), word in changes.items():
        assert said[case, name].startswith(f"{case}~{name}: {word}")
