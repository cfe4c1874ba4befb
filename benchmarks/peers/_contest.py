"""One row of a case: each contender is checked, its fastest way is found, then all of them are timed in turn."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure.limits import copies, fills
from benchmarks.measure.timing import Call, Sample, calls_per_sample, interleaved_medians, sample_of
from benchmarks.peers._rows import FASTOPS, Row
from benchmarks.peers._setup import Setup
from benchmarks.peers._work import Work, touched_bytes
from benchmarks.peers.frameworks import CannotExpressError, Framework, Recipe

_LONGEST_REASON = 200

# To find the fastest of one framework's ways; those that are so many times slower than another get no second try.
_TRIALS, _TRIAL_SECONDS, _HOPELESS = 7, 2e-4, 4

# No output has this in every byte.
_POISON = 0xA5


def contest(
    setup: Setup, group: str, name: str, work: Work, peers: tuple[str, ...], *, fresh: bool, asked: dict[str, float]
) -> Row:
    """Return the row of some work: all contenders into one output of the caller's, or each into its own."""
    row = Row(group, name, describe(work), asked=asked)
    outs = None if fresh else [np.empty(shape, work.dtype) for shape in work.shapes]
    expected = work.expected()
    calls = {}
    for framework in setup.contenders(peers):
        call = fastest_call(framework, work, outs, expected, row)
        if call is not None:
            calls[framework.name] = call
    del expected
    row.touched_bytes = touched_bytes(work)
    limits = (copies if work.outputs else fills)(row.touched_bytes, setup.threads)
    medians = interleaved_medians(samples_of({**calls, **limits}, setup), setup.effort)
    row.values = {contender: medians[contender] for contender in calls}
    row.limits = {limit: medians[limit] for limit in limits}
    return row


def samples_of(calls: Mapping[str, Call], setup: Setup) -> dict[str, Sample]:
    """Return a sample of each call, after warming up."""
    return {name: sample_of(call, calls_per_sample(call, setup.effort.sample_seconds)) for name, call in calls.items()}


def fastest_call(
    framework: Framework, work: Work, outs: list[NDArray[Any]] | None, expected: list[NDArray[Any]], row: Row
) -> Call | None:
    """Return a framework's fastest way that gives what is expected, or None.

    Into ``outs``, or by allocating where that is None. The row is told how, or why not.
    """
    reasons = []
    right: list[tuple[Recipe, Call]] = []
    try:
        recipes = framework.fresh_recipes(work) if outs is None else framework.out_recipes(work, outs)
    except CannotExpressError as error:
        row.absent[framework.name] = str(error)
        return None
    for recipe in recipes:
        try:
            call = recipe.build()
            reason = _difference(framework, call, work, outs, expected)
        except Exception as error:
            reason = _first_line(error)
        if reason:
            reasons.append(f"{recipe.how}: {reason}")
        else:
            right.append((recipe, call))
    if not right:
        reason = "; ".join(reasons)
        row.absent[framework.name] = reason
        if framework.name == FASTOPS:
            row.wrong = reason
        return None
    recipe, call = right[fastest([each for _, each in right])]
    row.how[framework.name] = recipe.how
    return call


def describe(work: Work) -> str:
    """Return the operator, the type and the shapes of some work."""
    shapes = ", ".join("x".join(map(str, shape)) for shape in work.shapes)
    data = "x".join(map(str, work.data.shape)) + " -> " if work.outputs else ""
    dtype = f"{work.dtype.itemsize}-byte structure" if work.dtype.names else work.dtype.name
    return f"{work.case.operator} {dtype} {data}{shapes}"


def _difference(
    framework: Framework, call: Call, work: Work, outs: list[NDArray[Any]] | None, expected: list[NDArray[Any]]
) -> str:
    """Return how the result of a call differs from what is expected; nothing if it does not."""
    for out in outs or []:
        _bytes_of(out)[:] = _POISON
    result = call()
    arrays = framework.arrays_of(result) if outs is None else outs
    if len(arrays) != len(expected):
        return f"gives {len(arrays)} results"
    for array, right in zip(arrays, expected, strict=True):
        if outs is None and np.may_share_memory(array, work.data):
            return "gives a view of its input"
        if array.shape[: right.ndim] != right.shape or array.nbytes != right.nbytes:
            return f"has shape {array.shape} and {array.nbytes} bytes"
        if not np.array_equal(_bytes_of(array), _bytes_of(right)):
            elements = (-1, right.itemsize)
            wrong = (_bytes_of(array).reshape(elements) != _bytes_of(right).reshape(elements)).any(axis=1)
            return f"differs from NumPy in {int(wrong.sum())} of {right.size} elements"
    return ""


def _bytes_of(array: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the bytes of an array in C order, its own ones where it is contiguous."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def fastest(calls: list[Call]) -> int:
    """Return which of one framework's ways is the fastest, by the shortest of a few samples in turn."""
    if len(calls) == 1:
        return 0
    samples = [sample_of(call, calls_per_sample(call, _TRIAL_SECONDS)) for call in calls]
    shortest = [inf] * len(calls)
    for _ in range(_TRIALS):
        for i, sample in enumerate(samples):
            if shortest[i] > _HOPELESS * min(shortest) and shortest[i] < inf:
                continue
            shortest[i] = min(shortest[i], sample())
    return min(range(len(calls)), key=shortest.__getitem__)


def _first_line(error: Exception) -> str:
    if isinstance(error, CannotExpressError):
        return str(error)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else "no message"
    return f"{type(error).__name__}: {text}"[:_LONGEST_REASON]
