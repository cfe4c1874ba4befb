"""Plans as words: the same geometry as the int64 words that compiled code reads (`_tables._words`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry
from fastops._geometry._map_composition import read_from, slots_of
from fastops._geometry._map_runs import runs_of
from fastops._geometry._run_map import Map, Run, RunMap
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._source_runs import windows_of
from fastops.kernels._arithmetic import circle_of, walk_of
from fastops.kernels._tables import _words as w

#: Boxes of a plan with several fill values, of which each is a piece.
MOST_BOXES = 1 << 12


class Place(NamedTuple):
    """Where the axes of a plan's result are in an output.

    Attributes
    ----------
    axis : int
        Of the output.
    first, step : int
        Of index 0 along it, and from one index to the next.
    """

    axis: int
    first: int
    step: int


class Piece(NamedTuple):
    """A geometry, and where its result goes: the axes of its shape are these places, or all of an output for None."""

    geometry: Geometry
    output: int
    places: tuple[Place, ...] | None = None


def to_words(source_shape: Sequence[int], shapes: Sequence[Sequence[int]], pieces: Sequence[Piece]) -> list[int]:
    """Return the words of pieces that make outputs of these shapes.

    Raises
    ------
    AttributeValueError
        The fill values of a plan make too many boxes of it.
    """
    fills = max([piece.geometry.fills for piece in pieces], default=0)
    words = [0, len(shapes), len(source_shape), fills, 0, *source_shape, *[len(shape) for shape in shapes]]
    firsts = []
    axes = 0
    for shape in shapes:
        firsts.append(axes)
        axes += len(shape)
        words += shape
    words[w.FIRST_PIECE] = len(words)
    n_pieces = 0
    for piece in pieces:
        for box in _boxes_of(piece.geometry):
            words += _piece_words(piece, box, firsts[piece.output])
            n_pieces += 1
    words[w.PIECES] = n_pieces
    return words


def window_words(extents: Sequence[int], counts: Sequence[int], strides: Sequence[int], mode: SampleMode) -> list[int]:
    """Return the words of windows of a source that start at 0 along each axis: the starts are written over it."""
    n = len(extents)
    words = [1, 1, n, 1, w.HEADER_COLUMNS + 2 * n + 1, *extents, n, *counts]
    words += [0, 0, n, w.PIECE_COLUMNS + n * w.AXIS_COLUMNS]
    for k, (extent, count, stride) in enumerate(zip(extents, counts, strides, strict=True)):
        words += (extent, 0, stride, count, int(mode), k, 0, 1, k, 0, 1)
    return words


# A box of a plan with one fill value at most: the maps of its axes, None where all outputs are the fill value; how many
# outputs it has of each, and from which one on; and the slot.
_Box: TypeAlias = tuple[tuple[Map | None, ...], tuple[int, ...], tuple[int, ...], int]


def _piece_words(piece: Piece, box: _Box, first_axis: int) -> list[int]:
    geometry, output, places = piece
    maps, counts, begins, slot = box
    factors = find_factors([geometry.axes[k].count for k in geometry.order], geometry.shape)
    assert factors is not None
    targets = [(w.NO_AXIS, 0, 0)] * len(maps)
    # An output's axis that no axis of the plan goes along, but that the piece does not begin at the start of.
    firsts: dict[int, int] = {}
    for place in places or ():
        firsts[place.axis] = firsts.get(place.axis, 0) + place.first
    for k, (axis, step) in zip(geometry.order, factors, strict=True):
        if axis != NO_AXIS:
            first = 0
            if places is not None:
                axis, _, pace = places[axis]
                step *= pace
                first = firsts.pop(axis, 0)
            targets[k] = (first_axis + axis, first + begins[k] * step, step)
    extra = [(axis, first) for axis, first in firsts.items() if first]
    n = len(maps) + len(extra)
    axes: list[int] = []
    lists: list[int] = []
    for k, (own, count, window, target) in enumerate(zip(maps, counts, windows_of(geometry), targets, strict=True)):
        extent, start, stride, mode, runs = _map_words(own)
        if runs:
            start, stride = (n - k) * w.AXIS_COLUMNS + len(lists), len(runs)
            begin = 0
            for length, first_read, pace in runs:
                lists += (begin, w.FILL_RUN if first_read is None else first_read, pace)
                begin += length
            lists += (count, w.FILL_RUN, 0)
        axes += (extent, start, stride, count, mode, *window, *target)
    for axis, first in extra:
        axes += (1, 0, 1, 1, w.STRICT_BOUNDS, NO_AXIS, 0, 0, first_axis + axis, first, 0)
    return [output, slot, n, w.PIECE_COLUMNS + len(axes) + len(lists), *axes, *lists]


def _map_words(axis: Map | None) -> tuple[int, int, int, int, Sequence[Run]]:
    """Return extent, start, stride and mode of an axis in numbers that words may be; or its runs."""
    if axis is None:
        return 0, 0, 0, w.FILL, ()
    largest = w.LARGEST
    if type(axis) is RunMap:
        return axis.extent if axis.extent <= largest else 1, 0, 0, w.PIECEWISE, _near(axis.extent, axis.runs)
    assert type(axis) is AxisMap
    extent, start, stride, _, mode = axis
    if extent <= largest and -largest <= start <= largest and -largest <= stride <= largest:
        return extent, start, stride, int(mode), ()
    if mode is SampleMode.FILL or (mode is SampleMode.CLAMP and extent <= largest):
        return min(extent, largest), 0, 0, w.PIECEWISE, _near(extent, list(runs_of(axis)))
    if extent > largest:
        # No memory is so long: such an axis repeats one element.
        return 1, 0, 0, w.STRICT_BOUNDS, ()
    period, fold = circle_of(extent, mode)
    start, stride = walk_of(start, stride, period, fold, mode)
    return extent, start, stride, int(mode), ()


def _near(extent: int, runs: Sequence[Run]) -> Sequence[Run]:
    """Return runs of an axis; of one that is longer than any memory, as those of one element."""
    if extent <= w.LARGEST:
        return runs
    return [run if run.first is None else Run(run.count, 0, 0) for run in runs]


def _boxes_of(geometry: Geometry) -> Iterator[_Box]:
    """Yield boxes of one slot at most, where the highest slot of an output's axes is the one that it reads."""
    maps = geometry.axes
    counts, begins = tuple([axis.count for axis in maps]), (0,) * len(maps)
    if 0 in geometry.shape:
        return
    if geometry.fills < 2:
        yield maps, counts, begins, 0
        return
    for i, box in enumerate(_boxes_of_slots(maps, counts, begins)):
        if i == MOST_BOXES:
            rule = f"make at most {MOST_BOXES} boxes of the result: run the stages in several calls"
            raise AttributeValueError.about("fills", rule, geometry.fills)
        yield box


def _boxes_of_slots(maps: tuple[Map, ...], counts: tuple[int, ...], begins: tuple[int, ...]) -> Iterator[_Box]:
    slots = [slots_of(axis) for axis in maps]
    every = {slot for own in slots for slot in own}
    highest = max(every, default=0)
    if len(every) <= 1:
        yield maps, counts, begins, highest
        return
    k = next(i for i, own in enumerate(slots) if highest in own)
    begin = 0
    for count, is_highest in _stretches(maps[k], highest):
        own_begins = (*begins[:k], begins[k] + begin, *begins[k + 1 :])
        own_counts = (*counts[:k], count, *counts[k + 1 :])
        if is_highest:
            yield (*maps[:k], None, *maps[k + 1 :]), own_counts, own_begins, highest
        else:
            part = read_from(maps[k], begin, 1, count)
            yield from _boxes_of_slots((*maps[:k], part, *maps[k + 1 :]), own_counts, own_begins)
        begin += count


def _stretches(axis: Map, slot: int) -> Iterator[tuple[int, bool]]:
    """Yield how many outputs are all of a slot, or are none of it, in turn."""
    done, was_slot = 0, False
    for count, first, stride in runs_of(axis):
        is_slot = first is None and stride == slot
        if done and is_slot != was_slot:
            yield done, was_slot
            done = 0
        was_slot = is_slot
        done += count
    if done:
        yield done, was_slot
