"""Calls of plans, and of windows, on data of any kind: arrays, tensors, arrays of dask, files, or a list of these.

Also here: windows that are mirrored, and windows as the boxes of a planned output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from operator import add
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._conversions import (
    Normalization,
    channel_axis_of,
    check_channels,
    find_conversion,
    read_normalization,
    with_axis,
)
from fastops._arrays._dtypes import AnyArray, plain_values
from fastops._arrays._fill_values import Element, encode_fills
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError, shown
from fastops._execution._execute import ENTRY, ZEROS, create_call, execute, execute_checked, words_of
from fastops._execution._kinds import find_kind
from fastops._execution._planned_kind import DataCall
from fastops._execution._windows import (
    CallWindows,
    PlanOf,
    WindowsArguments,
    channel_of,
    check_window,
    read_rows,
    read_windows,
    run_windows,
)
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._blocks import AxisChunks, Chunks, Range
from fastops._geometry._composition import plans_of_channels
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._planned_output import Box, PlannedOutput
from fastops._geometry._range_and_windows import WindowsGeometry, window_of
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._bounds import resolve_axes
from fastops._settings import STREAM_BYTES


def run_geometry(
    geometry: Geometry,
    data: ArrayLike,
    out: Any,
    fill_value: Any,
    kept: list[Any],
    wanted: Normalization | None = None,
    chunks: Any = None,
) -> Any:
    """Run one plan on data; ``kept`` holds its words once they are made, and the axis along which its channels lie."""
    outs = None if out is None else (out,)
    try:
        words, results = kept[0], None
        if words is None:
            words = kept[0] = words_of((geometry,))
        if fill_value is None and chunks is None and wanted is None and not ENTRY.was_large:
            # A call of `execute`, without the time of a call of Python.
            found = ENTRY.run(outs, data, words, None, ZEROS, None, 0, STREAM_BYTES, 0, 0)
            if type(found) is tuple:
                return found[0]
        conversion = None
        if wanted is not None:
            if kept[1] is None:
                kept[1] = channel_axis_of(geometry)
            wanted = with_axis(wanted, kept[1])
            if type(data) is np.ndarray:
                conversion = find_conversion(wanted, data.dtype, out, len(geometry.shape))
        is_plain = chunks is None and (fill_value is None or geometry.fills < 2 or type(fill_value) is Element)
        if is_plain and (wanted is None or conversion is not None):
            results = execute(words, data, outs, fill_value, None, conversion)
        if results is not None:
            return results[0]
        kind = None if type(data) is np.ndarray and chunks is None else find_kind(data, chunks)
        if kind is not None:
            return kind.run(_call_of(geometry, fill_value, wanted, chunks), data, out)
        source, _pinned = as_source(data)
        if wanted is not None:
            conversion = find_conversion(wanted, source.dtype, out, len(geometry.shape))
            check_channels(conversion, geometry.shape)
        check_shape(geometry.source_shape, source.shape)
        is_written = fill_value is not None and type(fill_value) is not Element
        if is_written and (geometry.fills > 1 or is_listed(fill_value)):
            fill_value = Element(encode_fills(source.dtype, geometry.fills, fill_value))
        return execute_checked(create_call((geometry,)), source, outs, fill_value, conversion)[0]
    except FastopsError as error:
        error.add_context("plan", {})
        raise


def run_normalized(
    geometry: Geometry,
    data: ArrayLike,
    out: Any,
    fill_value: Any,
    kept: list[Any],
    normalize: Any,
    dtype: Any,
    chunks: Any,
) -> Any:
    """Run one plan on data, and convert the elements as ``normalize=`` and ``dtype=`` say."""
    try:
        wanted = read_normalization(normalize, dtype)
    except FastopsError as error:
        error.add_context("plan", {})
        raise
    return run_geometry(geometry, data, out, fill_value, kept, wanted, chunks)


def _call_of(geometry: Geometry, fill_value: Any, wanted: Normalization | None, chunks: Any) -> DataCall:
    """Return the call of a plan on data of other kinds."""

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        check_shape(geometry.source_shape, shape)
        return [PlannedOutput.of_geometry(geometry)]

    def run(array: Any, out: Any) -> Any:
        return run_geometry(geometry, array, out, fill_value, [None, None], wanted)

    return DataCall(run, lower, fill_value, wanted=wanted, chunks=chunks)


def check_shape(expected: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise for data of another shape than the source of a plan."""
    if shape != expected:
        raise AttributeValueError.about("data", f"have shape {shown(expected)}", shape)


def run_windows_geometry(
    geometry: WindowsGeometry,
    data: Any,
    starts: Any,
    items: Any,
    out: Any,
    fill_value: Any,
    normalize: Any = None,
    dtype: Any = None,
    chunks: Any = None,
) -> Any:
    """Run a plan of windows on data."""

    def plan_of(shape: tuple[int, ...]) -> WindowsGeometry:
        check_shape(geometry.source_shape, shape)
        return geometry

    try:
        wanted = read_normalization(normalize, dtype, -1)
        arguments = WindowsArguments(starts, items=items, fill_value=fill_value, wanted=wanted, chunks=chunks)
        return call_windows(data, out, plan_of, arguments)
    except FastopsError as error:
        error.add_context("plan", {})
        raise


# The attributes by which objects say that they are arrays, as those of other libraries and images of Pillow do. NumPy
# looks for them on objects too; asking an object for one may copy an image.
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")


def is_list_of_arrays(data: Any) -> bool:
    """True for a list or a tuple of arrays, by whatever protocol they are arrays: each window reads its own."""
    if not isinstance(data, list | tuple) or not data:
        return False
    first = data[0]
    # Scalars of NumPy are numbers, and bytes are text.
    if isinstance(first, np.ndarray | np.generic | bytes):
        return isinstance(first, np.ndarray)
    own = getattr(first, "__dict__", ())
    if any([hasattr(type(first), name) or name in own for name in _PROTOCOLS]):
        return True
    try:
        memoryview(first).release()
    except TypeError:
        return False
    return True


def call_windows(data: Any, out: Any, plan_of: PlanOf, arguments: WindowsArguments, *, is_list: bool = False) -> Any:
    """Return windows of data of any kind, or of a list of it."""
    is_array = type(data) is np.ndarray and arguments.chunks is None
    kind = None if is_array else find_kind(data[0] if is_list else data, arguments.chunks)

    def run(array: Any, out: Any) -> Any:
        return run_windows(read_windows(array, plan_of, arguments, is_list=is_list), arguments, out)

    if kind is None:
        return run(data, out)

    def lower(shape: tuple[Any, ...]) -> list[PlannedOutput]:
        # For a list of data, it is a tuple of shapes.
        stand_ins = list(map(_stand_in, shape)) if is_list else _stand_in(shape)
        return _planned(read_windows(stand_ins, plan_of, arguments, is_list=is_list), arguments)

    call = DataCall(run, lower, arguments.fill_value, True, False, is_list, arguments.wanted, arguments.chunks)
    return kind.run(call, data, out)


def _stand_in(shape: tuple[int, ...]) -> AnyArray:
    """Return an array of a shape that takes no memory: the checks of windows look at nothing else."""
    return np.broadcast_to(np.empty((), np.uint8), shape)


def _planned(windows: CallWindows, arguments: WindowsArguments) -> list[PlannedOutput]:
    """Return the output of all windows, or one for each window that has its own data; raises if one is wrong."""
    plan, n = windows.plan, len(windows.starts)
    for i in range(n):
        check_window(windows, i)
    fills, channels, shape = int(plan.mode is SampleMode.FILL), None, (n, *plan.shape)
    if is_listed(arguments.fill_value):
        if windows.is_list:
            rule = "be one value for a list of data that is not in memory"
            raise AttributeValueError.about("fill_value", rule, arguments.fill_value)
        channels = 1 + channel_of(plan, arguments.channel_axis)
        fills = shape[channels]
    if windows.is_list:
        return [PlannedOutput.of_geometry(windows.plan_of(i)._replace(fills=fills)) for i in range(n)]
    return [PlannedOutput(shape, plan.source_shape, WindowBoxes(windows, channels), None, fills)]


class WindowBoxes:
    """Windows as the boxes of an output: one each, or one for each channel of each if channels have fill values."""

    def __init__(self, windows: CallWindows, channels: int | None = None) -> None:
        self._windows = windows
        self._channels = channels
        numbers = (windows.starts, windows.strides, windows.items)
        self.token = (windows.plan, channels, *[None if each is None else each.tobytes() for each in numbers])

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield the windows that have a part in a region."""
        k, rank = self._channels, len(region)
        for n in range(*region[0]):
            plan = self._plan_of(n)
            if k is None:
                yield Box((n, *(0,) * (rank - 1)), plan)
                continue
            plans = plans_of_channels(plan, k)
            for y in range(*region[k]):
                yield Box((n, *[y if j == k else 0 for j in range(1, rank)]), plans[y])

    def _plan_of(self, n: int) -> Geometry:
        """Return the geometry of a window, with an axis of length 1 before its own."""
        windows, plan = self._windows, self._windows.plan
        shape = plan.source_shape
        first = [] if windows.items is None else [AxisMap.create(shape[0], int(windows.items[n]), 1, 1)]
        own = window_of(plan, windows.starts[n].tolist(), windows.strides_of(n)).axes(shape[len(first) :], plan.mode)
        return geometry_of([*first, *own], (1, *plan.shape), shape)

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:  # noqa: ARG002
        """Return chunks of windows: together they have as many elements as the chunks of the source."""
        plan = self._windows.plan
        lengths = [max(own) for own in chunks]
        own = [min(n, max(length, 1)) for n, length in zip(plan.shape, lengths[int(plan.items) :], strict=True)]
        return [max(prod(lengths) // max(prod(own), 1), 1), *own]


def is_varied(stride: Any) -> bool:
    """True for strides of each window: an array of two dimensions, or a list that begins with a list."""
    rank = getattr(stride, "ndim", None)
    if type(rank) is int:
        return rank > 1
    return isinstance(stride, list | tuple) and len(stride) > 0 and is_listed(stride[0])


# int64 holds starts and ends of windows up to here, with room for sums of them.
_LARGEST = 1 << 62

# So many starts are computed faster without NumPy.
_FEW = 256

_RULE = "hold axes, or booleans"


def mirror_windows(plan: WindowsGeometry, starts: Any, stride: Any, flip: Any, *, are_named: bool) -> tuple[Any, Any]:
    """Return starts and strides of windows that read the same, but backwards along the axes that ``flip`` names.

    The strides are those of all windows, unless windows differ in the axes that are mirrored. ``are_named`` is True if
    the caller has named the axes.
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
    """Return the distances to the new starts of axes of which some are mirrored, and their strides."""
    found = list(map(_mirror, plan.size, plan.stride, flips))
    return [way for way, _ in found], [stride for _, stride in found]


def _mirror(size: Any, stride: Any, flip: Any) -> tuple[Any, Any]:
    """Return the distance to the new start of an axis and its stride, of integers or of arrays."""
    return flip * (size - 1) * stride, (1 - 2 * flip) * stride


def _largest(numbers: AnyArray) -> int:
    if numbers.size <= _FEW:
        return max(map(abs, numbers.ravel().tolist()), default=0)
    return max(int(numbers.max()), -int(numbers.min()))


def as_flips(flip: Any) -> AnyArray:
    """Return the caller's flips as an array of booleans or of axes."""
    # A range may be longer than memory.
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
    """Return the axes of n windows that are mirrored: for all windows alike, or a row for each."""
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
        own[:, k - 1 :] = last.reshape(-1, 1)
    is_shared = len(own) == 1 or (len(own) > 0 and bool((own == own[0]).all()))
    return [bool(flip) for flip in own[0].tolist()] if is_shared else own
