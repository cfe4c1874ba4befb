"""Plans as words, and back: the same geometry as the int64 words that compiled code reads (`_tables._words`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry, SourceWindow, geometry_of, size_of
from fastops._geometry._map_composition import map_of_runs, read_from, slots_of
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
    """A geometry, and where its result goes: the axes of its shape are these places."""

    geometry: Geometry
    output: int
    places: tuple[Place, ...]


def whole_output(geometry: Geometry, output: int = 0) -> Piece:
    """Return the piece that is all of an output."""
    return Piece(geometry, output, tuple([Place(k, 0, 1) for k in range(len(geometry.shape))]))


def to_words(source_shape: Sequence[int], shapes: Sequence[Sequence[int]], pieces: Sequence[Piece]) -> list[int]:
    """Return the words of pieces that make outputs of these shapes.

    Raises
    ------
    AttributeValueError
        The fill values of a plan make too many boxes of it.
    """
    words = [0, len(shapes), len(source_shape), max([piece.geometry.fills for piece in pieces], default=0), 0]
    words += source_shape
    words += [len(shape) for shape in shapes]
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


class _Box(NamedTuple):
    """A box of a plan with one fill value at most: the maps of its axes, their first outputs, and the slot."""

    maps: tuple[Map | None, ...]  # None where all outputs are the fill value
    counts: tuple[int, ...]
    begins: tuple[int, ...]
    slot: int


def _piece_words(piece: Piece, box: _Box, first_axis: int) -> list[int]:
    geometry = piece.geometry
    axes: list[int] = []
    lists: list[int] = []
    factors = find_factors([geometry.axes[k].count for k in geometry.order], geometry.shape)
    places = [(w.NO_AXIS, 0, 0)] * len(geometry.axes)
    firsts = {place.axis: 0 for place in piece.places}
    for place in piece.places:
        firsts[place.axis] += place.first
    assert factors is not None
    for k, (axis, step) in zip(geometry.order, factors, strict=True):
        if axis != NO_AXIS:
            place = piece.places[axis]
            first = firsts.pop(place.axis, 0)
            places[k] = (first_axis + place.axis, first + box.begins[k] * step * place.step, step * place.step)
    rows = len(geometry.axes)
    extra = [(axis, first) for axis, first in firsts.items() if first]
    n = rows + len(extra)
    for k, (own, count, window, target) in enumerate(
        zip(box.maps, box.counts, windows_of(geometry), places, strict=True)
    ):
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
    return [piece.output, box.slot, n, w.PIECE_COLUMNS + len(axes) + len(lists), *axes, *lists]


def _map_words(axis: Map | None) -> tuple[int, int, int, int, Sequence[Run]]:
    """Return extent, start, stride and mode of an axis in numbers that words may be; or its runs."""
    if axis is None:
        return 0, 0, 0, w.FILL, ()
    largest = w.LARGEST
    if type(axis) is RunMap:
        return axis.extent if axis.extent <= largest else 1, 0, 0, w.PIECEWISE, _near(axis.extent, axis.runs)
    assert type(axis) is AxisMap
    extent, start, stride, _, mode = axis.extent, axis.start, axis.stride, axis.count, axis.mode
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
    if not size_of(geometry):
        return
    maps = tuple(geometry.axes)
    counts = tuple([axis.count for axis in maps])
    if geometry.fills < 2:
        yield _Box(maps, counts, (0,) * len(maps), 0)
        return
    for i, box in enumerate(_boxes_of_slots(maps, counts, (0,) * len(maps))):
        if i == MOST_BOXES:
            rule = f"make at most {MOST_BOXES} boxes of the result: run the stages in several calls"
            raise AttributeValueError.about("fills", rule, geometry.fills)
        yield box


def _boxes_of_slots(maps: tuple[Map, ...], counts: tuple[int, ...], begins: tuple[int, ...]) -> Iterator[_Box]:
    slots = [slots_of(axis) for axis in maps]
    every = {slot for own in slots for slot in own}
    highest = max(every, default=0)
    if len(every) <= 1:
        yield _Box(maps, counts, begins, highest)
        return
    k = next(i for i, own in enumerate(slots) if highest in own)
    begin = 0
    for count, is_highest in _stretches(maps[k], highest):
        own_begins = (*begins[:k], begins[k] + begin, *begins[k + 1 :])
        own_counts = (*counts[:k], count, *counts[k + 1 :])
        if is_highest:
            yield _Box((*maps[:k], None, *maps[k + 1 :]), own_counts, own_begins, highest)
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


class WordsPiece(NamedTuple):
    """What a piece of words says: a geometry, where its result begins along each axis of an output, its fill value."""

    geometry: Geometry
    output: int
    begins: tuple[int, ...]
    fill_index: int


def from_words(words: Sequence[int]) -> list[WordsPiece]:
    """Return what words say; of a plan without several fill values, that is one piece of that plan.

    The shape of a piece is as long as it reaches along each axis of the output.
    """
    rank, outputs = words[w.SRC_RANK], words[w.OUTPUTS]
    source_shape = tuple(words[w.HEADER_COLUMNS : w.HEADER_COLUMNS + rank])
    at = w.HEADER_COLUMNS + rank
    ranks = words[at : at + outputs]
    pieces = []
    at = words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        output, fill_index, n, length = words[at : at + w.PIECE_COLUMNS]
        first_axis = sum(ranks[:output])
        rows = [at + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS for k in range(n)]
        shape, begins = [1] * ranks[output], [0] * ranks[output]
        maps, windows, keys = [], [], []
        for k, row in enumerate(rows):
            count, target, first, step = (words[row + i] for i in (w.COUNT, w.DST_AXIS, w.DST_FIRST, w.DST_STEP))
            keys.append((target if target != w.NO_AXIS else len(words), -step, k))
            if target != w.NO_AXIS:
                begins[target - first_axis] += first
                shape[target - first_axis] *= count
            maps.append(_map_of(words, row))
            windows.append(SourceWindow(*words[row + w.SRC_AXIS : row + w.SRC_AXIS + 3]))
        order = [k for _, _, k in sorted(keys)]
        geometry = geometry_of(maps, shape, source_shape, order, None, tuple(windows))
        pieces.append(WordsPiece(geometry, output, tuple(begins), fill_index))
        at += length
    return pieces


def _map_of(words: Sequence[int], row: int) -> Map:
    extent, start, stride, count, mode = words[row : row + 5]
    if mode != w.PIECEWISE:
        return AxisMap.create(extent, start, stride, count, SampleMode(mode))
    runs = []
    for i in range(stride):
        run = row + start + i * w.RUN_COLUMNS
        begin, first, pace = words[run : run + w.RUN_COLUMNS]
        runs.append(Run(words[run + w.RUN_COLUMNS] - begin, None if first == w.FILL_RUN else first, pace))
    return map_of_runs(extent, runs)
