"""Slice plans: the geometry of the elements that an operator reads, as an object with methods (`docs/design/plans.md`).

Making, printing and drawing plans needs neither NumPy nor Numba: a function that needs one of them loads it at the
first call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Unpack, final, overload

from fastops._errors import DTypeError, FastopsError, fields_shown
from fastops._geometry import _geometry as g
from fastops._geometry._axis_map import Map, Run
from fastops._geometry._composition import compose
from fastops._geometry._geometry import Geometry, SourceWindow
from fastops._geometry._json import geometry_from_json, geometry_to_json
from fastops._types import Converted, Data, DataOf, Out, R
from fastops.plan._text import draw_plans, explain_plan, geometry_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def called_late(namespace: dict[str, Any], module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports the function ``name``, stores it in ``namespace``, and calls it."""

    def call(*arguments: Any, **named: Any) -> Any:
        found = namespace[name] = getattr(import_module(module), name)
        return found(*arguments, **named)

    return call


run_geometry = called_late(globals(), "fastops._execution._plan_call", "run_geometry")
read_normalization = called_late(globals(), "fastops._arrays._conversions", "read_normalization")
indices_of = called_late(globals(), "fastops._arrays._inputs", "indices_of")


def _field(name: str) -> Any:
    """Return the property of a plan for a field of its geometry."""
    return property(attrgetter(f"_geometry.{name}"), doc="")


def _answer(function: Callable[[Geometry], Any], doc: str) -> Any:
    """Return the property of a plan for a function of its geometry."""
    return property(lambda plan: function(plan._geometry), doc=doc)


@final
class SlicePlan:
    """The elements of a source that one output array reads, without dtype, fill value and memory.

    The source's axes are split, read, brought into another order and merged::

        source_shape -split-> extents -axes-> counts -order-> -merge-> shape

    Axes of length 1 can be added and dropped on both sides. So broadcasting to a higher rank repeats an added axis of
    extent 1, and an integer index drops an axis of count 1.

    Plans compose: ``p.then(q)`` is one plan for both, and runs in one pass over memory.

    Two plans are equal, and hash alike, if and only if all their fields are equal. Equal plans give equal results for
    any array. Different plans may give equal results too, if they read out of bounds, split and merge axes, or have
    axes of length 1.

    Call a plan to run it: ``plan(data, out=None, fill_value=None)``.

    Attributes
    ----------
    axes : tuple of AxisMap or RunMap
        How each axis is read; one axis of the source may be split into several of these. A `RunMap` describes an axis
        that no mode describes, such as a reflection of a padded axis.
    shape : tuple of int
        The shape of the result: the counts of the axes in ``order``, with neighbouring axes merged, and axes of length
        1 added or dropped.
    source_shape : tuple of int
        The shape that data must have. Without ``windows``, it follows from the extents of the axes.
    order : tuple of int
        The axis that comes first in the result, the axis that comes next, and so on.
    fills : int
        The number of fill values that a call may give: one for each stage that reads out of bounds in mode FILL. A pad
        of `fastops.lazy` with a value for each side has two for each axis.
    windows : tuple of SourceWindow or None
        The part of the source that each axis reads; None if the axes read the whole source.
    geometry : tuple
        All other attributes in one tuple.
    """

    __slots__ = ("_geometry", "_kept")

    axes: tuple[Map, ...] = _field("axes")
    shape: tuple[int, ...] = _field("shape")
    source_shape: tuple[int, ...] = _field("source_shape")
    order: tuple[int, ...] = _field("order")
    fills: int = _field("fills")
    windows: tuple[SourceWindow, ...] | None = _field("windows")
    geometry: Geometry = property(attrgetter("_geometry"), doc="")  # type: ignore[assignment]
    extents: tuple[int, ...] = _answer(g.extents_of, "The extents of the axes.")
    is_ordered: bool = _answer(g.is_ordered, "True if the axes stand in the result as they stand in the source.")
    size: int = _answer(g.size_of, "Number of elements of the result.")
    is_view: bool = _answer(g.is_view, "True if the result can be a view: axes read in bounds, and none are merged.")

    _geometry: Geometry
    _kept: list[Any]

    def __new__(
        cls,
        axes: Sequence[Map],
        shape: Sequence[int] | None = None,
        source_shape: Sequence[int] | None = None,
        order: Sequence[int] | None = None,
        windows: Sequence[SourceWindow] | None = None,
        fills: int | None = None,
    ) -> SlicePlan:
        """Return the plan of these axes; by default, ``shape`` has their counts and ``source_shape`` their extents.

        Raises
        ------
        AttributeValueError
            The counts do not multiply to ``shape``, or the extents to ``source_shape``; the order is no permutation; or
            windows reach beyond the source.
        """
        return slice_plan(g.create_geometry(axes, shape, source_shape, order, windows, fills))

    def __reduce__(self) -> tuple[Any, ...]:
        return slice_plan, (self._geometry,)

    @overload
    def __call__(
        self, data: DataOf[R], out: Out = None, fill_value: Any = None, chunks: Any = None, **how: Unpack[Converted]
    ) -> R: ...
    @overload
    def __call__(
        self, data: Data, out: Out = None, fill_value: Any = None, chunks: Any = None, **how: Unpack[Converted]
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
            The value of outputs that read out of bounds in mode FILL; zero by default. One value for all stages, or
            ``fills`` values, one for each stage that reads out of bounds in mode FILL, in the order of the stages.
        out, chunks, normalize, dtype : optional
            As for `fastops.windows`: the array to write the result to, of shape ``shape``; the chunks of a result of
            dask; and conversions of the elements.

        Returns
        -------
        ndarray
            ``out``, or a fresh C-contiguous array.

        Raises
        ------
        DTypeError, AttributeValueError, OutputError
            Data or another argument does not fit the plan.
        """
        try:
            wanted = None if normalize is None and dtype is None else read_normalization(normalize, dtype)
            return run_geometry(self._geometry, data, out, fill_value, self._kept, wanted, chunks)
        except FastopsError as error:
            error.add_context("plan", {})
            raise

    def explain(self) -> str:
        """Return the plan in words and tables: for outputs of each axis, the index that they read, and how.

        Later versions may change the text.

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

        The JSON is an object with the fields ``format``, ``version`` (2), ``source_shape``, ``shape``, ``axes``,
        ``order``, ``fills``, and ``windows`` if the plan has windows. Each axis is an object with the fields of an
        `AxisMap`, and the mode's name in lower case, or with the fields ``extent`` and ``runs`` of a `RunMap`.

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
        """Return the plan that `to_json` has written, from text or bytes in UTF-8.

        Raises
        ------
        FastopsError
            The text is no JSON of this format and version, has other fields, or has values that do not fit each other.

        Examples
        --------
        >>> from fastops import plan
        >>> pad = plan.numpy.pad((3,), 1, "wrap")
        >>> plan.SlicePlan.from_json(pad.to_json()) == pad
        True
        """
        return slice_plan(geometry_from_json(text))

    def to_svg(self) -> str:
        """Return a drawing of the plan as an SVG document; notebooks show it for a plan that is a cell's last value."""
        return draw_plans([self._geometry])

    _repr_svg_ = to_svg

    def __hash__(self) -> int:
        return hash(self._geometry)

    def __eq__(self, other: object) -> bool:
        return self._geometry == other._geometry if type(other) is SlicePlan else NotImplemented

    def runs(self, axis: int) -> tuple[Run, ...]:
        """Return the runs of one axis: each run is a series of neighbouring outputs that read equally spaced indices.

        The runs are tuples ``(count, first, stride)``, as few as possible. If several axes read one axis of the source,
        an index is the sum of one term for each of them, and the runs have the terms of this axis. For a fill value,
        ``first`` is None, and ``stride`` is the number of the fill value.

        Parameters
        ----------
        axis : int
            The number of the axis in ``axes``; a negative number counts from the last.

        Raises
        ------
        AttributeValueError
            There is no such axis, or the axis has more than 4096 runs.

        Examples
        --------
        >>> from fastops import plan
        >>> plan.numpy.pad((3,), (1, 0)).runs(0)
        (Run(count=1, first=None, stride=0), Run(count=3, first=0, stride=1))
        """
        return g.source_runs(self._geometry, axis)

    def indices(self, axis: int) -> NDArray[np.int64]:
        """Return the source index that each output along one axis reads, as in `runs`, in an array of int64.

        The index of a fill value is -1. The array is empty if the plan has no outputs.

        Raises
        ------
        AttributeValueError, OutputError
            There is no such axis, the source has an extent of 2^63 or more, or the array cannot be allocated.

        Examples
        --------
        >>> from fastops import plan
        >>> plan.numpy.pad((3,), (1, 2), "reflect").indices(0)
        array([1, 0, 1, 2, 1, 0])
        >>> plan.numpy.pad((3,), (1, 2)).indices(0)
        array([-1,  0,  1,  2, -1, -1])
        """
        return indices_of(self._geometry, axis)

    def then(self, plan: SlicePlan) -> SlicePlan:
        """Return one plan for this plan followed by a later plan, which reads the result of this plan.

        The ``source_shape`` of the later plan is the ``shape`` of this plan. The later plan's fill values come after
        those of this plan. Where both plans fill, the output has the later plan's fill value.

        Raises
        ------
        AttributeValueError
            The shapes differ; or one plan cannot do both, because the later plan splits merged axes at other places
            than this plan merged them, or an axis has more than 4096 runs. Then run the two plans in turn.

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
        """Return the plan of the same result with its axes in another order, as ``numpy.transpose`` does.

        The default reverses the axes. The axes may be separate arguments: ``transpose(2, 0, 1)``.

        Raises
        ------
        AttributeValueError, DTypeError
            The axes are not a permutation of the result's axes.

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
            return self._then("fastops.ops.numpy._moves", "transpose", (axes, *others) if others else axes)
        except FastopsError as error:
            error.op = "SlicePlan.transpose"
            raise

    def __getitem__(self, key: Any) -> SlicePlan:
        """Return the plan of a basic index of the result, as `fastops.numpy.take_slice` reads it."""
        return self._then("fastops.ops.numpy._parts", "take_slice", key)

    def _then(self, module: str, name: str, argument: Any) -> SlicePlan:
        """Return the plan of an operator after this plan; the first call loads the operator's module."""
        lower_call = getattr(import_module(module), name).lowering.lower_call
        return slice_plan(compose(self._geometry, lower_call(self.shape, argument)))

    # A plan can be indexed, but not iterated.
    __iter__ = None

    def __repr__(self) -> str:
        return fields_shown(self._geometry).replace("Geometry", "SlicePlan", 1)

    def __str__(self) -> str:
        return geometry_text(self._geometry)


def slice_plan(geometry: Geometry) -> SlicePlan:
    """Return the plan of a valid geometry."""
    plan = object.__new__(SlicePlan)
    plan._geometry = geometry
    # A call stores here the words that compiled code reads, and the axis of channels.
    plan._kept = [None, None]
    return plan
