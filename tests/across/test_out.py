"""The caller's output: each reason to refuse it before a byte is written, and outputs that overlap data or each other.

An output may be any array whose elements share no byte, unless its axes are interleaved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import fastops as fo
from fastops.kernels._tables._gather import PARALLEL_BYTES
from tests.helpers.contract import listed
from tests.helpers.seeds import chooser, noted, scale


@pytest.mark.parametrize(
    ("out", "rule"),
    [
        (np.zeros(4), r"out must have shape \(3,\), got \(4,\)"),
        (np.zeros((3, 1)), r"out must have shape \(3,\), got \(3, 1\)"),
        (np.zeros(3, np.float32), "out must have dtype float64, got dtype"),
        (np.zeros(3, ">f8"), "out must have dtype float64, got"),
        (np.frombuffer(bytes(24)), "out must be writeable"),
        (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), "out must hold each element at bytes of its own"),
        ([0.0, 0.0, 0.0], "out must be an array of NumPy, without a mask, got"),
        (np.ma.zeros(3), "out must be an array of NumPy, without a mask, got"),
    ],
)
def test_an_out_that_does_not_fit_is_refused_before_a_byte_is_written(out: Any, rule: str) -> None:
    before = bytes(out.tobytes()) if isinstance(out, np.ndarray) else None
    data = np.arange(1.0, 4.0)
    calls: list[Callable[[Any], Any]] = [
        lambda out: fo.strided_slice(data, [0], [3], out=out),
        lambda out: fo.slice(data, [0], [3], out=out),
        lambda out: fo.variadic_split(data, 0, [3], out=[out]),
        lambda out: fo.range(0, 3, 1, "f64", out=out),
        lambda out: fo.plan.slice((3,), [0], [3])(data, out=out),
        lambda out: fo.plan.range(0, 3, 1, "f64")("f64", out=out),
        lambda out: fo.onnx.range(0, np.float64(3), 1, out=out),
        lambda out: fo.tensorflow.range(np.float64(3), out=out),
    ]
    for call in calls:
        for _ in range(2):
            with pytest.raises(fo.OutputError, match=rule):
                call(out)
            # A right output after a wrong one.
            call(np.zeros(3))
    assert before is None or out.tobytes() == before


def test_a_split_needs_an_output_for_each_part_and_names_the_wrong_one() -> None:
    for out in ([np.zeros(1)], [np.zeros(1)] * 3, np.zeros((2, 1)), None.__class__):
        with pytest.raises(fo.OutputError, match="out must be a list of 2 arrays"):
            fo.variadic_split(np.arange(2.0), 0, [1, 1], out=out)
    first = np.zeros((2, 5))
    with pytest.raises(fo.OutputError, match=r"out\[1\] must have shape \(1, 5\), got \(2, 5\)"):
        fo.variadic_split(np.ones((3, 5)), 0, [2, 1], out=[first, np.zeros((2, 5))])
    assert not first.any()


def test_outs_that_overlap_each_other_are_refused_and_interleaved_ones_are_not() -> None:
    data = np.arange(12.0).reshape(3, 4)
    buffer = np.zeros((3, 4))
    with pytest.raises(fo.OutputError, match="overlap each other"):
        fo.variadic_split(data, 1, [2, 2], out=[buffer[:, :2], buffer[:, 1:3]])
    assert not buffer.any()
    fo.variadic_split(data, 1, [2, 2], out=[buffer[:, 2:], buffer[:, :2]])
    np.testing.assert_array_equal(buffer, np.roll(data, 2, axis=1))


Array = np.ndarray[Any, Any]


def view_of(rng: Random, memory: Array, dtype: Any, shape: Sequence[int]) -> Array:
    """Draw a view within memory, of any offset and byte strides, also negative ones and 0; half of them packed."""
    width, strides = np.dtype(dtype).itemsize, [0] * len(shape)
    room, is_packed = len(memory) - width, rng.random() < 0.5
    span = width * rng.choice((1, 1, 2)) if is_packed else width
    for axis in rng.sample(range(len(shape)), len(shape)):
        extent = shape[axis]
        most = room // max(extent - 1, 1)
        strides[axis] = min(span if is_packed else rng.choice((span, 0, 1, width, 7, rng.randint(0, most))), most)
        room -= strides[axis] * max(extent - 1, 0)
        span = max(strides[axis] * extent, width)
    offset = rng.randint(0, room)
    for axis, extent in enumerate(shape):
        if rng.random() < 0.5:
            offset += strides[axis] * max(extent - 1, 0)
            strides[axis] *= -1
    return as_strided(memory[offset : offset + width].view(dtype), shape, strides)


def bytes_of(view: Array, memory: Array) -> Array:
    """Return the offset in memory of each byte of each element."""
    places = np.array(view.__array_interface__["data"][0] - memory.__array_interface__["data"][0])
    for extent, stride in zip((*view.shape, view.itemsize), (*view.strides, 1), strict=True):
        places = np.add.outer(places, stride * np.arange(extent))
    return places.ravel()


def check(call: Callable[[], Any], outs: list[Array], expected: list[Array], memory: Array) -> None:
    """Assert that a call writes the expected values and nothing else, or refuses its outputs and writes nothing."""
    times = np.bincount(np.concatenate([bytes_of(out, memory) for out in outs]), minlength=len(memory))
    before = memory.copy()
    refusal = None
    try:
        call()
    except fo.OutputError as error:
        refusal = error
    if times.max() > 1 or refusal is not None:
        assert refusal is not None
        assert re.fullmatch(r"out(\[\d+\])?", refusal.attribute)
        assert refusal.rule in ("hold each element at bytes of its own", "hold arrays that do not overlap each other")
        # fastops may refuse outputs with interleaved axes even if their elements do not overlap.
        assert times.max() > 1 or not all(map(lie_apart, outs)), "outs that do not overlap were refused"
        times[:] = 0
    else:
        for out, values in zip(outs, expected, strict=True):
            assert out.tobytes() == values.tobytes()
    np.testing.assert_array_equal(memory[times == 0], before[times == 0])


def lie_apart(array: Array) -> bool:
    """True if the stride of each axis is at least the span of the axes with smaller strides."""
    span = array.itemsize
    for stride, n in sorted((abs(stride), n) for stride, n in zip(array.strides, array.shape, strict=True) if n > 1):
        if stride < span:
            return False
        span += stride * (n - 1)
    return True


def draw_call(rng: Random, shape: Sequence[int], dtype: str) -> Callable[..., Any]:
    """Draw a call for data of a shape; slices and plans keep the length of axes of more than 4 elements."""
    kind, rank = rng.choice(("slice", "plan", "flip", "split", "range")), len(shape)
    if kind == "range" and dtype == "<u2":
        return partial(lambda n, _, out=None: fo.range(0, n, 1, "u16", out=out), shape[0])
    if kind == "split":
        axis = rng.randrange(rank)
        cuts = sorted([rng.randint(0, shape[axis]) for _ in "ab"])
        return partial(fo.numpy.split, indices_or_sections=cuts, axis=axis)
    if kind == "flip":
        bits = [1] * rank
        steps = [rng.choice((1, -1)) for _ in shape]
        return partial(fo.strided_slice, begin=bits, end=bits, strides=steps, begin_mask=bits, end_mask=bits)
    start, stride = [[rng.randint(-most, most) for _ in shape] for most in (5, 2)]
    size = [n if n > 4 else rng.randint(1, n) if max(shape) > 4 else rng.randint(0, 4) for n in shape]
    mode: Any = rng.choice(("wrap", "clamp", "fill", "reflect", "symmetric"))
    if kind == "slice":
        return partial(fo.slice, start=start, size=size, stride=stride, mode=mode)
    return fo.plan.slice(shape, start, size, stride, mode=mode)


def test_outputs_that_overlap_data_and_each_other() -> None:
    for k in range(scale(440, 10_000)):
        rng = chooser(f"out {k}")
        # Kernels release the GIL from 64 KiB on, and use threads from PARALLEL_BYTES on.
        dtype, least = rng.choice(("u1", "<u2", "V3", "f4")), rng.choice([0] * 6 + [1 << 16, PARALLEL_BYTES])
        shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        if least:
            others = prod(shape[1:]) * np.dtype(dtype).itemsize
            shape[0] = -(-least // others)
            rng.shuffle(shape)
        # All bytes differ from their neighbours.
        memory = np.resize(np.arange(251, dtype=np.uint8), 120 + 7 * least)
        source, call = view_of(rng, memory, dtype, shape), draw_call(rng, shape, dtype)
        results = call(source.copy())
        expected, own = listed(results), source.transpose(rng.sample(range(source.ndim), source.ndim))
        outs = [view_of(rng, memory, each.dtype, each.shape) for each in expected]
        if rng.random() < 0.4:
            # The output is the source itself, or outputs are parts of one array, in reverse.
            outs = [own] if own.shape == expected[0].shape else outs
            if len(expected) > 1:
                axis = next(k for k, n in enumerate(shape) if any(each.shape[k] != n for each in expected))
                cuts = np.cumsum([each.shape[axis] for each in expected])[:-1]
                outs = [part[::-1] for part in np.split(view_of(rng, memory, dtype, shape), cuts, axis)]
        with noted(k, call, dtype, shape, source.strides, [each.strides for each in outs]):
            given = outs if isinstance(results, list) else outs[0]
            check(partial(call, source, out=given), outs, expected, memory)


def test_strides_of_axes_of_one_index_may_be_any() -> None:
    for step in (2**59, 2**60, -(2**60)):
        data = np.arange(20, dtype=np.uint8).reshape(5, 4)[::step]
        assert abs(data.strides[0]) >= 2**61
        out = np.zeros((5, 4), np.uint8)[::step]
        assert fo.numpy.flip(data, out=out) is out
        assert np.array_equal(out, np.flip(data))
        assert np.array_equal(fo.numpy.pad(data, 1, "edge"), np.pad(data, 1, "edge"))
        assert np.array_equal(fo.lazy(data).normalize(0, 1).run(), data)
        assert np.array_equal(
            fo.windows([data], [[0, -1]], [1, 3], mode="reflect")[0], np.pad(data, ((0, 0), (1, 0)), "reflect")[:, :3]
        )
