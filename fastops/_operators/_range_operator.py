"""Range operators: from the scalars that a caller writes to a plan, to a launch that is remembered, and to an array.

An operator is its name and its lowering, a function from the attributes to a plan and the type of its values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, bits_of, kind_of
from fastops._arrays._pins import hold_all
from fastops._errors import AttributeValueError, DTypeError, named, reading
from fastops._execution._range_call import (
    RangeLaunch,
    check_float_range,
    check_lasting,
    is_negative_zero,
    prepare_range_launch,
    run_range_launch,
)
from fastops._plans._integers import zero_sign
from fastops._plans._range_plan import RangePlan
from fastops._process._signals import raise_of_handler
from fastops._settings import CACHE_SIZE

# Numbers that hash and compare as what they are, by their types as objects. A type of the caller's own may do so as it
# likes. None stands for an attribute that is not given.
_PLAIN_NUMBERS = frozenset(map(id, (int, float, type(None), *(np.dtype(code).type for code in "bBhHiIlLqQefdg"))))


class RangeOperator:
    """An operator that writes a range: it has a name, and a lowering to a plan and a type.

    Parameters
    ----------
    name : str
        How errors call it.
    lower : callable
        Returns the plan, and the dtype of its values, of the attributes.
    numbers : int
        So many of the attributes, the first ones, are numbers; one behind them stands for a type.
    """

    __slots__ = ("_find", "_lower", "_numbers", "name")

    def __init__(self, name: str, lower: Callable[..., tuple[RangePlan, AnyDType]], numbers: int = 3) -> None:
        self.name = name
        self._lower = lower
        self._numbers = numbers
        # A call that has been made before is found by what the caller wrote, before anything is checked or converted.
        # The types are part of the key, so that 1, 1.0 and True are three keys.
        self._find = lru_cache(CACHE_SIZE, typed=True)(self._find_lasting)

    def _find_lasting(self, *attributes: Any) -> RangeLaunch:
        """Return the launch of attributes that stay what they are; raise for others, which are never kept."""
        numbers, types = attributes[: self._numbers], attributes[self._numbers :]
        if not _PLAIN_NUMBERS.issuperset([id(type(number)) for number in numbers]):
            raise TypeError
        launch = self._create(*attributes)
        for written in types:
            if written is not None:
                check_lasting(written, launch.dtype)
        return launch

    def _create(self, *attributes: Any) -> RangeLaunch:
        plan, dtype = self._lower(*attributes)
        prepare = _prepare if dtype.metadata is None else _prepare.__wrapped__
        return prepare(plan, dtype, zero_sign(plan.start))

    def run(self, start: Any, rest: tuple[Any, ...], out: AnyArray | None = None) -> Any:
        """Run the operator; the attributes are those of the lowering, in its order."""
        try:
            if not start and is_negative_zero(start):
                raise ValueError(start)  # As a key, it would be taken for 0.0.
            # What cannot be hashed raises.
            launch = self._find(start, *rest)
        except Exception as error:
            # Whatever it was, the checks find it again, and say it in the caller's words.
            raise_of_handler(error)
            _held = hold_all(self.name, None, (out,))
            launch = self._create(start, *rest)
        return run_range_launch(self.name, launch, out)


@lru_cache(CACHE_SIZE)
def _prepare(plan: RangePlan, dtype: AnyDType, _sign: float) -> RangeLaunch:
    # The sign tells a start of -0.0 from one of 0.0, which are equal keys.
    return prepare_range_launch(plan, dtype)


def as_number(op: str, attribute: str, value: Any) -> int | float:
    """Return a real scalar by its own value: integers stay integers, exactly."""
    if type(value) is int or type(value) is float:
        return value
    with reading(op, attribute, "be a real number", value):
        dtype = getattr(value, "dtype", None)
        if isinstance(value, list | tuple) or (isinstance(dtype, np.dtype) and np.ndim(value) != 0):
            raise AttributeValueError(op, attribute, "be a scalar", value)
        plain_type = _plain_type(value, dtype)
        if plain_type is not None:
            # Subclasses may compare and hash as they like; plain numbers do not.
            return plain_type(value)
    raise DTypeError(op, attribute, "be a real number", value)


def _plain_type(value: Any, dtype: Any) -> type[int] | type[float] | None:
    """The type of Python that a scalar is a number of; None for what is no real number."""
    if isinstance(dtype, np.dtype):
        kind = kind_of(dtype)
        if kind == "f" and dtype.itemsize > 8 and np.isfinite(value) and value == np.floor(value):
            # float64 may have no such integer.
            return int
        return int if kind in "iu" else float if kind == "f" else None
    if isinstance(value, int):
        return None if isinstance(value, bool) else int
    return float if isinstance(value, float) else None


def lower_typed_range(
    op: str, start: tuple[str, Any], stop: tuple[str, Any], step: tuple[str, Any], dtype: AnyDType, *, is_precise: bool
) -> RangePlan:
    """Return the plan of a range whose inputs have its own type, T; each is a name and a value that is rounded to T.

    Integers are exact. Floats are counted as frameworks do: ``ceil((stop - start) / step)`` with a difference in T, and
    a quotient in T, or in float64 where the count ``is_precise``. An infinite step gives no element, or NaNs.
    """
    numbers = [round_number(op, name, value, dtype) for name, value in (start, stop, step)]
    first, last, by = numbers
    if by == 0:
        raise AttributeValueError(op, step[0], "not be 0", step[1])
    if kind_of(dtype) in "iu":
        return RangePlan(int(first), int(by), max(-((int(first) - int(last)) // int(by)), 0))
    with np.errstate(all="ignore"):
        ratio = float(last - first) / float(by) if is_precise else float((last - first) / by)
    for (name, value), number in zip((start, stop, step), numbers, strict=True):
        if np.isnan(number):
            raise AttributeValueError(op, name, "not be NaN", value)
        if np.isinf(number) and ratio != 0:
            raise AttributeValueError(op, name, "be finite", value)
    if not np.isfinite(ratio):
        raise AttributeValueError(op, step[0], "give a number of elements that its type can express", step[1])
    count = max(ceil(ratio), 0)
    return RangePlan(float(first), float(by), count) if count else RangePlan(0.0, 1.0, 0)


def round_number(op: str, name: str, value: Any, dtype: AnyDType) -> Any:
    """Return a number as a scalar of a type: rounded to a float, and exactly to an integer."""
    number = as_number(op, name, value)
    if kind_of(dtype) in "iu":
        if not isinstance(number, int):
            raise DTypeError(op, name, f"be an integer, for a range of {named(dtype)}", value)
        lowest = -(1 << (bits_of(dtype) - 1)) if kind_of(dtype) == "i" else 0
        if not lowest <= number < lowest + (1 << bits_of(dtype)):
            raise AttributeValueError(op, name, f"be a value that {named(dtype)} can express", value)
        return number
    check_float_range(op, **{name: number})
    with np.errstate(all="ignore"):
        return np.asarray(number, np.float64).astype(dtype)[()]
