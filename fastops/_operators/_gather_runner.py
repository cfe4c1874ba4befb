"""How a call of an operator that gathers finds its words, and runs them: the same for all operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from numpy import ndarray

from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import AttributeValueError, FastopsError, OutputError, counted
from fastops._execution._calls import Call, Pieces, create_call
from fastops._execution._data_calls import DataCall
from fastops._execution._execute import copy_whole, execute, execute_checked
from fastops._execution._kinds import find_kind
from fastops._execution._traced_calls import TracedCalls
from fastops._execution._views import execute_views
from fastops._geometry._geometry import Geometry
from fastops._geometry._numbers import is_of
from fastops._geometry._planned_output import PlannedOutput
from fastops._lowering._decorator import Lowering
from fastops._lowering._splits import MOST_PARTS
from fastops._lowering._windows import Assembly
from fastops._operators._call_cache import CallCache, Key, frozen, key_of

#: Returns the geometry of a shape and the plain values of the attributes.
LowerGeometry = Callable[[tuple[int, ...], Sequence[Any]], Geometry]

# Stands in keys behind values that were read: what a caller writes may look like them, and mean something else.
_READ = "read"

# Calls of more plans are made anew each time: what is remembered stays small.
_MOST_KEPT_PARTS = 64


class GatherRunner:
    """What runs an operator.

    Parameters
    ----------
    lowering : Lowering
    lower_geometry : callable or None
        Returns the geometry where it is not that of the lowering.
    explain : callable
        Lets an error name the operator, and show arguments as the caller wrote them.

    Attributes
    ----------
    calls : CallCache
        Prepared calls.
    """

    __slots__ = (
        "_explain",
        "_has_parts",
        "_is_traceable",
        "_lower_geometry",
        "_lowering",
        "_traced",
        "calls",
    )

    def __init__(self, lowering: Lowering, lower_geometry: LowerGeometry | None, explain: Callable[..., None]) -> None:
        self._lowering = lowering
        self._explain = explain
        self._has_parts = lowering.has_parts
        self._lower_geometry = lower_geometry
        self._is_traceable = lower_geometry is None and not lowering.has_pieces
        self.calls: CallCache[Call] = CallCache()
        self._traced = TracedCalls(self._lowering)

    def _lower(self, shape: tuple[int, ...], values: Sequence[Any]) -> Call:
        """Return the call of plain values on data of a shape."""
        if self._lower_geometry is not None:
            return create_call((self._lower_geometry(shape, values),))
        lowered = self._lowering.lower(shape, values)
        if isinstance(lowered, Assembly):
            plans, pieces = tuple(lowered.geometry()), None
            # One piece is the output itself, which may be a view.
            if len(plans) > 1:
                split_shape = None if lowered.split_shape is None else tuple(lowered.split_shape)
                pieces = Pieces(tuple(lowered.shape), tuple(lowered.starts), split_shape)
            return create_call(plans, pieces)
        windows = lowered if isinstance(lowered, list) else [lowered]
        return create_call(tuple([each.geometry() for each in windows]))

    def run_gather(
        self, data: Any, attributes: Sequence[Any], out: Any = None, copy: Any = True, fill_value: object = None
    ) -> Any:
        """Do what `Operator.run_gather` says."""
        has_parts = self._has_parts
        outs = None if out is None else self._as_outs(out) if has_parts else (out,)
        results = None
        written = attributes
        is_array = type(data) is ndarray
        try:
            is_traced = is_array and copy is True and self._is_traceable
            if is_traced:
                results = self._traced.execute(data, attributes, outs, fill_value)
            if results is None:
                kind = None if is_array else find_kind(data)
                if kind is not None:
                    return kind.run(self._call_of(attributes, copy, fill_value), data, out)
                plain = self._lowering.plain(attributes)
                if plain is not None:
                    attributes = plain
                    if is_traced:
                        results = self._traced.execute(data, attributes, outs, fill_value)
            if results is None:
                key = call = None
                if is_array:
                    key = key_of(data.shape, attributes)
                    call = self.calls.find(key)
                    if call is None and key is not None:
                        call = self._create_written(key, attributes)
                if call is not None and copy is True and (outs is None or len(outs) == len(call.shapes)):
                    results = execute(call, data, outs, fill_value)
                if results is None:
                    results = self._run_checked(data, attributes, key, call, outs, copy, fill_value)
                if is_traced and key is not None:
                    self._traced.learn(data, attributes, outs)
        except FastopsError as error:
            if error.got is outs and outs is not None:
                error.got = out
            self._explain(error, **dict(zip(self._lowering.names, written, strict=False)))
            raise
        return list(results) if has_parts else results[0]

    def _call_of(self, attributes: Sequence[Any], copy: Any, fill_value: object) -> DataCall:
        """Return a call on data of other kinds."""

        def run(array: Any, out: Any) -> Any:
            return self.run_gather(array, attributes, out, copy, fill_value)

        def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
            values = self._lowering.read(attributes)
            if self._lower_geometry is not None:
                return [PlannedOutput.of_geometry(self._lower_geometry(shape, values))]
            return self._lowering.outputs(shape, values)

        return DataCall(run, lower, fill_value, copy, self._has_parts)

    def _as_outs(self, out: Any) -> tuple[Any, ...]:
        """Return the caller's arrays, of which there is one per part; what is no list has not so many."""
        return tuple(islice(out, MOST_PARTS + 1)) if is_of(out, list, tuple) else ()

    def _run_checked(
        self,
        data: Any,
        attributes: Sequence[Any],
        key: Key | None,
        call: Call | None,
        outs: tuple[Any, ...] | None,
        copy: Any,
        fill_value: object,
    ) -> tuple[Any, ...]:
        """Run a call that is not run as it is: ``key`` is that of data, and ``call`` that of the key, or None."""
        # A call without a key may have code of the caller's in its attributes: it runs before data is looked at.
        values = self._lowering.read(attributes) if key is None else []
        source, _pinned = as_source(data, may_copy=copy is not False)
        refused = call
        if key is None:
            if copy is True and self._is_traceable:
                results = self._traced.execute(source, attributes, outs, fill_value)
                if results is not None:
                    return results
            key = key_of(source.shape, [*values, _READ])
            call = self.calls.find(key) or self._create(source.shape, key, values)
        elif call is None or key[0] != source.shape:
            # Another thread has changed data meanwhile.
            call = self._create_written((source.shape, *key[1:]), attributes)
        if outs is not None and len(outs) != len(call.shapes):
            raise OutputError.about("out", f"be a list of {counted(len(call.shapes), 'array')}", outs)
        if copy is not True:
            return execute_views(call, source, outs, fill_value, copy)
        results = None if call is refused else execute(call, source, outs, fill_value)
        if results is None:
            results = execute_checked(call, source, outs, fill_value)
        if values and self._is_traceable:
            self._traced.learn(source, attributes, outs)
        return results

    def _create_written(self, key: Key, attributes: Sequence[Any]) -> Call:
        """Return a new call of what a caller has written, and keep it under its key."""
        # Lists may change: a key and what is read must be of the same elements.
        own_key, written = frozen(key, attributes)
        return self._create(key[0], own_key, self._lowering.read(written))

    def _create(self, shape: tuple[int, ...], key: Key | None, values: Sequence[Any]) -> Call:
        """Return a new call of plain values, for a shape, and keep it under its key."""
        call = self._lower(shape, values)
        if key is not None and len(call.geometries) <= _MOST_KEPT_PARTS:
            self.calls.keep(key, call)
        return call

    def _run_flat(self, attributes: Sequence[Any], copy: Any, data: Any, out: Any) -> Any:
        return self.run_flat(data, attributes, out, copy)

    def run_flat(self, data: Any, attributes: Sequence[Any], out: Any = None, copy: Any = True) -> Any:
        """Do what `Operator.run_flat` says."""
        try:
            kind = None if type(data) is ndarray else find_kind(data)
            if kind is not None:
                call = self._call_of(attributes, copy, None)
                return kind.run_flat(call._replace(run=partial(self._run_flat, attributes, copy)), data, out)
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
                return self.run_gather(flat, attributes, None, copy).reshape(shape)
            dense = target if target.flags.c_contiguous else allocate(shape, source.dtype)
            self.run_gather(flat, attributes, dense.reshape(-1), copy)
            if dense is not target:
                copy_whole(dense, target)
        except FastopsError as error:
            self._explain(error)
            raise
        return out
