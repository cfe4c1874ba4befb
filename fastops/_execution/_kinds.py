"""Kinds of data: what comes out of a call whose data is no array of NumPy. This is the one place that decides it.

An array gives an array. Of the other kinds, each has an object that runs calls on its data: tensors give tensors,
dask's arrays give dask's arrays, and what is stored in files gives arrays, without all of it being read. All other data
is made an array first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from fastops._arrays._foreign import DataKind, data_kind
from fastops._geometry._planned_output import PlannedOutput

# The `Kind` of each, loaded with the first data of it.
_HOMES = {
    DataKind.TENSOR: ("fastops._execution._tensor_kind", "TENSORS"),
    DataKind.DASK: ("fastops._execution._dask_kind", "DASK_ARRAYS"),
    DataKind.STORED: ("fastops._execution._stored_kind", "STORED"),
    DataKind.LABELLED: ("fastops._execution._labelled_kind", "LABELLED"),
}


class DataCall(NamedTuple):
    """What a call does, whichever kind its data is.

    Attributes
    ----------
    run : callable
        Runs it on an array of NumPy: ``run(array, out)``, where ``out`` is None, an array, or one for each output.
    lower : callable
        Returns the outputs of data of a shape: ``lower(shape)``.
    fill_value : object
        The caller's, or an `Element`.
    copy : object
        The caller's.
    has_parts : bool
        True if there is a list of outputs.
    """

    run: Callable[[Any, Any], Any]
    lower: Callable[[tuple[int, ...]], Sequence[PlannedOutput]]
    fill_value: Any = None
    copy: Any = True
    has_parts: bool = False


class Kind(Protocol):
    """One kind of data. What it raises names attributes; whoever calls it adds the operator."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape of data, and the dtype that its elements have in an array."""

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives, or ``out``."""

    def run_flat(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives of flattened data, in data's shape; its ``run`` flattens arrays itself."""

    def run_list(self, call: DataCall, data: Sequence[Any], out: Any) -> Any:
        """Return what a call gives of a list of such data; its ``run`` takes a list of arrays."""


def find_kind(data: Any) -> Kind | None:
    """Return the kind of data; None for arrays, and for what is to be made one."""
    found = data_kind(data)
    if found is None:
        return None
    home, name = _HOMES[found]
    kind: Kind = getattr(import_module(home), name)
    return kind
