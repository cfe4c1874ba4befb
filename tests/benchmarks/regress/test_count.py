"""What the gate counts: every case, in the process that counts, with kernels that are loaded rather than compiled."""

from __future__ import annotations

import json

import pytest

from benchmarks.cases import CASES, names_of
from benchmarks.regress._counters import WORSE
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._units import _units
from tests.helpers.processes import run_python

# Compiling all takes most of a minute. So this loads what earlier tests have compiled: each function that is loaded
# counts as one that is compiled, and as if its assembly had one vector and one streaming store.
PROGRAM = """
import os, sys, warnings
from dataclasses import replace
import fastops
from benchmarks.regress import _count
from fastops._runtime import _kernel_cache
warnings.simplefilter("ignore")
_count.installed_library = lambda: fastops
_count.kernels_in = lambda cache: len(_kernel_cache._linked)
compiled = _count.compiled_code
_count.compiled_code = lambda package: [replace(c, vector_bytes=16, streaming_stores=1) for c in compiled(package)]
os.environ.setdefault("NUMBA_CACHE_DIR", "")
_count.main()
"""


@pytest.fixture(scope="module")
def counted():
    done = run_python("-c", PROGRAM)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_no_case_is_refused_and_all_that_they_do_is_counted(counted):
    counters = counted["counters"]
    assert counted["refused"] == {}
    assert {name for name in CASES if f"{name}: launches" in counters} == set(CASES)
    for name in counters:
        assert len([end for end in WORSE if name.endswith(end)]) == 1, name
    assert all(any(name.endswith(end) for name in counters) for end in WORSE)
    assert {count for name, count in counters.items() if name.endswith((": launches", ": launches into out"))} == {1}
    assert counters["import: threads"] == 1
    assert counters["crop_f32: bytes allocated"] > 700_000 > counters["crop_f32: bytes allocated into out"]
    assert 0 < counters["tiny_range: kernels compiled first"] < counters["tiny_strided_slice: kernels compiled first"]


def test_the_code_of_all_functions_is_counted(counted):
    """Also of those that only outputs beyond the caches need."""
    counters = counted["counters"]
    functions = {name.partition(":")[0].rpartition(".")[2] for name in counters}
    assert {unit.function.__name__ for unit in _units.values()} <= functions
    assert counters["all: kernels compiled"] >= len(_units)
    assert counters["fastops.kernels._writer.flush: vector bytes"] == counters["all: vector bytes"] == 16
    assert counters["all: streaming stores"] >= len(_units)


def test_bytes_that_are_streamed_are_counted(counted):
    """Of large cases all outputs are, but for the ends of rows, which tables do not tell."""
    streamed = {name.partition(":")[0]: n for name, n in counted["counters"].items() if name.endswith("bytes streamed")}
    assert set(streamed) == {*names_of("bandwidth"), *names_of("ranges")}
    assert streamed["crop_f32"] == 8 * 3 * 1024 * 1024 * 4
    assert streamed["qkv_split_f32"] == 8 * 1024 * 3072 * 4
    assert streamed["range_u8"] == CASES["range_u8"].full.shape[0]
    assert all(n >= STREAM_BYTES for n in streamed.values())
