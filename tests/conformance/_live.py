"""Calls of functions and of the frameworks that they follow: outcomes, departures, and the check of random calls."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from tests.conformance._calls import Array, Call, Dice

#: None is an error.
Outcome = Array | list[Array] | None

#: Shapes and values, one pair an array; None is an error. Recorded outcomes are such ones.
Values = list[tuple[tuple[int, ...], list[Any]]] | None

AN_ERROR = "an error"

#: What is said of a result that is not the same each time.
UNDEFINED = "no defined result"


def outcome_of(function: Callable[[], Any], errors: type[Exception]) -> Outcome:
    """Return what a function gives, or None where it raises one of these errors."""
    try:
        result = function()
    except errors:
        return None
    return list(result) if isinstance(result, list | tuple) else result


def are_alike(first: Outcome, second: Outcome) -> bool:
    """Whether two outcomes are one: errors, or arrays of the same dtypes, shapes and bytes."""
    if first is None or second is None:
        return first is second
    if isinstance(first, list) or isinstance(second, list):
        if not (isinstance(first, list) and isinstance(second, list)) or len(first) != len(second):
            return False
        return all(map(are_alike, first, second))
    return (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())


def has_elements(outcome: Outcome) -> bool:
    """Whether there is something in it that could be wrong."""
    if outcome is None:
        return False
    return any(each.size for each in outcome) if isinstance(outcome, list) else outcome.size > 0


def values_of(outcome: Outcome) -> Values:
    """Return shapes and values of an outcome."""
    if outcome is None:
        return None
    arrays: Iterable[Array] = outcome if isinstance(outcome, list) else [outcome]
    return [(each.shape, [_number(value) for value in each.ravel().tolist()]) for each in arrays]


def _number(value: Any) -> Any:
    if isinstance(value, float) or type(value).__module__ == "ml_dtypes":
        return repr(float(value))
    return int(value) if isinstance(value, int) else repr(value)


def said(values: Values) -> str:
    """Return shapes and values in a few words."""
    if values is None:
        return AN_ERROR
    texts = []
    for shape, numbers in values:
        shown = ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "")
        texts.append(f"{'x'.join(map(str, shape)) or 'scalar'} [{shown}]")
    return "; ".join(texts) or "no part"


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
    draw: Callable[[Any], Call]
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    #: Whether some calls are errors; a few functions take everything.
    refuses: bool = True
    #: What draws arguments in the forms of the framework.
    dice: type[Dice] = Dice

    def outcomes(self, call: Call) -> tuple[Outcome, Outcome]:
        """Return what the framework and fastops answer."""
        theirs = outcome_of(lambda: call.run(self.theirs), Exception)
        return theirs, outcome_of(lambda: call.run(self.ours), fo.FastopsError)

    def call(self, seed: int) -> Call:
        """Return the call of a seed."""
        return self.draw(self.dice(f"{seed} {self.name}"))


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


_TABLE = tomllib.loads(Path(__file__).with_name("departures.toml").read_text("utf-8"))
_ENTRIES: list[dict[str, Any]] = _TABLE["departure"]
_When = Callable[[Call], bool]

_BY_NAME = {each["name"]: each for each in _ENTRIES if "name" in each}


@dataclass(frozen=True, eq=False)
class RecordedDeparture:
    """What a framework does in some recorded cases, by their ids; see the head of ``departures.toml``."""

    framework: str
    operator: str
    text: str
    leaves: bool
    cases: list[str]
    alike: bool = False
    example: str | None = None


_FIELDS = {each.name for each in fields(RecordedDeparture)}

RECORDED = [
    RecordedDeparture(**{key: each[key] for key in _FIELDS & each.keys()}) for each in _ENTRIES if "cases" in each
]


class Departures(list[Departure]):
    """Departures of random calls, each of which is added as the function that says which calls it is about."""

    def add(self, name: str, example: Call, answer: Callable[[Call], Any] | None = None) -> Callable[[_When], _When]:
        """Add the departure of a name in the table; ``answer`` gives what fastops gives."""
        words = {"ours": AN_ERROR} | _BY_NAME[name]
        told = {key: words[key] for key in ("framework", "function", "text", "leaves", "theirs", "ours")}

        def added(when: _When) -> _When:
            self.append(Departure(**told, when=when, example=example, answer=answer))
            return when

        return added


def departure_of(identifier: str, *, alike: bool) -> RecordedDeparture | None:
    """Return the one departure about a recorded case; None for a case that is answered alike and needs none."""
    found = [each for each in RECORDED if identifier in each.cases]
    if len(found) > 1 or (found and found[0].alike != alike) or not (found or alike):
        answers = "alike" if alike else "in different ways"
        raise ValueError(f"{identifier} is answered {answers}, and has {len(found)} departures in departures.toml")
    return found[0] if found else None


def check_known(identifiers: Iterable[str]) -> None:
    """Raise if a departure is about a case that there is not."""
    unknown = {case for each in RECORDED for case in each.cases}.difference(identifiers)
    if unknown:
        raise ValueError(f"departures.toml names cases that are not recorded: {sorted(unknown)}")
