"""Hypothesis strategies: plans, layouts and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from fastops import SampleMode
from fastops.plan import SlicePlan
from tests.helpers.chains import draw_stages

MODES = list(SampleMode)

# One dtype of each width that the kernel knows as a cell, and of each kind of block: in two cells, and in a memcpy.
DTYPES = [np.dtype(code) for code in ("u1", "u2", "f4", "f8", "c16", "V3", "V5", "S7", "V12", "V24", "V40")]

LAYOUTS = ["C", "F", "negative", "strided", "permuted", "unaligned", "broadcast"]


def plans() -> st.SearchStrategy[SlicePlan]:
    """Plans of all modes, with axes that are split, reordered, merged, added and dropped; small enough to be drawn."""
    drawn = st.randoms(use_true_random=False).map(lambda chosen: draw_stages(chosen, 1)[0].plan)
    return drawn.filter(lambda plan: all(abs(getattr(axis, "start", 0)) < 99 for axis in plan.axes))


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
