"""Windows that are mirrored: which of them, and the starts and strides by which they are read backwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import plain_values
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError
from fastops._geometry._numbers import is_listed
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._axes import resolve_axes

# Starts and ends of windows up to here, int64 holds with room for what is computed of them.
_LARGEST = 1 << 62


def mirror_windows(
    starts: AnyArray, size: Sequence[int], strides: AnyArray, flips: AnyArray
) -> tuple[AnyArray, AnyArray]:
    """Return the starts and the strides of windows that read the same, backwards along the axes of ``flips``.

    All but the sizes are arrays of shape (N, k).
    """
    limits = [int(of) for each in (starts, strides) if each.size for of in (each.min(), each.max())]
    steps = max(map(abs, limits[2:]), default=0) * max([n - 1 for n in size], default=0)
    if max([*map(abs, limits), steps]) >= _LARGEST if limits else False:
        raise OutOfBoundsError.about("starts", "keep all coordinates within 2^62 where windows are mirrored", starts)
    last = starts + (np.array(size, np.int64).reshape(-1) - 1) * strides
    return np.where(flips, last, starts), np.where(flips, -strides, strides)


def read_flips(flip: Any, n: int, axes: Sequence[int], rank: int, *, are_named: bool) -> AnyArray:
    """Return for each of n windows, and each of its axes, whether it is mirrored.

    ``are_named`` is True if the caller has named the axes.
    """
    k = len(axes)
    values = plain_values("flip", flip)
    own = np.asarray(values) if not is_listed(values) or len(values) else np.zeros(0, np.int64)
    flips = np.zeros((n, k), np.bool_)
    if own.dtype.kind != "b":
        if own.dtype.kind not in "iu":
            raise DTypeError.about("flip", "hold axes, or booleans", flip)
        for axis in resolve_axes("flip", as_one_or_more("flip", values), rank):
            if axis not in axes:
                raise AttributeValueError.about("flip", "name axes that windows have starts for", flip)
            flips[:, list(axes).index(axis)] = True
        return flips
    if own.shape == (n, k):
        return own
    if own.shape not in ((), (n,)):
        raise AttributeValueError.about("flip", f"have shape ({n},) or ({n}, {k}), or name axes", own.shape)
    if k != 1 and not are_named:
        rule = f"have shape ({n}, {k}) where axes are not named: one boolean for each window and axis"
        raise AttributeValueError.about("flip", rule, own.shape)
    # One boolean a window is about the last of the axes, which is the width of images.
    if k:
        flips[:, -1] = own
    return flips
