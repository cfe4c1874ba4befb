"""Hypothesis strategies: plans, layouts and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from fastops import SampleMode
from fastops.plan import AxisMap, SlicePlan

MODES = list(SampleMode)

# One dtype of each width that the kernel knows as a cell, and of each kind of block: in two cells, and in a memcpy.
DTYPES = [np.dtype(code) for code in ("u1", "u2", "f4", "f8", "c16", "V3", "V5", "S7", "V12", "V24", "V40")]

LAYOUTS = ["C", "F", "negative", "strided", "permuted", "unaligned", "broadcast"]


@st.composite
def axis_maps(draw: st.DrawFn, extent: int, mode: SampleMode, largest: int = 9) -> AxisMap:
    """Maps of an axis that read what the mode allows."""
    count = draw(st.integers(0 if draw(st.booleans()) else 1, largest))
    if mode is SampleMode.STRICT_BOUNDS or (extent == 0 and mode is not SampleMode.FILL):
        if extent == 0:
            return AxisMap.create(0, 0, 1, 0)
        first, last = draw(st.integers(0, extent - 1)), draw(st.integers(0, extent - 1))
        stride = draw(st.integers(1, 4)) * (1 if last >= first else -1)
        return AxisMap.create(extent, first, stride, abs(last - first) // abs(stride) + 1)
    return AxisMap.create(extent, draw(st.integers(-25, 25)), draw(st.integers(-6, 6)), count, mode)


@st.composite
def plans(draw: st.DrawFn, largest_rank: int = 4, largest: int = 9) -> SlicePlan:
    """Plans with a mode an axis, and with axes of length 1 added and dropped on both sides."""
    shape = draw(
        st.lists(st.integers(0, 7) if draw(st.integers(0, 9)) == 0 else st.integers(1, 7), max_size=largest_rank)
    )
    axes = [draw(axis_maps(extent, draw(st.sampled_from(MODES)), largest)) for extent in shape]
    counts = [axis.count for axis in axes]
    for at in draw(st.lists(st.integers(0, len(counts)), max_size=2)):
        counts.insert(at, 1)
    source_shape = [extent for extent in shape if extent != 1 or draw(st.integers(0, 3))]
    for at in draw(st.lists(st.integers(0, len(source_shape)), max_size=1)):
        source_shape.insert(at, 1)
    return SlicePlan.create(axes, counts, source_shape)


def array_of(shape: tuple[int, ...], dtype: np.dtype[Any], layout: str, *, seed: int = 0) -> np.ndarray[Any, Any]:
    """An array of random bytes in a memory layout."""
    array = np.frombuffer(np.random.default_rng(seed).bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
    return lay_out(array, layout)


def lay_out(array: np.ndarray[Any, Any], layout: str) -> np.ndarray[Any, Any]:
    """A writeable array of the same elements in a memory layout ("broadcast": of element 0 of the first axis)."""
    shape, dtype = array.shape, array.dtype
    if array.ndim == 0 or array.size == 0 or layout == "C":
        return array.copy()
    if layout == "F":
        return array.copy(order="F")
    if layout == "broadcast":
        return np.broadcast_to(array[:1].copy(), shape)
    if layout == "permuted":
        return array.copy().swapaxes(0, -1).copy().swapaxes(0, -1)
    backwards = (slice(None, None, -1),) * array.ndim
    if layout == "negative":
        return array[backwards].copy()[backwards]
    if layout == "unaligned":
        target = np.frombuffer(bytearray(array.nbytes + 1), np.uint8)[1:].view(dtype).reshape(shape)
    else:
        target = np.zeros([2 * n + 1 for n in shape], dtype)[(slice(1, None, 2),) * array.ndim]
    target[...] = array
    return target
