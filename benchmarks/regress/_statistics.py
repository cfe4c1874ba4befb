"""The ratio of two times, with an interval, from blocks of calls that ran in turn.

Blocks of base and head that ran in one round are a pair: what the machine did to one, it did to the other, and what it
did more and more, it did to both alike, because every round runs there and back (A B B A). Ratios are taken of pairs
and never across rounds, as logarithms, so that twice as fast and half as fast are equally far from no change.

What the machine does within a round, pairs do not see. On a shared one, a core is by turns a third slower and faster,
for less than a tenth of a second at a time. Therefore each block also times a loop that has nothing to do with either
commit, and what that loop explains of a block's time is taken out of it (`corrected`).

The estimate is the median of the pairs, and its interval that of the sign test: it holds for whatever distribution the
noise has, and some wild rounds change neither. That is bought with width: at 95 %, six rounds are the fewest that bound
anything, and of nine, the second from either end are the bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from math import exp, isfinite, log
from statistics import fmean, median

#: Of the intervals.
CONFIDENCE = 0.95

# Processes differ a little in all that they do.
_SAME_REFERENCE = 1.05


@dataclass(frozen=True)
class Block:
    """What a block of calls took.

    Attributes
    ----------
    seconds : float
        Of a call.
    reference : float
        Seconds of the loop that runs in between, which is the same on all sides.
    """

    seconds: float
    reference: float


#: A round: the blocks of each side.
Round = Mapping[str, Sequence[Block]]


@dataclass(frozen=True)
class Interval:
    """A ratio of times, head over base.

    Attributes
    ----------
    ratio : float
        The estimate.
    lower, upper : float
        The bounds of its interval.
    """

    ratio: float
    lower: float
    upper: float


def clock_share(rounds: Sequence[Round]) -> float:
    """Return how much of a call's time follows that of the reference, from 0 (nothing, as for memory) to 1.

    The slope of the logarithms within each side, so that what differs between the sides has no part in it; the median
    of the slopes of all pairs (Theil and Sen), so that wild blocks have none either. Nothing, if the reference itself
    is slower on one side: it would excuse a commit that slows down whatever runs after its calls.
    """
    if _differs(rounds):
        return 0.0
    seconds, references = [], []
    for side in rounds[0]:
        blocks = [block for each in rounds for block in each[side]]
        logs = [log(block.seconds) for block in blocks]
        clocks = [log(block.reference) for block in blocks]
        seconds += [value - median(logs) for value in logs]
        references += [value - median(clocks) for value in clocks]
    if len(set(references)) < 2:
        return 0.0
    # Imported here, because asv imports every module below its directory, in environments without SciPy.
    slope = float(import_module("scipy.stats").theilslopes(seconds, references).slope)
    return min(max(slope, 0.0), 1.0)


def _differs(rounds: Sequence[Round]) -> bool:
    """Return whether the reference is surely slower on one side than on another."""
    references = [
        {side: [Block(block.reference, block.reference) for block in each[side]] for side in each} for each in rounds
    ]
    found = [interval_of(log_ratios(references, *pair, 0.0)) for pair in combinations(rounds[0], 2)]
    return any(each is not None and max(each.lower, 1 / each.upper) > _SAME_REFERENCE for each in found)


def corrected(block: Block, share: float) -> float:
    """Return the logarithm of a block's seconds, without what the reference explains of it."""
    return log(block.seconds) - share * log(block.reference)


def log_ratios(rounds: Sequence[Round], base: str, head: str, share: float) -> list[float]:
    """Return the logarithm of head over base of each round, corrected by a share of the reference."""
    return [
        fmean([corrected(block, share) for block in each[head]])
        - fmean([corrected(block, share) for block in each[base]])
        for each in rounds
    ]


def interval_of(ratios: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """Return the interval of a ratio from its logarithms, or None if they are too few for one."""
    if not ratios:
        return None
    quantile_test = import_module("scipy.stats").quantile_test
    lower, upper = quantile_test(ratios, p=0.5).confidence_interval(confidence)
    if not (isfinite(lower) and isfinite(upper)):
        return None
    return Interval(exp(median(ratios)), exp(lower), exp(upper))
