"""Windows that are mirrored: which of them, and the starts and strides by which they are read backwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import plain_values
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._axes import resolve_axes

# Starts and ends of windows up to here, int64 holds with room for what is computed of them.
_LARGEST = 1 << 62

_RULE = "hold axes, or booleans"


def mirror_windows(
    starts: AnyArray, size: Sequence[int], strides: AnyArray, flips: AnyArray
) -> tuple[AnyArray, AnyArray]:
    """Return the starts and the strides of windows that read the same, backwards along the axes of ``flips``.

    All but the sizes are arrays of shape (N, k).
    """
    limits = [int(of) for each in (starts, strides) if each.size for of in (each.min(), each.max())]
    longest, widest = max(size, default=0), max(map(abs, limits[2:]), default=0)
    if max([*map(abs, limits), longest, longest * widest]) >= _LARGEST:
        raise OutOfBoundsError.about("starts", "keep all coordinates within 2^62 where windows are mirrored", starts)
    last = starts + (np.array(size, np.int64).reshape(-1) - 1) * strides
    return np.where(flips, last, starts), np.where(flips, -strides, strides)


def as_flips(flip: Any) -> AnyArray:
    """Return what callers write as an array, of booleans or of axes."""
    # A range is as long as it likes.
    values = as_one_or_more("flip", flip) if type(flip) is range else plain_values("flip", flip)
    try:
        flips = np.asarray(values)
    except ValueError as error:
        # Lists of several lengths.
        raise AttributeValueError.about("flip", _RULE, flip) from error
    if flips.shape == (0,):
        return np.zeros(0, np.int64)
    if flips.dtype.kind not in "biu":
        raise DTypeError.about("flip", _RULE, flip)
    return flips


def read_flips(flip: Any, n: int, axes: Sequence[int], rank: int, *, are_named: bool) -> AnyArray:
    """Return for each of n windows, and each of its axes, whether it is mirrored.

    ``are_named`` is True if the caller has named the axes.
    """
    k, own = len(axes), as_flips(flip)
    flips = np.zeros((n, k), np.bool_)
    if own.dtype.kind != "b":
        for axis in resolve_axes("flip", as_one_or_more("flip", own), rank):
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
