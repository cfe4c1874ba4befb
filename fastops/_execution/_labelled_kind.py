"""Data with names of axes, as xarray has it: its memory is an array, and what is in chunks is not made one."""

from __future__ import annotations

from typing import Any

from fastops._arrays._foreign import labelled_array
from fastops._execution._data_calls import DataCall


class LabelledKind:
    """The `Kind` of arrays that know names of axes, which no operator takes."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape and the dtype of data in memory."""
        array = labelled_array(data)
        return array.shape, array.dtype

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives, as an array."""
        return call.run(labelled_array(data), out)

    def run_flat(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the same."""
        return self.run(call, data, out)

    def run_list(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the same of several."""
        return call.run([labelled_array(each) for each in data], out)


LABELLED = LabelledKind()
