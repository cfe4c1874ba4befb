"""Data with names of axes, as xarray has it: its memory is an array, and what is in chunks is not made one."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._kinds import DataCall
from fastops._errors import AttributeValueError


class LabelledKind:
    """The `Kind` of arrays that know names of axes, which no operator takes."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape and the dtype of data in memory."""
        array = _array_of(data)
        return array.shape, array.dtype

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives, as an array."""
        return call.run(_array_of(data), out)

    def run_flat(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the same."""
        return self.run(call, data, out)

    def run_list(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the same of several."""
        return call.run([_array_of(each) for each in data], out)

    def check_listed(self, data: Any) -> None:
        """Raise for what is not in memory."""
        _array_of(data)


def _array_of(data: Any) -> AnyArray:
    """Return data in memory as an array."""
    # One that is in a file, of no chunks, says so in no other way.
    if data.chunks is not None or not getattr(getattr(data, "variable", data), "_in_memory", True):
        rule = "be in memory, or an array of dask: pass its .data, or the function to xarray.apply_ufunc"
        raise AttributeValueError.about("data", rule, type(data))
    return np.asarray(data)


LABELLED = LabelledKind()
