"""The ratio of two times, with an interval, from blocks of calls that ran in turn.

Blocks of base and head that ran in the same round are a pair. The machine treats both alike: each round runs there and
back (A B C C B A), so that a steady drift affects all sides equally. Ratios are taken within a round, never across
rounds, and as logarithms, so that twice as fast and half as fast are equally far from no change.

Pairs do not remove what changes within a round. On a shared machine, a core is by turns a third slower and faster, for
less than a tenth of a second at a time. Therefore each block also times a loop that belongs to neither commit; the part
of a block's time that follows this loop is taken out (`corrected`).

The estimate is the median of the pairs, and its interval is that of the sign test: it holds for noise of any
distribution, and a few wild rounds do not change it. At 95 %, six rounds are the fewest that have an interval; of nine
rounds, the second ratio from either end is the bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, log
from statistics import fmean, median

#: The confidence of intervals.
CONFIDENCE = 0.95

# The reference may differ by this factor between processes that run the same code.
_SAME_REFERENCE = 1.05


@dataclass(frozen=True)
class Block:
    """The time of a block of calls.

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
    """Return how much of a call's time follows that of the reference, from 0 (nothing: memory limits it) to 1.

    This is the slope of the logarithms within each side, so that a difference between the sides has no part in it: the
    median of the slopes of all pairs of blocks (Theil and Sen), which wild blocks do not change. It is 0 if the
    reference itself is slower on one side: otherwise the correction would excuse a commit that slows down code after
    its calls.
    """
    if _differs(rounds):
        return 0.0
    points: list[tuple[float, float]] = []
    for side in rounds[0]:
        blocks = [block for each in rounds for block in each[side]]
        logs, clocks = [log(block.seconds) for block in blocks], [log(block.reference) for block in blocks]
        points += [(clock - median(clocks), value - median(logs)) for clock, value in zip(clocks, logs, strict=True)]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2) if a[0] != b[0]]
    return min(max(median(slopes), 0.0), 1.0) if slopes else 0.0


def _differs(rounds: Sequence[Round]) -> bool:
    """Return whether the reference is surely slower on one side than on another."""
    references = [
        {side: [Block(block.reference, block.reference) for block in each[side]] for side in each} for each in rounds
    ]
    found = [interval_of(log_ratios(references, *pair, 0.0)) for pair in combinations(rounds[0], 2)]
    return any(each is not None and max(each.lower, 1 / each.upper) > _SAME_REFERENCE for each in found)


def corrected(block: Block, share: float) -> float:
    """Return the logarithm of a block's seconds, without the part that follows the reference."""
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
    ordered, n = sorted(ratios), len(ratios)
    # The place of the interval's bounds, counted from either end, by the sign test.
    outside, likely = 0, 0.0
    while outside < n and (likely := likely + comb(n, outside) / 2**n) <= (1 - confidence) / 2:
        outside += 1
    if not outside:
        return None
    return Interval(exp(median(ordered)), exp(ordered[outside - 1]), exp(ordered[n - outside]))
