"""Operators that write a range: how a call finds its prepared call, and runs it.

An operator is its name and its lowering, a function from what callers write to a plan and the type of its values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType
from fastops._errors import FastopsError
from fastops._execution._range_call import RangeCall, execute_range, prepare_range
from fastops._operators._call_cache import CallCache, Key
from fastops._plans._numbers import sign_of_zero
from fastops._plans._range_plan import RangePlan

# The types of attributes that stay what they are, and run no code of the caller's; a type may stand for a dtype.
_NUMBERS = [np.dtype(code) for code in "bBhHiIlLqQefdg"]
_KINDS = (int, float, str, type(None), type, *[each.type for each in _NUMBERS], *[type(each) for each in _NUMBERS])
_PLAIN = frozenset(_KINDS)


class RangeOperator:
    """An operator that writes a range.

    Parameters
    ----------
    name : str
        How errors call it.
    lower : callable
        Returns the plan, and the dtype of its values, of the attributes, of which the first is the start.
    """

    __slots__ = ("_calls", "_lower", "_names", "name")

    def __init__(self, name: str, lower: Callable[..., tuple[RangePlan, AnyDType]]) -> None:
        self.name = name
        self._lower = lower
        self._names = tuple(inspect.signature(lower).parameters)
        self._calls: CallCache[RangeCall] = CallCache()

    def plan(self, *attributes: Any) -> RangePlan:
        """Return the plan of a call."""
        return self._lowered(attributes)[0]

    def run(self, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run the operator; the attributes are those of the lowering, in its order."""
        kinds = (*map(type, attributes),)
        key = None
        if _PLAIN.issuperset(kinds):
            start = attributes[0]
            # The types are part of the key, because 1 and 1.0 are equal, and so is the sign of a zero.
            key = (*attributes, *kinds, 0.0 if start else sign_of_zero(start))
        call = self._calls.find(key)
        if call is None:
            call = self._prepare(attributes, key)
        try:
            return execute_range(call, out)
        except FastopsError as error:
            error.add_context(self.name, {})
            raise

    def _prepare(self, attributes: tuple[Any, ...], key: Key | None) -> RangeCall:
        plan, dtype = self._lowered(attributes)
        call = prepare_range(plan, dtype)
        if key is not None and dtype.metadata is None and all([_is_lasting(each, dtype) for each in attributes]):
            self._calls.keep(key, call)
        return call

    def _lowered(self, attributes: tuple[Any, ...]) -> tuple[RangePlan, AnyDType]:
        try:
            return self._lower(*attributes)
        except FastopsError as error:
            error.add_context(self.name, dict(zip(self._names, attributes, strict=False)))
            raise


def _is_lasting(attribute: Any, dtype: AnyDType) -> bool:
    """True unless it is a class with an attribute ``dtype``, which may change."""
    return type(attribute) is not type or attribute in (int, float, dtype.type)
