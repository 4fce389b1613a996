#!/usr/bin/env python3
"""Sums CTest's JUnit reports: the skipped with their reasons, the failed with the end of what they
printed, then one line `N passed, N failed, N skipped`. Exits 1 where a test failed or none passed.

A pytest file is one CTest entry; its own tests are counted, as its closing line says.
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

PYTEST = re.compile(r"^=*\s*((?:\d+ \w+, )*\d+ \w+) in [\d.]+s", re.M)
PYTEST_SKIP = re.compile(r"^SKIPPED \[\d+\] .*?: (.*)$", re.M)
GTEST_SKIP = re.compile(r"Skipped\n(.*?)\n", re.S)
WORDS = {"passed": "passed", "failed": "failed", "error": "failed", "errors": "failed", "skipped": "skipped"}


def outcome(case):
    """Of one CTest entry. "notrun" is a skip only where the test itself said so: an executable that
    is missing is a failure."""
    if case.get("status") == "run":
        return "passed"
    skipped = case.find("skipped")
    said_so = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    return "skipped" if said_so or case.get("status") == "disabled" else "failed"


def count(case):
    """The tests of one CTest entry by outcome, and why it skipped some."""
    text = case.findtext("system-out") or ""
    tests = collections.Counter()
    for pair in PYTEST.findall(text)[-1:]:
        for number, word in (part.split() for part in pair.split(", ")):
            if word in WORDS:
                tests[WORDS[word]] += int(number)
    if not tests or outcome(case) == "failed" and not tests["failed"]:  # not pytest; or it crashed
        tests[outcome(case)] += 1
    return tests, PYTEST_SKIP.findall(text) + GTEST_SKIP.findall(text)


def main(files):
    total, why, failed = collections.Counter(), collections.Counter(), []
    for file in files:
        if not pathlib.Path(file).exists():  # CTest found no test, or died
            total["failed"] += 1
            failed.append(f"{file} was not written")
            continue
        for case in ElementTree.parse(file).getroot().iter("testcase"):
            tests, reasons = count(case)
            total += tests
            why.update(reasons or [case.get("name") + ", without a reason"] * (tests["skipped"] > 0))
            if tests["failed"]:
                text = (case.findtext("system-out") or "").strip().splitlines()[-40:]
                failed.append("\n    ".join([f"{case.get('name')} ({file})", *text]))
    for reason, times in sorted(why.items()):
        print(f"skipped {times}: {reason}")
    for name in failed:
        print(f"failed: {name}")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


sys.exit(main(sys.argv[1:]))
