"""A rule: which family lowers the arguments of a call."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._moves import (
    lower_axis_moves,
    lower_flip,
    lower_roll,
    lower_rotation,
    lower_swap,
    lower_transpose,
)
from fastops.kernels._rules._pads import lower_pads
from fastops.kernels._rules._pieces import lower_batch, lower_split
from fastops.kernels._rules._repeats import lower_broadcast, lower_repeat, lower_tile
from fastops.kernels._rules._slices import lower_index, lower_slices, lower_windows, rank_of_places, rank_of_slices
from fastops.kernels._rules._slides import lower_slides
from fastops.kernels._rules._words import argument, begin_words, end_words
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


@interpreted
def rank_of_result(rule, rank, arguments):
    """Return the rank of the outputs, which no value decides but those of masks; -1 where axes or masks are wrong."""
    family = rule[r.FAMILY]
    if family == r.TILE:
        return max(rank, argument(arguments, r.REPEATS)[r.COUNT])
    if family == r.INDEX:
        return rank_of_places(rank, arguments)
    if family == r.SLICES:
        return rank_of_slices(rule, rank, arguments)
    if family == r.BATCH and argument(arguments, r.ITEMS)[r.KIND] == r.ABSENT:
        return rank + 1
    if family == r.REPEAT:
        return 1 if argument(arguments, r.AXIS)[r.KIND] == r.ABSENT else max(rank, 1)
    if family == r.BROADCAST:
        n = argument(arguments, r.SHAPE)[r.COUNT]
        return n if n >= rank else -1
    return rank + argument(arguments, r.SIZE)[r.COUNT] if family == r.SLIDE else rank


@interpreted
def _axes_of(family, rank, dst_rank):
    """Return how many axes there are for the words of a piece."""
    if family == r.TILE or family == r.BROADCAST or family == r.SLIDE:
        return dst_rank
    return rank + 1 if family == r.REPEAT else rank


@interpreted
def lower_rule(rule, shape, rank, arguments, words):
    """Write the words of a call, RULE_WORDS at most; return their number, or minus a status where there are none."""
    if rank > w.MOST_AXES:
        return -r.TOO_LARGE
    family = rule[r.FAMILY]
    if family == r.SPLIT:
        return lower_split(rule, shape, rank, arguments, words)
    if family == r.BATCH:
        return lower_batch(shape, rank, arguments, words)
    dst_rank = rank_of_result(rule, rank, arguments)
    if dst_rank < 0 or dst_rank > w.MOST_AXES:
        return -r.OTHER_KIND
    if not begin_words(shape, rank, 1, dst_rank, _axes_of(family, rank, dst_rank), words):
        return -r.TOO_LARGE
    status = r.OTHER_KIND
    if family == r.WINDOWS:
        status = lower_windows(rule, shape, rank, arguments, words)
    elif family == r.SLICES:
        status = lower_slices(rule, shape, rank, arguments, words)
    elif family == r.INDEX:
        status = lower_index(rule, shape, rank, arguments, words)
    elif family == r.PADS:
        status = lower_pads(rule, shape, rank, arguments, words)
    elif family == r.ROLL:
        status = lower_roll(rule, shape, rank, arguments, words)
    elif family == r.FLIP:
        status = lower_flip(rule, shape, rank, arguments, words)
    elif family == r.TILE:
        status = lower_tile(rule, shape, rank, arguments, words)
    elif family == r.TRANSPOSE:
        status = lower_transpose(rule, rank, arguments, words)
    elif family == r.SWAP:
        status = lower_swap(rank, arguments, words)
    elif family == r.ROTATE:
        status = lower_rotation(shape, rank, arguments, words)
    elif family == r.MOVE:
        status = lower_axis_moves(rank, arguments, words)
    elif family == r.REPEAT:
        status = lower_repeat(shape, rank, arguments, words)
    elif family == r.BROADCAST:
        status = lower_broadcast(dst_rank, arguments, words)
    elif family == r.SLIDE:
        status = lower_slides(rule, shape, rank, arguments, words)
    elif family == r.WHOLE and rank > 0:
        status = 0
    return -status if status else end_words(words, rank, dst_rank)
