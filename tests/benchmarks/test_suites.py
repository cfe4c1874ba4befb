"""asv's suites: their names stay, and every benchmark runs."""

from __future__ import annotations

import json
import tomllib
from importlib import import_module
from itertools import product
from pathlib import Path
from shutil import copytree
from types import ModuleType
from typing import Any

import numba
import pytest

import fastops as fo
from benchmarks import bandwidth, chains, cold_start, counts, figures, latency, memory, ranges, suite, threads, windows


def benchmarks_of(module: ModuleType) -> list[Any]:
    """Every method that asv takes for a benchmark, as asv finds them, with some of its parameters.

    `tox -e bench-smoke` runs it with each.
    """
    found = []
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    for cls in [each for each in classes if each.__module__ == module.__name__]:
        for method in (name for name in dir(cls) if name.startswith(("time_", "track_"))):
            params = getattr(cls, "params", ())
            # Lists of lists, or one list; asv shows names that are as many.
            axes = params if params and isinstance(params[0], list) else [params] if params else []
            assert len(getattr(cls, "param_names", ())) == len(axes)
            for parameters in list(product(*axes))[::3]:
                label = "-".join([f"{cls.__name__}.{method}", *map(str, parameters)])
                found.append(pytest.param(cls, method, list(parameters), id=label))
    return found


SUITES = (bandwidth, chains, latency, ranges, threads, memory, figures, counts, windows)

# The names of asv's suites, under which results are kept, like those of the cases.
BENCHMARKS = [
    "bandwidth.Bandwidth.time_fresh",
    "bandwidth.Bandwidth.time_out",
    "bandwidth.Grid.time_out",
    "chains.Chains.time_out",
    "latency.Warm.time_10000_fresh",
    "latency.Warm.time_10000_out",
    "latency.Prepared.time_10000_out",
    "latency.CacheMiss.time_10000_fresh",
    "ranges.Cached.time_out",
    "ranges.Ranges.time_fresh",
    "ranges.Ranges.time_out",
    "threads.Threads.time_out",
    "memory.LargeCall.track_growth",
    "memory.RandomCalls.track_growth",
    "figures.ShareOfLimit.track_out",
    "figures.RatioToNumPy.track_fresh",
    "counts.Call.track_bytes_allocated",
    "counts.Call.track_launches",
    "counts.Writers.track_threads_that_write",
    "counts.Import.track_modules",
    "counts.Import.track_threads",
    "windows.Windows.time_out",
    "windows.Compiled.time_100_fresh",
    "cold_start.Import.track_after_numpy",
    "cold_start.Import.track_with_numpy",
    "cold_start.FirstCall.track_cold_cache",
    "cold_start.FirstCall.track_kernels_compiled",
    "cold_start.FirstCall.track_warm_cache",
]


def test_names_of_benchmarks_are_stable():
    found = [param.values for module in (*SUITES, cold_start) for param in benchmarks_of(module)]
    names = [f"{cls.__module__.removeprefix('benchmarks.')}.{cls.__name__}.{method}" for cls, method, _ in found]
    assert sorted(set(names)) == sorted(BENCHMARKS)
    assert {cls.version for cls, _, _ in found} == {"1"}


def test_environments_of_commits_have_the_asv_runner_of_asv_itself():
    """asv asks for its latest, unless the very name of its own requirement, with "pip+", is in the matrix."""
    root = Path(suite.__file__).parents[1]
    matrix = json.loads((root / "benchmarks" / "asv.conf.json").read_text(encoding="utf-8"))["matrix"]["req"]
    groups = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    assert [f"asv_runner=={version}" for version in matrix["pip+asv_runner"]] == [
        each for each in groups["bench"] if each.startswith("asv_runner")
    ]
    assert all(len(versions) == 1 for versions in matrix.values())


@pytest.fixture(autouse=True)
def run_quickly(monkeypatch):
    monkeypatch.setattr(suite.Suite, "is_small", True)
    monkeypatch.setattr(latency, "CALLS", 3)
    monkeypatch.setattr(cold_start, "PROCESSES", 1)


# What a figure must be, whatever the machine.
FIGURES = {
    "track_growth": lambda value: 0 <= value < 2**24,
    "track_out": lambda value: 0 < value < 10,
    "track_fresh": lambda value: 0 < value < 1000,
    "track_bytes_allocated": lambda value: 0 < value < 2**20,
    "track_launches": lambda value: value == 1,
    "track_threads": lambda value: value == 1,
    # Nothing of NumPy's or Numba's.
    "track_modules": lambda value: 0 < value < 60,
    "track_threads_that_write": lambda value: value == 1,
}


@pytest.mark.parametrize(("cls", "method", "parameters"), [each for module in SUITES for each in benchmarks_of(module)])
def test_benchmark_runs(cls, method, parameters, threads_as_before):
    benchmark = cls()
    if hasattr(benchmark, "setup"):
        if cls is threads.Threads and parameters[-1] > numba.config.NUMBA_NUM_THREADS:
            with pytest.raises(NotImplementedError, match="threads"):
                benchmark.setup(*parameters)
            return
        benchmark.setup(*parameters)
    value = getattr(benchmark, method)(*parameters)
    assert value is None if method.startswith("time_") else FIGURES[method](value)


@pytest.fixture
def threads_as_before():
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


@pytest.mark.parametrize(("cls", "method", "parameters"), benchmarks_of(cold_start))
def test_cold_start_benchmark_runs(cls, method, parameters, tmp_path, monkeypatch):
    benchmark = cls()
    arguments = parameters
    if hasattr(benchmark, "setup_cache"):
        # Compiling is slow, so that the kernels of this process stand in for those that setup_cache compiles.
        for kernel in ("gather", "fill_range"):
            import_module("fastops._runtime._kernels").compile_kernel(kernel)
        kept = import_module("fastops._runtime._kernel_cache").cache_directory()
        for kernel in cold_start.FIRST_CALLS:
            copytree(kept, tmp_path / "kernels" / kernel / kept.name)
        monkeypatch.chdir(tmp_path)
        arguments = [dict.fromkeys(cold_start.FIRST_CALLS, 1.5), *parameters]
    assert 0 < getattr(benchmark, method)(*arguments) < 60
    assert getattr(getattr(benchmark, method), "unit", benchmark.unit) == (
        "kernels" if method == "track_kernels_compiled" else "seconds"
    )


def test_a_missing_operator_is_skipped(monkeypatch):
    """asv skips what set-up says is not implemented, and fails what the benchmark itself says."""
    monkeypatch.delattr(fo, "slice")
    monkeypatch.delitem(fo._HOMES, "slice")
    for cls, parameters in (
        (bandwidth.Bandwidth, ["pad_reflect_u8"]),
        (bandwidth.Grid, ["pad_wrap", "u8", "1MiB"]),
        (threads.Threads, ["pad_reflect_f32", "4MiB", 1]),
        (latency.CacheMiss, ["slice"]),
        (memory.LargeCall, ["pad_reflect_u8"]),
        (memory.RandomCalls, ["strides_and_pads"]),
        (figures.ShareOfLimit, ["pad_reflect_u8"]),
        (figures.RatioToNumPy, ["tiny_reflect_pad"]),
        (counts.Call, ["tiny_reflect_pad"]),
    ):
        with pytest.raises(NotImplementedError, match="slice"):
            cls().setup(*parameters)


@pytest.mark.parametrize("module", [*SUITES, cold_start], ids=lambda module: module.__name__)
def test_asv_takes_nothing_else_for_a_set_up(module):
    """It takes a module's attribute of this name for one, in whatever case it is written."""
    assert not [name for name in dir(module) if name.lower() in ("setup", "teardown", "setup_cache")]
