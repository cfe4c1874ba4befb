"""A rule: which family lowers the arguments of a call."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._moves import (
    lower_flip,
    lower_roll,
    lower_rotation,
    lower_swap,
    lower_tile,
    lower_transpose,
)
from fastops.kernels._rules._pads import lower_pads
from fastops.kernels._rules._pieces import lower_batch, lower_split
from fastops.kernels._rules._slices import lower_index, lower_slices, lower_windows, rank_of_places, rank_of_slices
from fastops.kernels._rules._words import argument, begin_words, end_words
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


@interpreted
def lower_rule(rule, shape, rank, arguments, words):
    """Write the words of a call, RULE_WORDS at most; return their number, or -1 where Python has to lower it."""
    if rank > w.MOST_AXES:
        return -1
    family = rule[r.FAMILY]
    if family == r.SPLIT:
        return lower_split(rule, shape, rank, arguments, words)
    if family == r.BATCH:
        return lower_batch(shape, rank, arguments, words)
    if family == r.TILE:
        dst_rank = max(rank, argument(arguments, r.REPEATS)[r.COUNT])
    elif family == r.INDEX:
        dst_rank = rank_of_places(rank, arguments)
    elif family == r.SLICES:
        dst_rank = rank_of_slices(rule, rank, arguments)
    else:
        dst_rank = rank
    if dst_rank < 0 or not begin_words(shape, rank, 1, dst_rank, max(rank, dst_rank if family == r.TILE else 0), words):
        return -1
    is_lowered = False
    if family == r.WINDOWS:
        is_lowered = lower_windows(rule, shape, rank, arguments, words)
    elif family == r.SLICES:
        is_lowered = lower_slices(rule, shape, rank, arguments, words)
    elif family == r.INDEX:
        is_lowered = lower_index(rule, shape, rank, arguments, words)
    elif family == r.PADS:
        is_lowered = lower_pads(rule, shape, rank, arguments, words)
    elif family == r.ROLL:
        is_lowered = lower_roll(rule, shape, rank, arguments, words)
    elif family == r.FLIP:
        is_lowered = lower_flip(rule, shape, rank, arguments, words)
    elif family == r.TILE:
        is_lowered = lower_tile(rule, shape, rank, arguments, words)
    elif family == r.TRANSPOSE:
        is_lowered = lower_transpose(rule, rank, arguments, words)
    elif family == r.SWAP:
        is_lowered = lower_swap(rank, arguments, words)
    elif family == r.ROTATE:
        is_lowered = lower_rotation(shape, rank, arguments, words)
    elif family == r.WHOLE:
        is_lowered = rank > 0
    return end_words(words, rank, dst_rank) if is_lowered else -1
