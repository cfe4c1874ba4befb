"""Checking and timing one case of `fastops demo`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._cli._cases import Case
from fastops._cli._waiting import seconds_waited

# What results hold before they are checked, so that what is not written is seen.
_STALE = 0xA5

# A run is of no use where threads waited for a processor for a larger share of its time. On a quiet machine of 2 cores
# it was 0.004 at most in all cases of the demo, and 0.16 at least beside one process that computes.
_MOST_WAITING = 0.05


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case went.

    Attributes
    ----------
    shapes : tuple of tuple of int
        The shapes that came out.
    moved_bytes : int
        The bytes that moved.
    seconds, numpy_seconds : float
        Medians.
    is_correct, is_busy : bool
        True if the results are right; and if threads had to wait for a processor in most rounds, because other
        processes had them, or the system gave this one less time.
    """

    shapes: tuple[tuple[int, ...], ...]
    moved_bytes: int
    seconds: float
    numpy_seconds: float
    is_correct: bool
    is_busy: bool


def measure(case: Case, repeats: int) -> Outcome:
    """Check a case, then time fastops and NumPy in turn, so that both see the same machine."""
    outs = case.outs()
    for out in outs:
        as_bytes(out)[:] = _STALE
    case.run(outs)
    is_correct = all(same_bytes(out, right) for out, right in zip(outs, case.expected(), strict=True))
    seconds, numpy_seconds, is_busy = _time_in_turn(case, outs, repeats)
    written = sum(out.nbytes for out in outs)
    shapes = tuple(out.shape for out in outs)
    return Outcome(shapes, written + case.read_bytes, seconds, numpy_seconds, is_correct, is_busy)


def _time_in_turn(case: Case, outs: Sequence[AnyArray], repeats: int) -> tuple[float, float, bool]:
    """Return the medians of fastops' and NumPy's seconds, and True if the machine was busy.

    They are those of the rounds in which no thread waited long, unless that leaves less than half of the rounds.
    """
    rival_outs = case.outs()
    case.rival(rival_outs)
    rounds, quiet = [], []
    for _ in range(repeats):
        waited = seconds_waited()
        started = perf_counter()
        case.run(outs)
        between = perf_counter()
        rival = case.rival(rival_outs)
        ended = perf_counter()
        rounds.append((between - started, ended - between))
        if seconds_waited() - waited <= _MOST_WAITING * (ended - started):
            quiet.append(rounds[-1])
        # Arrays that NumPy has allocated are freed here, outside of what is timed.
        del rival
    is_busy = 2 * len(quiet) < repeats
    ours, theirs = zip(*(rounds if is_busy else quiet), strict=True)
    return median(ours), median(theirs), is_busy


def as_bytes(array: AnyArray) -> AnyArray:
    """Return the bytes of a C-contiguous array."""
    return array.reshape(-1).view(np.uint8)


def same_bytes(result: AnyArray, right: AnyArray) -> bool:
    """True if both arrays have one shape and the same bytes, NaNs and signs of zeros included."""
    return result.shape == right.shape and np.array_equal(as_bytes(result), as_bytes(np.ascontiguousarray(right)))
