"""Windows laid over memory, as the words that compiled code lays each of them by (`kernels._tables._window`).

Which of them move as a plane, and by which shuffle program, is found out here once for all windows: that depends on
pitches alone, not on where a window starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from fastops._geometry._sample_mode import SampleMode
from fastops._schedules._byte_axes import ByteAxis, PlainAxis
from fastops._schedules._byte_strides import LARGEST_SPAN
from fastops._schedules._parts import lay_part
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _window as t

_FOLDS = (SampleMode.REFLECT, SampleMode.SYMMETRIC)

# Words of so many geometries are kept.
_KEPT = 256

# Ways in which axes may go, of which each is laid out in Python once.
_MOST_DIRECTIONS = 16


class WindowGeometry(NamedTuple):
    """What windows have in common.

    Attributes
    ----------
    extents, byte_strides : tuple of int
        Those of the source that each window reads.
    counts : tuple of int
        Outputs of a window along each axis.
    strides : tuple of (tuple of int)
        For each axis the strides that windows have: one, or the least and the largest.
    out_byte_strides : tuple of int
    width : int
        Bytes of an element.
    mode : SampleMode
    streams : bool
        True if outputs shall leave past the caches, where they can.
    """

    extents: tuple[int, ...]
    byte_strides: tuple[int, ...]
    counts: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]
    out_byte_strides: tuple[int, ...]
    width: int
    mode: SampleMode
    streams: bool


@lru_cache(_KEPT)
def create_window_words(geometry: WindowGeometry, others: tuple[tuple[int, ...], ...] = ()) -> tuple[int, ...]:
    """Return the words of windows, with starts of 0; ``others`` are byte strides that sources have besides."""
    planes: dict[tuple[int, ...], None] = {}
    has_planes = False
    for byte_strides in (geometry.byte_strides, *others):
        for plane_words in _planes_of(geometry._replace(byte_strides=byte_strides)):
            has_planes = True
            if plane_words and len(planes) < t.MOST_PROGRAMS:
                planes[plane_words] = None
    rank = len(geometry.counts)
    first_program = t.HEADER_COLUMNS + rank * t.AXIS_COLUMNS
    words = [rank, geometry.width, int(geometry.mode), int(geometry.streams), int(has_planes)]
    words += [len(planes), first_program]
    axes = zip(
        geometry.extents,
        geometry.byte_strides,
        geometry.strides,
        geometry.counts,
        geometry.out_byte_strides,
        strict=True,
    )
    for extent, src_pitch, strides, count, dst_pitch in axes:
        # Windows of larger strides are left out, whatever the words say.
        words += [extent, src_pitch, 0, max(min(strides[0], t.LARGEST + 1), -t.LARGEST - 1), count, dst_pitch]
    for each in planes:
        words += each
    return tuple(words)


def _planes_of(geometry: WindowGeometry) -> Iterator[tuple[int, ...]]:
    """Yield the words of the program of each plane that windows may be, and none for one without."""
    pitches = []
    for byte_stride, strides in zip(geometry.byte_strides, geometry.strides, strict=True):
        # Of what folds, half of the runs go back.
        both = {*strides, *[-stride for stride in strides]} if geometry.mode in _FOLDS else set(strides)
        reached = [stride * byte_stride for stride in sorted(both, reverse=True) if stride]
        # No two outputs that read in bounds lie further apart.
        pitches.append([pitch for pitch in reached if abs(pitch) <= LARGEST_SPAN] or [0])
    if prod(map(len, pitches)) > _MOST_DIRECTIONS:
        pitches = [each[:1] for each in pitches]
    for signs in product(*pitches):
        axes = [
            PlainAxis(count, dst_pitch, src_pitch)
            for count, dst_pitch, src_pitch in zip(geometry.counts, geometry.out_byte_strides, signs, strict=True)
        ]
        numbers = {id(axis): k for k, axis in enumerate(axes)}
        part = lay_part(list(axes), geometry.width, 0)
        if part.row[g.PLANE] != g.NO_PLANE:
            yield _words_of(part.row[g.BLOCK], part.axes[-2:], part.program, numbers)


def _words_of(
    block: int, axes: Sequence[ByteAxis], program: tuple[int, ...], numbers: dict[int, int]
) -> tuple[int, ...]:
    """Return the words of a plane with a program, for compiled code to find it; none for one without."""
    inner, outer = axes
    if not program:
        return ()
    assert type(inner) is type(outer) is PlainAxis
    assert len(program) <= t.MOST_PROGRAM_WORDS
    fewest = max(program[g.PROGRAM_PIXELS], 1)
    header = (block, numbers[id(outer)], outer.src_pitch, numbers.get(id(inner), t.NO_INNER), inner.src_pitch)
    return (*header, outer.dst_pitch, inner.dst_pitch, inner.count, fewest, len(program), *program)
