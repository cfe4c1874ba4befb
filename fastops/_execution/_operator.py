"""Operators: `Operator` for any data, `TensorOperator` for tensors of PyTorch alone, `RangeOperator` for ranges.

`GatherRunner`, which does the work of `Operator`, is loaded by the first call: plans and imports do not need it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from fastops._arrays._dtypes import AnyDType
from fastops._arrays._fill_values import Element
from fastops._errors import FastopsError
from fastops._execution._kinds import run_on_tensor
from fastops._execution._range_call import write_numbers, write_range
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._geometry._sample_mode import check_fill_mode
from fastops._lowering._windows import lowering_of
from fastops._process import signals_held_back

if TYPE_CHECKING:
    from fastops._execution._gather_runner import GatherRunner, LowerGeometry


def _function_of_numpy(op: str) -> Callable[..., Any] | None:
    """Return NumPy's function of an operator's name; None for operators that it does not have."""
    dialect, _, name = op.partition(".")
    found = getattr(np, name, None) or getattr(np.lib.stride_tricks, name, None)
    return found if dialect == "numpy" else None


class Operator:
    """An operator that gathers.

    Parameters
    ----------
    lower : callable
        Its lowering, decorated by `lowering`.
    lower_geometry : callable, optional
        Returns the geometry of a call where it is not that of the lowering.
    data_name, fill_name : str
        What the operator calls data and its fill value.

    Attributes
    ----------
    lowering : Lowering
    run_gather : callable
        Runs the operator, all by position: ``run_gather(data, attributes, out=None, copy=True, fill_value=None,
        chunks=None, others={})``. The attributes are those of the lowering, in its order. Returns an array, or a list
        of them where there is one output a part; so is ``out`` then. An operator of `fastops.numpy` gives calls that
        are no movement to NumPy's function of its name, with the attributes and the others by name; if the others are
        None, it raises.
    run_flat : callable
        Runs an operator that has one output on flattened data, and gives the result, of as many elements, its shape:
        ``run_flat(data, attributes, out=None, copy=True, chunks=None, others={})``. Data that is not contiguous is
        copied first, and a result for an ``out`` that is not is copied behind.
    """

    __slots__ = ("_lower_geometry", "_names", "_runner", "_theirs", "lowering", "name", "run_flat", "run_gather")

    def __init__(
        self,
        lower: Callable[..., Any],
        lower_geometry: LowerGeometry | None = None,
        *,
        data_name: str = "data",
        fill_name: str = "fill_value",
    ) -> None:
        self.lowering = lowering_of(lower)
        self.name = self.lowering.op
        self._lower_geometry = lower_geometry
        self._names = {"data": data_name, "fill_value": fill_name}
        # As it is now: a program may put functions of fastops in the place of NumPy's.
        self._theirs = _function_of_numpy(self.name)
        self._runner: GatherRunner | None = None
        self.run_gather: Callable[..., Any] = self._load_and_run_gather
        self.run_flat: Callable[..., Any] = self._load_and_run_flat

    def load(self) -> GatherRunner:
        """Return what runs the operator; when it is loaded, its methods take the place of what loads it.

        Two threads that call it first may each make one. Either is right, and the later one stays.
        """
        runner = self._runner
        if runner is None:
            # A signal's handler may call the operator too.
            with signals_held_back():
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
        """Return what NumPy's function of this name gives for a call that is no movement; else raise the error."""
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

    def __init__(self, plan: Callable[..., Any], *, data_name: str = "input", fill_name: str = "fill_value") -> None:
        super().__init__(plan, data_name=data_name, fill_name=fill_name)

    def run_tensor(self, tensor: Any, attributes: tuple[Any, ...], out: Any = None, fill: Element | None = None) -> Any:
        """Run it; the attributes are those of the lowering, in its order."""

        def run(array: Any, own_out: Any) -> Any:
            return self.run_gather(array, attributes, own_out, True, fill, None, None)

        return self._run_tensor(run, tensor, out)

    def run_flat_tensor(self, tensor: Any, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        return self._run_tensor(lambda array, own_out: self.run_flat(array, attributes, own_out), tensor, out)

    def _run_tensor(self, run: Callable[[Any, Any], Any], tensor: Any, out: Any) -> Any:
        try:
            return run_on_tensor(run, tensor, out, self.lowering.has_parts)
        except FastopsError as error:
            self.explain(error)
            raise


class RangeOperator:
    """An operator that writes a range.

    Parameters
    ----------
    name : str
        How errors call it.
    lower : callable
        Returns the geometry, and the dtype of its values, of the attributes.
    is_compiled : bool
        True if compiled code reads the attributes too: they are start, stop, step and the type of a `fastops.range`.
    """

    __slots__ = ("_is_compiled", "_lower", "_names", "name")

    def __init__(
        self, name: str, lower: Callable[..., tuple[RangeGeometry, AnyDType]], *, is_compiled: bool = False
    ) -> None:
        self.name = name
        self._lower = lower
        self._is_compiled = is_compiled
        self._names = tuple(inspect.signature(lower).parameters)

    def run_range(self, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run the operator; the attributes are those of the lowering, in its order."""
        try:
            made = write_numbers(attributes, attributes[3], out) if self._is_compiled else None
            return write_range(*self._lower(*attributes), out) if made is None else made
        except FastopsError as error:
            error.add_context(self.name, dict(zip(self._names, attributes, strict=False)))
            raise

    def lower(self, *attributes: Any) -> tuple[RangeGeometry, AnyDType]:
        """Return the geometry of a call, and the type of its values."""
        try:
            return self._lower(*attributes)
        except FastopsError as error:
            error.add_context(self.name, dict(zip(self._names, attributes, strict=False)))
            raise
