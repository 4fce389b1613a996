"""The scripts that judge the others are judged here."""
import pathlib
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def run(script, *arguments):
    return subprocess.run([sys.executable, SCRIPTS / script, *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize(
    "file, line, fault",
    [
        ("src/base/a.hpp", '#include "bars/csv.hpp"', "bars/csv.hpp is of layer bars; base may see kernels"),
        ("src/bars/a.cpp", '  #  include "sim/market.hpp"', "sim/market.hpp is of layer sim; bars may see base"),
        ("src/search/a.cpp", "#include <kernels/money.hpp>", "kernels/money.hpp is of layer kernels; search may see base"),
        ("src/search/a.cpp", "#include <mpi.h>", "mpi.h belongs to cluster"),
        ("src/sim/a.cpp", "#include <hdf5.h>", "hdf5.h belongs to bars and report"),
        ("src/cluster/a.cpp", "#include <boost/program_options.hpp>", "boost/program_options.hpp belongs to cli"),
        ("src/sim/a.cpp", "#include <nvrtc.h>", "nvrtc.h belongs to device"),
        ("src/base/a.cpp", '#include "../bars/csv.hpp"', "../bars/csv.hpp names no layer"),
        ("kernels/a.hpp", "#include <cstdint>", "cstdint is no file of kernels/"),
        ("kernels/a.cu", '#include "kernels/b.hpp"', "kernels/b.hpp is no file of kernels/"),
        ("src/utils/a.hpp", "", "there is no layer utils"),
    ],
)
def test_an_include_that_a_layer_may_not_see_is_named_by_file_and_line(tmp_path, file, line, fault):
    planted = tmp_path / file
    planted.parent.mkdir(parents=True)
    planted.write_text(f"#pragma once\n{line}\n")
    answer = run("check_layers.py", tmp_path)
    assert answer.returncode == 1
    assert answer.stdout.startswith(file)
    assert fault in answer.stdout
    assert line == "" or answer.stdout.startswith(f"{file}:2: ")


def test_includes_within_the_rules_pass(tmp_path):
    for file, text in {
        "kernels/b.hpp": "#pragma once\n",
        "kernels/a.hpp": '#include "b.hpp"\n',
        "src/base/a.hpp": '#include "kernels/a.hpp"\n#include <vector>\n',
        "src/cluster/a.cpp": '#include <mpi.h>\n#include "search/study.hpp"\n#include "cluster/comm.hpp"\n',
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    assert run("check_layers.py", tmp_path).returncode == 0


CASES = {
    "passed": '<testcase name="p" status="run"><system-out>fine</system-out></testcase>',
    "failed": '<testcase name="f" status="fail"><failure/><system-out/></testcase>',
    "missing": '<testcase name="m" status="notrun"><skipped message="Unable to find executable"/></testcase>',
    "skipped": '<testcase name="s" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
    "<system-out>a_test.cpp:4: Skipped\nno shared data\n[  SKIPPED ]</system-out></testcase>",
    "pytest": '<testcase name="y" status="run"><system-out>SKIPPED [2] a.py:4: no optuna\n'
    "3 passed, 2 skipped in 0.51s</system-out></testcase>",
    "pytest broke": '<testcase name="b" status="fail"><failure/><system-out>'
    "=== 1 failed, 2 passed, 1 error in 62.10s (0:01:02) ===</system-out></testcase>",
}


@pytest.mark.parametrize(
    "cases, last_line, status",
    [
        (["passed"], "1 passed, 0 failed, 0 skipped", 0),
        (["passed", "skipped", "pytest"], "4 passed, 0 failed, 3 skipped", 0),
        (["passed", "failed", "missing"], "1 passed, 2 failed, 0 skipped", 1),
        (["pytest broke"], "2 passed, 2 failed, 0 skipped", 1),
        (["skipped"], "0 passed, 0 failed, 1 skipped", 1),
        ([], "0 passed, 0 failed, 0 skipped", 1),
    ],
)
def test_the_last_line_counts_every_test_and_the_status_follows(tmp_path, cases, last_line, status):
    report = tmp_path / "tests.xml"
    report.write_text("<testsuite>" + "".join(CASES[name] for name in cases) + "</testsuite>")
    answer = run("count_tests.py", report)
    assert answer.stdout.splitlines()[-1] == last_line
    assert answer.returncode == status


def test_a_report_that_was_not_written_is_a_failure(tmp_path):
    answer = run("count_tests.py", tmp_path / "tests.xml")
    assert answer.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"
    assert answer.returncode == 1


def test_reasons_of_skipped_tests_are_shown(tmp_path):
    report = tmp_path / "tests.xml"
    report.write_text("<testsuite>" + CASES["skipped"] + CASES["pytest"] + "</testsuite>")
    assert run("count_tests.py", report).stdout.splitlines()[:2] == [
        "skipped 1: no optuna",
        "skipped 1: no shared data",
    ]
