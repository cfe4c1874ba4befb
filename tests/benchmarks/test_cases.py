"""The cases of the benchmarks give what NumPy gives."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from benchmarks.cases import (
    CASES,
    CHAIN_CASES,
    COMPILED_CASES,
    COMPILED_PAD,
    DIFFERENT_OPERATORS,
    GRID_DTYPES,
    GRID_KINDS,
    KIB,
    MIB,
    WINDOWS_CASES,
    Case,
    compiled_data,
    compiled_pad,
    different_calls,
    expected_windows,
    outputs_of,
    pad_by_hand,
    result_of,
)

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
    "image_crop_chw_u8",
    "image_crop_chw_f32",
    "image_crop_chw_f16",
    "image_crop_hwc_u8",
    "image_crop_hwc_f32",
    "image_crop_hwc_f16",
    "image_mirror_chw_u8",
    "image_mirror_chw_f32",
    "image_mirror_chw_f16",
    "image_mirror_hwc_u8",
    "image_mirror_hwc_f32",
    "image_mirror_hwc_f16",
    "image_upside_down_chw_f32",
    "image_upside_down_hwc_u8",
    "image_half_chw_u8",
    "image_half_chw_f32",
    "image_half_hwc_u8",
    "image_half_hwc_f32",
    "image_bgr_to_rgb_u8",
    "image_bgr_to_rgb_f32",
    "image_pad_reflect_16_chw_f32",
    "image_pad_reflect_16_hwc_u8",
    "image_pad_symmetric_16_chw_f32",
    "image_pad_symmetric_16_hwc_u8",
    "image_pad_clamp_16_chw_f32",
    "image_pad_clamp_16_hwc_u8",
    "image_pad_fill_16_chw_f32",
    "image_pad_fill_16_hwc_u8",
    "image_pad_wrap_16_chw_f32",
    "image_pad_wrap_16_hwc_u8",
    "image_pad_reflect_1_chw_f32",
    "image_pad_reflect_1_hwc_u8",
    "image_pad_reflect_4_chw_f32",
    "image_pad_reflect_4_hwc_u8",
    "image_pad_reflect_32_chw_f32",
    "image_pad_reflect_32_hwc_u8",
    "image_pad_reflect_16_chw_f16",
    "image_pad_reflect_16_chw_u8",
    "image_crop_rows_64",
    "image_crop_rows_256",
    "image_crop_rows_1024",
    "image_crop_rows_4096",
    "image_mirror_rows_64",
    "image_mirror_rows_256",
    "image_mirror_rows_1024",
    "image_mirror_rows_4096",
    "image_head_window_f16",
    "image_crop_chw_f32_1MiB",
    "image_crop_chw_f32_2MiB",
    "image_mirror_chw_f32_1MiB",
    "image_mirror_chw_f32_2MiB",
    "image_pad_reflect_16_chw_f32_1MiB",
    "image_pad_reflect_16_chw_f32_2MiB",
]


def test_names_are_stable():
    assert [case.name for case in CASES.values()] == NAMES


def test_importing_the_table_loads_neither_the_package_nor_numba():
    program = "import sys, benchmarks.cases; print(sorted({'fastops', 'numba'} & set(sys.modules)))"
    root = Path(__file__).parents[2]
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
    elif case.suite == "images":
        assert 100e3 <= full * np.dtype(case.dtype).itemsize <= 2.2e6
    else:
        assert full == small if case.suite == "latency" else full > 10_000_000
    assert case.suite != "ranges" or (full, small) == (case.full.shape[0], case.small.shape[0])


@pytest.mark.parametrize("name", CHAIN_CASES)
def test_chain_gives_what_numpy_gives(name):
    chain = CHAIN_CASES[name]
    assert chain.name == name
    data = chain.data(chain.small)
    plan = chain.plan(fo, chain.small)
    expected = result_of(chain, data, plan)
    assert plan(data).tobytes() == expected.tobytes()
    out = np.full(plan.shape, 77, chain.dtype)
    plan(data, out)
    assert out.tobytes() == expected.tobytes()
    assert np.prod(chain.full) * np.dtype(chain.dtype).itemsize < 128e6


def test_a_version_without_a_chain_says_so():
    with pytest.raises(NotImplementedError, match="cases has no plan of rot90_hwc_u8"):
        CHAIN_CASES["rot90_hwc_u8"].plan(sys.modules["benchmarks.cases"], (2, 3, 3))


@pytest.mark.parametrize("is_small", [True, False])
@pytest.mark.parametrize("name", WINDOWS_CASES)
def test_windows_are_what_numpy_cuts(name, is_small):
    case = WINDOWS_CASES[name]
    assert case.name == name
    drawn = case.draw(is_small)
    drawn.out[...] = 77
    result = case.call(fo, is_small=is_small)()
    np.testing.assert_array_equal(result, expected_windows(drawn), strict=True)
    np.testing.assert_array_equal(case.draw(is_small).starts, drawn.starts)


@pytest.mark.parametrize("name", COMPILED_CASES)
def test_compiled_pads_are_numpys(name):
    data = compiled_data(name)
    expected = np.pad(data, COMPILED_PAD, "reflect")
    for pad in (compiled_pad(fo), pad_by_hand()):
        np.testing.assert_array_equal(pad(data, COMPILED_PAD, 3), expected, strict=True)


def test_a_version_without_windows_says_so():
    older = sys.modules["benchmarks.cases"]
    with pytest.raises(NotImplementedError, match="cases has no windows"):
        WINDOWS_CASES["windows_inside_u8"].call(older, is_small=True)
    with pytest.raises(NotImplementedError, match="cases has no windows"):
        compiled_pad(older)


@pytest.mark.parametrize("operator", DIFFERENT_OPERATORS)
def test_cache_misses_are_calls_that_differ(operator):
    calls = different_calls(fo, operator)
    first = 0 if operator == "range" else 1
    assert len({repr(call.args[first:]) for call in calls}) == len(calls) == 10_000
    for call in calls[::1111]:
        assert sum(array.size for array in outputs_of(call())) in (64, 140)
