"""What cases have in common: the attributes of views and pads, and NumPy's way to the same result."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import Size

# The modes of `fastops.slice` by NumPy's names.
NUMPY_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}
NUMPY_MODES["symmetric"] = "symmetric"


def view_attributes(index: tuple[slice, ...], _size: Size) -> dict[str, Any]:
    """Return the arguments of ``strided_slice`` that read ``data[index]``."""
    return {
        "begin": [part.start or 0 for part in index],
        "end": [part.stop or 0 for part in index],
        "strides": [1 if part.step is None else part.step for part in index],
        "begin_mask": [int(part.start is None) for part in index],
        "end_mask": [int(part.stop is None) for part in index],
    }


def view_of(index: tuple[slice, ...], data: NDArray[Any], _size: Size) -> NDArray[Any]:
    """Return ``data[index]``."""
    return data[index]


def pad_attributes(mode: str, axes: tuple[int, ...], size: Size) -> dict[str, Any]:
    """Return the arguments of ``slice`` that pad axes by the size's amount on both sides."""
    padded = [size.shape[axis] + 2 * size.amount for axis in axes]
    return {"start": [-size.amount] * len(axes), "size": padded, "axes": list(axes), "mode": mode}


def padded(mode: Any, axes: tuple[int, ...], data: NDArray[Any], size: Size) -> NDArray[Any]:
    """Return data, padded by NumPy."""
    widths = [(0, 0)] * data.ndim
    for axis in axes:
        widths[axis] = (size.amount, size.amount)
    return np.pad(data, widths, mode)


def pad_functions(mode: str, axes: tuple[int, ...] = (-2, -1)) -> tuple[Any, Any]:
    """Return the ``attributes`` and the ``expected`` of a case that pads."""
    return partial(pad_attributes, mode, axes), partial(padded, NUMPY_MODES[mode], axes)
