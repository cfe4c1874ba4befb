"""A case at a size as work to do: the data, what each output reads of it, and the memory that this touches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops
from benchmarks.cases import Case, Size

LINE_BYTES = 64

# An inner block of at least so many bytes that count is looked at byte by byte, once for each place in a line that it
# can begin at; what lies further out repeats it.
_BLOCK = 256
# Addresses that are computed at a time, to bound the memory that counting takes.
_AT_ONCE = 1 << 22


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
        """True if the axis is read as it is."""
        return (self.start, self.stride, self.count) == (0, 1, self.extent)

    @property
    def pads(self) -> tuple[int, int]:
        """Outputs before and after the axis itself; negative where it is cropped. For a stride of 1."""
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
    """What a contender has to do.

    Attributes
    ----------
    case : Case
    size : Size
    data : ndarray
        For a range, which reads nothing: empty.
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
    def written_bytes(self) -> int:
        """Bytes of all outputs."""
        return sum(map(prod, self.shapes)) * self.dtype.itemsize

    def expected(self) -> list[NDArray[Any]]:
        """Return what NumPy gives, by the case's own definition."""
        result = self.case.expected(self.data if self.outputs else np.arange(self.size.shape[0]), self.size)
        return result if isinstance(result, list) else [result]

    def retyped(self, dtype: str) -> Work:
        """Return the same work on elements of another type: of the same bytes, or with an axis of parts last."""
        parts, rest = divmod(self.dtype.itemsize, np.dtype(dtype).itemsize)
        if rest or not parts:
            raise ValueError(f"elements of {self.dtype.itemsize} bytes are no {dtype}")
        outputs = self.outputs
        if parts > 1:
            outputs = tuple((*axes, Axis(parts, 0, 1, parts, "strict_bounds")) for axes in outputs)
        return replace(self, data=retype(self.data, dtype), outputs=outputs, dtype=np.dtype(dtype))


def retype(array: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Return a view of an array's bytes as another type, with one more axis where that is narrower."""
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


def touched_bytes(work: Work) -> int:
    """Return the bytes that the work moves: those of every line that it reads a byte of, and those that it writes."""
    return lines_read(work) * LINE_BYTES + work.written_bytes


def lines_read(work: Work) -> int:
    """Return how many cache lines hold a byte that the work reads, at the addresses that data has.

    Exact: lines that several rows or outputs share count once.
    """
    if not work.outputs:
        return 0
    low = np.lib.array_utils.byte_bounds(work.data)[0]
    first_line = low // LINE_BYTES
    span = np.lib.array_utils.byte_bounds(work.data)[1] - first_line * LINE_BYTES
    is_read = np.zeros(-(-span // LINE_BYTES), bool)
    for axes in work.outputs:
        _mark_lines(is_read, work.data, axes, work.data.__array_interface__["data"][0] - first_line * LINE_BYTES)
    return int(is_read.sum())


def _mark_lines(is_read: NDArray[np.bool_], data: NDArray[Any], axes: tuple[Axis, ...], base: int) -> None:
    """Set the lines that one output reads; ``base`` is the byte, from the first line on, of the first element."""
    offsets = []
    for axis, stride in zip(axes, data.strides, strict=True):
        used = np.unique(axis.sources())
        offsets.append(used[used >= 0] * stride)
    offsets.sort(key=lambda each: abs(int(each[-1] - each[0])) // max(len(each) - 1, 1) if len(each) else 0)
    # Elements begin a line, end one, or lie across two: their first and last bytes say which.
    block = np.array([0, *range(LINE_BYTES, data.itemsize - 1, LINE_BYTES), data.itemsize - 1])
    while offsets and len(block) < _BLOCK:
        block = _thinned(np.unique(np.add.outer(offsets.pop(0), block)))
    outer = np.full(1, base)
    for each in offsets:
        outer = np.add.outer(outer, each).ravel()
    for phase in np.unique(outer % LINE_BYTES):
        lines = np.unique((phase + block) // LINE_BYTES)
        starts = outer[outer % LINE_BYTES == phase] // LINE_BYTES
        at_once = max(_AT_ONCE // max(len(lines), 1), 1)
        for i in range(0, len(starts), at_once):
            is_read[np.add.outer(starts[i : i + at_once], lines)] = True


def _thinned(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rising offsets without those that lie in no line of their own, wherever the first line begins.

    Such is one between two that are at most a line apart: they are in the same line or in adjacent ones.
    """
    while len(offsets) > 2:
        is_kept = np.ones(len(offsets), bool)
        # Only every second one goes at a time, so that its neighbours stay.
        is_kept[1:-1:2] = (offsets[2:] - offsets[:-2])[::2] > LINE_BYTES
        if is_kept.all():
            break
        offsets = offsets[is_kept]
    return offsets


def row_bytes(work: Work) -> int:
    """Return the longest run of bytes that is contiguous both in data and in the outputs, in either direction.

    Of a pad: the longest run of the axis itself. Of several outputs: the shortest of their runs.
    """
    if not work.outputs:
        return work.written_bytes
    return min(_run_bytes(work.data, axes) for axes in work.outputs)


def _run_bytes(data: NDArray[Any], axes: tuple[Axis, ...]) -> int:
    run, direction = data.itemsize, 0
    for axis, byte_stride in reversed(list(zip(axes, data.strides, strict=True))):
        moved = byte_stride * axis.stride
        if axis.count == 1:
            continue
        if abs(moved) != run or direction * moved < 0:
            break
        direction = moved
        run *= min(axis.extent, axis.count)
        if not axis.is_view:
            # What the pad adds lies between this row and the next.
            break
    return run
