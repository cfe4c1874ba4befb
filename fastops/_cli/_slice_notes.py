"""What may surprise in calls of slice and variadic_split: pure functions of their attributes and a shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from fastops import plan
from fastops._cli._words import Block, describe_axis, describe_plan, maps_of, numbered
from fastops._drawings._text import draw_axis
from fastops._errors import counted
from fastops._geometry._numbers import as_index, as_indices
from fastops._geometry._sample_mode import SampleMode, as_mode
from fastops._lowering._axes import resolve_axes
from fastops._lowering._splits import MOST_PARTS


def explain_slice(
    shape: Sequence[int],
    start: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int] | None = None,
    *,
    axes: Sequence[int] | None = None,
    mode: Any = SampleMode.STRICT_BOUNDS,
    fill_value: Any = None,
) -> list[Block]:
    """Return a block for the call, then one for each axis.

    Raises what the operator raises where the call is wrong.
    """
    made = plan.slice(shape, start, size, stride, axes=axes, mode=mode)
    sample_mode = as_mode("mode", mode)
    named = resolve_axes("axes", range(len(shape)) if axes is None else axes, len(shape))
    strides = (1,) * len(named) if stride is None else stride
    written = dict(zip(named, zip(start, strides, size, strict=True), strict=True))
    notes, outside = [], []
    for k, extent in enumerate(shape):
        before, behind = count_outside(*written[k], extent) if k in written else (0, 0)
        outside.append(before + behind)
    if made.size == 0:
        notes.append("the result is empty: nothing is read, wherever it starts")
    elif sample_mode is not SampleMode.STRICT_BOUNDS and not any(outside):
        notes.append(f"mode {sample_mode.name.lower()} never applies: all coordinates are in bounds")
    elif sample_mode is SampleMode.FILL:
        filled = made.size - prod(n - k for n, k in zip(made.shape, outside, strict=True))
        value = "zero, the default" if fill_value is None else f"{fill_value}"
        notes.append(f"{filled} of {made.size} elements are the fill value: {value}")
    unnamed = [k for k in range(len(shape)) if k not in written]
    if unnamed:
        listed = ", ".join(map(str, unnamed))
        notes.append(f"axes does not name {'axis' if len(unnamed) == 1 else 'axes'} {listed}: taken whole")
    blocks = [Block(describe_plan("slice", made), tuple(notes))]
    for k, axis in enumerate(maps_of(made)):
        own = note_slice_axis(axis.extent, *written[k], sample_mode) if k in written and made.size else ()
        picture = tuple(draw_axis(axis)) if made.size else ()
        blocks.append(Block(describe_axis(k, axis, is_read=made.size > 0), own, picture))
    return blocks


def count_outside(start: int, stride: int, count: int, extent: int) -> tuple[int, int]:
    """Return how many of the coordinates ``start + y * stride`` lie before an axis, and how many behind it.

    Examples
    --------
    >>> count_outside(-2, 1, 9, 5)
    (2, 2)
    """
    if stride < 0:
        return count_outside(extent - 1 - start, -stride, count, extent)[::-1]
    if stride == 0:
        return (count if start < 0 else 0), (count if start >= extent else 0)
    before = min(count, max(0, -(start // stride)))
    return before, count - min(count, max(0, -((start - extent) // stride)))


def note_slice_axis(extent: int, start: int, stride: int, size: int, mode: SampleMode) -> tuple[str, ...]:
    """Return notes on an axis that has outputs."""
    notes = []
    if start < 0:
        notes.append(f"start {start} is not counted from the end: it lies {-start} before the axis")
    before, behind = count_outside(start, stride, size, extent)
    if before or behind:
        notes.append(f"{before} of {size} coordinates lie before the axis, {behind} behind it")
        if before + behind == size and mode is SampleMode.CLAMP:
            notes.append("no coordinate is inside: clamp repeats the edge")
        if extent == 1 and mode is not SampleMode.FILL:
            notes.append(f"an axis of length 1 reads its one index everywhere in mode {mode.name.lower()}")
    if size == 1 and stride != 1:
        notes.append(f"stride {stride} has no effect: there is one output")
    elif stride == 0:
        notes.append(f"stride 0 repeats one coordinate {size} times")
    return tuple(notes)


def explain_variadic_split(shape: Sequence[int], axis: int, split_lengths: Sequence[int]) -> list[Block]:
    """Return a block for the call, then one for each part and its axis.

    Raises what the operator raises where the call is wrong.
    """
    parts = plan.variadic_split(shape, axis, split_lengths)
    named, lengths = as_index("axis", axis), as_indices("split_lengths", split_lengths, MOST_PARTS)
    k = named % len(shape)
    notes = [f"axis {named} counts from the end: axis {k}"] if named < 0 else []
    blocks = [Block(f"variadic_split: {tuple(shape)} -> {counted(len(parts), 'part')} along axis {k}", tuple(notes))]
    first = 0
    for i, (part, length) in enumerate(zip(parts, lengths, strict=True)):
        count = part.axes[k].count
        own = [f"-1 in split_lengths is resolved to {count}, what the others leave"] if length == -1 else []
        if count == 0:
            own.append("the part has length 0")
        reads = numbered(first, first + count - 1, "index", "indices") if count else "nothing"
        blocks.append(Block(f"part {i}: shape {part.shape}, {reads} of axis {k}", tuple(own)))
        first += count
    return blocks
