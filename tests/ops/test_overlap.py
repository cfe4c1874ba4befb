"""`out` that overlaps data, itself or another out in any way: as if it did not, or an `OutputError`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

import fastops as fo

Array = np.ndarray[Any, Any]

BYTES = 120
MODES = ["wrap", "clamp", "fill", "reflect", "symmetric"]


@st.composite
def views(draw: st.DrawFn, memory: Array, dtype: str, shape: Sequence[int]) -> Array:
    """Views of memory: any place, any byte strides, negative and 0 too, that stay inside."""
    width = np.dtype(dtype).itemsize
    room = BYTES - width
    strides = []
    for extent in shape:
        most = room // max(extent - 1, 1)
        stride = draw(st.sampled_from([0, 1, width, 2 * width, extent * width, 7]) | st.integers(0, most))
        stride = min(stride, most)
        room -= stride * max(extent - 1, 0)
        strides.append(stride)
    offset = draw(st.integers(0, room))
    for i, extent in enumerate(shape):
        if draw(st.booleans()):
            offset += strides[i] * max(extent - 1, 0)
            strides[i] = -strides[i]
    return as_strided(memory[offset : offset + width].view(dtype), shape, strides)


def bytes_of(view: Array, memory: Array) -> list[int]:
    """The bytes of memory of each element, as often as an element has them."""
    first = view.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    places = [first]
    for extent, stride in zip(view.shape, view.strides, strict=True):
        places = [place + k * stride for place in places for k in range(extent)]
    return [place + k for place in places for k in range(view.itemsize)]


def check(call: Any, outs: list[Array], expected: list[Array], memory: Array) -> None:
    """A call writes what is expected into its outs, and nothing else; or their bytes overlap, and it writes nothing."""
    written = [place for out in outs for place in bytes_of(out, memory)]
    before = memory.copy()
    if len(set(written)) < len(written):
        with pytest.raises(fo.OutputError, match=r"bytes of its own|overlap each other"):
            call()
        written = []
    else:
        call()
        for out, values in zip(outs, expected, strict=True):
            assert out.tobytes() == values.tobytes()
    outside = np.ones(BYTES, bool)
    outside[written] = False
    np.testing.assert_array_equal(memory[outside], before[outside])


def fresh_memory() -> Array:
    return np.arange(1, BYTES + 1).astype(np.uint8)


dtypes = st.sampled_from(["u1", "<u2", "V3", "f4"])
shapes = st.lists(st.integers(1, 4), min_size=1, max_size=3)


@settings(max_examples=200, deadline=None)
@given(st.data(), dtypes, shapes)
def test_slice(data: st.DataObject, dtype: str, shape: list[int]) -> None:
    memory = fresh_memory()
    size = [data.draw(st.integers(0, 4)) for _ in shape]
    source = data.draw(views(memory, dtype, shape))
    out = data.draw(views(memory, dtype, size))
    start = [data.draw(st.integers(-5, 5)) for _ in shape]
    stride = [data.draw(st.integers(-2, 2)) for _ in shape]
    mode = data.draw(st.sampled_from(MODES))
    plan = fo.plan.slice(shape, start, size, stride, mode=mode)
    expected = fo.slice(source.copy(), start, size, stride, mode=mode)
    if data.draw(st.booleans()):
        # A prepared plan takes other outputs unchecked: this one must not be among them.
        for _ in range(2):
            plan(source, out=np.empty_like(expected))
        check(lambda: plan(source, out=out), [out], [expected], memory)
    else:
        check(lambda: fo.slice(source, start, size, stride, mode=mode, out=out), [out], [expected], memory)


@settings(max_examples=150, deadline=None)
@given(st.data(), dtypes, shapes, st.permutations(range(3)))
def test_strided_slice_into_its_own_memory(data: st.DataObject, dtype: str, shape: list[int], order: list[int]) -> None:
    memory = fresh_memory()
    source = data.draw(views(memory, dtype, shape))
    strides = [data.draw(st.sampled_from([1, -1])) for _ in shape]
    bits = [1] * len(shape)
    ends = {"begin_mask": bits, "end_mask": bits}
    expected = fo.strided_slice(source.copy(), bits, bits, strides, **ends)
    # The same memory, transposed where the extents allow it.
    turned = source.transpose([axis for axis in order if axis < len(shape)])
    out = turned if turned.shape == source.shape else source
    check(lambda: fo.strided_slice(source, bits, bits, strides, **ends, out=out), [out], [expected], memory)


@settings(max_examples=200, deadline=None)
@given(st.data(), dtypes, st.lists(st.integers(0, 3), min_size=1, max_size=10), st.integers(1, 3), st.booleans())
def test_variadic_split(data: st.DataObject, dtype: str, lengths: list[int], n: int, is_first: bool) -> None:
    memory = fresh_memory()
    order = slice(None, None, 1 if is_first else -1)
    axis = 0 if is_first else 1
    source = data.draw(views(memory, dtype, (min(sum(lengths), 12), n)[order]))
    rest = source.shape[axis]
    lengths = [min(length, rest - min(sum(lengths[:i]), rest)) for i, length in enumerate(lengths)]
    if data.draw(st.booleans()):
        # Parts of one array, in another order: none overlaps another one.
        whole = data.draw(views(memory, dtype, source.shape))
        outs = [part[::-1] for part in np.split(whole, np.cumsum(lengths)[:-1], axis)]
    else:
        outs = [data.draw(views(memory, dtype, (length, n)[order])) for length in lengths]
    expected = [part.copy() for part in fo.variadic_split(source.copy(), axis, lengths)]
    check(lambda: fo.variadic_split(source, axis, lengths, out=outs), outs, expected, memory)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from(["i8", "u16", "f32"]), st.integers(0, 9))
def test_range(data: st.DataObject, output_type: str, count: int) -> None:
    memory = fresh_memory()
    expected = fo.range(0, count, 1, output_type)
    out = data.draw(views(memory, expected.dtype.str, (count,)))
    check(lambda: fo.range(0, count, 1, output_type, out=out), [out], [expected], memory)
