"""Kinds of data: what comes out of a call whose data is no array of NumPy. This is the one place that decides it.

An array gives an array. Of the other kinds, each has an object that runs calls on its data: tensors give tensors,
dask's arrays give dask's arrays, and what is stored in files gives arrays, without all of it being read. All other data
is made an array first. A kind is told by the type of data; nothing is imported before such data exists.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from fastops._geometry._planned_output import PlannedOutput

# The module that has defined the class of data, the name of the class there, and the `Kind` that it is.
_KINDS = (
    ("torch", "Tensor", "fastops._execution._tensor_kind:TENSORS"),
    ("dask.array", "Array", "fastops._interop._dask_kind:DASK_ARRAYS"),
    ("h5py", "Dataset", "fastops._execution._stored_kind:STORED"),
    ("h5py", "Group", "fastops._execution._stored_kind:STORED"),
    ("zarr", "Array", "fastops._execution._stored_kind:STORED"),
    ("zarr", "Group", "fastops._execution._stored_kind:STORED"),
    ("xarray", "DataArray", "fastops._execution._labelled_kind:LABELLED"),
    ("xarray", "Variable", "fastops._execution._labelled_kind:LABELLED"),
)


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

    def check_listed(self, data: Any) -> None:
        """Raise for data that is not to be an element of lists that are made one array."""


def find_kind(data: Any) -> Kind | None:
    """Return the kind of data; None for arrays, and for what is to be made one.

    Examples
    --------
    >>> find_kind([1, 2]) is None
    True
    """
    # By its type: what an object says of its class is its author's word.
    own = type(data)
    for module, name, home in _KINDS:
        base = getattr(sys.modules.get(module), name, None)
        if isinstance(base, type) and issubclass(own, base):
            home, _, attribute = home.partition(":")
            kind: Kind = getattr(import_module(home), attribute)
            return kind
    return None
