"""The page on conformance: a section an operator, with the cases of each framework, and what departs in each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tests.conformance._departure_table import RECORDED, RecordedDeparture
from tests.conformance._live import Departure
from tests.conformance._operators import FRAMEWORKS

_COLUMNS = ("what it does", "departs from its specification", "cases", "for example", "it answers", "fastops")


@dataclass
class Count:
    """The recorded cases of a framework: how many, with how many errors, and how many are otherwise here."""

    cases: int = 0
    errors: int = 0
    different: int = 0


@dataclass(frozen=True)
class Example:
    """A case that a departure is about."""

    identifier: str
    call: str
    theirs: str
    ours: str

    @property
    def length(self) -> int:
        """How much there is to read; the shortest example is shown."""
        return len(self.call) + len(self.theirs) + len(self.ours)


@dataclass
class Section:
    """An operator: the count of each framework, the cases of each departure, and what random calls have met."""

    operator: str
    departures: Sequence[Departure]
    counts: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    examples: dict[RecordedDeparture, list[Example]] = field(default_factory=lambda: defaultdict(list))

    def mark(self, framework: str) -> str:
        """Return what the first table has for a framework that has the operator: a tick, or how much departs."""
        n = sum(not each.alike for each in self._recorded(framework)) + len(self._found_at_random(framework))
        return f"[{n} departure{'s' if n > 1 else ''}](#{slug_of(self._heading(framework))})" if n else "✓"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the section."""
        yield from (f"## {self.operator}", "")
        counts = [(each, self.counts[each]) for each in FRAMEWORKS if each in self.counts]
        if counts:
            rows = [[each, f"{n.cases}", f"{n.errors}", f"{n.cases - n.different}"] for each, n in counts]
            yield from table(("recorded cases of", "cases", "errors", "answered alike"), rows)
        else:
            yield from ("No cases are recorded.", "")
        for framework in FRAMEWORKS:
            rows = [self._row(each) for each in self._recorded(framework)]
            rows += [_row_of(each) for each in self._found_at_random(framework)]
            if rows:
                yield from (f"### {self._heading(framework)}", "", *table(_COLUMNS, rows))

    def _heading(self, framework: str) -> str:
        return f"{self.operator} in {framework}"

    def _recorded(self, framework: str) -> list[RecordedDeparture]:
        found = [each for each in RECORDED if each in self.examples and each.framework == framework]
        return sorted(found, key=lambda each: not each.leaves)

    def _found_at_random(self, framework: str) -> list[Departure]:
        """Return the departures that recorded cases have not, one for each text."""
        told = {each.text for each in self._recorded(framework)}
        found: dict[str, Departure] = {}
        for each in self.departures:
            if each.framework == framework and each.text not in told:
                found.setdefault(each.text, each)
        return list(found.values())

    def _row(self, departure: RecordedDeparture) -> list[str]:
        examples = self.examples[departure]
        shown = min(examples, key=lambda each: (each.identifier != departure.example, each.length))
        cases = f"{len(examples)}: {compact([each.identifier for each in examples])}"
        if any(each.text == departure.text for each in self.departures):
            cases += "; random calls"
        leaves = ("yes" if departure.leaves else "no") + (", *alike*" if departure.alike else "")
        return [departure.text, leaves, cases, shown.call, shown.theirs, shown.ours]


def _row_of(departure: Departure) -> list[str]:
    example = f"{departure.function}{departure.example}"
    leaves = "yes" if departure.leaves else "no"
    return [departure.text, leaves, "random calls", example, departure.theirs, departure.ours]


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def slug_of(heading: str) -> str:
    """Return the anchor that GitHub and the site's builder give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def compact(identifiers: list[str]) -> str:
    """Return ids with their common beginnings once: ``ov_pad_017, 043, 166``."""
    pairs = [identifier.rpartition("_")[::2] for identifier in identifiers]
    groups = groupby(sorted(pairs), key=lambda pair: pair[0])
    return ", ".join(f"`{start}_{', '.join(number for _, number in group)}`" for start, group in groups)
