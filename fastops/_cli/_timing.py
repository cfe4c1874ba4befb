"""Checking and timing one case of `fastops demo`."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._cli._cases import Case

# What results hold before they are checked, so that what is not written is seen.
_STALE = 0xA5


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case went: the shapes that came out, the bytes that moved, medians in seconds, and if it is right."""

    shapes: tuple[tuple[int, ...], ...]
    moved_bytes: int
    seconds: float
    numpy_seconds: float
    is_correct: bool


def measure(case: Case, repeats: int) -> Outcome:
    """Check a case, then time fastops and NumPy in turn, so that both see the same machine."""
    outs = case.outs()
    for out in outs:
        as_bytes(out)[:] = _STALE
    case.run(outs)
    is_correct = all(same_bytes(out, right) for out, right in zip(outs, case.expected(), strict=True))
    rival_outs = case.outs()
    case.rival(rival_outs)
    ours, theirs = [], []
    for _ in range(repeats):
        started = perf_counter()
        case.run(outs)
        between = perf_counter()
        rival = case.rival(rival_outs)
        theirs.append(perf_counter() - between)
        ours.append(between - started)
        # Arrays that NumPy has allocated are freed here, outside of what is timed.
        del rival
    written = sum(out.nbytes for out in outs)
    shapes = tuple(out.shape for out in outs)
    return Outcome(shapes, written + case.read_bytes, median(ours), median(theirs), is_correct)


def as_bytes(array: AnyArray) -> AnyArray:
    """Return the bytes of a C-contiguous array."""
    return array.reshape(-1).view(np.uint8)


def same_bytes(result: AnyArray, right: AnyArray) -> bool:
    """True if both arrays have one shape and the same bytes, NaNs and signs of zeros included."""
    return result.shape == right.shape and np.array_equal(as_bytes(result), as_bytes(np.ascontiguousarray(right)))
