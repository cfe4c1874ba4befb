"""How a call of an operator that gathers finds its words and runs them, the same for all operators.

Also here: calls of `fastops.numpy` that are no movement of elements, which NumPy's own functions do.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from fastops._arrays._dtypes import NO_REFERENCES, AnyArray
from fastops._arrays._inputs import as_source, data_kind, is_far
from fastops._arrays._outputs import allocate, as_output, as_outputs
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutputError, counted
from fastops._execution._execute import Call, Pieces, copy_whole, create_call, execute, execute_checked
from fastops._execution._kinds import find_kind
from fastops._execution._planned_kind import DataCall
from fastops._execution._views import execute_views
from fastops._execution._windows_call import run_grid
from fastops._geometry._geometry import Geometry
from fastops._geometry._planned_output import PlannedOutput
from fastops._lowering._bounds import AxisError
from fastops._lowering._windows import Assembly, Grid, Lowering
from fastops._settings import CACHE_SIZE, FALLBACK

#: No arguments of NumPy's function besides the attributes that the operator has in common with it.
NO_OTHERS: dict[str, Any] = {}

# NumPy's functions that return plain arrays for subclasses, as fastops does. The others keep the class.
_PLAIN = {f"numpy.{name}" for name in ("ascontiguousarray", "broadcast_to", "copy", "pad", "sliding_window_view")}

_NO_CLASS = "be a plain array where elements are moved: NumPy keeps the class of others"

# The exceptions that callers of NumPy catch: an error of fastops becomes one of these, too.
_CAUGHT: tuple[type[Exception], ...] = (np.exceptions.AxisError, TypeError, ValueError, IndexError, OverflowError)
_CAUGHT += (ZeroDivisionError, MemoryError, AssertionError, AttributeError, RuntimeError)

# A range, or an array of stride 0, may be longer than memory: NumPy would make a list of it.
_MOST_NUMBERS = 1 << 24


def check_class(op: str, data: Any, others: dict[str, Any]) -> None:
    """Raise for data whose class NumPy's function keeps, or whose class has its own function in place of NumPy's."""
    cls = type(data)
    if issubclass(cls, np.memmap) or data_kind(data) is not None:
        return
    has_own = getattr(cls, "__array_function__", None) not in (None, np.ndarray.__array_function__)
    is_kept = hasattr(cls, "__array_ufunc__") and (op not in _PLAIN or others.get("subok"))
    if has_own or is_kept:
        raise DTypeError.about("data", _NO_CLASS, cls)


def fall_back(
    theirs: Callable[..., Any] | None, error: FastopsError, data: Any, arguments: dict[str, Any], out: Any, copy: Any
) -> Any:
    """Return the result of NumPy's function for a call that an operator refuses with an error.

    The result is written into ``out``, or is fresh, or is a view, as the caller asks for.

    Raises
    ------
    FastopsError
        The error itself: if NumPy refuses the call too, if the error is about an argument that NumPy does not have, if
        NumPy must not read the data, or if FASTOPS_FALLBACK says so. Another error if ``out`` or ``copy`` are wrong.
    Exception
        NumPy's own error, for data whose elements or class only NumPy keeps.
    """
    if theirs is None or FALLBACK == "error" or _is_ours(error, data, arguments):
        raise error
    try:
        result = theirs(data, **{name: value for name, value in arguments.items() if name != "step"})
    except _CAUGHT as refusal:
        if error.rule in (NO_REFERENCES, _NO_CLASS):
            # fastops cannot read the data, and only NumPy knows the mistake.
            raise
        raise _as_both(error, refusal) from (error.__cause__ or refusal)
    if FALLBACK == "warn":
        warnings.warn(f"{error}: NumPy does this call", RuntimeWarning, stacklevel=_frames_of_fastops())
    try:
        return _as_asked(result, data, out, copy)
    except FastopsError as other:
        other.add_context(error.op, arguments)
        raise


def _frames_of_fastops() -> int:
    """Return the `stacklevel` that puts a warning at the line which has called fastops."""
    frame, n = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("fastops."):
        frame, n = frame.f_back, n + 1
    return n


def _is_ours(error: FastopsError, data: Any, arguments: dict[str, Any]) -> bool:
    """True for a call with arguments that NumPy does not have, or with data that NumPy must not read."""
    # NumPy has no such axis either, but may take a number that does not fit into 32 bits for another one.
    if error.attribute in ("copy", "step", "chunks") or isinstance(error, OutputError | AxisError):
        return True
    step = arguments.get("step", 1)
    return type(step) is not int or step != 1 or is_far(data) or any(map(_is_endless, arguments.values()))


def _is_endless(argument: Any) -> bool:
    if type(argument) is range:
        return bool(argument[_MOST_NUMBERS:])
    return isinstance(argument, np.ndarray) and argument.size > _MOST_NUMBERS and 0 in argument.strides


def _as_both(error: FastopsError, refusal: Exception) -> FastopsError:
    """Return an error of fastops that is also of the class of NumPy's refusal."""
    other = next(each for each in _CAUGHT if isinstance(refusal, each))
    if isinstance(error, other):
        return error
    both = type(error).also(other)(*error.args)
    both.__dict__.update(error.__dict__)
    return both


def _as_asked(result: Any, data: Any, out: Any, copy: Any) -> Any:
    """Return a result of NumPy's, or a list of results, as ``out`` and ``copy`` ask for it."""
    if isinstance(result, tuple):
        # Of `numpy.unstack`; fastops returns lists of parts.
        result = list(result)
    results = result if isinstance(result, list) else [result]
    if copy is not True and copy is not None and copy is not False:
        raise AttributeValueError.about("copy", "be True, False or None", copy)
    if copy is False and (out is not None or not all([_is_view(each, data) for each in results])):
        reason = "a result that NumPy computes" if out is None else "a result written into out"
        raise AttributeValueError.about("copy", f"be True or None for {reason}", copy)
    if out is None:
        # NumPy may give a view, or data itself.
        fresh = results if copy is not True else [_as_fresh(each, data) for each in results]
        return fresh if isinstance(result, list) else fresh[0]
    outs = out if isinstance(result, list) else [out]
    if not isinstance(outs, list | tuple) or len(outs) != len(results):
        raise OutputError.about("out", f"be a list of {counted(len(results), 'array')}", out)
    # Results may be views of an out.
    arrays = [np.array(each) for each in results]
    targets = as_outputs(outs, [(each.shape, each.dtype) for each in arrays])
    for (target, _pinned), array in zip(targets, arrays, strict=True):
        np.copyto(target, array)
    return out


def _is_view(result: Any, data: Any) -> bool:
    if not isinstance(result, np.ndarray) or not isinstance(data, np.ndarray):
        return False
    return not result.size or np.may_share_memory(result, data)


def _as_fresh(result: Any, data: Any) -> Any:
    if not isinstance(result, np.ndarray) or (result.flags.owndata and result is not data):
        return result
    copied: AnyArray = np.array(result, order="C", subok=True)
    return copied


#: Returns the geometry of a shape and the plain values of the attributes.
LowerGeometry = Callable[[tuple[int, ...], Sequence[Any]], Geometry]

# The most numbers in the attributes of a call that is remembered.
_MOST_KEPT = 64


class GatherRunner:
    """The part of an operator that runs it.

    Parameters
    ----------
    lowering : Lowering
    lower_geometry : callable or None
        Returns the geometry, if it is not that of the lowering.
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
        """Run the operator, as `Operator.run_gather` says."""
        has_parts = self._has_parts
        outs = None if out is None else (out,)
        if has_parts and outs is not None:
            # Anything but a list is refused as a list of another length.
            outs = tuple(out) if isinstance(out, list | tuple) else ()
        try:
            results = None
            if type(data) is ndarray and chunks is None:
                if self._rule is not None and copy is True:
                    results = execute(self._rule, data, outs, fill_value, attributes)
            else:
                kind = find_kind(data, chunks)
                if kind is not None:
                    return kind.run(self._call_of(attributes, copy, fill_value, chunks), data, out)
                if self._theirs is not None and others is not None:
                    check_class(self._lowering.op, data, others)
            if results is None:
                results = self._run_read(data, attributes, outs, copy, fill_value)
        except FastopsError as error:
            if error.got is outs and outs is not None:
                error.got = out
            written = self._explain_call(error, attributes)
            if self._theirs is None or others is None:
                raise
            return fall_back(self._theirs, error, data, written | others, out, copy)
        return list(results) if has_parts else results[0]

    def _explain_call(self, error: FastopsError, attributes: tuple[Any, ...]) -> dict[str, Any]:
        """Let an error name the operator, and return the attributes by name, as the caller wrote them."""
        written = dict(zip(self._lowering.names, attributes, strict=False))
        self._explain(error, **written)
        return written

    def _call_of(self, attributes: tuple[Any, ...], copy: Any, fill_value: object, chunks: Any) -> DataCall:
        """Return a call on data of other kinds."""

        def run(array: Any, out: Any) -> Any:
            return self.run_gather(array, attributes, out, copy, fill_value, None, None)

        def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
            values = self._lowering.read(attributes)
            if self._lower_geometry is not None:
                return [PlannedOutput.of_geometry(self._lower_geometry(shape, values))]
            return self._lowering.outputs(shape, values)

        return DataCall(run, lower, fill_value, copy, self._has_parts, False, None, chunks)

    def _run_read(
        self, data: Any, attributes: tuple[Any, ...], outs: tuple[Any, ...] | None, copy: Any, fill_value: object
    ) -> tuple[Any, ...]:
        """Run a call whose attributes Python reads and lowers."""
        # Attributes may have code of the caller's: it runs before data is looked at.
        values = self._lowering.read(attributes)
        source, _pinned = as_source(data, may_copy=copy is not False)
        # A call is remembered if few numbers tell it from others.
        is_short = sum([len(value) if type(value) is tuple else 1 for value in values]) <= _MOST_KEPT
        call = (self._find_call if is_short else self._create_call)(source.shape, *values)
        if isinstance(call, Grid):
            return (run_grid(call, source, None if outs is None else outs[0], copy, fill_value),)
        if outs is not None and len(outs) != len(call.shapes):
            raise OutputError.about("out", f"be a list of {counted(len(call.shapes), 'array')}", outs)
        if copy is not True:
            return execute_views(call, source, outs, fill_value, copy)
        return execute(call.words, source, outs, fill_value) or execute_checked(call, source, outs, fill_value)

    def run_flat(
        self,
        data: Any,
        attributes: tuple[Any, ...],
        out: Any = None,
        copy: Any = True,
        chunks: Any = None,
        others: dict[str, Any] | None = NO_OTHERS,
    ) -> Any:
        """Run the operator on flattened data, as `Operator.run_flat` says."""
        try:
            if type(data) is not ndarray or chunks is not None:
                kind = find_kind(data, chunks)
                if kind is not None:
                    call = self._call_of(attributes, copy, None, chunks)
                    flat = call._replace(
                        run=lambda array, out: self.run_flat(array, attributes, out, copy, None, None),
                        lower=lambda shape: call.lower((prod(shape),)),
                        is_flat=True,
                    )
                    return kind.run(flat, data, out)
                if self._theirs is not None and others is not None:
                    check_class(self._lowering.op, data, others)
            source, _pinned = as_source(data, may_copy=copy is not False)
            shape, target = source.shape, None
            if out is not None:
                target, _pinned_out = as_output(out, shape, source.dtype)
            if not source.flags.c_contiguous:
                if copy is False:
                    rule = "be True or None for data that is not contiguous"
                    raise AttributeValueError.about("copy", rule, copy)
                source = copy_whole(source)
            flat_source = source.reshape(-1)
            if target is None:
                return self.run_gather(flat_source, attributes, None, copy, None, None, None).reshape(shape)
            dense = target if target.flags.c_contiguous else allocate(shape, source.dtype)
            self.run_gather(flat_source, attributes, dense.reshape(-1), copy, None, None, None)
            if dense is not target:
                copy_whole(dense, target)
        except FastopsError as error:
            written = self._explain_call(error, attributes)
            if self._theirs is None or others is None:
                raise
            return fall_back(self._theirs, error, data, written | others, out, copy)
        return out
