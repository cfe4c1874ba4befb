"""How a call of an operator that gathers finds its words, and runs them: the same for all operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from numpy import ndarray

from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import AttributeValueError, FastopsError, OutputError, counted
from fastops._execution._calls import Call, Pieces, create_call
from fastops._execution._data_calls import DataCall
from fastops._execution._execute import copy_whole, execute, execute_checked
from fastops._execution._grid_call import run_grid
from fastops._execution._kinds import find_kind
from fastops._execution._views import execute_views
from fastops._geometry._geometry import Geometry
from fastops._geometry._planned_output import PlannedOutput
from fastops._lowering._windows import Assembly, Grid, Lowering
from fastops._operators._fallback import NO_OTHERS, check_class, fall_back
from fastops._settings import CACHE_SIZE

#: Returns the geometry of a shape and the plain values of the attributes.
LowerGeometry = Callable[[tuple[int, ...], Sequence[Any]], Geometry]

# Numbers of a call that is kept: what is remembered stays small.
_MOST_KEPT = 64


class GatherRunner:
    """What runs an operator.

    Parameters
    ----------
    lowering : Lowering
    lower_geometry : callable or None
        Returns the geometry where it is not that of the lowering.
    explain : callable
        Lets an error name the operator, and show arguments as the caller wrote them.
    theirs : callable or None
        NumPy's function of the operator's name, if it has one.
    """

    __slots__ = ("_explain", "_find_call", "_has_parts", "_lower_geometry", "_lowering", "_rule", "_theirs")

    def __init__(
        self,
        lowering: Lowering,
        lower_geometry: LowerGeometry | None,
        explain: Callable[..., None],
        theirs: Callable[..., Any] | None,
    ) -> None:
        self._lowering = lowering
        self._explain = explain
        self._has_parts = lowering.has_parts
        self._lower_geometry = lower_geometry
        rule = None if lower_geometry is not None else lowering.rule
        self._rule = None if rule is None else rule.words
        self._theirs = theirs
        self._find_call = lru_cache(CACHE_SIZE)(self._create_call)

    def _create_call(self, shape: tuple[int, ...], *values: Any) -> Call | Grid:
        """Return the call of plain values on data of a shape."""
        if self._lower_geometry is not None:
            return create_call((self._lower_geometry(shape, values),))
        lowered = self._lowering.lower(shape, values)
        if isinstance(lowered, Assembly):
            if lowered.grid is not None:
                return lowered.grid
            plans, pieces = tuple(lowered.geometry()), None
            # One piece is the output itself, which may be a view.
            if len(plans) > 1:
                split_shape = None if lowered.split_shape is None else tuple(lowered.split_shape)
                pieces = Pieces(tuple(lowered.shape), tuple(lowered.starts), split_shape)
            return create_call(plans, pieces)
        windows = lowered if isinstance(lowered, list) else [lowered]
        return create_call(tuple([each.geometry() for each in windows]))

    def run_gather(
        self,
        data: Any,
        attributes: tuple[Any, ...],
        out: Any = None,
        copy: Any = True,
        fill_value: object = None,
        chunks: Any = None,
        others: dict[str, Any] | None = NO_OTHERS,
    ) -> Any:
        """Do what `Operator.run_gather` says."""
        has_parts, rule = self._has_parts, self._rule
        outs = None if out is None else (out,)
        if has_parts and outs is not None:
            # What is no list has not as many arrays as there are parts.
            outs = tuple(out) if isinstance(out, list | tuple) else ()
        try:
            results = None
            if rule is not None and copy is True and chunks is None:
                results = execute(rule, data, outs, fill_value, attributes)
            if results is None:
                if type(data) is not ndarray or chunks is not None:
                    kind = find_kind(data, chunks)
                    if kind is not None:
                        return kind.run(self._call_of(attributes, copy, fill_value, chunks), data, out)
                    if self._theirs is not None and others is not None:
                        check_class(self._lowering.op, data, others)
                results = self._run_read(data, attributes, outs, copy, fill_value)
        except FastopsError as error:
            if error.got is outs and outs is not None:
                error.got = out
            written = dict(zip(self._lowering.names, attributes, strict=False))
            self._explain(error, **written)
            if self._theirs is None or others is None:
                raise
            return fall_back(self._theirs, error, data, written | others, out, copy)
        return list(results) if has_parts else results[0]

    def _call_of(self, attributes: tuple[Any, ...], copy: Any, fill_value: object, chunks: Any) -> DataCall:
        """Return a call on data of other kinds."""

        def run(array: Any, out: Any) -> Any:
            return self.run_gather(array, attributes, out, copy, fill_value, None, None)

        def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
            values = self._lowering.read(attributes)
            if self._lower_geometry is not None:
                return [PlannedOutput.of_geometry(self._lower_geometry(shape, values))]
            return self._lowering.outputs(shape, values)

        rule = self._rule if copy is True else None
        return DataCall(run, lower, fill_value, copy, self._has_parts, rule, attributes, chunks=chunks)

    def _run_read(
        self, data: Any, attributes: tuple[Any, ...], outs: tuple[Any, ...] | None, copy: Any, fill_value: object
    ) -> tuple[Any, ...]:
        """Run a call whose attributes Python reads and lowers."""
        # Attributes may have code of the caller's: it runs before data is looked at.
        values = self._lowering.read(attributes)
        source, _pinned = as_source(data, may_copy=copy is not False)
        call = self._call_for(source.shape, values)
        if isinstance(call, Grid):
            return (run_grid(call, source, None if outs is None else outs[0], copy, fill_value),)
        if outs is not None and len(outs) != len(call.shapes):
            raise OutputError.about("out", f"be a list of {counted(len(call.shapes), 'array')}", outs)
        if copy is not True:
            return execute_views(call, source, outs, fill_value, copy)
        return execute(call.words, source, outs, fill_value) or execute_checked(call, source, outs, fill_value)

    def _call_for(self, shape: tuple[int, ...], values: Sequence[Any]) -> Call | Grid:
        """Return the call of plain values on data of a shape: one that was made before, if few numbers say which."""
        if sum([len(value) if type(value) is tuple else 1 for value in values]) <= _MOST_KEPT:
            return self._find_call(shape, *values)
        return self._create_call(shape, *values)

    def _run_flat(self, attributes: tuple[Any, ...], copy: Any, data: Any, out: Any) -> Any:
        return self.run_flat(data, attributes, out, copy, None, None)

    def run_flat(
        self,
        data: Any,
        attributes: tuple[Any, ...],
        out: Any = None,
        copy: Any = True,
        chunks: Any = None,
        others: dict[str, Any] | None = NO_OTHERS,
    ) -> Any:
        """Do what `Operator.run_flat` says."""
        try:
            if type(data) is not ndarray or chunks is not None:
                kind = find_kind(data, chunks)
                if kind is not None:
                    call = self._call_of(attributes, copy, None, chunks)
                    call = call._replace(run=partial(self._run_flat, attributes, copy), rule=None, is_flat=True)
                    return kind.run(call, data, out)
                if self._theirs is not None and others is not None:
                    check_class(self._lowering.op, data, others)
            source, _pinned = as_source(data, may_copy=copy is not False)
            shape = source.shape
            target = None
            if out is not None:
                target, _pinned_out = as_output(out, shape, source.dtype)
            if not source.flags.c_contiguous:
                if copy is False:
                    rule = "be True or None for data that is not contiguous"
                    raise AttributeValueError.about("copy", rule, copy)
                source = copy_whole(source)
            flat = source.reshape(-1)
            if target is None:
                return self.run_gather(flat, attributes, None, copy, None, None, None).reshape(shape)
            dense = target if target.flags.c_contiguous else allocate(shape, source.dtype)
            self.run_gather(flat, attributes, dense.reshape(-1), copy, None, None, None)
            if dense is not target:
                copy_whole(dense, target)
        except FastopsError as error:
            written = dict(zip(self._lowering.names, attributes, strict=False))
            self._explain(error, **written)
            if self._theirs is None or others is None:
                raise
            return fall_back(self._theirs, error, data, written | others, out, copy)
        return out
