"""What the gate counts: every case, in the process that counts, with kernels that were compiled before."""

from __future__ import annotations

import json
import shutil

import pytest

from benchmarks.cases import CASES, names_of
from benchmarks.regress._counters import WORSE
from fastops._runtime import _kernels
from fastops._settings import STREAM_BYTES
from tests.helpers.processes import run_python

# What a process loads counts as what it compiles.
PROGRAM = """
import os, sys, warnings
import fastops
from benchmarks.regress import _count
from fastops._runtime import _kernels
warnings.simplefilter("ignore")
_count.installed_library = lambda: fastops
_count.kernels_in = lambda cache: int(_kernels._is_linked)
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
    # Small calls compile nothing.
    assert counters["tiny_range: kernels compiled first"] == counters["tiny_strided_slice: kernels compiled first"] == 0


@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not installed")
def test_the_code_of_all_kernels_is_counted(counted):
    counters = counted["counters"]
    late = {f"fastops.{each}" for each in ("share", "launch_histories")}
    symbols = {*_kernels.load_object().addresses} - late
    assert {f"{symbol}: vector bytes" for symbol in symbols} <= {*counters}
    assert counters["all: kernels compiled"] == 1
    assert counters["fastops.flush: vector bytes"] >= 16
    assert counters["all: vector bytes"] == max(n for name, n in counters.items() if name.endswith(": vector bytes"))
    assert counters["all: streaming stores"] > counters["fastops.flush: streaming stores"] > 0


def test_bytes_that_are_streamed_are_counted(counted):
    """Of large cases all outputs are, but for the ends of rows, which tables do not tell."""
    streamed = {name.partition(":")[0]: n for name, n in counted["counters"].items() if name.endswith("bytes streamed")}
    assert set(streamed) == {*names_of("bandwidth"), *names_of("ranges")}
    assert streamed["crop_f32"] == 8 * 3 * 1024 * 1024 * 4
    assert streamed["qkv_split_f32"] == 8 * 1024 * 3072 * 4
    assert streamed["range_u8"] == CASES["range_u8"].full.shape[0]
    assert all(n >= STREAM_BYTES for n in streamed.values())
