"""Slice plans: what an operator reads, as geometry alone.

A plan holds no dtype, no fill value and no memory, so one plan serves every array of its source shape. It needs neither
NumPy nor Numba. `docs/design/plan.md` has the algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import FrozenInstanceError, dataclass, field
from importlib import import_module
from itertools import islice
from math import prod
from typing import Any

from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._plans._axis_map import AxisMap
from fastops._plans._numbers import as_indices, is_of
from fastops._plans._sample_mode import SampleMode

# Plans have no more axes: what yields maps for ever is an error at once.
_MOST_AXES = 1 << 12


def _as_axes(axes: Sequence[AxisMap]) -> tuple[AxisMap, ...]:
    """Return axes as a tuple, which stays what it is; of too many, one more than a plan may have."""
    if type(axes) is tuple:
        return axes
    if not is_of(axes, Iterable) or getattr(axes, "shape", None) == ():
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
    return tuple(islice(axes, _MOST_AXES + 1))


def _as_lengths(attribute: str, value: Any) -> tuple[int, ...]:
    """Return a shape as a tuple of Python integers."""
    try:
        return as_indices(attribute, value)
    except FastopsError as error:
        error.add_context("SlicePlan", {attribute: value})
        raise


def differ_in_ones(one: Sequence[int], other: Sequence[int]) -> bool:
    """True if two shapes are the same, but for axes of length 1."""
    return list(one) == list(other) or [n for n in one if n != 1] == [n for n in other if n != 1]


_set = object.__setattr__  # How to fill a frozen object.


@dataclass(frozen=True, slots=True, init=False)
class SlicePlan:
    """What one output array reads of a source: a map an axis, and the shapes of source and result.

    Two plans are equal, and hash alike, if they map the same source shape to the same shape in the same way, as far
    as `AxisMap` promises it. A plan that has an output of no elements reads nothing, so its axes keep their extents
    and counts only.

    Axes of length 1 come and go on both sides: an axis of extent 1 that data has not is what a result of higher rank
    repeats, one of count 1 that the result has not is a shrunk one.

    Call a plan to run it: ``plan(data, out=None, fill_value=None)``.

    Attributes
    ----------
    axes : tuple of AxisMap
        One for each axis of the source, but for axes of length 1.
    shape : tuple of int
        The shape of the result: the counts of the axes, with axes of length 1 added or dropped.
    source_shape : tuple of int
        The shape that data must have: the extents of the axes, with axes of length 1 added or dropped.
    """

    axes: tuple[AxisMap, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]
    # Kept once it is known, because a plan is a key of the cache of prepared calls.
    _hash: int | None = field(init=False, compare=False)
    # What the last call has prepared, for the next one: it is no part of what the plan is.
    _prepared: Any = field(init=False, compare=False)

    def __init_subclass__(cls, **_: Any) -> None:
        raise TypeError("SlicePlan cannot be subclassed")  # Kernels rely on what it says.

    def __init__(
        self, axes: Sequence[AxisMap], shape: Sequence[int] | None, source_shape: Sequence[int] | None = None
    ) -> None:
        # `create` is the way in. This keeps out what would let a kernel leave its arrays, by whatever way it comes.
        axes = _as_axes(axes)
        if shape is not None:
            shape = _as_lengths("shape", shape)
        if source_shape is not None:
            source_shape = _as_lengths("source_shape", source_shape)
        counts, extents = [], []
        is_inside = True
        if len(axes) > _MOST_AXES:
            raise AttributeValueError("SlicePlan", "axes", f"be at most {_MOST_AXES} AxisMaps", axes)
        for axis in axes:
            if type(axis) is not AxisMap:
                raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
            counts.append(axis.count)
            extents.append(axis.extent)
            if axis.mode is SampleMode.STRICT_BOUNDS:
                is_inside = is_inside and axis.reads_inside
        if shape is None:
            shape = tuple(counts)
        elif not differ_in_ones(counts, shape):
            rule = f"be the counts {shown(tuple(counts))} with axes of length 1 added or dropped"
            raise AttributeValueError("SlicePlan", "shape", rule, shape)
        if source_shape is None:
            source_shape = tuple(extents)
        elif not differ_in_ones(extents, source_shape):
            rule = f"be the extents {shown(tuple(extents))} with axes of length 1 added or dropped"
            raise AttributeValueError("SlicePlan", "source_shape", rule, source_shape)
        if not is_inside and 0 not in counts:
            raise AttributeValueError("SlicePlan", "axes", "read inside their extents in mode strict_bounds", axes)
        if 0 in counts:
            axes = tuple([AxisMap.unread(axis.extent, axis.count) for axis in axes])
        if hasattr(self, "axes"):
            raise FrozenInstanceError("a SlicePlan is made once")
        _set(self, "axes", axes)
        _set(self, "shape", shape)
        _set(self, "source_shape", source_shape)
        _set(self, "_hash", None)
        _set(self, "_prepared", None)

    def _prepare(self, call: Any) -> None:
        """Keep what a call has prepared."""
        _set(self, "_prepared", call)

    def __reduce__(self) -> tuple[Any, ...]:
        return SlicePlan, (self.axes, self.shape, self.source_shape)

    def __setstate__(self, _: object) -> None:
        raise FrozenInstanceError("a SlicePlan is made once")

    @classmethod
    def create(
        cls, axes: Sequence[AxisMap], shape: Sequence[int] | None = None, source_shape: Sequence[int] | None = None
    ) -> SlicePlan:
        """Return the canonical plan of these axes.

        ``shape`` is their counts, and ``source_shape`` their extents, where they are not given.

        Raises
        ------
        AttributeValueError
            ``shape`` differs from the counts, or ``source_shape`` from the extents, in more than axes of length 1.
        """
        return cls(axes, shape, source_shape)

    @property
    def extents(self) -> tuple[int, ...]:
        """The extents of the axes: the source's shape, but for axes of length 1."""
        return tuple([axis.extent for axis in self.axes])

    @property
    def size(self) -> int:
        """Number of elements of the result."""
        return prod(self.shape)

    @property
    def is_view(self) -> bool:
        """True if the result can be a view of the source: every axis reads in bounds."""
        return all([axis.mode is SampleMode.STRICT_BOUNDS for axis in self.axes])

    def __call__(self, data: Any, out: Any = None, fill_value: Any = None) -> Any:
        """Run the plan on an array.

        Parameters
        ----------
        data : array_like
            The source, of shape ``source_shape`` and any dtype but object.
        out : ndarray, optional
            Where to write: of shape ``shape`` and data's dtype, any strides. A fresh C-contiguous array by default.
        fill_value : scalar, optional
            What out-of-range coordinates of axes in mode FILL read; zero by default.

        Returns
        -------
        ndarray
            ``out``, or the fresh array.

        Raises
        ------
        DTypeError, AttributeValueError, OutputError
            Data, fill value or ``out`` do not fit the plan.
        """
        return self._run(data, out, fill_value)

    def _run(self, *arguments: Any) -> Any:
        """Load what runs plans, which takes its place here."""
        import_module("fastops._execution._plan_call")
        return self._run(*arguments)

    def explain(self) -> str:
        """Return the plan in words and tables: what each output of each axis reads, and in which way.

        Returns
        -------
        str
            The shapes; then each axis, with a table of some tens of its outputs, and notes on what may surprise. The
            text is for people: it may change.

        Examples
        --------
        >>> print(SlicePlan.create([AxisMap.create(3, -1, 1, 5, SampleMode.WRAP)]).explain())
        (3,) -> (5,): reads out of bounds, so it is a copy
        axis 0: extent 3, start -1, stride 1, count 5, wrap
          output   0       | 1 2 3  | 4
          reads    2       | 0 1 2  | 0
                   wrapped | inside | wrapped
          source     0 1   2
          read by  1,4 2 0,3
        """
        return str(import_module("fastops._drawings._text").explain_plan(self))

    def to_json(self) -> str:
        """Return the plan as JSON, which `from_json` reads.

        Returns
        -------
        str
            An object of the fields ``format``, ``version`` (1), ``source_shape``, ``shape`` and ``axes``, the last a
            list of objects of the fields of `AxisMap`, modes by their names in lower case.

        Examples
        --------
        >>> print(SlicePlan.create([AxisMap.whole(3)]).to_json())  # doctest: +NORMALIZE_WHITESPACE
        {"format": "fastops.SlicePlan", "version": 1, "source_shape": [3], "shape": [3],
         "axes": [{"extent": 3, "start": 0, "stride": 1, "count": 3, "mode": "strict_bounds"}]}
        """
        return str(import_module("fastops._plans._json").slice_plan_to_json(self))

    @staticmethod
    def from_json(text: str | bytes) -> SlicePlan:
        """Return the plan that `to_json` has written.

        Parameters
        ----------
        text : str or bytes
            JSON; bytes are UTF-8.

        Returns
        -------
        SlicePlan
            Equal to the one that was written.

        Raises
        ------
        AttributeValueError
            The text is no JSON of this format and version: each field must be there, no other, and canonical.
        DTypeError
            It is no text.

        Examples
        --------
        >>> plan = SlicePlan.create([AxisMap.create(3, -1, 1, 5, SampleMode.WRAP)])
        >>> SlicePlan.from_json(plan.to_json()) == plan
        True
        """
        plan: SlicePlan = import_module("fastops._plans._json").slice_plan_from_json(text)
        return plan

    def _repr_svg_(self) -> str:
        """Return a drawing of the plan, for notebooks."""
        return str(import_module("fastops._drawings._svg").draw_plan(self))

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", hash((self.axes, self.shape, self.source_shape)))
        return self._hash  # type: ignore[return-value]

    def __repr__(self) -> str:
        source = "" if self.source_shape == self.extents else f", source_shape={shown(self.source_shape)}"
        return f"SlicePlan(axes={self.axes!r}, shape={shown(self.shape)}{source})"

    def __str__(self) -> str:
        lines = [f"{shown(self.source_shape)} -> {shown(self.shape)}"]
        lines += [f"  axis {i}: {axis}" for i, axis in enumerate(self.axes)]
        return "\n".join(lines)
