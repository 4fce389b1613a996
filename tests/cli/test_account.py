"""barsweep account: recorded traces are equal, and a difference is named."""
import gzip
import json

import pytest

from helpers import run, shared


@pytest.mark.parametrize("number", range(1, 25))
def test_a_recorded_trace_is_equal(number):
    trace = shared(f"reference/traces/trace_{number}.json.gz")
    assert "rows are equal" in run("account", trace).stdout


def test_the_first_row_and_field_that_differ_are_named(tmp_path):
    trace = json.loads(gzip.open(shared("reference/traces/trace_3.json.gz"), "rt").read())
    trace["rows"][17]["costs"] += 1
    trace["rows"][20]["lots"] += 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(trace))
    done = run("account", changed, expect=1)
    right = trace["rows"][17]["costs"] - 1
    assert done.stdout == f"{changed}: row 17, costs: {right + 1} recorded, {right} computed\n"


def test_a_file_that_is_no_trace_is_refused(tmp_path):
    file = tmp_path / "bars.csv"
    file.write_text("time,open,high,low,close\n")
    done = run("account", file, expect=3)
    assert f"{file}: expected a trace as a JSON object, found no JSON object." in done.stderr


def test_without_a_trace_the_command_line_is_at_fault():
    assert "write `barsweep account TRACE.json`" in run("account", expect=2).stderr
