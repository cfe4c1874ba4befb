"""The arguments of calls of `fastops.windows`: arrays and numbers are read and checked together.

All windows read one array, or each window reads an array of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray, as_int64, plain_values
from fastops._arrays._inputs import as_source, check_equal
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError, counted, shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._blocks import AxisChunks, Chunks, Range
from fastops._geometry._composition import plans_of_channels
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._planned_output import Box, PlannedOutput
from fastops._geometry._range_and_windows import WindowsGeometry, maps_of_window
from fastops._geometry._sample_mode import SampleMode, checked_fill
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._bounds import resolve_axes, resolve_axis_of

#: Returns the plan of windows for data of a shape.
PlanOf = Callable[[tuple[int, ...]], WindowsGeometry]


class WindowsArguments(NamedTuple):
    """The arguments of a call of windows, except data, ``out`` and the arguments that the plan has.

    Attributes
    ----------
    starts, items : array_like or None
    strides : array_like or None
        The strides of each window, if they are not those of the plan.
    fill_value : object
    channel_axis : int
    wanted : Normalization or None
        How elements are converted; its ``axis`` is an axis of the result, not of data.
    chunks, flip : object
    are_named : bool
        True if the caller has named the axes.
    """

    starts: Any
    strides: Any = None
    items: Any = None
    fill_value: Any = None
    channel_axis: int = -1
    wanted: Normalization | None = None
    chunks: Any = None
    flip: Any = None
    are_named: bool = True


class CallWindows(NamedTuple):
    """All windows of a call, with arguments that are read and checked.

    Attributes
    ----------
    plan : WindowsGeometry
    arrays, pins : tuple
        The arrays that windows read, from `as_source`: one array for all, or one for each window.
    is_list : bool
        True if each window has its own array.
    starts : ndarray of int64
        A row for each window.
    strides : ndarray of int64, or None
        A row for each window, if they are not those of the plan.
    items : ndarray of int64, or None
        One for each window.
    """

    plan: WindowsGeometry
    arrays: tuple[AnyArray, ...]
    pins: tuple[Any, ...]
    is_list: bool
    starts: AnyArray
    strides: AnyArray | None
    items: AnyArray | None

    def source_of(self, n: int) -> AnyArray:
        """Return the array that window n reads."""
        if self.is_list:
            return self.arrays[n]
        return self.arrays[0] if self.items is None else self.arrays[0][self.items[n]]

    def plan_of(self, n: int) -> Geometry:
        """Return the geometry of window n; raises for coordinates that its mode does not allow."""
        shape = self.source_of(n).shape
        return geometry_of(maps_of_window(self.plan, shape, self.starts[n].tolist(), self.strides_of(n)))

    def strides_of(self, n: int) -> tuple[int, ...]:
        """Return the strides of window n."""
        return self.plan.stride if self.strides is None else tuple(self.strides[n].tolist())


def read_windows(data: Any, plan_of: PlanOf, arguments: WindowsArguments, *, is_list: bool) -> CallWindows:
    """Return the windows of an array, or of a list of arrays; raise if arrays or numbers do not fit each other."""
    read = [as_source(each) for each in (tuple(data) if is_list else (data,))]
    arrays = tuple([array for array, _ in read])
    if is_list:
        check_equal("array", "dtype", [array.dtype for array in arrays])
        check_equal("array", "rank", [array.ndim for array in arrays])
    plan = plan_of(arrays[0].shape)
    if arguments.fill_value is not None:
        checked_fill(plan.mode, arguments.fill_value)
    wanted = arguments.wanted
    if wanted is not None and wanted.axis in (0, -1 - len(plan.shape)) and len(wanted.mean) + len(wanted.std) > 2:
        raise AttributeValueError.about("normalize", "name an axis of a window: axis 0 counts windows", wanted.axis)
    k, strides = len(plan.axes), None
    starts = as_int64("starts", arguments.starts, (None, k), "one coordinate for each window and axis that has starts")
    n = len(starts)
    if arguments.strides is not None:
        strides = as_int64("stride", arguments.strides, (n, k), "one stride for each window and axis that has starts")
    if arguments.flip is not None:
        plan, starts, strides = _mirrored(plan, starts, strides, arguments)
    if is_list:
        _check_extents(plan, arrays)
        if len(arrays) != n:
            rule = f"have {counted(len(arrays), 'row')}, one for each array of data"
            raise AttributeValueError.about("starts", rule, n)
    if plan.items is (arguments.items is None):
        rule = "be given: the plan has items" if plan.items else "be given for plans with items only"
        raise AttributeValueError.about("items", rule, arguments.items)
    items = as_int64("items", arguments.items, (n,), "one for each window") if plan.items else None
    return CallWindows(plan, arrays, tuple([pin for _, pin in read]), is_list, starts, strides, items)


def _check_extents(plan: WindowsGeometry, arrays: Sequence[AnyArray]) -> None:
    """Raise unless all arrays have the same extents along the axes that windows take whole."""
    for axis, extent in enumerate(arrays[0].shape):
        for n, array in enumerate(arrays if axis not in plan.axes else ()):
            if array.shape[axis] != extent:
                rule = f"have extent {shown(extent)} along axis {axis}, which windows take whole, also in array {n}"
                raise AttributeValueError.about("data", rule, array.shape)


def check_item(windows: CallWindows, n: int) -> None:
    """Raise if window n reads an item that data does not have."""
    if windows.items is not None:
        item, extent = int(windows.items[n]), windows.arrays[0].shape[0]
        if not 0 <= item < extent:
            rule = f"be in 0..{extent - 1}" if extent else "be left out: data has no items"
            raise OutOfBoundsError.about(f"items[{n}]", rule, item, 0, extent)


def check_window(windows: CallWindows, n: int) -> None:
    """Raise if window n reads an item that data does not have, or coordinates that the mode does not allow."""
    check_item(windows, n)
    plan = windows.plan
    starts, shape = tuple(windows.starts[n].tolist()), windows.source_of(n).shape
    for axis, start, stride, count in zip(plan.axes, starts, windows.strides_of(n), plan.size, strict=True):
        extent = shape[axis - int(plan.items)]
        try:
            AxisMap.create(extent, start, stride, count, plan.mode)
        except OutOfBoundsError as found:
            if extent == 0:
                rule = f"be 0 on an empty axis, as in window {n}"
                raise OutOfBoundsError.about("size", rule, count, axis, extent) from None
            raise OutOfBoundsError.about(f"starts[{n}]", found.rule, starts, axis, extent) from None


def planned_windows(windows: CallWindows, arguments: WindowsArguments) -> PlannedOutput:
    """Return the output of all windows of one array; raises if one is wrong."""
    plan, n = windows.plan, len(windows.starts)
    for i in range(n):
        check_window(windows, i)
    fills, channels, shape = int(plan.mode is SampleMode.FILL), None, (n, *plan.shape)
    if is_listed(arguments.fill_value):
        channels = 1 + channel_of(plan, arguments.channel_axis)
        fills = shape[channels]
    return PlannedOutput(shape, plan.source_shape, WindowBoxes(windows, channels), None, fills)


class WindowBoxes:
    """Windows as boxes of an output: one for each window, or for each channel of it if channels have fill values."""

    def __init__(self, windows: CallWindows, channels: int | None = None) -> None:
        self._windows = windows
        self._channels = channels

    def __dask_tokenize__(self) -> Any:
        windows = self._windows
        numbers = (windows.starts, windows.strides, windows.items)
        return windows.plan, self._channels, *[None if each is None else each.tobytes() for each in numbers]

    def __iter__(self) -> Iterator[Box]:
        return self.within([(0, n) for n in (len(self._windows.starts), *self._windows.plan.shape)])

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
        """Return the geometry of a window, with an axis of length 1 before the window's own axes."""
        windows, plan = self._windows, self._windows.plan
        shape = plan.source_shape
        first = [] if windows.items is None else [AxisMap.create(shape[0], int(windows.items[n]), 1, 1)]
        own = maps_of_window(plan, shape[len(first) :], windows.starts[n].tolist(), windows.strides_of(n))
        return geometry_of([*first, *own], (1, *plan.shape), shape)

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:  # noqa: ARG002
        """Return the lengths of chunks: each has about as many elements as the largest chunk of the source."""
        plan = self._windows.plan
        lengths = [max(own) for own in chunks]
        own = [min(n, max(length, 1)) for n, length in zip(plan.shape, lengths[int(plan.items) :], strict=True)]
        return [max(prod(lengths) // max(prod(own), 1), 1), *own]


# Objects of other libraries that NumPy can read as arrays, such as images of Pillow, have one of these attributes or a
# buffer. NumPy also looks for these attributes on the object itself, but reading one there may copy an image: look into
# its ``__dict__`` instead.
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")


def is_list_of_arrays(data: Any) -> bool:
    """True for a list or a tuple of arrays, or of objects that NumPy reads as arrays: each window reads its own."""
    if not isinstance(data, list | tuple) or not data:
        return False
    first = data[0]
    # NumPy scalars and bytes do not count as arrays, although NumPy reads them as arrays.
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


def is_varied(stride: Any) -> bool:
    """True for strides of each window: an array of two dimensions, or a list that begins with a list."""
    rank = getattr(stride, "ndim", None)
    if type(rank) is int:
        return rank > 1
    return isinstance(stride, list | tuple) and len(stride) > 0 and is_listed(stride[0])


def channel_of(plan: WindowsGeometry, channel_axis: int) -> int:
    """Return the axis of a window that an axis of data becomes."""
    axis = resolve_axis_of(plan.source_shape, "channel_axis", channel_axis)
    if plan.items and axis == 0:
        raise AttributeValueError.about("channel_axis", "not be axis 0, which items index", channel_axis)
    return axis - int(plan.items)


# Coordinates of mirrored windows must be smaller than this, so that int64 holds their sums.
_LARGEST = 1 << 62

_RULE = "hold axes, or booleans"


def as_flips(flip: Any) -> AnyArray:
    """Return the caller's flips as an array of booleans or of axes."""
    # The array of a long range may not fit in memory.
    values = as_one_or_more("flip", flip) if type(flip) is range else plain_values("flip", flip)
    try:
        flips = np.asarray(values, order="C")
    except (MemoryError, ValueError) as error:
        # The lists have different lengths, or the copy of a broadcast array does not fit in memory.
        raise AttributeValueError.about("flip", _RULE, flip) from error
    if flips.shape == (0,):
        return np.zeros(0, np.int64)
    if flips.dtype.kind not in "biu":
        raise DTypeError.about("flip", _RULE, flip)
    return flips


def read_flips(plan: WindowsGeometry, flip: Any, n: int, *, are_named: bool) -> AnyArray:
    """Return which axes of n windows are mirrored: a row of booleans for each window, or one row for all of them."""
    k, own = len(plan.axes), as_flips(flip)
    if own.dtype.kind != "b":
        named = resolve_axes("flip", as_one_or_more("flip", own), len(plan.source_shape))
        if not set(named) <= set(plan.axes):
            raise AttributeValueError.about("flip", "name axes that windows have starts for", flip)
        return np.array([[axis in named for axis in plan.axes]], np.bool_)
    shape = own.shape
    if shape == (n, k):
        return own
    if shape not in ((), (n,)):
        raise AttributeValueError.about("flip", f"have shape ({n},) or ({n}, {k}), or name axes", shape)
    if k != 1 and not are_named:
        rule = f"have shape ({n}, {k}) where axes are not named: one boolean for each window and axis"
        raise AttributeValueError.about("flip", rule, shape)
    # One boolean for each window is for the last of the axes, the width of images.
    rows = np.zeros((own.size, k), np.bool_)
    rows[:, k - 1 :] = own.reshape(-1, 1)
    return rows


def _mirrored(
    plan: WindowsGeometry, starts: AnyArray, strides: AnyArray | None, arguments: WindowsArguments
) -> tuple[WindowsGeometry, AnyArray, AnyArray | None]:
    """Return the plan, starts and strides of windows that read backwards along the axes that ``flip`` names."""
    flips = read_flips(plan, arguments.flip, len(starts), are_named=arguments.are_named)
    longest = max(map(abs, plan.stride), default=0) if strides is None else int(_largest(strides))
    # Compute with Python integers, because the strides of a plan may be too large for floats.
    if int(_largest(starts)) + max(plan.size, default=0) * max(longest, 1) >= _LARGEST:
        rule = "keep all coordinates within 2^62 where windows are mirrored"
        raise OutOfBoundsError.about("starts", rule, arguments.starts)
    if strides is None and len(flips) == 1:
        # Kernels are faster where all windows have one stride.
        axes = list(zip(flips[0].tolist(), plan.size, plan.stride, strict=True))
        reach = [(n - 1) * stride if is_flipped else 0 for is_flipped, n, stride in axes]
        own = tuple([-stride if is_flipped else stride for is_flipped, _, stride in axes])
        return plan._replace(stride=own), starts + np.array(reach, np.int64), None
    by = np.array(plan.stride, np.int64) if strides is None else strides
    last = starts + (np.array(plan.size, np.int64) - 1) * by
    return plan, np.where(flips, last, starts), np.where(flips, -by, by)


def _largest(numbers: AnyArray) -> float:
    return float(np.abs(numbers, dtype=np.float64).max(initial=0))
