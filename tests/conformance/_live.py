"""Outcomes of fastops and of frameworks, the departures between them, and the check of random calls."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from tests.conformance._calls import Array, Call, Dice

#: None is an error.
Outcome = Array | list[Array] | None

#: A shape and the values of each array; None is an error. Recorded outcomes have this form.
Values = list[tuple[tuple[int, ...], list[Any]]] | None

AN_ERROR = "an error"

#: The words for a result that differs from call to call.
UNDEFINED = "no defined result"


def outcome_of(function: Callable[[], Any], *errors: type[Exception]) -> Outcome:
    """Return the result of a function, or None where it raises one of these errors."""
    try:
        result = function()
    except errors:
        return None
    return list(result) if isinstance(result, list | tuple) else result


def are_alike(first: Outcome, second: Outcome) -> bool:
    """Whether both outcomes are errors, or arrays of the same dtypes, shapes and bytes."""
    if first is None or second is None:
        return first is second
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(are_alike, first, second))
    if isinstance(first, list) or isinstance(second, list):
        return False
    return (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())


def has_elements(outcome: Outcome) -> bool:
    """Whether an outcome has elements that could be wrong."""
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


#: The number of random calls of each function.
CALLS = 2_000

# A failure shows this many disagreements.
_SHOWN = 8


@dataclass(frozen=True, eq=False)
class Departure:
    """The calls of a function for which ``when`` is true: a framework answers them in another way than fastops.

    ``framework`` is its name on the page, ``function`` the name in the dialect of fastops. ``text`` says what the
    framework does and why fastops differs; ``leaves`` says whether the framework departs from its own specification.
    ``theirs`` and ``ours`` are both answers to ``example``, in the words of `said`. If the answer to the example is an
    error, then the answers to all these calls are errors; other answers of fastops must be equal to those of
    ``answer``.
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
    """A function of a dialect: a draw of calls, and the framework's and fastops' functions that run them.

    Both functions take the data as a NumPy array and return an array or a list of arrays. Any exception of the
    framework is a refusal; from fastops, only a FastopsError is a refusal.
    """

    name: str
    draw: Callable[[Any], Call]
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    #: Whether some calls must be refused; a few functions take everything.
    refuses: bool = True
    #: The class that draws arguments in the forms of the framework.
    dice: type[Dice] = Dice

    def outcomes(self, call: Call) -> tuple[Outcome, Outcome]:
        """Return the outcomes of the framework and of fastops."""
        theirs = outcome_of(lambda: call.run(self.theirs), Exception)
        return theirs, outcome_of(lambda: call.run(self.ours), fo.FastopsError)

    def call(self, seed: int) -> Call:
        """Return the call of a seed."""
        return self.draw(self.dice(f"{seed} {self.name}"))


def check_live(function: Function, departures: Iterable[Departure], calls: int = CALLS) -> None:
    """Assert that fastops and the framework answer random calls of a function alike, or as one departure says.

    ``departures`` are those of the framework; those of other functions are ignored. Each departure of this function
    must be met by a call. Half of the calls must be valid and return elements, and some must be refused.
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
    """Return a text that says why two outcomes are wrong; the text is empty if they are right."""
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
    """Assert that a departure is about its example, and that both answers are those of the departure."""
    assert departure.when(departure.example), f"not about its own example: {departure.text}"
    theirs, ours = (said(values_of(each)) for each in function.outcomes(departure.example))
    assert departure.theirs in (theirs, UNDEFINED), departure.text
    assert departure.ours == ours, departure.text


_TABLE = tomllib.loads(Path(__file__).with_name("departures.toml").read_text("utf-8"))
#: Entries of the table of departures, and texts of the page.
ENTRIES: list[dict[str, Any]] = _TABLE["departure"]
TEXTS: dict[str, str] = _TABLE["page"]

_BY_NAME = {each["name"]: each for each in ENTRIES if "name" in each}
_When = Callable[[Call], bool]


class Departures(list[Departure]):
    """Departures of random calls."""

    def add(self, name: str, example: Call, answer: Callable[[Call], Any] | None = None) -> Callable[[_When], _When]:
        """Return a decorator that adds the departure with this name in the table; it decorates ``when``."""
        words = {"ours": AN_ERROR} | _BY_NAME[name]
        told = {key: words[key] for key in ("framework", "function", "text", "leaves", "theirs", "ours")}

        def added(when: _When) -> _When:
            self.append(Departure(**told, when=when, example=example, answer=answer))
            return when

        return added

    def add_each(
        self, start: str, reason: Callable[[Call], str], examples: dict[str, Call], answer: Callable[[Call], Any]
    ) -> None:
        """Add departures by the ends of their names; ``reason`` returns the end of the name that is about a call."""
        for end, example in examples.items():
            self.add(f"{start}-{end}", example, answer)(lambda call, end=end: reason(call) == end)
