"""Outcomes of fastops and of frameworks, the departures between them, and the check of random calls."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from tests.conformance._calls import Array, Call, Dice, data_of

#: Arrays; None is an error.
Outcome = list[Array] | None

#: A shape and the values of each array; None is an error. Recorded outcomes have this form.
Values = list[tuple[tuple[int, ...], list[Any]]] | None

AN_ERROR = "an error"

#: The words for a result that differs from call to call.
UNDEFINED = "no defined result"


def outcome_of(function: Callable[[], Any], *errors: type[Exception]) -> Outcome:
    """Return the results of a function, or None where it raises one of these errors."""
    try:
        result = function()
    except errors:
        return None
    return list(result) if isinstance(result, list | tuple) else [result]


def are_alike(first: Outcome, second: Outcome) -> bool:
    """Whether both outcomes are errors, or arrays of the same dtypes, shapes and bytes."""
    if first is None or second is None:
        return first is second
    told = [[(each.dtype, each.shape, each.tobytes()) for each in arrays] for arrays in (first, second)]
    return told[0] == told[1]


def values_of(outcome: Outcome) -> Values:
    """Return shapes and values of an outcome."""
    return outcome and [(each.shape, list(map(_number, each.ravel().tolist()))) for each in outcome]


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
    """Calls of a function that a framework answers in another way than fastops.

    ``framework`` is its name on the page, ``function`` the name in the dialect of fastops. ``text`` says what the
    framework does and why fastops differs; ``leaves`` says whether the framework departs from its own specification.
    ``theirs`` and ``ours`` are the framework's and fastops' answers to ``example``, in the words of `said`.

    The departure is about a call with different answers if ``when`` is true for it and each side gives an error, or
    none, as it does for the example; if ``theirs`` is UNDEFINED, the framework may do either. An answer of fastops that
    is no error must equal the result of ``answer``, by default the data.
    """

    framework: str
    function: str
    text: str
    leaves: bool
    example: Call
    when: Callable[[Call], object]
    answer: Callable[[Call], Any] = data_of
    theirs: str = AN_ERROR
    ours: str = AN_ERROR

    def explains(self, call: Call, theirs: Outcome, ours: Outcome) -> bool:
        """Whether the departure is about a call with these answers, which differ."""
        is_alike = self.theirs == UNDEFINED or (theirs is None) == (self.theirs == AN_ERROR)
        return is_alike and (ours is None) == (self.ours == AN_ERROR) and bool(self.when(call))


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


def check_live(function: Function, departures: Iterable[Departure], calls: int = CALLS) -> None:
    """Assert that fastops and the framework answer random calls of a function alike, or as a departure says.

    ``departures`` are all departures of the framework: only those of this function are used, and for each call the
    first that explains it. Each departure of this function must be met by a call. At least half of the calls must be
    valid and return elements, and some must be refused, or none if ``refuses`` is false.
    """
    known = [each for each in departures if each.function == function.name]
    met: set[Departure | None] = set()
    faults: list[str] = []
    valid = refused = 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for seed in range(calls):
            call = function.draw(function.dice(f"{seed} {function.name}"))
            theirs, ours = function.outcomes(call)
            valid += any(each.size for each in theirs or ())
            refused += theirs is None
            if are_alike(theirs, ours):
                continue
            found = next((each for each in known if each.explains(call, theirs, ours)), None)
            met.add(found)
            right = outcome_of(partial(found.answer, call), Exception) if found and ours is not None else None
            if found is None or not are_alike(ours, right):
                answers = [(said(values_of(each)), [part.dtype for part in each or ()]) for each in (theirs, ours)]
                told = "" if found is None else f", against the answer of the departure: {found.text}"
                faults.append(f"seed {seed}: {function.name}{call}\n  {answers}{told}")
        for each in known:
            outcomes = function.outcomes(each.example)
            theirs_said, ours_said = (said(values_of(outcome)) for outcome in outcomes)
            assert each.explains(each.example, *outcomes), each.text
            assert (each.theirs, each.ours) in ((theirs_said, ours_said), (UNDEFINED, ours_said)), each.text
    shown = "\n".join(faults[:_SHOWN])
    assert not faults, f"{len(faults)} of {calls} calls have unexpected answers:\n{shown}"
    stale = [each.text for each in known if each not in met]
    assert not stale, f"no call of {function.name} meets these departures: {stale}"
    assert valid >= calls / 2, f"only {valid} of {calls} calls of {function.name} are valid and give elements"
    assert bool(refused) == function.refuses, f"{refused} of {calls} calls of {function.name} are refused"


_TABLE = tomllib.loads(Path(__file__).with_name("departures.toml").read_text("utf-8"))
#: Entries of the table of departures, and texts of the page.
ENTRIES: list[dict[str, Any]] = _TABLE["departure"]
TEXTS: dict[str, str] = _TABLE["page"]

_BY_NAME = {each["name"]: each for each in ENTRIES if "name" in each}
_PARTS = ("example", "when", "answer")
_TOLD = ("framework", "function", "text", "leaves", "theirs", "ours")


def departures_of(examples: Mapping[str, Sequence[Any]]) -> list[Departure]:
    """Return departures; ``examples`` has ``example``, ``when`` and ``answer`` by the names in the table."""
    told = {name: {key: _BY_NAME[name][key] for key in _TOLD if key in _BY_NAME[name]} for name in examples}
    return [Departure(**told[name], **dict(zip(_PARTS, parts, strict=False))) for name, parts in examples.items()]
