"""asv's suites: their names stay, and every benchmark runs."""

from __future__ import annotations

from itertools import product
from math import inf
from types import ModuleType
from typing import Any

import numba
import pytest

import fastops as fo
from benchmarks import bandwidth, chains, cold_start, counts, figures, latency, memory, ranges, suite, threads, windows
from tests.benchmarks.names import kept_names

SUITES = (bandwidth, chains, latency, ranges, threads, memory, figures, counts, windows)


def benchmarks_of(*modules: ModuleType) -> list[tuple[type, str, list[Any]]]:
    """Every method that asv takes for a benchmark, as asv finds them, with some of its parameters.

    `tox -e bench-smoke` runs it with each.
    """
    found = []
    for module in modules:
        classes = [each for each in vars(module).values() if isinstance(each, type)]
        for cls in [each for each in classes if each.__module__ == module.__name__]:
            for method in (name for name in dir(cls) if name.startswith(("time_", "track_"))):
                params = getattr(cls, "params", ())
                # Lists of lists, or one list; asv shows names that are as many.
                axes = params if params and isinstance(params[0], list) else [params] if params else []
                assert len(getattr(cls, "param_names", ())) == len(axes), cls
                found += [(cls, method, list(parameters)) for parameters in list(product(*axes))[::3]]
    return found


def test_names_and_versions_are_stable_and_asv_takes_nothing_else_for_a_set_up():
    """It takes a module's attribute of this name for one, in whatever case it is written."""
    found = benchmarks_of(*SUITES, cold_start)
    names = {f"{cls.__module__.removeprefix('benchmarks.')}.{cls.__name__}.{method}" for cls, method, _ in found}
    assert sorted(names) == kept_names("asv")
    assert {cls.version for cls, _, _ in found} == {"1"}
    for module in (*SUITES, cold_start):
        assert not [name for name in dir(module) if name.lower() in ("setup", "teardown", "setup_cache")], module


@pytest.fixture(autouse=True)
def run_quickly(monkeypatch):
    monkeypatch.setattr(suite.Suite, "is_small", True)
    monkeypatch.setattr(latency, "CALLS", 3)
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


# The most that a figure may be, whatever the machine; of modules, none are NumPy's or Numba's.
MOST = {"track_growth": 2**24, "track_bytes_allocated": 2**20, "track_modules": 60}
MOST |= dict.fromkeys(("track_launches", "track_threads", "track_threads_that_write"), 1)


def test_benchmarks_run():
    for cls, method, parameters in benchmarks_of(*SUITES):
        benchmark = cls()
        if cls in (threads.Threads, windows.Normalize) and parameters[-1] > numba.config.NUMBA_NUM_THREADS:
            with pytest.raises(NotImplementedError, match="threads"):
                benchmark.setup(*parameters)
            continue
        if hasattr(benchmark, "setup"):
            benchmark.setup(*parameters)
        value = getattr(benchmark, method)(*parameters)
        is_right = value is None if method.startswith("time_") else 0 <= value <= MOST.get(method, inf)
        assert is_right, (cls, method, parameters, value)


def test_a_missing_operator_is_skipped(monkeypatch):
    """asv skips what set-up says is not implemented, and fails what the benchmark itself says."""
    monkeypatch.delattr(fo, "slice")
    monkeypatch.setattr(fo, "__all__", [name for name in fo.__all__ if name != "slice"])
    for cls, *parameters in (
        (bandwidth.Bandwidth, "pad_reflect_u8"),
        (bandwidth.Grid, "pad_wrap", "u8", "1MiB"),
        (threads.Threads, "pad_reflect_f32", "4MiB", 1),
        (latency.CacheMiss, "slice"),
        (memory.LargeCall, "pad_reflect_u8"),
        (memory.RandomCalls, "strides_and_pads"),
        (figures.ShareOfLimit, "pad_reflect_u8"),
        (figures.RatioToNumPy, "tiny_reflect_pad"),
        (counts.Call, "tiny_reflect_pad"),
    ):
        with pytest.raises(NotImplementedError, match="slice"):
            cls().setup(*parameters)
    monkeypatch.setattr(fo, "windows", fo.strided_slice)
    with pytest.raises(NotImplementedError, match="normalize"):
        windows.Normalize().setup("chw_f16_448", 1)
