"""Windows of an array in all modes, by NumPy: no framework has a function of this kind that runs here."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.conformance._outcomes import Array

_PAD_MODES = {
    "wrap": "wrap",
    "clamp": "edge",
    "reflect": "reflect",
    "symmetric": "symmetric",
    "fill": "constant",
    "strict_bounds": "empty",
}


def padded_slice(
    data: Array, start: Any, size: Any, stride: Any, *, mode: str, axes: Any = None, fill_value: Any = 0
) -> Array:
    """Return what the windows read of what numpy.pad gives, so padded that they lie inside."""
    named = range(data.ndim) if axes is None else [range(data.ndim)[axis] for axis in axes]
    if len(set(named)) < len(named):
        raise ValueError(axes)
    positions = [np.arange(extent) for extent in data.shape]
    for axis, first, count, step in zip(named, start, size, stride, strict=True):
        positions[axis] = first + step * np.arange(count)
    if not all(x.size for x in positions):
        return np.empty([x.size for x in positions], data.dtype)
    pads = [(max(0, -x.min()), max(0, x.max() + 1 - d)) for x, d in zip(positions, data.shape, strict=True)]
    if mode == "strict_bounds" and np.any(pads):
        raise IndexError(start)
    values = {"constant_values": fill_value} if mode == "fill" else {}
    padded = np.pad(data, pads, _PAD_MODES[mode], **values)
    return padded[np.ix_(*(x + before for x, (before, _) in zip(positions, pads, strict=True)))]
