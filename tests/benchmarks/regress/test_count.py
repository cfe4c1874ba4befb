"""What the gate counts, and what is worse."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.cases import CASES, names_of
from benchmarks.regress._counters import WORSE
from benchmarks.regress._project import COUNTING_VARIABLES
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._units import _units

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """What a process counts that has compiled nothing before, of the package that is installed here."""
    cache = tmp_path_factory.mktemp("kernels")
    program = "import fastops; from benchmarks.regress import _count; _count.installed_library = lambda: fastops; "
    variables = {"NUMBA_CACHE_DIR": str(cache), **COUNTING_VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", f"{program}_count.main()"],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_no_case_is_refused_and_all_are_counted(counted):
    assert counted["refused"] == {}
    assert {name for name in CASES if f"{name}: launches" in counted["counters"]} == set(CASES)


def test_the_code_of_all_functions_is_counted(counted):
    """Also of those that only outputs beyond the caches need."""
    functions = {name.partition(":")[0].rpartition(".")[2] for name in counted["counters"]}
    assert {unit.function.__name__ for unit in _units.values()} <= functions


@pytest.mark.skipif(platform.machine() != "x86_64", reason="counts instructions of x86")
def test_streaming_stores_are_counted(counted):
    stores = [name for name, count in counted["counters"].items() if name.endswith("streaming stores") and count]
    assert any(name.startswith("fastops.kernels._writer.") for name in stores)
    assert counted["counters"]["all: vector bytes"] >= 16


def test_bytes_that_are_streamed_are_counted(counted):
    """Of large cases all outputs are, but for the ends of rows, which tables do not tell."""
    streamed = {name.partition(":")[0]: n for name, n in counted["counters"].items() if name.endswith("bytes streamed")}
    assert set(streamed) == {*names_of("bandwidth"), *names_of("ranges")}
    assert streamed["crop_f32"] == 8 * 3 * 1024 * 1024 * 4
    assert streamed["qkv_split_f32"] == 8 * 1024 * 3072 * 4
    assert streamed["range_u8"] == CASES["range_u8"].full.shape[0]
    assert all(n >= STREAM_BYTES for n in streamed.values())


def test_each_counter_has_one_rule(counted):
    for name in counted["counters"]:
        assert len([end for end in WORSE if name.endswith(end)]) == 1, name


def test_what_is_counted_is_what_a_call_does(counted):
    counters = counted["counters"]
    assert {count for name, count in counters.items() if name.endswith(": launches")} == {1}
    assert counters["import: threads"] == 1
    assert 0 < counters["tiny_range: kernels compiled first"] < counters["tiny_strided_slice: kernels compiled first"]
    assert counters["all: kernels compiled"] >= counters["tiny_strided_slice: kernels compiled first"]
