"""Plans as words: the int64 numbers that compiled code reads, in the layout of `kernels/_tables/_words.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice
from typing import NamedTuple, TypeAlias

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap, Map, Run, RunMap
from fastops._geometry._geometry import NO_AXIS, Geometry, extents_of, find_factors
from fastops._geometry._map_composition import read_from, runs_of, slots_of
from fastops._geometry._sample_mode import SampleMode
from fastops.kernels._arithmetic import circle_of, walk_of
from fastops.kernels._tables import _words as w

#: The most boxes into which a plan with several fill values is divided.
MOST_BOXES = 1 << 12


class Place(NamedTuple):
    """The place of an axis of a plan's result in an output.

    Attributes
    ----------
    axis : int
        The axis of the output.
    first, step : int
        The index of the output at which index 0 of the result stands, and the distance between neighbours.
    """

    axis: int
    first: int
    step: int


class Piece(NamedTuple):
    """A geometry, the number of the output that it writes, and the place of each axis; None for a whole output."""

    geometry: Geometry
    output: int
    places: tuple[Place, ...] | None = None


def to_words(source_shape: Sequence[int], shapes: Sequence[Sequence[int]], pieces: Sequence[Piece]) -> list[int]:
    """Return the words of pieces that make outputs of these shapes.

    Raises
    ------
    AttributeValueError
        The fill values divide a plan into too many boxes, or it has too many axes.
    """
    words: list[int] = []
    n_pieces, fills = 0, 0
    for piece in pieces:
        geometry, output, _ = piece
        first_axis = sum(map(len, shapes[:output]))
        fills = max(fills, geometry.fills)
        boxes = _boxes_of(geometry)
        n_pieces += len(boxes)
        for box in boxes:
            targets, extra = _targets_of(piece, box, first_axis)
            words += _piece_words(geometry, output, box, targets, extra)
    lengths = [*source_shape, *map(len, shapes), *chain.from_iterable(shapes)]
    return [n_pieces, len(shapes), len(source_shape), fills, w.HEADER_COLUMNS + len(lengths), *lengths, *words]


# A part of a result with at most one fill value: the map of each axis (None if all outputs of the part are the fill
# value), the number of outputs of each axis, the first of them, and the fill slot.
_Box: TypeAlias = tuple[Sequence[Map | None], Sequence[int], Sequence[int], int]

# For each axis: the axis of the outputs (numbered through all outputs), the first index along it, and the step.
_Targets: TypeAlias = list[tuple[int, int, int]]
_NOWHERE = (w.NO_AXIS, 0, 0)


def _piece_words(geometry: Geometry, output: int, box: _Box, targets: _Targets, extra: _Targets) -> list[int]:
    maps, counts, _, slot = box
    n = len(maps) + len(extra)
    if n > w.MOST_AXES:
        raise AttributeValueError.about("data", f"be read by at most {w.MOST_AXES} axes, with those of splits", n)
    factors = find_factors(extents_of(geometry), geometry.source_shape)
    # The windows of `windows_of`, as plain tuples, because these are made faster.
    reads = geometry.windows or [(axis, 0, step) for axis, step in factors or ()]
    axes: list[int] = []
    lists: list[int] = []
    for k, (own, window, target) in enumerate(zip(maps, reads, targets, strict=True)):
        if type(own) is AxisMap and max(own.extent, abs(own.start), abs(own.stride)) <= w.LARGEST:
            # The first columns of an axis are the fields of its map.
            axes += own
        else:
            extent, start, stride, mode, runs = _map_words(own)
            if runs:
                start, stride = (n - k) * w.AXIS_COLUMNS + len(lists), len(runs)
                begin = 0
                for length, first_read, pace in runs:
                    lists += (begin, w.FILL_RUN if first_read is None else first_read, pace)
                    begin += length
                lists += (counts[k], w.FILL_RUN, 0)
            axes += (extent, start, stride, counts[k], mode)
        axes += (*window, *target)
    for target in extra:
        axes += (1, 0, 1, 1, w.STRICT_BOUNDS, NO_AXIS, 0, 0, *target)
    return [output, slot, n, w.PIECE_COLUMNS + len(axes) + len(lists), *axes, *lists]


def _targets_of(piece: Piece, box: _Box, first_axis: int) -> tuple[_Targets, _Targets]:
    """Return the target of each axis of the piece, and of each axis of the output that no axis of the piece writes."""
    geometry, _, places = piece
    axes, begins = geometry.axes, box[2]
    targets = [_NOWHERE] * len(axes)
    factors = find_factors([axes[k].count for k in geometry.order], geometry.shape)
    assert factors is not None
    firsts: dict[int, int] = {}
    for axis, first, _ in places or ():
        firsts[axis] = firsts.get(axis, 0) + first
    for k, (axis, step) in zip(geometry.order, factors, strict=True):
        if axis == NO_AXIS:
            continue
        first = 0
        if places is not None:
            axis, _, pace = places[axis]
            step *= pace
            first = firsts.pop(axis, 0)
        targets[k] = (first_axis + axis, first + begins[k] * step, step)
    extra = [(first_axis + axis, first, 0) for axis, first in firsts.items() if first] if firsts else []
    return targets, extra


def _map_words(axis: Map | None) -> tuple[int, int, int, int, Sequence[Run]]:
    """Return extent, start, stride and mode, or the runs, of an axis whose fields cannot be words themselves."""
    if axis is None:
        return 0, 0, 0, w.FILL, ()
    extent = axis.extent
    if type(axis) is RunMap or axis.mode is SampleMode.FILL or (axis.mode is SampleMode.CLAMP and extent <= w.LARGEST):
        runs = list(runs_of(axis))
        if extent > w.LARGEST:
            # No memory has so many elements, so the byte stride is 0: the axis repeats one element.
            extent, runs = 1, [run.moved(0, 0) for run in runs]
        return extent, 0, 0, w.PIECEWISE, runs
    if extent > w.LARGEST:
        return 1, 0, 0, w.STRICT_BOUNDS, ()
    period, fold = circle_of(extent, axis.mode)
    start, stride = walk_of(axis.start, axis.stride, period, fold, axis.mode)
    return extent, start, stride, axis.mode, ()


def _boxes_of(geometry: Geometry) -> list[_Box]:
    """Return boxes with at most one slot each; an output that is filled along several axes reads the highest slot."""
    if 0 in geometry.shape:
        return []
    maps = geometry.axes
    whole = maps, [axis.count for axis in maps], [0] * len(maps)
    if geometry.fills < 2:
        return [(*whole, 0)]
    boxes = list(islice(_boxes_of_slots(*whole), MOST_BOXES + 1))
    if len(boxes) > MOST_BOXES:
        rule = f"make at most {MOST_BOXES} boxes of the result: run the stages in several calls"
        raise AttributeValueError.about("fills", rule, geometry.fills)
    return boxes


def _boxes_of_slots(maps: Sequence[Map], counts: Sequence[int], begins: Sequence[int]) -> Iterator[_Box]:
    slots = [slots_of(axis) for axis in maps]
    every = {slot for own in slots for slot in own}
    highest = max(every, default=0)
    if len(every) <= 1:
        yield maps, counts, begins, highest
        return
    k = next(i for i, own in enumerate(slots) if highest in own)
    begin = 0
    for is_highest, runs in groupby(runs_of(maps[k]), lambda run: run.first is None and run.stride == highest):
        count = sum([run.count for run in runs])
        own_begins = (*begins[:k], begins[k] + begin, *begins[k + 1 :])
        own_counts = (*counts[:k], count, *counts[k + 1 :])
        if is_highest:
            yield (*maps[:k], None, *maps[k + 1 :]), own_counts, own_begins, highest
        else:
            part = read_from(maps[k], begin, 1, count)
            yield from _boxes_of_slots((*maps[:k], part, *maps[k + 1 :]), own_counts, own_begins)
        begin += count
