"""Every recording, byte for byte."""
import pytest
from recorded import HERE, make


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", ["bars.csv.sha256", "backtest.json", "fills.csv", "rules.jsonl"])
def test_is_as_recorded(made, name):
    assert made[name] == (HERE / name).read_text()
