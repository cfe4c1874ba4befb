"""What is known of departures: the words of ``departures.toml``, for recorded cases and for random calls."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tests.conformance._calls import Call
from tests.conformance._live import Departure
from tests.conformance._outcomes import AN_ERROR

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
