"""Operators: `Operator` for any data, `TensorOperator` for tensors of PyTorch alone, `RangeOperator` for ranges.

Each of them decorates the public function that runs it. `GatherRunner`, which does the work of `Operator`, is loaded by
the first call, because plans and imports do not need it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from fastops._arrays._dtypes import AnyDType
from fastops._arrays._tensors import as_fill
from fastops._errors import FastopsError
from fastops._execution._docstrings import complete_docstring
from fastops._execution._kinds import run_on_tensor
from fastops._execution._range_call import write_numbers, write_range
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._geometry._sample_mode import check_fill_mode
from fastops._lowering._arguments import Reader, Rule
from fastops._lowering._windows import Lowering, op_of
from fastops._types import ArrayFunction, ListFunction, P, R

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastops._execution._gather_runner import GatherRunner, LowerGeometry


def _function_of_numpy(op: str) -> Callable[..., Any] | None:
    """Return NumPy's function of an operator's name; None for operators that it does not have."""
    dialect, _, name = op.partition(".")
    found = getattr(np, name, None) or getattr(np.lib.stride_tricks, name, None)
    return found if dialect == "numpy" else None


class Operator:
    """An operator that gathers, and the decorator of its public function.

    Parameters
    ----------
    lower, rule, **readers
        What `Lowering` takes: the function from a shape and plain values to windows, the rule for compiled code, and
        the readers of attributes whose annotations do not say how they are read.
    fill_name : str
        The name of the fill value in the public function.

    Attributes
    ----------
    name : str
        The name in errors, such as ``numpy.pad``.
    lowering : Lowering
    run_gather : callable
        Runs the operator, all by position: ``run_gather(data, attributes, out=None, copy=True, fill_value=None,
        chunks=None, others={})``. The attributes are those of the lowering, in its order; the last ones may be left
        out. Returns an array, or a list of arrays if the operator has parts; ``out`` is one array or a list likewise.
        If a call of `fastops.numpy` is no movement of elements, NumPy's function of the operator's name gets the
        attributes and the others by name; if the others are None, such a call raises.
    run_flat : callable
        Runs an operator of one output on flattened data, and gives the result the shape of data:
        ``run_flat(data, attributes, out=None, copy=True, chunks=None, others={})``. Data that is not contiguous is
        copied first, and the result is copied into an ``out`` that is not contiguous.
    """

    __slots__ = (
        *("_fill_name", "_given", "_lower_geometry", "_names", "_runner", "_theirs"),
        *("lowering", "name", "run_flat", "run_gather"),
    )

    def __init__(
        self,
        lower: Callable[..., Any],
        rule: Rule | None = None,
        /,
        *,
        fill_name: str = "fill_value",
        **readers: Reader,
    ) -> None:
        self._given = lower, rule, readers
        self._fill_name = fill_name
        self._lower_geometry: LowerGeometry | None = None
        self._runner: GatherRunner | None = None
        self.run_gather: Callable[..., Any] = self._load_and_run_gather
        self.run_flat: Callable[..., Any] = self._load_and_run_flat

    @overload
    def __call__(self, function: Callable[P, NDArray[Any]]) -> ArrayFunction[P]: ...
    @overload
    def __call__(self, function: Callable[P, list[NDArray[Any]]]) -> ListFunction[P]: ...
    @overload
    def __call__(self, function: Callable[P, R]) -> Callable[P, R]: ...
    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Make a function the public one of the operator: return it with its docstring completed."""
        self.lowering = Lowering(function, *self._given)
        self.name = self.lowering.op
        self._names = {"data": function.__code__.co_varnames[0], "fill_value": self._fill_name}
        self._names |= self.lowering.own_names
        # A program may replace NumPy's functions by those of fastops later.
        self._theirs = _function_of_numpy(self.name)
        function.lowering = self.lowering  # type: ignore[attr-defined]
        complete_docstring(function)
        return function

    def with_geometry(self, lower_geometry: LowerGeometry) -> Operator:
        """Return the operator with another geometry for the same attributes: a function of a shape and plain values."""
        other = Operator(*self._given[:2])
        other.lowering, other.name, other._names, other._theirs = self.lowering, self.name, self._names, self._theirs
        other._lower_geometry = lower_geometry
        return other

    def load(self) -> GatherRunner:
        """Return the runner of the operator; its methods replace the functions that load it.

        Two threads that call it first may each make one. Both are right, and the later one stays.
        """
        runner = self._runner
        if runner is None:
            loaded = import_module("fastops._execution._gather_runner")
            runner = self._runner = loaded.GatherRunner(self.lowering, self._lower_geometry, self.explain, self._theirs)
        # Also where a call before was interrupted in between.
        self.run_gather, self.run_flat = runner.run_gather, runner.run_flat
        return runner

    def _load_and_run_gather(self, *arguments: Any) -> Any:
        return self.load().run_gather(*arguments)

    def _load_and_run_flat(self, *arguments: Any) -> Any:
        return self.load().run_flat(*arguments)

    def explain(self, error: FastopsError, **written: Any) -> None:
        """Let an error name the operator, and show arguments as the caller wrote them."""
        error.add_context(self.name, written, self._names)

    def check_class(self, data: Any) -> None:
        """Raise for data, none of NumPy's own arrays, whose class has a function in the place of NumPy's."""
        import_module("fastops._execution._gather_runner").check_class(self.name, data, {})

    def fall_back(
        self, error: FastopsError, data: Any, arguments: dict[str, Any], out: Any, copy: Any, chunks: Any
    ) -> Any:
        """Return the result of NumPy's function for a call that is no movement; raise the error if there is none."""
        if chunks is not None:
            try:
                import_module("fastops._execution._kinds").find_kind(data, chunks)
            except FastopsError as other:
                error = other
        self.explain(error, **arguments)
        return import_module("fastops._execution._gather_runner").fall_back(
            self._theirs, error, data, arguments, out, copy
        )

    def check_fill_mode(self, mode: Any, fill_value: object) -> None:
        """Raise unless a fill value, which a caller has given, is for the mode."""
        try:
            check_fill_mode(self.lowering.readers["mode"]("mode", mode), fill_value)
        except FastopsError as error:
            self.explain(error, mode=mode)
            raise

    def read(self, attribute: str, value: Any) -> Any:
        """Return the plain value of one attribute, where a public function needs it before it runs the operator."""
        try:
            return self.lowering.readers[attribute](attribute, value)
        except FastopsError as error:
            self.explain(error, **{attribute: value})
            raise


class TensorOperator(Operator):
    """An operator from a tensor to tensors: an `Operator` that takes no other data."""

    __slots__ = ()

    def run_tensor(
        self, tensor: Any, attributes: tuple[Any, ...], out: Any = None, fill_value: Any = None, is_flat: bool = False
    ) -> Any:
        """Run it, on flattened data if asked for; the attributes are those of the lowering, in its order."""

        def run(array: Any, own_out: Any) -> Any:
            if is_flat:
                return self.run_flat(array, attributes, own_out)
            return self.run_gather(array, attributes, own_out, True, fill, None, None)

        try:
            # The value may have code of the caller's, which runs before data is looked at.
            fill = None if fill_value is None else as_fill("fill_value", tensor, fill_value)
            return run_on_tensor(run, tensor, out, self.lowering.has_parts)
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
            self._explain(error, attributes)
            raise

    def lower_call(self, *args: Any, **kwargs: Any) -> RangeGeometry:
        """Return the geometry for the arguments of a plan."""
        if kwargs or len(args) != len(self.signature.parameters):
            bound = self.signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        try:
            return self._lower(*args)[0]
        except FastopsError as error:
            self._explain(error, args)
            raise

    def _explain(self, error: FastopsError, attributes: tuple[Any, ...]) -> None:
        error.add_context(self.name, dict(zip(self.signature.parameters, attributes, strict=False)))
