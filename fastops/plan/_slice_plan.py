"""Functions that are loaded when they are first called: plans are made and drawn without NumPy.

Slice plans: what an operator reads, as geometry alone.

One plan serves every array of its source shape, and needs neither NumPy nor Numba before it runs. `docs/design/plan.md`
has the algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, final, overload

from fastops._drawings._svg import draw_plan
from fastops._drawings._text import explain_plan
from fastops._errors import DTypeError, FastopsError, shown
from fastops._geometry._axis_map import Map, Run
from fastops._geometry._composition import compose
from fastops._geometry._geometry import (
    Geometry,
    SourceWindow,
    create_geometry,
    extents_of,
    is_ordered,
    is_view,
    size_of,
    source_runs,
)
from fastops._geometry._text import geometry_from_json, geometry_text, geometry_to_json
from fastops._types import Data, DataOf, Out, R

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def called_late(namespace: dict[str, Any], module: str, name: str) -> Callable[..., Any]:
    """Return a function that loads another one, of this name, puts it into a namespace, and calls it."""

    def call(*arguments: Any) -> Any:
        found = namespace[name] = getattr(import_module(module), name)
        return found(*arguments)

    return call


@cache
def _lowering(module: str, name: str) -> Any:
    """Return the lowering of an operator, whose module it loads."""
    return getattr(import_module(module), name).lowering


run_geometry = called_late(globals(), "fastops._execution._plan_call", "run_geometry")
run_normalized = called_late(globals(), "fastops._execution._plan_call", "run_normalized")
indices_of = called_late(globals(), "fastops._arrays._inputs", "indices_of")


def _field(name: str) -> Any:
    """Return a property of a plan that is a field of its geometry."""
    return property(attrgetter(f"_geometry.{name}"))


def _answer(function: Callable[[Geometry], Any], says: str) -> Any:
    """Return a property of a plan that is a function of its geometry."""
    return property(lambda plan: function(plan._geometry), doc=says)


@final
class SlicePlan:
    """What one output array reads of a source, as geometry: it holds no dtype, no fill value and no memory.

    The source's axes are split, read, brought into another order and merged::

        source_shape -split-> extents -axes-> counts -order-> -merge-> shape

    Axes of length 1 come and go on both sides: an axis of extent 1 that data does not have is what a result of higher
    rank repeats, one of count 1 that the result does not have is a shrunk one.

    Plans compose: ``p.then(q)`` is one plan that reads what ``q`` reads of what ``p`` gives, in one pass over memory.

    Two plans are equal, and hash alike, if and only if all their fields are equal. Equal plans give the same of any
    array. Plans whose fields differ may still do so: where they read out of bounds, split an axis that others merge
    again, or have other axes of length 1.

    Call a plan to run it: ``plan(data, out=None, fill_value=None)``.

    Attributes
    ----------
    axes : tuple of AxisMap or RunMap
        How each axis of the source, or each that it is split into, is read. `RunMap` is what maps become that no mode
        can say: a reflection of a padded axis, for one.
    shape : tuple of int
        The shape of the result: the counts of the axes in their order, with neighbours merged, and axes of length 1
        added or dropped.
    source_shape : tuple of int
        The shape that data must have: what the axes' extents make it, unless there are windows.
    order : tuple of int
        Which of the axes comes first in the result, which next, and so on.
    fills : int
        Fill values that a call may give: one for each stage that reads outside with mode FILL.
    windows : tuple of SourceWindow or None
        What of the source each axis reads; None where their extents make the source's shape.
    geometry : tuple
        All of these, as fastops itself passes them on.
    """

    __slots__ = ("_geometry", "_kept")

    axes: tuple[Map, ...] = _field("axes")
    shape: tuple[int, ...] = _field("shape")
    source_shape: tuple[int, ...] = _field("source_shape")
    order: tuple[int, ...] = _field("order")
    fills: int = _field("fills")
    windows: tuple[SourceWindow, ...] | None = _field("windows")
    geometry: Geometry = property(attrgetter("_geometry"))  # type: ignore[assignment]
    extents: tuple[int, ...] = _answer(
        extents_of, "The extents of the axes: the source's shape, but for splits, windows and axes of length 1."
    )
    is_ordered: bool = _answer(is_ordered, "True if the axes stand in the result as they stand in the source.")
    size: int = _answer(size_of, "Number of elements of the result.")
    is_view: bool = _answer(is_view, "True if the result can be a view: all is read in bounds, and no axes are merged.")

    _geometry: Geometry
    # What the last call has prepared, for the next one: it is no part of what the plan is.
    _kept: list[Any]

    def __new__(
        cls,
        axes: Sequence[Map],
        shape: Sequence[int] | None,
        source_shape: Sequence[int] | None = None,
        order: Sequence[int] | None = None,
        windows: Sequence[SourceWindow] | None = None,
        fills: int | None = None,
    ) -> SlicePlan:
        """Return the plan of these fields, which are checked: an invalid plan would read out of bounds."""
        return slice_plan(create_geometry(axes, shape, source_shape, order, windows, fills))

    def __reduce__(self) -> tuple[Any, ...]:
        return SlicePlan, (self.axes, self.shape, self.source_shape, self.order, self.windows, self.fills)

    @classmethod
    def create(
        cls,
        axes: Sequence[Map],
        shape: Sequence[int] | None = None,
        source_shape: Sequence[int] | None = None,
        order: Sequence[int] | None = None,
        windows: Sequence[SourceWindow] | None = None,
        fills: int | None = None,
    ) -> SlicePlan:
        """Return the plan of these axes.

        ``shape`` is their counts, and ``source_shape`` their extents, where they are not given. Axes that do not read
        the source's axes, split or whole, come with a ``source_shape`` and a `SourceWindow` each.

        Raises
        ------
        AttributeValueError
            ``shape`` is not made of the counts, or ``source_shape`` not of the extents, the order is no permutation, or
            windows reach beyond the source.
        """
        return cls(axes, shape, source_shape, order, windows, fills)

    @overload
    def __call__(
        self,
        data: DataOf[R],
        out: Out = None,
        fill_value: Any = None,
        chunks: Any = None,
        *,
        normalize: Any = None,
        dtype: Any = None,
    ) -> R: ...
    @overload
    def __call__(
        self,
        data: Data,
        out: Out = None,
        fill_value: Any = None,
        chunks: Any = None,
        *,
        normalize: Any = None,
        dtype: Any = None,
    ) -> NDArray[Any]: ...
    def __call__(
        self,
        data: Data | DataOf[Any],
        out: Out = None,
        fill_value: Any = None,
        chunks: Any = None,
        *,
        normalize: Any = None,
        dtype: Any = None,
    ) -> Any:
        """Run the plan on an array.

        Parameters
        ----------
        data : array_like
            The source, of shape ``source_shape`` and any dtype but object.
        fill_value : scalar or sequence of scalars, optional
            What out-of-range coordinates in mode FILL read; zero by default. One for all, or ``fills`` of them, one for
            each stage that reads outside with mode FILL, in order of the stages.
        out, chunks, normalize, dtype : optional
            What `fastops.windows` takes: where a result of shape ``shape`` is written, and what elements become.

        Returns
        -------
        ndarray
            ``out``, or a fresh C-contiguous array.

        Raises
        ------
        DTypeError, AttributeValueError, OutputError
            Data, or another argument, does not fit the plan.
        """
        if normalize is None and dtype is None:
            return run_geometry(self._geometry, data, out, fill_value, self._kept, None, chunks)
        return run_normalized(self._geometry, data, out, fill_value, self._kept, normalize, dtype, chunks)

    def explain(self) -> str:
        """Return the plan in words and tables: what each output of each axis reads, and in which way.

        There are the shapes, then each axis, with some tens of its outputs. The text is for people: it may change.

        Examples
        --------
        >>> from fastops import plan
        >>> print(plan.numpy.pad((3,), 1, "wrap").explain())
        (3,) -> (5,): reads out of bounds, so it is a copy
        axis 0: extent 3, start -1, stride 1, count 5, wrap
          output   0       | 1 2 3  | 4
          reads    2       | 0 1 2  | 0
                   wrapped | inside | wrapped
        """
        return explain_plan(self._geometry)

    def to_json(self) -> str:
        """Return the plan as JSON, which `from_json` reads.

        It is an object of the fields ``format``, ``version`` (2), ``source_shape``, ``shape``, ``axes``, ``order``,
        ``fills``, and ``windows`` where the plan has some. The axes are objects of the fields of `AxisMap`, modes by
        their names in lower case, or of those of `RunMap`, but for its count.

        Examples
        --------
        >>> from fastops import plan
        >>> print(plan.numpy.tile((3,), 1).to_json())  # doctest: +NORMALIZE_WHITESPACE
        {"format": "fastops.SlicePlan", "version": 2, "source_shape": [3], "shape": [3],
         "axes": [{"extent": 3, "start": 0, "stride": 1, "count": 3, "mode": "strict_bounds"}],
         "order": [0], "fills": 0}
        """
        return geometry_to_json(self._geometry)

    @staticmethod
    def from_json(text: str | bytes) -> SlicePlan:
        """Return the plan that `to_json` has written, as JSON of version 1 or 2.

        Raises
        ------
        AttributeValueError, DTypeError
            It is no text, nor bytes of UTF-8, of JSON of this format and these versions: each field must be there, no
            other, and canonical.

        Examples
        --------
        >>> from fastops import plan
        >>> pad = plan.numpy.pad((3,), 1, "wrap")
        >>> plan.SlicePlan.from_json(pad.to_json()) == pad
        True
        """
        return slice_plan(geometry_from_json(text))

    def to_svg(self) -> str:
        """Return a drawing of the plan, as an SVG document, which notebooks show for a plan that ends a cell."""
        return draw_plan(self._geometry)

    _repr_svg_ = to_svg

    def __hash__(self) -> int:
        return hash(self._geometry)

    def __eq__(self, other: object) -> bool:
        return self._geometry == other._geometry if type(other) is SlicePlan else NotImplemented

    def runs(self, axis: int) -> tuple[Run, ...]:
        """Return the runs of one of the axes: outputs that follow each other and read an arithmetic progression.

        They are tuples ``(count, first, stride)``, as few as there can be, in coordinates of the source's axis; where
        it is split, what the axis adds to them. ``first`` is None for a fill value, and ``stride`` then its slot.

        Parameters
        ----------
        axis : int
            Which of ``axes``; negative ones are counted from the last.

        Raises
        ------
        AttributeValueError
            There is no such axis, or it has more than 4096 runs.

        Examples
        --------
        >>> from fastops import plan
        >>> plan.numpy.pad((3,), (1, 0)).runs(0)
        (Run(count=1, first=None, stride=0), Run(count=3, first=0, stride=1))
        """
        return source_runs(self._geometry, axis)

    def indices(self, axis: int) -> NDArray[np.int64]:
        """Return the source index that each output along one of the axes, as in `runs`, reads: an array of int64.

        In the place of a fill value, whichever it is, is -1. The array is empty where the plan has no outputs.

        Raises
        ------
        AttributeValueError, OutputError
            There is no such axis, the source has an extent of 2^63 or more, or there is no memory for so many indices.

        Examples
        --------
        >>> from fastops import plan
        >>> plan.numpy.pad((3,), (1, 2), "reflect").indices(0)
        array([1, 0, 1, 2, 1, 0])
        >>> plan.numpy.pad((3,), (1, 2)).indices(0)
        array([-1,  0,  1,  2, -1, -1])
        """
        indices: NDArray[np.int64] = indices_of(self._geometry, axis)
        return indices

    def then(self, plan: SlicePlan) -> SlicePlan:
        """Return the plan that reads what another plan reads of the result of this one: two stages in one pass.

        The ``source_shape`` of the later stage is the ``shape`` of this one. Its fill slots come behind those of this
        one, and win where both fill.

        Raises
        ------
        AttributeValueError
            The shapes differ, or one plan cannot say it: the later stage splits what this one has merged in another
            way, or they fold an axis into more than 4096 runs. Run one after the other then.

        Examples
        --------
        >>> from fastops import plan
        >>> pad = plan.numpy.pad((4, 4), 1, "reflect")
        >>> crop = plan.numpy.take_slice((6, 6), (slice(0, 4), slice(None, None, -1)))
        >>> print(pad.then(crop))
        (4, 4) -> (4, 6)
          axis 0: extent 4, start -1, stride 1, count 4, reflect
          axis 1: extent 4, start 4, stride -1, count 6, reflect
        """
        if type(plan) is not SlicePlan:
            raise DTypeError("SlicePlan.then", "plan", "be a SlicePlan", plan)
        return slice_plan(compose(self._geometry, plan.geometry))

    def transpose(self, axes: Sequence[int] | int | None = None, *others: int) -> SlicePlan:
        """Return the plan of the same result with its axes in another order, as ``numpy.transpose`` has it.

        They are reversed by default, and may also be arguments of their own: ``transpose(2, 0, 1)``.

        Raises
        ------
        AttributeValueError, DTypeError
            They are no permutation of the result's axes.

        Examples
        --------
        >>> from fastops import plan
        >>> print(plan.numpy.pad((4, 5), 1, "edge").transpose())
        (4, 5) -> (7, 6)
          axis 0: extent 4, start -1, stride 1, count 6, clamp
          axis 1: extent 5, start -1, stride 1, count 7, clamp
          order: 1, 0
        """
        try:
            lowering = _lowering("fastops.ops.numpy._moves", "transpose")
            later = lowering.lower_call(self.shape, (axes, *others) if others else axes)
        except FastopsError as error:
            error.op = "SlicePlan.transpose"
            raise
        return slice_plan(compose(self._geometry, later))

    def __getitem__(self, key: Any) -> SlicePlan:
        """Return the plan that takes a basic index of the result, as ``fastops.numpy.take_slice`` does."""
        lowering = _lowering("fastops.ops.numpy._parts", "take_slice")
        return slice_plan(compose(self._geometry, lowering.lower_call(self.shape, key)))

    # A plan has no elements to step through, although it can be indexed.
    __iter__ = None

    def __repr__(self) -> str:
        fields = [f"axes={self.axes!r}", f"shape={shown(self.shape)}"]
        if self.windows is not None or self.source_shape != self.extents:
            fields.append(f"source_shape={shown(self.source_shape)}")
        if not self.is_ordered:
            fields.append(f"order={shown(self.order)}")
        if self.windows is not None:
            fields.append(f"windows={self.windows!r}")
        if self.fills > 1:
            fields.append(f"fills={self.fills}")
        return f"SlicePlan({', '.join(fields)})"

    def __str__(self) -> str:
        return geometry_text(self._geometry)


def slice_plan(geometry: Geometry) -> SlicePlan:
    """Return the plan of a geometry that is right."""
    plan = object.__new__(SlicePlan)
    plan._geometry = geometry
    plan._kept = [None, None]
    return plan
