"""Operators: `Operator` for any data, `TensorOperator` for tensors of PyTorch alone, `RangeOperator` for ranges.

Each of them decorates the public function that runs it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy import ndarray

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import as_output
from fastops._arrays._tensors import as_fill
from fastops._errors import FastopsError, errors_of
from fastops._execution import _execute as calls
from fastops._execution._docstrings import complete_docstring
from fastops._execution._kinds import TENSORS, find_kind
from fastops._execution._numpy_fallback import check_class, fall_back
from fastops._execution._planned_kind import DataCall, Kind
from fastops._execution._range_call import write_numbers, write_range
from fastops._geometry._geometry import Geometry
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._geometry._sample_mode import checked_fill
from fastops._lowering._arguments import Reader, Rule
from fastops._lowering._windows import Assembly, Lowering, define, op_of, outputs_of
from fastops._settings import CACHE_SIZE
from fastops._types import ArrayFunction, ListFunction, P, R

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Returns the geometry of a shape and the plain values of the attributes.
LowerGeometry = Callable[[tuple[int, ...], Sequence[Any]], Geometry]

# The ``others`` of calls that give NumPy's function no arguments besides the attributes.
_NO_OTHERS: dict[str, Any] = {}

# The names of fill values in public functions.
_FILLS = {"constant_value", "constant_values", "fill", "fill_value", "pad_value", "value"}

# The most numbers in the attributes of a call that is remembered.
_MOST_KEPT = 64


class Operator:
    """An operator that gathers, and the decorator of its public function.

    Parameters
    ----------
    lower, rule, **readers
        The arguments of `Lowering`: the function from a shape and plain values to windows, the rule for compiled code,
        and the readers of attributes whose annotations do not say how they are read.
    read_fill : callable
        Returns the fill value from the plain value of the mode and the caller's fill value; by default, a fill value in
        another mode than FILL is an error.

    Attributes
    ----------
    name : str
        The name in errors, such as ``numpy.pad``.
    lowering : Lowering
    """

    # The call in functions that `define` makes.
    _body = "run_gather({data}, ({attributes}), out, copy, {fill}, chunks)"

    def __init__(
        self,
        lower: Callable[..., Any],
        rule: Rule | None = None,
        /,
        *,
        read_fill: Callable[[Any, Any], Any] = checked_fill,
        **readers: Reader,
    ) -> None:
        self._given = lower, rule, readers
        self._read_fill = read_fill
        self._rule = None if rule is None else rule.words
        self._find_call = lru_cache(CACHE_SIZE)(self._create_call)

    @overload
    def __call__(self, function: Callable[P, NDArray[Any]]) -> ArrayFunction[P]: ...
    @overload
    def __call__(self, function: Callable[P, list[NDArray[Any]]]) -> ListFunction[P]: ...
    @overload
    def __call__(self, function: Callable[P, R]) -> Callable[P, R]: ...
    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the public function, given or made by `define`, with its docstring completed."""
        data, *arguments = inspect.getargs(function.__code__).args
        fill = next((name for name in arguments if name in _FILLS), "fill_value")
        if "rest" in function.__annotations__:
            function = define(function, self, self._body, fill)
        self.lowering = Lowering(function, *self._given)
        self.name = self.lowering.op
        self._lower: Callable[..., Any] = self.lowering.lower
        self._has_parts = self.lowering.has_parts
        self._mode = next((name for name in arguments if name.endswith("mode")), "")
        self._names = {"data": data, "fill_value": fill, **self.lowering.own_names}
        # Look NumPy's function up now: a program may replace NumPy's functions by those of fastops later.
        dialect, _, name = self.name.partition(".")
        theirs = getattr(np, name, None) or getattr(np.lib.stride_tricks, name, None)
        #: NumPy's function of the operator's name; None for operators that NumPy does not have.
        self._theirs = theirs if dialect == "numpy" else None
        function.lowering = self.lowering  # type: ignore[attr-defined]
        complete_docstring(function)
        return function

    def with_geometry(self, lower_geometry: LowerGeometry) -> Operator:
        """Return the operator with another geometry for the same attributes."""
        # `copy.copy` would read the attributes as a dictionary, and from then on Python finds them more slowly.
        other = Operator(*self._given[:1])
        other.lowering, other.name, other._names, other._theirs = self.lowering, self.name, self._names, self._theirs
        other._has_parts, other._lower = self._has_parts, lower_geometry
        return other

    def run_gather(
        self,
        data: Any,
        attributes: tuple[Any, ...],
        out: Any = None,
        copy: Any = True,
        fill_value: object = None,
        chunks: Any = None,
        others: dict[str, Any] | None = _NO_OTHERS,
        is_flat: bool = False,
    ) -> Any:
        """Run the operator; if ``is_flat``, on flattened data, and give the one result the shape of data.

        The attributes are those of the lowering, in its order; the last ones may be left out. Returns an array, or a
        list of arrays if the operator has parts; ``out`` is one array or a list likewise. If a call of `fastops.numpy`
        does not only move elements, NumPy's function of the operator's name gets the attributes and ``others`` by name;
        if ``others`` is None, such a call raises.
        """
        outs = None if out is None else (out,)
        if self._has_parts and outs is not None:
            # Anything but a list or a tuple is refused below, like a list of the wrong length.
            outs = tuple(out) if isinstance(out, list | tuple) else ()
        try:
            results = None
            is_array = type(data) is ndarray and chunks is None
            if is_array and copy is True and self._rule is not None and not is_flat:
                results = calls.execute(self._rule, data, outs, fill_value, attributes)
            if results is None:
                kind = None if is_array else self.find_kind(data, chunks, others)
                if kind is not None:
                    return kind.run(self._call_of(attributes, copy, fill_value, chunks, is_flat), data, out)
                # Reading attributes may run code of the caller, which must run before data is read.
                values = self.lowering.read(attributes)
                source, _pinned = as_source(data, may_copy=copy is not False)
                run = self._run_flat if is_flat else self._run_read
                results = run(source, values, outs, copy, fill_value)
        except FastopsError as error:
            if error.got is outs and outs is not None:
                error.got = out
            written = dict(zip(self.lowering.names, attributes, strict=False))
            if self._theirs is None or others is None:
                self.explain(error, **written)
                # A frame that has the error as an argument would keep the caller's arrays until garbage is collected.
                raise
            return self.fall_back(error, data, written | others, out, copy)
        return list(results) if self._has_parts else results[0]

    def find_kind(self, data: Any, chunks: Any = None, others: dict[str, Any] | None = _NO_OTHERS) -> Kind | None:
        """Return the kind of data that is no array; raise for arrays of classes that only NumPy keeps."""
        kind = find_kind(data, chunks)
        if kind is None and type(data) is not ndarray and self._theirs is not None and others is not None:
            check_class(self.name, data, others)
        return kind

    def _call_of(
        self, attributes: tuple[Any, ...], copy: Any, fill_value: object, chunks: Any, is_flat: bool
    ) -> DataCall:
        """Return a call on data of other kinds."""

        def run(array: Any, out: Any) -> Any:
            return self.run_gather(array, attributes, out, copy, fill_value, None, None, is_flat)

        def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
            values = self.lowering.read(attributes)
            return outputs_of(self._lower((prod(shape),) if is_flat else shape, values))

        return DataCall(run, lower, fill_value, copy, self._has_parts, False, None, chunks, is_flat)

    def _run_flat(
        self, source: AnyArray, values: Sequence[Any], outs: tuple[Any, ...] | None, copy: Any, fill_value: object
    ) -> tuple[Any, ...]:
        """Run a call of one output as `_run_read` does, but on the flattened array."""
        shape, own, target = source.shape, None, None
        if outs is not None:
            calls.check_copy(copy, "a result written into out")
            target, _pinned = as_output(outs[0], shape, source.dtype)
            own = (target.reshape(-1),) if target.flags.c_contiguous else None
        if not source.flags.c_contiguous:
            calls.check_copy(copy, "data that is not contiguous")
            source = calls.copy_whole(source)
        result = self._run_read(source.reshape(-1), values, own, copy, fill_value)[0].reshape(shape)
        if target is not None and own is None:
            calls.copy_whole(result, target)
        return (result,) if outs is None else outs

    def _run_read(
        self, source: AnyArray, values: Sequence[Any], outs: tuple[Any, ...] | None, copy: Any, fill_value: object
    ) -> tuple[Any, ...]:
        """Run a call whose attributes Python has read, on an array as `as_source` gives it."""
        # Remember a call only if its attributes have few numbers.
        is_short = sum([len(value) if type(value) is tuple else 1 for value in values]) <= _MOST_KEPT
        call = (self._find_call if is_short else self._create_call)(source.shape, *values)
        if call.padding is not None:
            calls.check_copy(copy, "a result that reads out of bounds" if outs is None else "a result written into out")
            (source,) = calls.execute_checked(call.padding, source, None, fill_value)
            copy, fill_value = True, None
        if copy is not True:
            return calls.execute_views(call, source, outs, fill_value, copy)
        results = calls.execute(call.words, source, outs, fill_value)
        return results or calls.execute_checked(call, source, outs, fill_value)

    def _create_call(self, shape: tuple[int, ...], *values: Any) -> calls.Call:
        """Return the call of plain values on data of a shape."""
        lowered = self._lower(shape, values)
        padding = lowered.padding if isinstance(lowered, Assembly) else None
        return calls.create_call(
            outputs_of(lowered, is_padded=True), None if padding is None else calls.create_call(outputs_of(padding))
        )

    def explain(self, error: FastopsError, **written: Any) -> None:
        """Let an error name the operator, and show arguments as the caller wrote them."""
        error.add_context(self.name, written, self._names)

    def fall_back(
        self, error: FastopsError, data: Any, arguments: dict[str, Any], out: Any, copy: Any, chunks: Any = None
    ) -> Any:
        """Return NumPy's result for a call that fastops refuses with an error; raise the error if there is none."""
        with errors_of(self.name, arguments, self._names):
            # `chunks` may be wrong too.
            find_kind(data, chunks)
        self.explain(error, **arguments)
        return fall_back(self._theirs, error, data, arguments, out, copy)

    def read_fill(self, fill_value: Any, mode: Any) -> Any:
        """Return the fill value to use for one that a caller has given: None if the mode uses none."""
        # A context manager would take a sixth of the time of a small call.
        try:
            return self._read_fill(self.lowering.readers[self._mode](self._mode, mode), fill_value)
        except FastopsError as error:
            self.explain(error, **{self._mode: mode})
            raise

    def read(self, attribute: str, value: Any) -> Any:
        """Return the plain value of one attribute, where a public function needs it before it runs the operator."""
        with errors_of(self.name, {attribute: value}, self._names):
            return self.lowering.readers[attribute](attribute, value)


class TensorOperator(Operator):
    """An operator from a tensor to tensors: an `Operator` that takes no other data."""

    _body = "run_tensor({data}, ({attributes}), out, {fill})"

    def run_tensor(
        self, tensor: Any, attributes: tuple[Any, ...], out: Any = None, fill_value: Any = None, is_flat: bool = False
    ) -> Any:
        """Run it, on flattened data if ``is_flat``; the attributes are those of the lowering, in its order."""

        def run(array: Any, own_out: Any) -> Any:
            return self.run_gather(array, attributes, own_out, True, fill, None, None, is_flat)

        try:
            # Converting the value may run code of the caller, which must run before data is read.
            fill = None if fill_value is None else as_fill("fill_value", tensor, fill_value)
            return TENSORS.run(DataCall(run, lambda _: [], None, True, self._has_parts), tensor, out)
        except FastopsError as error:
            self.explain(error)
            raise


class RangeOperator:
    """An operator that writes a range, and the decorator of its public function.

    Parameters
    ----------
    lower : callable
        Returns the geometry of a range and the dtype of its values. It takes all arguments of the public function but
        ``out``.
    is_compiled : bool
        True if compiled code reads the arguments too: they are start, stop, step and the type of a `fastops.range`.
    """

    __slots__ = ("_is_compiled", "_lower", "name", "signature")

    def __init__(self, lower: Callable[..., tuple[RangeGeometry, AnyDType]], *, is_compiled: bool = False) -> None:
        self._lower, self._is_compiled = lower, is_compiled

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Make a function the public one of the operator: return it with its docstring completed."""
        self.name = op_of(function)
        *attributes, _out = inspect.signature(function).parameters.values()
        self.signature = inspect.Signature(attributes)
        function.lowering = self  # type: ignore[attr-defined]
        complete_docstring(function)
        return function

    def run_range(self, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run the operator; the attributes are those of the lowering, in its order."""
        try:
            made = write_numbers(attributes, attributes[3], out) if self._is_compiled else None
            return write_range(*self._lower(*attributes), out) if made is None else made
        except FastopsError as error:
            error.add_context(self.name, dict(zip(self.signature.parameters, attributes, strict=True)))
            raise

    def lower_call(self, *args: Any, **kwargs: Any) -> RangeGeometry:
        """Return the geometry for the arguments of a plan."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        with errors_of(self.name, bound.arguments):
            return self._lower(*bound.args)[0]
