"""The cases of the benchmarks give what NumPy gives, and every benchmark runs."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from itertools import product
from pathlib import Path
from shutil import copytree
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

import fastops as fo
from benchmarks import bandwidth, cold_start, counts, figures, latency, memory, ranges, suite, threads
from benchmarks.cases import CASES, GRID_DTYPES, GRID_KINDS, KIB, MIB, Case, different_calls, outputs_of

# Results are kept under these names, so that a change of one loses its history.
NAMES = [
    "crop_f32",
    "stride_2_f32",
    "horizontal_flip_f32",
    "bgr_to_rgb_u8",
    "stride_2_nhwc_u8",
    "every_2nd_frame_u8",
    "kv_cache_window_f16",
    "pad_reflect_f32",
    "pad_clamp_f32",
    "pad_fill_f32",
    "pad_wrap_f32",
    "pad_reflect_u8",
    "qkv_split_f32",
    "range_f32",
    "range_i64",
    "range_i32",
    "range_f64",
    "range_f16",
    "range_u8",
    "tiny_strided_slice",
    "tiny_reflect_pad",
    "tiny_split",
    "tiny_range",
    "crop_u16",
    "crop_rgb24",
    "flip_u16",
    "flip_c128",
    "flip_rgb24",
    "pad_reflect_c128",
    "pad_reflect_rgb24",
    "stride_2_u64",
    "stride_3_f32",
    "stride_3_u8",
    "stride_3_rows_f32",
    "stride_4_f32",
    "stride_4_u16",
    "stride_minus_2_f32",
    "stride_minus_2_u8",
    "crop_f_ordered_f32",
    "transpose_f64",
    "transpose_u8",
    "crop_reversed_rows_f32",
    "crop_reversed_columns_f32",
    "channels_1_of_3_u8",
    "channels_2_of_3_u8",
    "channels_3_of_4_u8",
    "channels_4_of_5_f32",
    "channels_5_of_7_u16",
    "channels_6_of_8_f32",
    "channels_7_of_9_u8",
    "channels_8_of_11_f16",
    "flip_nhwc_u8",
    "rgba_to_abgr_u8",
    "crop_5d_f32",
    "stride_6d_f32",
    "flips_7d_u8",
    "flips_8d_f32",
    "pad_reflect_5d_f32",
    "pad_1_reflect_f32",
    "pad_1_wrap_u8",
    "pad_1_clamp_nhwc_u16",
    "pad_5_fill_nhwc_f16",
    "pad_periods_reflect_f32",
    "pad_periods_wrap_u8",
    "pad_periods_short_rows_f32",
    "clamp_one_row_f32",
    "clamp_one_column_f32",
    "tile_3_f32",
    "tile_3_nhwc_u8",
    "split_unequal_u16",
    "split_channels_u8",
    "window_u8",
    "window_u16",
    "window_f32",
    "window_f64",
    "window_c128",
    "pad_wrap_u8",
    "pad_wrap_u16",
    "pad_wrap_f64",
    "pad_wrap_c128",
    "pad_clamp_u8",
    "pad_clamp_u16",
    "pad_clamp_f64",
    "pad_clamp_c128",
    "pad_fill_u8",
    "pad_fill_u16",
    "pad_fill_f64",
    "pad_fill_c128",
    "pad_reflect_u16",
    "pad_reflect_f64",
    "pad_symmetric_u8",
    "pad_symmetric_u16",
    "pad_symmetric_f32",
    "pad_symmetric_f64",
    "pad_symmetric_c128",
    "stride_2_u8",
    "stride_2_u16",
    "stride_2_f64",
    "stride_2_c128",
    "reverse_u8",
    "reverse_u16",
    "reverse_f32",
    "reverse_f64",
    "reverse_c128",
    "split_3_u8",
    "split_3_u16",
    "split_3_f32",
    "split_3_f64",
    "split_3_c128",
]


def test_names_are_stable():
    assert [case.name for case in CASES.values()] == NAMES


def test_importing_the_table_loads_neither_the_package_nor_numba():
    program = "import sys, benchmarks.cases; print(sorted({'fastops', 'numba'} & set(sys.modules)))"
    root = Path(__file__).parents[1]
    assert subprocess.check_output([sys.executable, "-c", program], cwd=root, text=True) == "[]\n"


def test_the_grid_has_each_kind_at_each_width():
    assert {np.dtype(dtype).itemsize for dtype in GRID_DTYPES.values()} == {1, 2, 4, 8, 16}
    modes = set()
    for kind, (short, dtype) in product(GRID_KINDS, GRID_DTYPES.items()):
        case = CASES[f"{kind}_{short}"]
        assert case.dtype == dtype
        modes.add(case.operator if case.operator != "slice" else case.attributes(case.small).get("mode"))
        for output_bytes in (256 * KIB, MIB, 64 * MIB):
            size = case.resized(output_bytes)
            plans = outputs_of(getattr(fo.plan, case.operator)(size.shape, **case.attributes(size)))
            assert sum(plan.size for plan in plans) * np.dtype(dtype).itemsize == pytest.approx(output_bytes, rel=0.1)
    assert modes == {None, "wrap", "clamp", "fill", "reflect", "symmetric", "strided_slice", "variadic_split"}


def assert_equals_numpy(results: Any, case: Case) -> None:
    expected = outputs_of(case.expected(case.data(case.small), case.small))
    assert len(outputs_of(results)) == len(expected)
    for result, array in zip(outputs_of(results), expected, strict=True):
        assert result.dtype == np.dtype(case.dtype)
        np.testing.assert_array_equal(result, array, strict=True)


@pytest.mark.parametrize("name", NAMES)
def test_small_case_equals_numpy(name):
    case = CASES[name]
    call = case.call(fo, case.small)
    fresh = call()
    assert_equals_numpy(fresh, case)
    outs = [np.full_like(array, 77) for array in outputs_of(fresh)]
    out = outs if isinstance(fresh, list) else outs[0]
    assert call(out=out) is out or isinstance(fresh, list)
    assert_equals_numpy(out, case)
    assert_equals_numpy([plan() for plan in case.prepared(fo, case.small)], case)


@pytest.mark.parametrize("name", NAMES)
def test_full_case_has_the_structure_of_the_small_one(name):
    case = CASES[name]
    assert len(case.full.shape) == len(case.small.shape)
    sizes = []
    for size in (case.full, case.small):
        shape = (size.shape,) if case.takes_data else ()
        plans = outputs_of(getattr(fo.plan, case.operator)(*shape, **case.attributes(size)))
        sizes.append(sum(int(np.prod(plan.shape)) for plan in plans))
    full, small = sizes
    assert small < 10_000
    if case.suite in ("layouts", "grid"):
        assert 32 <= full * np.dtype(case.dtype).itemsize / 1e6 <= 100
    else:
        assert full == small if case.suite == "latency" else full > 10_000_000
    assert case.suite != "ranges" or (full, small) == (case.full.shape[0], case.small.shape[0])


def benchmarks_of(module: ModuleType) -> list[Any]:
    """Every method that asv takes for a benchmark, with each of its parameters, as asv finds them."""
    found = []
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    for cls in [each for each in classes if each.__module__ == module.__name__]:
        for method in (name for name in dir(cls) if name.startswith(("time_", "track_"))):
            params = getattr(cls, "params", ())
            # Lists of lists, or one list; asv shows names that are as many.
            axes = params if params and isinstance(params[0], list) else [params] if params else []
            assert len(getattr(cls, "param_names", ())) == len(axes)
            for parameters in product(*axes):
                label = "-".join([f"{cls.__name__}.{method}", *map(str, parameters)])
                found.append(pytest.param(cls, method, list(parameters), id=label))
    return found


SUITES = (bandwidth, latency, ranges, threads, memory, figures, counts)

# The names of asv's suites, under which results are kept, like those of the cases.
BENCHMARKS = [
    "bandwidth.Bandwidth.time_fresh",
    "bandwidth.Bandwidth.time_out",
    "bandwidth.Grid.time_out",
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
            import_module("fastops._runtime").compile_kernel(kernel)
        kept = import_module("fastops._kernel_cache").cache_directory()
        for kernel in cold_start.FIRST_CALLS:
            copytree(kept, tmp_path / "kernels" / kernel / kept.name)
        monkeypatch.chdir(tmp_path)
        arguments = [dict.fromkeys(cold_start.FIRST_CALLS, 1.5), *parameters]
    assert 0 < getattr(benchmark, method)(*arguments) < 60
    assert getattr(getattr(benchmark, method), "unit", benchmark.unit) == (
        "kernels" if method == "track_kernels_compiled" else "seconds"
    )


@pytest.mark.parametrize("operator", latency.CacheMiss.params)
def test_cache_misses_are_calls_that_differ(operator):
    calls = different_calls(fo, operator)
    first = 0 if operator == "range" else 1
    assert len({repr(call.args[first:]) for call in calls}) == len(calls) == 10_000
    for call in calls[::1111]:
        assert sum(array.size for array in outputs_of(call())) in (64, 140)


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
