"""A case at a size, as work for any library: data, the elements that outputs read, and the memory that is touched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops
from benchmarks.cases import Case, Size
from benchmarks.peers._race import CannotExpressError

LINE_BYTES = 64

# Offsets that are computed at a time, which bounds the memory that counting takes.
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Axis:
    """How an axis of data is read: output ``y`` reads ``start + y * stride``, under a mode of `fastops.slice`."""

    extent: int
    start: int
    stride: int
    count: int
    mode: str

    @property
    def is_view(self) -> bool:
        """True if every output reads in bounds."""
        return self.mode == "strict_bounds"

    @property
    def is_whole(self) -> bool:
        """True if the axis is read from its start to its end."""
        return (self.start, self.stride, self.count) == (0, 1, self.extent)

    @property
    def stop(self) -> int:
        """The coordinate that follows the last one that is read, in the direction of the stride."""
        return self.start + (self.count - 1) * self.stride + (1 if self.stride > 0 else -1)

    @property
    def pads(self) -> tuple[int, int]:
        """Outputs before and after the axis itself; negative where it is cropped. Right only for a stride of 1."""
        return -self.start, self.start + self.count - self.extent

    def sources(self) -> NDArray[np.int64]:
        """Return the index that each output reads, -1 for the fill value."""
        x = self.start + self.stride * np.arange(self.count)
        n = self.extent
        if self.mode == "clamp":
            return np.clip(x, 0, n - 1)
        if self.mode == "wrap":
            return x % n
        if self.mode == "fill":
            return np.where((x < 0) | (x >= n), -1, x)
        if self.mode == "reflect":
            x = x % max(2 * n - 2, 1)
            return np.minimum(x, 2 * n - 2 - x)
        if self.mode == "symmetric":
            x = x % (2 * n)
            return np.minimum(x, 2 * n - 1 - x)
        return x


@dataclass(frozen=True)
class Work:
    """A case at a size, as each contender (fastops or another library) has to do it.

    Attributes
    ----------
    case : Case
    size : Size
    data : ndarray
        Empty for a range, which reads nothing.
    outputs : tuple of tuple of Axis
        For each output, how it reads each axis of data; empty for a range.
    dtype : dtype
        Of data and outputs.
    """

    case: Case
    size: Size
    data: NDArray[Any]
    outputs: tuple[tuple[Axis, ...], ...]
    dtype: np.dtype[Any]

    @property
    def attributes(self) -> dict[str, Any]:
        """The operator's arguments, but for data and out."""
        return self.case.attributes(self.size)

    @property
    def kind(self) -> str:
        """One of range, split, view (all reads in bounds) and pad."""
        if self.case.operator in ("range", "variadic_split"):
            return "range" if self.case.operator == "range" else "split"
        return "view" if all(axis.is_view for axis in self.outputs[0]) else "pad"

    @property
    def axes(self) -> tuple[Axis, ...]:
        """How the one output reads data."""
        (axes,) = self.outputs
        return axes

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shape of each output."""
        return [tuple(axis.count for axis in axes) for axes in self.outputs] or [self.size.shape]

    @property
    def split(self) -> tuple[int, list[int]]:
        """The axis that is split, counted from 0, and the length of each part."""
        axis = self.attributes["axis"] % self.data.ndim
        return axis, [axes[axis].count for axes in self.outputs]

    @property
    def range(self) -> tuple[float, float, float]:
        """Start, stop and step of a range; for an integer type, stop is whole: one step behind the last element."""
        start, step = self.attributes["start"], self.attributes["step"]
        is_whole = self.dtype.kind in "iu"
        return start, start + step * self.size.shape[0] if is_whole else self.attributes["stop"], step

    @property
    def repeats(self) -> list[int] | None:
        """How often each axis is repeated, if the work is a tile or a broadcast of axes of length 1."""
        repeats = []
        for axis in self.axes:
            if axis.is_whole:
                repeats.append(1)
            elif axis.stride == 0 and axis.extent == 1:
                repeats.append(axis.count)
            elif axis.mode == "wrap" and axis.start == 0 and axis.stride == 1 and axis.count % axis.extent == 0:
                repeats.append(axis.count // axis.extent)
            else:
                return None
        return repeats if max(repeats) > 1 else None

    def pad(self, modes: dict[str, str]) -> tuple[list[tuple[int, int]], str]:
        """Return the pads before and after each axis, and the library's name of the mode, which ``modes`` gives.

        Raises
        ------
        CannotExpressError
            The library has no such mode, or the work is more than a pad.
        """
        mode = {axis.mode for axis in self.axes if not axis.is_view}.pop()
        pads = [axis.pads for axis in self.axes]
        if mode not in modes:
            raise CannotExpressError(f"has no pad in mode {mode}")
        if any(axis.stride != 1 and not axis.is_whole for axis in self.axes) or any(min(each) < 0 for each in pads):
            raise CannotExpressError("has no operator for this pad")
        return pads, modes[mode]

    def expected(self) -> list[NDArray[Any]]:
        """Return NumPy's result, by the case's own definition."""
        result = self.case.expected(self.data if self.outputs else np.arange(self.size.shape[0]), self.size)
        return result if isinstance(result, list) else [result]

    def retyped(self, dtype: str) -> Work:
        """Return the same work on elements of another type; if it is smaller, a new last axis counts the parts."""
        parts, rest = divmod(self.dtype.itemsize, np.dtype(dtype).itemsize)
        if rest or not parts:
            raise ValueError(f"elements of {self.dtype.itemsize} bytes are no {dtype}")
        outputs = self.outputs
        if parts > 1:
            outputs = tuple((*axes, Axis(parts, 0, 1, parts, "strict_bounds")) for axes in outputs)
        return replace(self, data=retype(self.data, dtype), outputs=outputs, dtype=np.dtype(dtype))

    def contiguous(self) -> Work:
        """Return the work; refuse data that is not C-contiguous, for a library that could only copy it first."""
        if not self.data.flags.c_contiguous:
            raise CannotExpressError("takes C-contiguous input only")
        return self


def retype(array: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Return a view of an array's bytes as another type, with one more axis if that type is narrower."""
    if array.itemsize == np.dtype(dtype).itemsize:
        return array.view(dtype)
    # A view may change the item size only along a contiguous last axis, such as this one of length 1.
    shape, strides = (*array.shape, 1), (*array.strides, array.itemsize)
    return np.lib.stride_tricks.as_strided(array, shape, strides).view(dtype)


def create_work(case: Case, size: Size) -> Work:
    """Return the work of a case at a size, with data of its own."""
    dtype = np.dtype(case.dtype)
    if not case.takes_data:
        return Work(case, size, np.empty(0, dtype), (), dtype)
    plans = getattr(fastops.plan, case.operator)(size.shape, **case.attributes(size))
    outputs = tuple(
        tuple(Axis(axis.extent, axis.start, axis.stride, axis.count, axis.mode.name.lower()) for axis in plan.axes)
        for plan in (plans if isinstance(plans, list) else [plans])
    )
    return Work(case, size, case.data(size), outputs, dtype)


def describe(work: Work) -> str:
    """Return the operator, the type and the shapes of some work."""
    shapes = ", ".join("x".join(map(str, shape)) for shape in work.shapes)
    data = "x".join(map(str, work.data.shape)) + " -> " if work.outputs else ""
    dtype = f"{work.dtype.itemsize}-byte structure" if work.dtype.names else work.dtype.name
    return f"{work.case.operator} {dtype} {data}{shapes}"


def touched_bytes(work: Work) -> int:
    """Return the bytes that some work must move: all that it writes, and the 64-byte lines that it reads a byte of."""
    return sum(map(prod, work.shapes)) * work.dtype.itemsize + LINE_BYTES * lines_read(work)


def lines_read(work: Work) -> int:
    """Return how many 64-byte lines of data are read."""
    if not work.outputs:
        return 0
    low, high = np.lib.array_utils.byte_bounds(work.data)
    is_read = np.zeros(high // LINE_BYTES - low // LINE_BYTES + 1, bool)
    for axes in work.outputs:
        # The distance in bytes from the start of the first line to the element at index 0, and for each axis the
        # distances from there to the indices that are read.
        first = work.data.__array_interface__["data"][0] - low // LINE_BYTES * LINE_BYTES
        offsets = [np.unique(axis.sources()) for axis in axes]
        offsets = [each[each >= 0] * stride for each, stride in zip(offsets, work.data.strides, strict=True)]
        offsets.sort(key=len)
        inner = [np.zeros(1, int)]
        while offsets and prod(map(len, inner)) * len(offsets[-1]) <= _AT_ONCE:
            inner.append(offsets.pop())
        block = reduce(np.add.outer, inner).ravel()
        for outer in product(*[each.tolist() for each in offsets]):
            at = block + (first + sum(outer))
            # An element may lie across two lines.
            is_read[at // LINE_BYTES] = is_read[(at + work.data.itemsize - 1) // LINE_BYTES] = True
    return int(is_read.sum())


Index = tuple[slice, ...]


def _span(axis: Axis) -> slice:
    """Return the slice that reads an axis: backwards for a negative stride, one element for a stride of 0."""
    if axis.stride == 0:
        return slice(axis.start, axis.start + 1, 1)
    return slice(axis.start, None if axis.stop < 0 else axis.stop, axis.stride)


def signed_index(axes: tuple[Axis, ...]) -> Index:
    """Return the slices that read data as the axes say. The result broadcasts along axes of stride 0."""
    return tuple(map(_span, axes))


def forward_index(axes: tuple[Axis, ...]) -> tuple[Index, tuple[int, ...]]:
    """Return slices with positive strides only, and the axes to reverse after them."""
    flipped = tuple([i for i, axis in enumerate(axes) if axis.stride < 0 and axis.count > 1])
    turned = [
        replace(axis, start=axis.start + (axis.count - 1) * axis.stride, stride=-axis.stride) if i in flipped else axis
        for i, axis in enumerate(axes)
    ]
    return signed_index(tuple(turned)), flipped
