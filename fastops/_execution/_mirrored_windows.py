"""Windows that are mirrored: which of them, and the starts and strides by which they are read backwards."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import plain_values
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError
from fastops._execution._window_checks import is_varied, read_rows
from fastops._geometry._windows_geometry import WindowsGeometry
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._axes import resolve_axes

# Starts and ends of windows up to here, int64 holds with room for what is computed of them.
_LARGEST = 1 << 62

# So many starts are faster without NumPy.
_FEW = 256

_RULE = "hold axes, or booleans"


def mirror_windows(plan: WindowsGeometry, starts: Any, stride: Any, flip: Any, *, are_named: bool) -> tuple[Any, Any]:
    """Return starts and strides of windows that read the same, backwards along the axes that ``flip`` says.

    The strides are those of all windows, unless some are mirrored where others are not. ``are_named`` is True if the
    caller has named the axes.
    """
    own_starts, varied = read_rows(len(plan.axes), starts, stride if is_varied(stride) else None)
    strides = np.array(plan.stride) if varied is None else varied
    longest = max(plan.size, default=0)
    if max(_largest(own_starts), longest, max(longest, 1) * _largest(strides)) >= _LARGEST:
        raise OutOfBoundsError.about("starts", "keep all coordinates within 2^62 where windows are mirrored", starts)
    flips = read_flips(plan, flip, len(own_starts), are_named=are_named)
    if varied is None and isinstance(flips, list) and own_starts.size <= _FEW:
        ways, shared = mirror_axes(plan, flips)
        return [list(map(add, row, ways)) for row in own_starts.tolist()], shared
    way, own_strides = _mirror(np.array(plan.size, np.int64), strides, np.array(flips))
    return own_starts + way, own_strides


def mirror_axes(plan: WindowsGeometry, flips: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Return the ways to the starts of axes of which some are mirrored, and their strides."""
    found = list(map(_mirror, plan.size, plan.stride, flips))
    return [way for way, _ in found], [stride for _, stride in found]


def _mirror(size: Any, stride: Any, flip: Any) -> tuple[Any, Any]:
    """Return the way to the start of an axis, and its stride, if it may be mirrored; of integers, or of arrays."""
    return flip * (size - 1) * stride, (1 - 2 * flip) * stride


def _largest(numbers: AnyArray) -> int:
    if numbers.size <= _FEW:
        return max(map(abs, numbers.ravel().tolist()), default=0)
    return max(int(numbers.max()), -int(numbers.min()))


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


def read_flips(plan: WindowsGeometry, flip: Any, n: int, *, are_named: bool) -> list[bool] | AnyArray:
    """Return which axes of all of n windows are mirrored; where that differs among windows, a row for each."""
    k = len(plan.axes)
    own = flip if type(flip) is int else as_flips(flip)
    if isinstance(own, int) or own.dtype.kind != "b":
        named = resolve_axes("flip", as_one_or_more("flip", own), len(plan.source_shape))
        if not set(named) <= set(plan.axes):
            raise AttributeValueError.about("flip", "name axes that windows have starts for", flip)
        return [axis in named for axis in plan.axes]
    shape = own.shape
    if shape != (n, k):
        if shape not in ((), (n,)):
            raise AttributeValueError.about("flip", f"have shape ({n},) or ({n}, {k}), or name axes", shape)
        if k != 1 and not are_named:
            rule = f"have shape ({n}, {k}) where axes are not named: one boolean for each window and axis"
            raise AttributeValueError.about("flip", rule, shape)
        # One boolean a window is about the last of the axes, which is the width of images.
        last, own = own, np.zeros((own.size, k), np.bool_)
        if k:
            own[:, -1] = last
    is_shared = len(own) == 1 or (len(own) > 0 and bool((own == own[0]).all()))
    return [bool(flip) for flip in own[0].tolist()] if is_shared else own
