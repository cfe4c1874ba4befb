"""Operators that write a range: how a call finds its prepared call, and runs it.

An operator is its name and its lowering, a function from what callers write to geometry and the type of its values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType
from fastops._errors import FastopsError
from fastops._execution._range_call import PLAIN_TYPES, RangeCall, execute_range, prepare_range
from fastops._geometry._numbers import sign_of_zero
from fastops._geometry._range_geometry import RangeGeometry
from fastops._settings import CACHE_SIZE

# Classes that stand for types of numbers. Another class may have an attribute ``dtype``, which changes.
_CLASSES: dict[Any, AnyDType] = {int: np.dtype(int), float: np.dtype(float)}
_CLASSES |= {np.dtype(code).type: np.dtype(code) for code in "bBhHiIlLqQefdg"}


class RangeOperator:
    """An operator that writes a range.

    Parameters
    ----------
    name : str
        How errors call it.
    lower : callable
        Returns the geometry, and the dtype of its values, of the attributes, of which the first is the start.
    """

    __slots__ = ("_find", "_lower", "_names", "name")

    def __init__(self, name: str, lower: Callable[..., tuple[RangeGeometry, AnyDType]]) -> None:
        self.name = name
        self._lower = lower
        self._names = tuple(inspect.signature(lower).parameters)
        # The types are part of the key, because 1 and 1.0 are equal, and so is the sign of a start of zero.
        # Most calls give none, because only a float has a zero with a sign: one more argument takes a tenth of a call.
        self._find = lru_cache(CACHE_SIZE, typed=True)(self._prepare)

    def run_range(self, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run the operator; the attributes are those of the lowering, in its order."""
        try:
            for each in attributes:
                kind = type(each)
                if kind is not int and kind is not str and id(kind) not in PLAIN_TYPES:
                    call = self._find_read(attributes)
                    break
            else:
                start = attributes[0]
                is_signed = not start and type(start) is not int
                call = self._find(*attributes, _sign=sign_of_zero(start)) if is_signed else self._find(*attributes)
            return execute_range(call, out)
        except FastopsError as error:
            error.add_context(self.name, {})
            raise

    def _find_read(self, attributes: tuple[Any, ...]) -> RangeCall:
        """Return the call of attributes that may have code of the caller's; classes are read as the types they are."""
        plain = [_CLASSES.get(each, each) if type(each) is type else each for each in attributes]
        if PLAIN_TYPES.issuperset([id(type(each)) for each in plain]):
            return self._find(*plain, _sign=sign_of_zero(plain[0]))
        return self._prepare(*attributes)

    def _prepare(self, *attributes: Any, _sign: float = 0.0) -> RangeCall:
        return prepare_range(*self.lower(*attributes))

    def lower(self, *attributes: Any) -> tuple[RangeGeometry, AnyDType]:
        """Return the geometry of a call, and the type of its values."""
        try:
            return self._lower(*attributes)
        except FastopsError as error:
            error.add_context(self.name, dict(zip(self._names, attributes, strict=False)))
            raise
