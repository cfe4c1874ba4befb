"""Random calls of a function, by its framework and by fastops, which must come to the same.

Both must give the same, or both refuse, but where a `Departure` says what the framework does and why fastops does
otherwise. The page of conformance has the departures too, so that they need no framework: they are about calls whose
data is an array of NumPy.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import fastops as fo
from tests.conformance._calls import Call, Dice
from tests.conformance._outcomes import (
    AN_ERROR,
    UNDEFINED,
    Outcome,
    are_alike,
    has_elements,
    outcome_of,
    said,
    values_of,
)

#: How many random calls there are of each function.
CALLS = 2_000

# How many disagreements a failure shows.
_SHOWN = 8


@dataclass(frozen=True, eq=False)
class Departure:
    """Calls of a function, those for which ``when`` is true, that a framework answers in another way than fastops.

    ``framework`` and ``function`` are its name on the page and the function's in the dialect of fastops. ``text`` says
    what the framework does, and why fastops does otherwise; ``leaves``, whether the framework leaves its own
    specification. ``theirs`` and ``ours`` are what the two answer to ``example``, in the words of `said`. Where one of
    them is an error, so it is for all these calls; where fastops gives something, it is what ``answer`` gives.
    """

    framework: str
    function: str
    text: str
    leaves: bool
    when: Callable[[Call], bool]
    example: Call
    theirs: str
    ours: str = AN_ERROR
    answer: Callable[[Call], Any] | None = None


@dataclass(frozen=True, eq=False)
class Function:
    """A function of a dialect: a draw of calls, and how the framework and fastops run one.

    Both take the data as an array of NumPy, and give an array, or a list of them. Any exception of the framework is a
    refusal; one of fastops is one if it is a FastopsError.
    """

    name: str
    draw: Callable[[Dice], Call]
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    #: Whether some calls are errors; a few functions take everything.
    refuses: bool = True

    def outcomes(self, call: Call) -> tuple[Outcome, Outcome]:
        """Return what the framework and fastops answer."""
        theirs = outcome_of(lambda: call.run(self.theirs), Exception)
        return theirs, outcome_of(lambda: call.run(self.ours), fo.FastopsError)

    def call(self, seed: int) -> Call:
        """Return the call of a seed."""
        return self.draw(Dice(f"{seed} {self.name}"))


def check_live(function: Function, departures: Iterable[Departure], calls: int = CALLS) -> None:
    """Assert that a function and its framework's answer random calls alike, or as one departure says.

    ``departures`` are those of the framework, of which those of this function count. Each of them must be met, half of
    the calls must be valid and give elements, and some must be refused.
    """
    known = [each for each in departures if each.function == function.name]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _check_calls(function, known, calls)
        for each in known:
            _check_example(function, each)


def _check_calls(function: Function, known: list[Departure], calls: int) -> None:
    met: set[Departure] = set()
    faults: list[str] = []
    valid = refused = 0
    for seed in range(calls):
        call = function.call(seed)
        theirs, ours = function.outcomes(call)
        valid += has_elements(theirs)
        refused += theirs is None
        found = [each for each in known if each.when(call)]
        met.update(found)
        fault = _fault(call, theirs, ours, found)
        if fault:
            faults.append(f"seed {seed}: {function.name}{call}\n  {fault}")
    if faults:
        shown = "\n".join(faults[:_SHOWN])
        raise AssertionError(f"{len(faults)} of {calls} calls are answered in another way than they should:\n{shown}")
    stale = [each.text for each in known if each not in met]
    assert not stale, f"no call of {function.name} meets these departures: {stale}"
    assert valid >= calls / 2, f"only {valid} of {calls} calls of {function.name} are valid and give elements"
    assert bool(refused) == function.refuses, f"{refused} of {calls} calls of {function.name} are refused"


def _fault(call: Call, theirs: Outcome, ours: Outcome, found: list[Departure]) -> str:
    """Say what is wrong with two outcomes; nothing, if they are what they should be."""
    if len(found) > 1:
        return f"{len(found)} departures are about it: {[each.text for each in found]}"
    alike = are_alike(theirs, ours)
    if not found:
        return "" if alike else _answers(theirs, ours)
    departure = found[0]
    if departure.theirs != UNDEFINED:
        if alike:
            return f"{_answers(theirs, ours)}, against the departure: {departure.text}"
        if (theirs is None) != (departure.theirs == AN_ERROR):
            return f"{_answers(theirs, ours)}; the departure has {departure.theirs} for the framework"
    answer = departure.answer
    expected = None if answer is None else outcome_of(lambda: answer(call), ValueError)
    if not are_alike(ours, expected):
        return f"{_answers(theirs, ours)}; the departure has {said(values_of(expected))} for fastops"
    return ""


def _answers(theirs: Outcome, ours: Outcome) -> str:
    answers = f"the framework answers {said(values_of(theirs))}, fastops {said(values_of(ours))}"
    if not isinstance(theirs, np.ndarray) or not isinstance(ours, np.ndarray) or theirs.dtype == ours.dtype:
        return answers
    return f"{answers}, of {theirs.dtype} and {ours.dtype}"


def _check_example(function: Function, departure: Departure) -> None:
    """Assert that a departure is about its example, and that both answer it as it says."""
    assert departure.when(departure.example), f"not about its own example: {departure.text}"
    theirs, ours = (said(values_of(each)) for each in function.outcomes(departure.example))
    assert departure.theirs in (theirs, UNDEFINED), departure.text
    assert departure.ours == ours, departure.text
