"""What was measured, and what follows from it. No measuring, no processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.regress._statistics import Interval

#: Counts of one commit by name.
Counters = dict[str, int]

#: A ratio whose lower bound is above this is a regression, if a second pass confirms it.
THRESHOLD = 1.10

# Upper over lower bound: an interval that is wider says little.
_WIDE = 1.15

# Of the rows: more that say nothing, and the run says nothing.
_MOST_UNCLEAR = 0.25


class CannotMeasureError(Exception):
    """The gate has no answer; the message is one line that says why."""


class Verdict(StrEnum):
    """What became of a row."""

    REGRESSION = "regression"
    FASTER = "faster"
    #: By as much as the threshold, that is; it may be faster.
    NOT_SLOWER = "not slower"
    #: A little interval around the threshold: slower by about as much.
    BORDERLINE = "borderline"
    #: A wide interval, which holds both no regression and one.
    UNDECIDED = "undecided"
    #: HEAD differs from itself by more than the threshold.
    NOISY = "noisy"
    #: One pass says slower or faster; time was up before another.
    UNCONFIRMED = "unconfirmed"
    #: BASE has no such operator, or no such attributes.
    NEW = "new"
    #: HEAD has no such operator.
    ABSENT = "absent"
    #: Time was up.
    SKIPPED = "skipped"


# What the machine was too noisy for.
_UNCLEAR = (Verdict.UNDECIDED, Verdict.NOISY)


@dataclass(frozen=True)
class Measured:
    """What one pass over a benchmark gave.

    Attributes
    ----------
    base : float
        Median seconds of a call.
    change, again : Interval
        Of head over base, and of the control, which is HEAD too, over base.
    control : Interval
        Of HEAD over HEAD: the control over head.
    share : float
        How much of the time followed the reference.
    rounds : int
        Each of two blocks of each.
    """

    base: float
    change: Interval
    again: Interval
    control: Interval
    share: float
    rounds: int

    @property
    def head(self) -> float:
        """Seconds of a call of HEAD: what the pairs say, rather than a median of another moment."""
        return self.base * self.change.ratio

    @property
    def is_slower(self) -> bool:
        """True if this pass says regression: of both processes of HEAD."""
        return min(self.change.lower, self.again.lower) > THRESHOLD

    @property
    def may_be_slower(self) -> bool:
        """True if this pass points to a regression, whether or not its intervals are sure of it."""
        return min(self.change.ratio, self.again.ratio) > THRESHOLD

    @property
    def is_faster(self) -> bool:
        """True if this pass says the opposite."""
        return max(self.change.upper, self.again.upper) < 1 / THRESHOLD

    @property
    def is_decided(self) -> bool:
        """True if more rounds would hardly change what this pass says."""
        return self.is_slower or self.change.upper < THRESHOLD

    @property
    def is_noisy(self) -> bool:
        """True if this pass sees a difference where there is none."""
        return self.control.lower > THRESHOLD or self.control.upper < 1 / THRESHOLD


@dataclass
class Row:
    """A benchmark.

    Attributes
    ----------
    name : str
    passes : list of Measured
        One, a second one where the first sees a difference, and a third one where one of two is sure of it; none if the
        benchmark was not measured.
    absent : str
        ``base: `` or ``head: ``, and why that commit has no such benchmark; empty if both have.
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
        """True if two passes are sure of it, and none points elsewhere."""
        return self._sure > 1 and all(each.may_be_slower for each in self.passes)

    @property
    def needs_another_pass(self) -> bool:
        """True if a difference has yet to be confirmed: a process may be slow by the places that its memory has."""
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
        """What became of it."""
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
        # What the first pass saw and the second did not is not seen again: that is the second pass's answer.
        if self.shown.change.upper < THRESHOLD:
            return Verdict.NOT_SLOWER
        return Verdict.UNDECIDED if self.shown.change.upper > _WIDE * self.shown.change.lower else Verdict.BORDERLINE


@dataclass(frozen=True)
class CounterChange:
    """A counter that differs between the commits.

    Attributes
    ----------
    name : str
        ``case: counter``, ``function: counter`` and the like.
    base, head : int
    is_worse : bool
        True if the change is a regression by itself.
    """

    name: str
    base: int
    head: int
    is_worse: bool


def exit_reason(rows: Sequence[Row], changes: Sequence[CounterChange]) -> tuple[int, str]:
    """Return the exit code and one line that says why: 0 no regression, 1 regression, 2 could not measure."""
    measured = [row for row in rows if not row.absent]
    if not measured:
        return 2, "could not measure: BASE and HEAD have no benchmark in common"
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
        return 2, f"could not measure: time was up before {_counted(len(late), 'benchmark')} of {len(measured)}"
    if len(unclear) > _MOST_UNCLEAR * len(measured):
        return 2, f"could not measure: too noisy to say for {len(unclear)} of {_counted(len(measured), 'benchmark')}"
    return 0, f"no regression in {_counted(len(measured) - len(unclear), 'benchmark')}{rest}"


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
        The machine, and the versions of what both commits stand on.
    seconds : dict
        How long building, counting and measuring took.
    notes : list of str
        What else there is to know of the run.
    """

    commits: dict[str, tuple[str, str]]
    rows: list[Row]
    changes: list[CounterChange]
    counters: int
    environment: dict[str, str]
    seconds: dict[str, float]
    notes: list[str] = field(default_factory=list)
