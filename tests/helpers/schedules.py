"""Schedules of a few axes, and what is read off their tables."""

from __future__ import annotations

from collections.abc import Sequence

from fastops import SampleMode
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, SlicePlan

ROWS, TILES, CROSSED, PIXELS = t.NO_PLANE, t.TILES, t.CROSSED, t.PIXELS

FAR = 10**6


def schedule(
    axes: Sequence[int | AxisMap],
    source: Sequence[int],
    *,
    out: Sequence[int] | None = None,
    width: int = 1,
    streams: bool = False,
) -> tuple[int, ...]:
    """The table of axes that are read as they are (a number is such an extent) from byte strides into byte strides."""
    plan = SlicePlan.create([AxisMap.whole(axis) if type(axis) is int else axis for axis in axes])
    out = contiguous_byte_strides(plan.shape, width) if out is None else out
    return create_schedule([plan.geometry], source, width, [out], streams=streams).table


def part_of(table: Sequence[int]) -> Sequence[int]:
    return table[t.HEADER_COLUMNS :]


def axes_of(table: Sequence[int]) -> list[tuple[int, int]]:
    """Counts and destination pitches of the axes, from the outermost to the innermost."""
    part = part_of(table)
    rows = [table[part[t.FIRST_AXIS] + k * t.AXIS_COLUMNS :] for k in range(part[t.AXES])]
    return [(row[t.COUNT], row[t.DST_PITCH]) for row in rows]


def mirrored(count: int) -> AxisMap:
    """A walk of a number of outputs."""
    return AxisMap.create(9, -2, 1, count, SampleMode.REFLECT)


def nothing(count: int) -> AxisMap:
    """An axis of fill values."""
    return AxisMap.create(9, 100, 1, count, SampleMode.FILL)
