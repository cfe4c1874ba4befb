"""The command that compares fastops with other libraries, and what its rows are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measure.timing import (
    QUICK,
)
from benchmarks.peers.__main__ import main
from benchmarks.peers._groups import GROUPS
from benchmarks.peers._setup import Setup

ROOT = Path(__file__).parents[3]


def test_rows_have_names_of_their_own_and_bars_that_exist():
    setup = Setup(("numpy",), 2, QUICK, is_small=False)
    jobs = [job for group in GROUPS.values() for job in group(setup)]
    assert len({(job.group, job.name) for job in jobs}) == len(jobs)
    assert {job.group for job in jobs} == set(GROUPS)


def test_asv_finds_no_benchmark_here_and_needs_no_framework():
    program = """
import inspect, pkgutil, re, sys
from importlib import import_module
import benchmarks.peers
names = [each.name for each in pkgutil.walk_packages(benchmarks.peers.__path__, "benchmarks.peers.")]
pattern = re.compile(r"(time|timeraw|track|mem|peakmem)_|(Time|Timeraw|Track|Mem|PeakMem)[A-Z_]")
for name in names:
    module = import_module(name)
    for attribute, value in vars(module).items():
        inner = dir(value) if inspect.isclass(value) and value.__module__.startswith("benchmarks") else []
        print(*[f"{name}.{each}" for each in [attribute, *inner] if pattern.match(each)], sep="", end="")
print(*sorted({"torch", "onnxruntime", "openvino", "tensorflow", "jax", "matplotlib"} & set(sys.modules)))
"""
    assert subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True) == "\n"


def test_the_command_runs():
    command = [sys.executable, "-m", "benchmarks.peers", "--small", "--quick", "--only", "crop_f32", "--peer", "numpy"]
    result = subprocess.run(
        [*command, "--group", "large", "--group", "fresh"], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode in (0, 1), result.stderr
    assert re.search(r"^crop_f32 +[\d.]+ us", result.stdout, re.MULTILINE)
    assert "[2/2] fresh/crop_f32" in result.stderr


def test_the_command_lists_its_rows(capsys):
    with pytest.raises(SystemExit):
        main(["--list", "--group", "ranges"])
    assert capsys.readouterr().out.splitlines()[0] == "ranges/range_f32"
