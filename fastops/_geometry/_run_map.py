"""Runs: an axis as a list of arithmetic progressions, which is what maps become that no single mode can say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, final

from fastops._errors import AttributeValueError, OutOfBoundsError, counted, fields_shown, shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._numbers import named_indices

#: Runs of an axis, of which a plan has no more: what folds more often stays one `AxisMap`, or becomes two plans.
MOST_RUNS = 1 << 12

#: Fill slots of a plan.
MOST_SLOTS = 1 << 12


class Run(NamedTuple):
    """Outputs that follow each other and read an arithmetic progression, or all of which are one fill value.

    Attributes
    ----------
    count : int
        Number of outputs, >= 1.
    first : int or None
        What the first one reads; None for a fill value.
    stride : int
        From what one reads to what the next one reads, 1 where there is one only; of a fill, the number of its slot.
    """

    count: int  # type: ignore[assignment]  # The word for it; who would count in a tuple of three?
    first: int | None
    stride: int

    def source(self, y: int) -> int | None:
        """Return what output ``y`` of the run reads, or None for the fill value."""
        return None if self.first is None else self.first + y * self.stride

    def __repr__(self) -> str:
        return fields_shown(self)


class _Fields(NamedTuple):
    extent: int
    runs: tuple[Run, ...]
    count: int  # type: ignore[assignment]  # As that of Run.


@final
class RunMap(_Fields):
    """How one axis of the source is read: run after run.

    The list is canonical: each run takes as many outputs as follow it, from the left. So two maps of one extent are
    equal if and only if they read the same.

    Attributes
    ----------
    extent : int
        Length of the source axis, >= 0.
    runs : tuple of Run
        At most 4096.
    count : int
        Number of outputs.
    """

    __slots__ = ()

    def __new__(cls, extent: int, runs: Sequence[Run]) -> RunMap:
        """Return the map of runs, checked and joined."""
        if not isinstance(runs, list | tuple):
            raise AttributeValueError("RunMap", "runs", "be a list or a tuple of Runs", runs)
        given = tuple(runs)
        if type(extent) is not int or extent < 0:
            raise AttributeValueError("RunMap", "extent", "be an integer of at least 0", extent)
        if len(given) > MOST_RUNS:
            raise AttributeValueError("RunMap", "runs", f"be at most {MOST_RUNS}", len(given))
        for run in given:
            if type(run) is not Run or not type(run.count) is type(run.stride) is int or run.count < 1:
                raise AttributeValueError("RunMap", "runs", "be Runs of at least one output", run)
            if run.first is None:
                if not 0 <= run.stride < MOST_SLOTS:
                    raise AttributeValueError("RunMap", "runs", f"have fill slots in 0..{MOST_SLOTS - 1}", run)
            elif type(run.first) is not int:
                raise AttributeValueError("RunMap", "runs", "begin at an integer, or None for a fill value", run)
            elif not (0 <= run.first < extent and 0 <= run.first + (run.count - 1) * run.stride < extent):
                raise OutOfBoundsError("RunMap", "runs", f"read in 0..{shown(extent - 1)}", run)
        canonical = tuple(join_runs(given))
        return tuple.__new__(cls, (extent, canonical, sum([run.count for run in canonical])))

    def __reduce__(self) -> tuple[object, ...]:
        return RunMap, (self.extent, self.runs)

    @property
    def is_strict(self) -> bool:
        """True if every output reads in bounds, at one stride."""
        return len(self.runs) == 1 and self.runs[0].first is not None

    @property
    def slots(self) -> tuple[int, ...]:
        """The fill slots that it reads."""
        return tuple(sorted({run.stride for run in self.runs if run.first is None}))

    def source(self, y: int) -> int | None:
        """Return the source index that output ``y`` reads, or None for a fill value.

        Examples
        --------
        >>> axis = RunMap(5, [Run(2, None, 0), Run(3, 4, -2)])
        >>> [axis.source(y) for y in range(5)]
        [None, None, 4, 2, 0]
        """
        (y,) = named_indices("RunMap.source", y=y)
        if not 0 <= y < self.count:
            raise OutOfBoundsError("RunMap.source", "y", f"be in 0..{shown(self.count - 1)}", y)
        for run in self.runs:
            if y < run.count:
                break
            y -= run.count
        return run.source(y)

    __repr__ = fields_shown

    def __str__(self) -> str:
        return f"extent {shown(self.extent)}, count {shown(self.count)}, {counted(len(self.runs), 'run')}"


#: How an axis of a plan reads its axis of the source, or a window of it.
Map: TypeAlias = AxisMap | RunMap


def join_runs(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield the same outputs as runs of which each takes as many outputs as follow it, from the left.

    Examples
    --------
    >>> list(join_runs([Run(2, 2, -1), Run(4, 0, 1), Run(1, None, 0), Run(2, None, 0)]))
    [Run(count=3, first=2, stride=-1), Run(count=3, first=1, stride=1), Run(count=3, first=None, stride=0)]
    """
    last: Run | None = None
    for run in runs:
        count, first, stride = run
        while count and last is not None:
            n = _joined(last, count, first, stride)
            if not n:
                yield last
                last = None
            else:
                if last.count == 1 and last.first is not None and first is not None:
                    last = Run(1 + n, last.first, first - last.first)
                else:
                    last = Run(last.count + n, last.first, last.stride)
                count -= n
                first = None if first is None else first + n * stride
                if count:
                    yield last
                    last = None
        if count:
            last = Run(count, first, stride if count > 1 or first is None else 1)
    if last is not None:
        yield last


def _joined(last: Run, count: int, first: int | None, stride: int) -> int:
    """Return how many outputs of a run continue the one before it."""
    if last.first is None or first is None:
        return count if last.first is first and last.stride == stride else 0
    # The stride of one output is whatever leads to the next.
    step = first - last.first if last.count == 1 else last.stride
    if last.first + last.count * step != first:
        return 0
    return count if stride == step or count == 1 else 1
