"""The caller's output: any strides, any overlap, and every reason to refuse it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from tests.helpers.strategies import LAYOUTS, lay_out

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout != "broadcast"])
def test_out_takes_any_strides(layout: str) -> None:
    data = np.arange(60).reshape(3, 4, 5)
    expected = np.pad(data, ((1, 1), (2, 0), (0, 3)), mode="reflect")
    out = lay_out(np.zeros(expected.shape, data.dtype), layout)
    assert fo.slice(data, [-1, -2, 0], expected.shape, mode="reflect", out=out) is out
    np.testing.assert_array_equal(out, expected)
    outs = [lay_out(np.zeros((3, 4, n), data.dtype), layout) for n in (2, 3)]
    results = fo.variadic_split(data, 2, [2, -1], out=outs)
    assert all(result is out for result, out in zip(results, outs, strict=True))
    np.testing.assert_array_equal(np.concatenate(outs, axis=2), data)


def _read_only(shape: tuple[int, ...]) -> Array:
    out = np.zeros(shape)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "rule"),
    [
        (np.zeros(4), r"out must have shape \(3,\), got \(4,\)"),
        (np.zeros((3, 1)), r"out must have shape \(3,\), got \(3, 1\)"),
        (np.zeros(3, np.float32), "out must have dtype float64, got dtype"),
        (np.zeros(3, ">f8"), "out must have dtype float64, got"),
        (_read_only((3,)), "out must be writeable"),
        (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), "out must hold each element at bytes of its own"),
        ([0.0, 0.0, 0.0], "out must be an array of NumPy, without a mask, got"),
        (np.ma.zeros(3), "out must be an array of NumPy, without a mask, got"),
    ],
)
def test_an_out_that_does_not_fit_is_refused_before_a_byte_is_written(out: Any, rule: str) -> None:
    before = bytes(out.tobytes()) if isinstance(out, np.ndarray) else None
    data = np.arange(1.0, 4.0)
    for call in (
        lambda: fo.strided_slice(data, [0], [3], out=out),
        lambda: fo.slice(data, [0], [3], out=out),
        lambda: fo.variadic_split(data, 0, [3], out=[out]),
        lambda: fo.range(0, 3, 1, "f64", out=out),
        lambda: fo.plan.slice((3,), [0], [3])(data, out=out),
    ):
        with pytest.raises(fo.OutputError, match=rule):
            call()
    assert before is None or out.tobytes() == before


@pytest.mark.parametrize("out", [[np.zeros(1)], [np.zeros(1)] * 3, np.zeros((2, 1)), None.__class__])
def test_split_wants_one_out_a_part(out: Any) -> None:
    with pytest.raises(fo.OutputError, match="out must be a list of 2 arrays"):
        fo.variadic_split(np.arange(2.0), 0, [1, 1], out=out)


def test_an_error_names_the_part_whose_out_is_wrong() -> None:
    with pytest.raises(fo.OutputError, match=r"out\[1\] must have shape \(1, 5\), got \(2, 5\)"):
        fo.variadic_split(np.zeros((3, 5)), 0, [2, 1], out=[np.zeros((2, 5)), np.zeros((2, 5))])


def test_outs_that_overlap_each_other_are_refused_and_interleaved_ones_are_not() -> None:
    data = np.arange(12.0).reshape(3, 4)
    buffer = np.zeros((3, 4))
    with pytest.raises(fo.OutputError, match="overlap each other"):
        fo.variadic_split(data, 1, [2, 2], out=[buffer[:, :2], buffer[:, 1:3]])
    assert not buffer.any()
    fo.variadic_split(data, 1, [2, 2], out=[buffer[:, 2:], buffer[:, :2]])
    np.testing.assert_array_equal(buffer, np.roll(data, 2, axis=1))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_an_out_that_overlaps_data_gives_the_same_answer(data: st.DataObject) -> None:
    draw = data.draw
    buffer = np.arange(draw(st.integers(20, 60)))
    n = draw(st.integers(1, 8))
    steps = st.sampled_from([-3, -2, -1, 1, 2, 3])

    def window() -> Array:
        step = draw(steps)
        reach = (n - 1) * abs(step) + 1
        first = draw(st.integers(0, len(buffer) - reach)) if reach <= len(buffer) else 0
        view = buffer[first : first + reach : abs(step)]
        return view if step > 0 else view[::-1]

    source, out = window(), window()
    m = len(out)
    mode = draw(st.sampled_from(["wrap", "clamp", "fill", "reflect", "symmetric"]))
    start, stride = draw(st.integers(-9, 9)), draw(steps)
    expected = fo.slice(source.copy(), [start], [m], [stride], mode=mode)
    outside = np.ones(len(buffer), bool)
    before = buffer.copy()
    fo.slice(source, [start], [m], [stride], mode=mode, out=out)
    np.testing.assert_array_equal(out, expected)
    offset = (out.__array_interface__["data"][0] - buffer.__array_interface__["data"][0]) // buffer.itemsize
    outside[[offset + k * (out.strides[0] // buffer.itemsize) for k in range(m)]] = False
    np.testing.assert_array_equal(buffer[outside], before[outside])


def test_outputs_beyond_memory_are_errors_in_microseconds() -> None:
    data = np.zeros(4, np.uint16)
    for size in (2**45, 2**62, 2**63, 2**70):
        with pytest.raises(
            fo.OutputError, match=f"the output must fit in memory as elements of 2 bytes, got \\({size},\\)"
        ):
            fo.slice(data, [0], [size], mode="wrap")
        with pytest.raises(fo.OutputError, match="the output must fit in memory"):
            fo.range(0, size, 1, "u16")
    with pytest.raises(fo.OutputError, match="the output must fit in memory"):
        fo.slice(np.zeros((2, 2)), [0, 0], [2**40, 2**40], mode="clamp")


def test_interleaved_elements_that_miss_each_other_are_taken() -> None:
    buffer = np.full(16, 255, np.uint8)
    out = np.lib.stride_tricks.as_strided(buffer, (2, 3), (3, 2))
    data = np.arange(6, dtype=np.uint8).reshape(2, 3)
    fo.strided_slice(data, [], [], out=out)
    np.testing.assert_array_equal(out, data)
    assert (buffer == 255).sum() == 10
    touching = np.lib.stride_tricks.as_strided(buffer, (3, 3), (4, 2))
    with pytest.raises(fo.OutputError, match="hold each element at bytes of its own"):
        fo.slice(data, [0, 0], [3, 3], mode="wrap", out=touching)


@pytest.mark.parametrize("n", [100, 3000])
def test_interleaved_outputs_are_compared_in_the_time_of_writing_them(n: int) -> None:
    data, memory = np.arange(4 * n).reshape(4, n), np.zeros((4, n + 1), np.int64)
    outs = [memory[:, k : k + 1] for k in range(n)]
    start = time.thread_time()
    fo.variadic_split(data, 1, [1] * n, out=outs)
    np.testing.assert_array_equal(memory[:, :n], data)
    with pytest.raises(fo.OutputError, match="out must hold arrays that do not overlap each other"):
        fo.variadic_split(data, 1, [1] * n, out=[*outs[:-1], outs[5]])
    assert time.thread_time() - start < 10
