"""Views and pads as slices of arrays: what one who knows a library writes where it has no function for the work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.peers._work import Axis

Index = tuple[slice, ...]


def signed_index(axes: tuple[Axis, ...]) -> Index:
    """Return the slices that read data as the axes say, backwards where a stride is negative.

    An axis of stride 0 is read once: the result broadcasts along it.
    """
    return tuple(_signed(axis.start, axis.stride, axis.count) for axis in axes)


def forward_index(axes: tuple[Axis, ...]) -> tuple[Index, tuple[int, ...]]:
    """Return slices with positive strides only, and the axes to reverse after them."""
    slices, reversed_axes = [], []
    for i, axis in enumerate(axes):
        if axis.stride < 0 and axis.count > 1:
            reversed_axes.append(i)
            slices.append(_signed(axis.start + (axis.count - 1) * axis.stride, -axis.stride, axis.count))
        else:
            slices.append(_signed(axis.start, axis.stride, axis.count))
    return tuple(slices), tuple(reversed_axes)


def _signed(start: int, stride: int, count: int) -> slice:
    if stride == 0:
        return slice(start, start + 1, 1)
    stop = start + (count - 1) * stride + (1 if stride > 0 else -1)
    return slice(start, None if stop < 0 else stop, stride)


@dataclass(frozen=True)
class PadStep:
    """One part of a pad: ``out[target] = out[source]``, or the fill value where source is None."""

    target: Index
    source: Index | None


def pads_of(axes: tuple[Axis, ...]) -> list[tuple[int, int]]:
    """Return what is added before and after each axis.

    Raises
    ------
    ValueError
        An axis is cropped, or read at another stride than 1: no plain pad.
    """
    pads = [axis.pads for axis in axes]
    if any(axis.stride != 1 and not axis.is_whole for axis in axes) or any(min(each) < 0 for each in pads):
        raise ValueError("the axes are no plain pad")
    return pads


def centre_of(axes: tuple[Axis, ...]) -> Index:
    """Return the part of the output that is data itself."""
    pads = pads_of(axes)
    return tuple(slice(before, before + axis.extent) for (before, _), axis in zip(pads, axes, strict=True))


def pad_steps(axes: tuple[Axis, ...]) -> Iterator[PadStep]:
    """Give the steps that write what lies around the centre, in the order in which they can be taken.

    The last axis first, so that the axes before it copy rows that are complete.
    """
    centre = centre_of(axes)
    for i in reversed(range(len(axes))):
        sources = axes[i].sources().tolist()
        before = centre[i].start
        for start, stop in ((0, before), (centre[i].stop, axes[i].count)):
            for first, last in _runs(sources, start, stop):
                around = [*centre[:i], slice(first, last), *[slice(0, axis.count) for axis in axes[i + 1 :]]]
                target = tuple(around)
                if sources[first] < 0:
                    yield PadStep(target, None)
                    continue
                stride = sources[first + 1] - sources[first] if last - first > 1 else 1
                around[i] = _signed(before + sources[first], stride, last - first)
                yield PadStep(target, tuple(around))


def _runs(sources: list[int], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Give the parts of ``start:stop`` whose sources rise, fall or stay by one stride of -1, 0 or 1."""
    first, stride = start, None
    for y, (source, following) in enumerate(pairwise(sources[start:stop]), start):
        moved = following - source
        if (stride is None or moved == stride) and abs(moved) <= 1 and (source < 0) == (following < 0):
            stride = moved
        else:
            yield first, y + 1
            first, stride = y + 1, None
    if start < stop:
        yield first, stop
