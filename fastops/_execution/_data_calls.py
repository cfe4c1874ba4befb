"""Calls on data that is no array of NumPy, and what runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray
from fastops._geometry._planned_output import PlannedOutput


class DataCall(NamedTuple):
    """What a call does, whichever kind its data is.

    Attributes
    ----------
    run : callable
        Runs it on an array of NumPy: ``run(array, out)``, where ``out`` is None, an array, or one for each output.
    lower : callable
        Returns the outputs of data of a shape: ``lower(shape)``; for a list of data, one for each of its shapes.
    fill_value : object
        The caller's, or an `Element`.
    copy : object
        The caller's.
    has_parts : bool
        True if there is a list of outputs.
    rule : ndarray of int64, or None
        Words of the operator's rule, where compiled code reads the attributes.
    attributes : tuple
        Those, as the caller wrote them.
    is_flat : bool
        True if the outputs are of flattened data, and the result has data's shape; ``run`` flattens arrays itself.
    wanted : Normalization or None
        What becomes of the elements of the one output.
    chunks : object
        The caller's, for arrays of dask.
    """

    run: Callable[[Any, Any], Any]
    lower: Callable[[tuple[Any, ...]], Sequence[PlannedOutput]]
    fill_value: Any = None
    copy: Any = True
    has_parts: bool = False
    rule: AnyArray | None = None
    attributes: tuple[Any, ...] = ()
    is_flat: bool = False
    wanted: Normalization | None = None
    chunks: Any = None


class Kind(Protocol):
    """One kind of data. What it raises names attributes; whoever calls it adds the operator."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape of data, and the dtype that its elements have in an array."""

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives, or ``out``."""

    def run_list(self, call: DataCall, data: Sequence[Any], out: Any) -> Any:
        """Return what a call gives of a list of such data; its ``run`` takes a list of arrays."""
