"""Axis maps: they say in exact integers which index of an axis of the source each output reads.

An `AxisMap` is a start, a stride, a count and a mode. A `RunMap` is a list of runs, which are arithmetic progressions.
It describes an axis for which no single mode is enough, such as a reflection of a padded axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeGuard, final

from fastops._errors import AttributeValueError, FastopsError, OutOfBoundsError, counted, fields_shown, shown
from fastops._geometry._numbers import named_indices
from fastops._geometry._sample_mode import SampleMode, as_mode, source_index

_new = tuple.__new__  # Makes a map from fields that are known to be canonical, without a second check.

_STRICT, _CLAMP, _FILL = SampleMode.STRICT_BOUNDS, SampleMode.CLAMP, SampleMode.FILL


class _AxisMapFields(NamedTuple):
    extent: int
    start: int
    stride: int
    count: int  # type: ignore[assignment]  # It hides tuple.count, which nobody needs here.
    mode: SampleMode


@final
class AxisMap(_AxisMapFields):
    """How one axis of the source is read: output ``y`` reads coordinate ``start + y * stride``, under a mode.

    It is a tuple of its fields. `create` makes one in canonical form:

    - ``create`` is sound: the map reads the indices that the arguments describe;
    - it is idempotent: ``create`` called with the fields of a map returns an equal map;
    - it is unique for maps that read in bounds: two maps of the same extent and count are equal if and only if they
      read the same indices.

    Attributes
    ----------
    extent : int
        Length of the source axis, >= 0.
    start : int
        Source coordinate of output 0.
    stride : int
        Distance from the coordinate of one output to that of the next: positive, negative or 0; 1 if count <= 1.
    count : int
        Number of outputs, >= 0.
    mode : SampleMode
        STRICT_BOUNDS for every map that reads in bounds, also if it was created with another mode.
    """

    __slots__ = ()

    def __new__(cls, extent: int, start: int, stride: int, count: int, mode: SampleMode) -> AxisMap:
        """Return the map of these fields, as `create` does, or an axis of a plan without outputs."""
        is_plain = {type(extent), type(start), type(stride), type(count)} == {int} and type(mode) is SampleMode
        # In a plan without outputs, each axis has start 0 and stride 1, even if its count is beyond its extent.
        if is_plain and (start, stride, mode) == (0, 1, _STRICT) and min(extent, count) >= 0:
            return _new(cls, (extent, start, stride, count, mode))
        return cls.create(extent, start, stride, count, mode)

    @classmethod
    def create(cls, extent: int, start: int, stride: int, count: int, mode: SampleMode = _STRICT) -> AxisMap:
        """Return the canonical map.

        Raises
        ------
        AttributeValueError
            ``extent`` or ``count`` is negative.
        OutOfBoundsError
            A coordinate is out of bounds in mode STRICT_BOUNDS, or the axis is empty and the mode is not FILL.

        Examples
        --------
        >>> AxisMap.create(5, -2, 1, 4, SampleMode.CLAMP)
        AxisMap(extent=5, start=-2, stride=1, count=4, mode=<SampleMode.CLAMP: 2>)
        >>> AxisMap.create(5, 1, 2, 2, SampleMode.WRAP)
        AxisMap(extent=5, start=1, stride=2, count=2, mode=<SampleMode.STRICT_BOUNDS: 0>)
        """
        try:
            if not type(extent) is type(start) is type(stride) is type(count) is int or type(mode) is not SampleMode:
                numbers = {"extent": extent, "start": start, "stride": stride, "count": count}
                extent, start, stride, count = named_indices("AxisMap", **numbers)
                mode = as_mode("mode", mode)
            for attribute, number in (("extent", extent), ("count", count)):
                if number < 0:
                    raise AttributeValueError.about(attribute, "be at least 0", number)
            return canonical_axis(extent, start, stride, count, mode)
        except FastopsError as error:
            error.add_context("AxisMap", {"mode": mode})
            raise

    @classmethod
    def whole(cls, extent: int) -> AxisMap:
        """Return the map that reads all of an axis in order."""
        if type(extent) is not int or extent < 0:
            return cls.create(extent, 0, 1, extent)
        return _new(cls, (extent, 0, 1, extent, _STRICT))

    @property
    def is_strict(self) -> bool:
        """True if every output reads in bounds."""
        return self.mode is _STRICT

    def source(self, y: int) -> int | None:
        """Return the source index that output ``y`` reads, or None for the fill value; this defines the map's meaning.

        Examples
        --------
        >>> axis = AxisMap.create(4, -2, 1, 8, SampleMode.REFLECT)
        >>> [axis.source(y) for y in range(8)]
        [2, 1, 0, 1, 2, 3, 2, 1]
        """
        y = y if type(y) is int else named_indices("AxisMap.source", y=y)[0]
        if not 0 <= y < self.count:
            raise OutOfBoundsError("AxisMap.source", "y", f"be in 0..{shown(self.count - 1)}", y)
        return source_index(self.start + y * self.stride, self.extent, self.mode)

    __repr__ = fields_shown

    def __str__(self) -> str:
        numbers = [f"{name} {shown(getattr(self, name))}" for name in ("extent", "start", "stride", "count")]
        return ", ".join([*numbers, self.mode.name.lower()])


def canonical_axis(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> AxisMap:
    """Return the canonical map, as `AxisMap.create` does, for Python integers; extent and count are at least 0."""
    if count == 0:
        return _new(AxisMap, (extent, 0, 1, 0, _STRICT))
    if count == 1:
        stride = 1
    last = start + (count - 1) * stride
    if 0 <= start < extent and 0 <= last < extent:
        return _new(AxisMap, (extent, start, stride, count, _STRICT))
    if mode is _FILL:
        return _new(AxisMap, (extent, start, stride, count, mode))
    if extent == 0:
        raise OutOfBoundsError("AxisMap", "count", "be 0 on an empty axis", count)
    if mode is _STRICT:
        if not 0 <= start < extent:
            raise OutOfBoundsError("AxisMap", "start", f"be in 0..{shown(extent - 1)} in mode strict_bounds", start)
        reach = f"{shown(start)}..{shown(last)}"
        rule = f"keep coordinates {reach} in 0..{shown(extent - 1)} in mode strict_bounds"
        raise OutOfBoundsError("AxisMap", "count", rule, count)
    is_constant = extent == 1 or stride == 0 or count == 1
    if mode is _CLAMP and not is_constant:
        is_constant = max(start, last) <= 0 or min(start, last) >= extent - 1
    if is_constant:
        return _new(AxisMap, (extent, source_index(start, extent, mode), 0 if count > 1 else 1, count, _STRICT))
    return _new(AxisMap, (extent, start, stride, count, mode))


#: The most runs of a `RunMap`.
MOST_RUNS = 1 << 12

#: The most fill slots of a plan.
MOST_SLOTS = 1 << 12


class Run(NamedTuple):
    """Neighbouring outputs that read an arithmetic progression of indices, or that are all one fill value.

    Attributes
    ----------
    count : int
        Number of outputs, >= 1.
    first : int or None
        The index that the first output reads; None if the outputs are a fill value.
    stride : int
        The distance from one index to the next, 1 for a single output. For a fill value, the number of its slot.
    """

    count: int  # type: ignore[assignment]  # It hides tuple.count, which nobody needs here.
    first: int | None
    stride: int

    def source(self, y: int) -> int | None:
        """Return the index that output ``y`` of the run reads, or None for the fill value."""
        return None if self.first is None else self.first + y * self.stride

    def moved(self, offset: int, step: int) -> Run:
        """Return the run with each index ``i`` replaced by ``offset + i * step``; a fill value stays as it is."""
        count, first, stride = self
        return self if first is None else Run(count, offset + first * step, stride * step if count > 1 else 1)

    def __repr__(self) -> str:
        return fields_shown(self)


class _RunMapFields(NamedTuple):
    extent: int
    runs: tuple[Run, ...]
    count: int  # type: ignore[assignment]  # It hides tuple.count, which nobody needs here.


@final
class RunMap(_RunMapFields):
    """How one axis of the source is read: by runs, one after the other.

    The list of runs is canonical: from left to right, each run takes in as many outputs as continue its progression.
    So two maps of the same extent are equal if and only if they read the same indices.

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
        if not isinstance(runs, list | tuple) or len(runs) > MOST_RUNS:
            raise AttributeValueError("RunMap", "runs", f"be a list or a tuple of at most {MOST_RUNS} Runs", runs)
        given = tuple(runs)
        if type(extent) is not int or extent < 0:
            raise AttributeValueError("RunMap", "extent", "be an integer of at least 0", extent)
        for run in given:
            is_run = type(run) is Run and type(run.count) is type(run.stride) is int
            if not is_run or run.count < 1 or not (run.first is None or type(run.first) is int):
                raise AttributeValueError("RunMap", "runs", "be Runs of integers, of at least one output each", run)
            if run.first is None:
                if not 0 <= run.stride < MOST_SLOTS:
                    raise AttributeValueError("RunMap", "runs", f"have fill slots in 0..{MOST_SLOTS - 1}", run)
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

    def source(self, y: int) -> int | None:
        """Return the source index that output ``y`` reads, or None for a fill value.

        Examples
        --------
        >>> axis = RunMap(5, [Run(2, None, 0), Run(3, 4, -2)])
        >>> [axis.source(y) for y in range(5)]
        [None, None, 4, 2, 0]
        """
        y = y if type(y) is int else named_indices("RunMap.source", y=y)[0]
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


#: How an axis of a plan reads its axis of the source, or a window of that axis.
Map: TypeAlias = AxisMap | RunMap


def is_affine(axis: Map) -> TypeGuard[AxisMap]:
    """True for an `AxisMap` that reads in bounds."""
    return type(axis) is AxisMap and axis.mode is _STRICT


def join_runs(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield runs in canonical form: from left to right, each takes in as many outputs as continue its progression.

    Examples
    --------
    >>> list(join_runs([Run(2, 2, -1), Run(4, 0, 1), Run(1, None, 0), Run(2, None, 0)]))
    [Run(count=3, first=2, stride=-1), Run(count=3, first=1, stride=1), Run(count=3, first=None, stride=0)]
    """
    last: Run | None = None
    for count, first, stride in runs:
        n = 0 if last is None else _joined(last, count, first, stride)
        if n and last is not None:
            by = last.stride if last.first is None or first is None or last.count > 1 else first - last.first
            last = Run(last.count + n, last.first, by)
            count -= n
            first = None if first is None else first + n * stride
        if count:
            if last is not None:
                yield last
            last = Run(count, first, stride if count > 1 or first is None else 1)
    if last is not None:
        yield last


def _joined(last: Run, count: int, first: int | None, stride: int) -> int:
    """Return how many outputs of a run continue the progression of the run before it, ``last``."""
    if last.first is None or first is None:
        return count if last.first is first and last.stride == stride else 0
    # A run of one output takes the stride that leads to the next run.
    step = first - last.first if last.count == 1 else last.stride
    if last.first + last.count * step != first:
        return 0
    return count if stride == step or count == 1 else 1
