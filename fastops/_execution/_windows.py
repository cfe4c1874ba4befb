"""What windows do when they are called: all are checked, then moved in one launch.

What grids of many patches do when they are called: they are windows, and starts are products of those of axes.

Windows that are mirrored: which of them, and the starts and strides by which they are read backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Any

import numpy as np

from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import encode_channels, encode_fill, is_channel_list, plain_values
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError
from fastops._execution._execute import (
    ZEROS,
    as_table,
    check_done,
    convert_whole,
    copy_whole,
    create_call,
    execute_checked,
)
from fastops._execution._window_arguments import (
    CallWindows,
    WindowsArguments,
    WindowSources,
    as_window_source,
    channel_of,
    check_item,
    check_window,
    is_varied,
    parts_of_channels,
    read_rows,
    read_windows,
)
from fastops._geometry._range_and_windows import WindowsGeometry
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._bounds import resolve_axes
from fastops._lowering._windows import Grid
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables._words import LARGEST


def run_windows(plan: WindowsGeometry, sources: WindowSources, arguments: WindowsArguments, out: Any) -> Any:
    """Return the windows of sources that have the shape of the plan, along the axes that windows take whole.

    Raises
    ------
    FastopsError
        As `fastops.windows` says, before a byte is written.
    """
    dtype, fill_value, wanted = sources.dtype, arguments.fill_value, arguments.wanted
    windows, fill, axis = read_windows(plan, sources, arguments), ZEROS, None
    if is_channel_list(fill_value, sources.arrays[0]):
        if wanted is not None:
            # Pixels with a value for each channel are no elements that could be converted as they are moved.
            return convert_whole(run_windows(plan, sources, arguments._replace(wanted=None), None), wanted, out)
        axis = channel_of(plan, arguments.channel_axis)
        fill = encode_channels(fill_value, dtype, plan.shape[axis])
    elif plan.mode is SampleMode.FILL:
        fill = encode_fill(dtype, fill_value)
    shape, result_type, conversion = (len(windows.starts), *plan.shape), dtype, None
    if wanted is not None:
        conversion, sources = _conversion_of(wanted, sources, out, shape)
        windows, fill = windows._replace(sources=sources), fill.astype(conversion.source)
        result_type = conversion.result
    is_empty = 0 in shape or not dtype.itemsize
    if is_empty:
        for n in range(len(windows.starts)):
            check_item(windows, n)
    target, _pinned = None, None
    if out is not None:
        target, _pinned = as_output(out, shape, dtype if conversion is None else getattr(out, "dtype", result_type))
    own = target
    if own is None or own.dtype != result_type or any([share_memory(own, source) for source in sources.arrays]):
        own = allocate(shape, result_type)
    if not is_empty:
        _move_all(windows, own, fill, axis, conversion)
    if target is None:
        return own
    if own is not target:
        np.copyto(target, own)
    return out


def _conversion_of(
    wanted: Normalization, sources: WindowSources, out: Any, shape: tuple[int, ...]
) -> tuple[Conversion, WindowSources]:
    """Return the conversion of a window, of a result of a shape, and the sources in the machine's order of bytes."""
    conversion = find_conversion(wanted, sources.dtype, out, len(shape))
    check_channels(conversion, shape)
    if conversion.axis > 0:
        # Kernels count the axes of one window.
        own = wanted._replace(axis=conversion.axis - 1)
        conversion = find_conversion(own, sources.dtype, out, len(shape) - 1)
    if sources.dtype != conversion.source:
        arrays = tuple([array.astype(conversion.source) for array in sources.arrays])
        sources = sources._replace(arrays=arrays)
    return conversion, sources


def _move_all(
    windows: CallWindows, target: AnyArray, fill: AnyArray, axis: int | None, conversion: Conversion | None
) -> None:
    """Write all windows; with an axis of a window, its outputs along that have a fill value each."""
    if axis is None:
        _move(windows, target, fill, conversion)
        return
    for part in parts_of_channels(windows, target, fill, axis):
        _move(*part, None)


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> None:
    """Write all windows, or raise for the first that is wrong."""
    if is_as_expected():
        left = _move_most(windows, target, fill, conversion)
    else:
        left = [*range(len(windows.starts))]
        for n in left:
            check_window(windows, n)
    for n in left:
        value = fill[0] if windows.plan.mode is SampleMode.FILL else None
        execute_checked(create_call((windows.plan_of(n),)), windows.source_of(n), (target[n],), value, conversion)


def _move_most(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> list[int]:
    """Write the windows that compiled code computes with, return the others, and raise for the first that is wrong."""
    numbers = (windows.starts, windows.strides, windows.items)
    words = None if conversion is None else conversion.words
    what = ((*windows.sources.arrays, target), fill, plan_words(windows.plan), *numbers, words, STREAM_BYTES)
    beyond: list[int] = []
    while (status := run_launches("move_windows", target.nbytes, *what, beyond[-1] + 1 if beyond else 0)) < 0:
        check_window(windows, -1 - status)
        beyond.append(-1 - status)
    for source in windows.sources.arrays if status else ():
        check_span(source.shape, source.strides, source.itemsize)
    check_done(status)
    return beyond


def plan_words(plan: WindowsGeometry) -> AnyArray:
    """Return the words of a plan (`kernels._tables._window`)."""
    axes, strides = plan.axes, plan.stride
    if plan.items:
        axes = tuple([axis - 1 for axis in axes])
    if strides and max(map(abs, strides)) > LARGEST:
        # Windows of larger strides are left out.
        strides = tuple([max(min(stride, LARGEST + 1), -LARGEST - 1) for stride in strides])
    return as_table((len(axes), plan.mode, *axes, *strides))


def run_grid(grid: Grid, source: AnyArray, out: Any, copy: Any, fill_value: object) -> Any:
    """Return the patches of an array, which reach beyond it: the result, which may be ``out``, is no view."""
    if copy is not True and copy is not None:
        reason = "a result written into out" if out is not None else "a result that reads out of bounds"
        rule = f"be True or None for {reason}" if copy is False else "be True, False or None"
        raise AttributeValueError.about("copy", rule, copy)
    target, _pinned = (
        (allocate(grid.shape, source.dtype), None) if out is None else as_output(out, grid.shape, source.dtype)
    )
    dense = target if target.flags.c_contiguous else allocate(grid.shape, source.dtype)
    windows = dense.reshape(grid.split_shape).transpose(np.argsort(grid.order))
    starts = np.stack(np.meshgrid(*grid.starts, indexing="ij"), -1).reshape(-1, len(grid.starts))
    run_windows(grid.windows, as_window_source(source), WindowsArguments(starts, fill_value=fill_value), windows)
    if dense is not target:
        copy_whole(dense, target)
    return target if out is None else out


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
