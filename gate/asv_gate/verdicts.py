"""Results of measurements, and the verdicts that follow. Nothing here measures or starts processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from .counting import Counter
from .statistics import Interval

#: Counters of one commit by name.
Counters = Mapping[str, Counter]

#: A ratio whose lower bound is above this is a regression, if a second pass confirms it.
THRESHOLD = 1.10

# An interval whose upper bound is more than this many times its lower bound is wide.
_WIDE = 1.15

# If more than this share of the rows is unclear, a run without a regression has no verdict.
_MOST_UNCLEAR = 0.25


class CannotMeasureError(Exception):
    """The gate has no answer; the message is one line that says why."""


class Verdict(StrEnum):
    """The result of a row."""

    REGRESSION = "regression"
    FASTER = "faster"
    #: Not slower by as much as the threshold; possibly faster.
    NOT_SLOWER = "not slower"
    #: A narrow interval that reaches the threshold.
    BORDERLINE = "borderline"
    #: A wide interval that reaches the threshold.
    UNDECIDED = "undecided"
    #: HEAD differs from itself by more than the threshold.
    NOISY = "noisy"
    #: One pass says slower or faster; time was up before another.
    UNCONFIRMED = "unconfirmed"
    #: BASE does not have the case, or raises in it.
    NEW = "new"
    #: HEAD does not have the case.
    ABSENT = "absent"
    #: Time was up.
    SKIPPED = "skipped"


_UNCLEAR = (Verdict.UNDECIDED, Verdict.NOISY)


@dataclass(frozen=True)
class Measured:
    """The result of one pass over a case.

    Attributes
    ----------
    base : float
        Median seconds of a call.
    change, again : Interval
        Of head over base, and of the control, a second process of HEAD, over base.
    control : Interval
        Of HEAD over HEAD: the control over head.
    share : float
        How much of the time followed the reference.
    rounds : int
        Each has two blocks of each side.
    """

    base: float
    change: Interval
    again: Interval
    control: Interval
    share: float
    rounds: int

    @property
    def head(self) -> float:
        """Seconds of a call of HEAD, by the ratio of pairs: HEAD's own median would come from other moments."""
        return self.base * self.change.ratio

    @property
    def is_slower(self) -> bool:
        """True if both processes of HEAD are surely slower."""
        return min(self.change.lower, self.again.lower) > THRESHOLD

    @property
    def may_be_slower(self) -> bool:
        """True if the estimates of both processes of HEAD are slower, whether or not their intervals are."""
        return min(self.change.ratio, self.again.ratio) > THRESHOLD

    @property
    def is_faster(self) -> bool:
        """True if both processes of HEAD are surely faster."""
        return max(self.change.upper, self.again.upper) < 1 / THRESHOLD

    @property
    def is_decided(self) -> bool:
        """True if more rounds would hardly change the result."""
        return self.is_slower or self.change.upper < THRESHOLD

    @property
    def is_noisy(self) -> bool:
        """True if HEAD surely differs from itself."""
        return self.control.lower > THRESHOLD or self.control.upper < 1 / THRESHOLD


@dataclass
class Row:
    """A case.

    Attributes
    ----------
    name : str
    passes : list of Measured
        One; a second if the first sees a difference; a third if only one of the two is sure of it. Empty if the case
        was not measured.
    absent : str
        ``base: `` or ``head: ``, and why this commit does not have the case; empty if both have it.
    """

    name: str
    passes: list[Measured] = field(default_factory=list)
    absent: str = ""

    @property
    def shown(self) -> Measured:
        """The last pass."""
        return self.passes[-1]

    @property
    def is_slower(self) -> bool:
        """True if two passes are sure of it, and the estimates of all passes agree."""
        return self._sure > 1 and all(each.may_be_slower for each in self.passes)

    @property
    def needs_another_pass(self) -> bool:
        """True if a difference has to be confirmed: a process may be slow because of the addresses of its memory."""
        if self.absent:
            return False
        if len(self.passes) == 1:
            return self.shown.may_be_slower or self.shown.is_faster
        return len(self.passes) == 2 and self._sure == 1 and all(each.may_be_slower for each in self.passes)

    @property
    def is_unconfirmed(self) -> bool:
        """True if a pass is sure of a regression, and there was no time for the next one."""
        return self.needs_another_pass and self._sure == 1

    @property
    def _sure(self) -> int:
        return sum(each.is_slower for each in self.passes)

    @property
    def verdict(self) -> Verdict:
        """The result."""
        if self.absent:
            return Verdict.NEW if self.absent.startswith("base: ") else Verdict.ABSENT
        if not self.passes:
            return Verdict.SKIPPED
        if self.is_slower:
            return Verdict.REGRESSION
        if self.is_unconfirmed or (self.needs_another_pass and self.shown.is_faster):
            return Verdict.UNCONFIRMED
        if self.shown.is_noisy:
            return Verdict.NOISY
        if len(self.passes) > 1 and all(each.is_faster for each in self.passes):
            return Verdict.FASTER
        # A difference that the second pass does not see again does not count.
        if self.shown.change.upper < THRESHOLD:
            return Verdict.NOT_SLOWER
        return Verdict.UNDECIDED if self.shown.change.upper > _WIDE * self.shown.change.lower else Verdict.BORDERLINE


@dataclass(frozen=True)
class CounterChange:
    """A counter that differs between the commits.

    Attributes
    ----------
    name : str
        ``case: counter`` and the like.
    base, head : int or float
    is_worse : bool
        True if the change is a regression by itself.
    """

    name: str
    base: float
    head: float
    is_worse: bool


def changes_between(base: Counters, head: Counters) -> list[CounterChange]:
    """Return the counters of both that differ by more than their slack, those that are worse first."""
    changes = [
        CounterChange(name, count.value, head[name].value, head[name].is_worse_than(count.value))
        for name, count in base.items()
        if name in head and abs(head[name].value - count.value) > count.slack
    ]
    return sorted(changes, key=lambda change: not change.is_worse)


def exit_reason(rows: Sequence[Row], changes: Sequence[CounterChange]) -> tuple[int, str]:
    """Return the exit code and one line that says why: 0 no regression, 1 regression, 2 could not measure."""
    measured = [row for row in rows if not row.absent]
    if not measured:
        reasons = next((f" ({row.name}: {row.absent})" for row in rows if row.absent), "")
        return 2, f"could not measure: BASE and HEAD have no case in common{reasons}"
    unclear = [row for row in measured if row.verdict in _UNCLEAR]
    borderline = sum(row.verdict is Verdict.BORDERLINE for row in measured)
    new = sum(row.verdict is Verdict.NEW for row in rows)
    counts = {"borderline": borderline, "unclear": len(unclear), "new": new}
    rest = "".join(f", {number} {what}" for what, number in counts.items() if number)
    slower = [row.name for row in rows if row.verdict is Verdict.REGRESSION]
    worse = [change.name for change in changes if change.is_worse]
    if slower or worse:
        parts = [f"{len(slower)} slower"] if slower else []
        parts += [f"{_counted(len(worse), 'counter')} worse"] if worse else []
        return 1, f"regression: {', '.join(parts)}{rest}"
    late = [row for row in measured if not row.passes or row.is_unconfirmed]
    if late:
        return 2, f"could not measure: time was up before {_counted(len(late), 'case')} of {len(measured)}"
    if len(unclear) > _MOST_UNCLEAR * len(measured):
        return 2, f"could not measure: too noisy to say for {len(unclear)} of {_counted(len(measured), 'case')}"
    return 0, f"no regression in {_counted(len(measured) - len(unclear), 'case')}{rest}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Results:
    """A run of the gate.

    Attributes
    ----------
    commits : dict
        The hash and the subject of base and head.
    rows : list of Row
    changes : list of CounterChange
    counters : int
        How many were compared.
    environment : dict
        The day, the machine, and the versions of the packages that are installed beside the project.
    seconds : dict
        The time of building, counting and measuring.
    notes : list of str
        Whatever else a reader of the report has to know.
    """

    commits: dict[str, tuple[str, str]]
    rows: list[Row]
    changes: list[CounterChange]
    counters: int
    environment: dict[str, str]
    seconds: dict[str, float]
    notes: list[str] = field(default_factory=list)
