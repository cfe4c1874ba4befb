"""Operators that write a range.

An operator is its name and its lowering, a function from what callers write to geometry and the type of its values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from fastops._arrays._dtypes import AnyDType
from fastops._errors import FastopsError
from fastops._execution._range_call import write_numbers, write_range
from fastops._geometry._range_geometry import RangeGeometry


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
