"""The page on conformance: a section an operator, with its matrix by rule and framework, and what departs in each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from string import ascii_lowercase

from tests.conformance._live import Departure
from tests.conformance._operators import FRAMEWORKS
from tests.conformance._verdicts import VERDICTS, Verdict

_COLUMNS = ("", "what it does", "departs from its specification", "cases", "for example", "it answers", "fastops")


@dataclass
class Cell:
    """The cases of a framework on a rule: how many, with how many errors, and what is otherwise here and why."""

    total: int = 0
    errors: int = 0
    different: int = 0
    verdicts: set[Verdict] = field(default_factory=set)

    def text(self, letters: dict[Verdict, str]) -> str:
        """Return the cell as it stands in the matrix."""
        count = f"{self.total - self.different} of {self.total}" if self.different else f"{self.total}"
        if self.errors:
            some = "1 error" if self.errors == 1 else f"{self.errors} errors"
            count += f", {some if self.errors < self.total else 'all errors'}"
        named = ", ".join(sorted(letters[each] for each in self.verdicts))
        return f"{count} ({named})" if named else count


@dataclass(frozen=True)
class Example:
    """A case that a verdict is about."""

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
    """An operator: its matrix, by rule and framework, the cases of each verdict, and what random calls have met."""

    operator: str
    departures: Sequence[Departure]
    cells: dict[str, dict[str, Cell]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Cell)))
    examples: dict[Verdict, list[Example]] = field(default_factory=lambda: defaultdict(list))

    def mark(self, framework: str) -> str:
        """Return what the first table has for a framework that has the operator: a tick, or how much departs."""
        verdicts = self._verdicts_of(framework)
        n = sum(not each.alike for each in verdicts) + len(self._found_at_random(framework))
        return f"[{n} departure{'s' if n > 1 else ''}](#{slug_of(self._heading(framework))})" if n else "✓"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the section."""
        letters = self._letters()
        yield from (f"## {self.operator}", "")
        frameworks = [each for each in FRAMEWORKS if any(each in cells for cells in self.cells.values())]
        if not frameworks:
            yield from ("No cases are recorded.", "")
        else:
            rows = [
                [rule, *[cells[each].text(letters) if each in cells else "" for each in frameworks]]
                for rule, cells in sorted(self.cells.items())
            ]
            yield from table(["rule", *frameworks], rows)
        for framework in FRAMEWORKS:
            rows = [self._row(each, letters[each]) for each in self._verdicts_of(framework)]
            rows += [_row_of(each) for each in self._found_at_random(framework)]
            if rows:
                yield from (f"### {self._heading(framework)}", "", *table(_COLUMNS, rows))

    def _heading(self, framework: str) -> str:
        return f"{self.operator} in {framework}"

    def _verdicts_of(self, framework: str) -> list[Verdict]:
        found = [each for each in VERDICTS if each in self.examples and each.framework == framework]
        return sorted(found, key=lambda each: not each.leaves)

    def _found_at_random(self, framework: str) -> list[Departure]:
        """Return the departures that recorded cases have not, one for each text."""
        told = {each.text for each in self._verdicts_of(framework)}
        found: dict[str, Departure] = {}
        for each in self.departures:
            if each.framework == framework and each.text not in told:
                found.setdefault(each.text, each)
        return list(found.values())

    def _letters(self) -> dict[Verdict, str]:
        found = [each for framework in FRAMEWORKS for each in self._verdicts_of(framework)]
        return dict(zip(found, ascii_lowercase, strict=False))

    def _row(self, verdict: Verdict, letter: str) -> list[str]:
        examples = self.examples[verdict]
        shown = min(examples, key=lambda each: (each.identifier != verdict.example, each.length))
        cases = f"{len(examples)}: {compact([each.identifier for each in examples])}"
        if any(each.text == verdict.text for each in self.departures):
            cases += "; random calls"
        leaves = ("yes" if verdict.leaves else "no") + (", *alike*" if verdict.alike else "")
        return [letter, verdict.text, leaves, cases, shown.call, shown.theirs, shown.ours]


def _row_of(departure: Departure) -> list[str]:
    example = f"{departure.function}{departure.example}"
    leaves = "yes" if departure.leaves else "no"
    return ["", departure.text, leaves, "random calls", example, departure.theirs, departure.ours]


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
