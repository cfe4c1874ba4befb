"""The caller's output: each reason to refuse it before a byte is written, and outputs that overlap data or each other.

An output may be any array whose elements share no byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.lib.stride_tricks import as_strided

import fastops as fo
from fastops._arrays import _outputs
from fastops._settings import PARALLEL_BYTES


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


def test_many_interleaved_outputs_are_not_compared_in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    n, compared = 3000, []
    data, memory = np.arange(4 * n).reshape(4, n), np.zeros((4, n + 1), np.int64)
    outs = [memory[:, k : k + 1] for k in range(n)]
    share_memory = _outputs.share_memory
    monkeypatch.setattr(_outputs, "share_memory", lambda *pair: compared.append(0) or share_memory(*pair))
    fo.variadic_split(data, 1, [1] * n, out=outs)
    np.testing.assert_array_equal(memory[:, :n], data)
    with pytest.raises(fo.OutputError, match="out must hold arrays that do not overlap each other"):
        fo.variadic_split(data, 1, [1] * n, out=[*outs[:-1], outs[5]])
    assert len(compared) < 3 * n


Array = np.ndarray[Any, Any]

BYTES = 120
MODES = ["wrap", "clamp", "fill", "reflect", "symmetric"]

dtypes = st.sampled_from(["u1", "<u2", "V3", "f4"])
shapes = st.lists(st.integers(1, 4), min_size=1, max_size=3)
# The least bytes of a result: kernels release the GIL from 64 KiB on, and use threads from PARALLEL_BYTES on.
limits = st.sampled_from([0] * 6 + [1 << 16, PARALLEL_BYTES])


@st.composite
def views(draw: st.DrawFn, memory: Array, dtype: str, shape: Sequence[int]) -> Array:
    """Draw a view within memory, of any offset and byte strides, also negative ones and 0; half of them packed."""
    width = np.dtype(dtype).itemsize
    room = len(memory) - width
    strides = [0] * len(shape)
    is_packed = draw(st.booleans())
    span = width * draw(st.sampled_from([1, 1, 2])) if is_packed else width
    for axis in draw(st.permutations(range(len(shape)))):
        extent = shape[axis]
        most = room // max(extent - 1, 1)
        stride = span
        if not is_packed:
            stride = draw(st.sampled_from([span, 0, 1, width, 2 * width, 7]) | st.integers(0, most))
        stride = min(stride, most)
        room -= stride * max(extent - 1, 0)
        span = max(stride * extent, width)
        strides[axis] = stride
    offset = draw(st.integers(0, room))
    for i, extent in enumerate(shape):
        if draw(st.booleans()):
            offset += strides[i] * max(extent - 1, 0)
            strides[i] = -strides[i]
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


def memory_of(count: int) -> Array:
    """Return bytes that differ from their neighbours."""
    return (np.arange(1, count + 1) % 251).astype(np.uint8)


def lengthen(draw: st.DrawFn, shape: list[int], dtype: str, least: int) -> int:
    """Make an axis so long that an array of this shape has at least ``least`` bytes; return the axis."""
    axis = draw(st.integers(0, len(shape) - 1))
    others = int(np.prod(shape)) // shape[axis] * np.dtype(dtype).itemsize
    shape[axis] = max(shape[axis], -(-least // others))
    return axis


@settings(max_examples=120, deadline=None)
@given(st.data(), dtypes, shapes, limits)
def test_slice(data: st.DataObject, dtype: str, shape: list[int], least: int) -> None:
    draw = data.draw
    start = [draw(st.integers(-5, 5)) for _ in shape]
    stride = [draw(st.integers(-2, 2)) for _ in shape]
    size = [draw(st.integers(1 if least else 0, 4)) for _ in shape]
    if least:
        lengthen(draw, shape, dtype, least)
        lengthen(draw, size, dtype, least)
    memory = memory_of(BYTES + 3 * least)
    source, out = draw(views(memory, dtype, shape)), draw(views(memory, dtype, size))
    mode = draw(st.sampled_from(MODES))
    expected = fo.slice(source.copy(), start, size, stride, mode=mode)
    plan = fo.plan.slice(shape, start, size, stride, mode=mode)
    call = lambda out: fo.slice(source, start, size, stride, mode=mode, out=out)  # noqa: E731
    if draw(st.booleans()):
        call = lambda out: plan(source, out=out)  # noqa: E731
    check(lambda: call(out), [out], [expected], memory)


@settings(max_examples=140, deadline=None)
@given(st.data(), dtypes, shapes, st.permutations(range(3)), limits)
def test_strided_slice(data: st.DataObject, dtype: str, shape: list[int], order: list[int], least: int) -> None:
    draw = data.draw
    begin, end = ([draw(st.integers(-5, 5)) for _ in shape] for _ in range(2))
    strides = [draw(st.sampled_from([1, 1, -1, 2, -3])) for _ in shape]
    bits = [draw(st.sampled_from([0, 1, 1])) for _ in shape]
    if least:
        # Read each axis from end to end, and only the long axis by strides other than 1 and -1.
        axis = lengthen(draw, shape, dtype, 3 * least)
        bits = [1] * len(shape)
        strides = [max(-1, min(stride, 1)) if i != axis else stride for i, stride in enumerate(strides)]
    memory = memory_of(BYTES + 7 * least)
    source = draw(views(memory, dtype, shape))
    turned = source.transpose([axis for axis in order if axis < len(shape)])
    if is_own := draw(st.booleans()):
        # The output is the source itself, transposed if its shape stays the same.
        bits, strides = [1] * len(shape), [max(-1, min(stride, 1)) for stride in strides]
    call = lambda source, out=None: fo.strided_slice(  # noqa: E731
        source, begin, end, strides, begin_mask=bits, end_mask=bits, out=out
    )
    expected = call(source.copy())
    own = turned if is_own and turned.shape == source.shape else source
    out = own if is_own else draw(views(memory, dtype, expected.shape))
    check(lambda: call(source, out), [out], [expected], memory)


@settings(max_examples=120, deadline=None)
@given(st.data(), st.lists(st.integers(0, 3), min_size=1, max_size=10), st.integers(1, 3), limits)
def test_variadic_split(data: st.DataObject, lengths: list[int], n: int, least: int) -> None:
    draw = data.draw
    if least:
        lengths = [max(length, 1) for length in lengths[:4]]
        lengths = [length * -(-least // (sum(lengths) * n)) for length in lengths]
    else:
        lengths = [min(length, 12 - min(sum(lengths[:i]), 12)) for i, length in enumerate(lengths)]
    dtype, axis = draw(dtypes), draw(st.sampled_from([0, 1]))
    shape_of = lambda length: (length, n) if axis == 0 else (n, length)  # noqa: E731
    memory = memory_of(BYTES + 3 * least)
    source = draw(views(memory, dtype, shape_of(sum(lengths))))
    if draw(st.booleans()):
        # The outputs are reversed parts of one array, which do not overlap.
        whole = draw(views(memory, dtype, source.shape))
        outs = [part[::-1] for part in np.split(whole, np.cumsum(lengths)[:-1], axis)]
    else:
        outs = [draw(views(memory, dtype, shape_of(length))) for length in lengths]
    expected = [part.copy() for part in fo.variadic_split(source.copy(), axis, lengths)]
    check(lambda: fo.variadic_split(source, axis, lengths, out=outs), outs, expected, memory)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["i8", "u16", "f32"]), st.integers(0, 9), st.sampled_from([0, 0, 0, PARALLEL_BYTES]))
def test_range(data: st.DataObject, output_type: str, count: int, least: int) -> None:
    memory = memory_of(BYTES + 4 * least)
    count += least
    expected = fo.range(0, count, 1, output_type)
    out = data.draw(views(memory, expected.dtype.str, (count,)))
    check(lambda: fo.range(0, count, 1, output_type, out=out), [out], [expected], memory)


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
