"""What plans and tables mean, byte by byte and in Python: the interpreter of plans, and one of kernel tables.

Both give pairs (destination byte offset, source byte offset or None for the fill value), of which the first is the
definition and the second is read from the table as `fastops.kernels._gather_table` documents it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from fastops.kernels import _gather_table as t
from fastops.plan import SlicePlan

Pairs = list[tuple[int, int | None]]


def interpret_plan(plan: SlicePlan, byte_strides: Sequence[int], width: int, out_byte_strides: Sequence[int]) -> Pairs:
    """The element pairs of a plan, from `AxisMap.source`; every byte of each element."""
    long_steps = [step for n, step in zip(plan.shape, out_byte_strides, strict=True) if n != 1]
    pairs: Pairs = []
    for y in itertools.product(*(range(axis.count) for axis in plan.axes)):
        steps = iter(long_steps)
        dst = sum(at * next(steps) for at, axis in zip(y, plan.axes, strict=True) if axis.count != 1)
        indices = [axis.source(at) for at, axis in zip(y, plan.axes, strict=True)]
        inside = [i for i in indices if i is not None]
        src = sum(i * s for i, s in zip(inside, byte_strides, strict=True)) if len(inside) == len(indices) else None
        pairs += [(dst + b, None if src is None else src + b) for b in range(width)]
    return pairs


def interpret_table(table: Sequence[int], part_index: int = 0) -> Pairs:
    """The element pairs of one part of a table."""
    part = table[t.HEADER_COLUMNS + part_index * t.PART_COLUMNS :][: t.PART_COLUMNS]
    rows = [table[part[t.FIRST_AXIS] + k * t.AXIS_COLUMNS :][: t.AXIS_COLUMNS] for k in range(part[t.AXES])]
    pairs: Pairs = []
    for y in itertools.product(*(range(row[t.COUNT]) for row in rows)):
        dst = part[t.DST_OFFSET] + sum(at * row[t.DST_STEP] for at, row in zip(y, rows, strict=True))
        offsets = [_source_offset(row, at) for at, row in zip(y, rows, strict=True)]
        src = None if t.FILL in offsets else part[t.SRC_OFFSET] + sum(offsets)
        pairs += [(dst + b, None if src is None else src + b) for b in range(part[t.BLOCK])]
    return pairs


def _source_offset(row: Sequence[int], y: int) -> int:
    if row[t.KIND] == t.AFFINE:
        if y < row[t.LO]:
            return row[t.BEFORE]
        return row[t.AFTER] if y >= row[t.HI] else row[t.FIRST] + (y - row[t.LO]) * row[t.STEP]
    position = (row[t.START] + y * row[t.ADVANCE]) % row[t.PERIOD]
    return min(position, row[t.FOLD] - position) * row[t.INDEX_STEP]
