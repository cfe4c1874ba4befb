"""Holds: what keeps the memory of a caller's array where it is while a call runs.

`ndarray.resize(..., refcheck=False)` frees or moves memory under everybody who uses it, and other threads run whenever
a kernel or the interpreter lets them. But NumPy resizes no array that has a weak reference, and none but the owner of
memory. A hold is a weak reference to it, which ends with the list that keeps it; a proxy is made in half the time of a
plain one.

It has to begin before an array says how long its memory is, and before a view is made of it. Calls whose attributes are
plain numbers run no code of the caller's, and hold arrays for kernels alone. All others hold them from the beginning.
"""

from __future__ import annotations

from typing import Any
from weakref import proxy

import numpy as np
from numpy import ndarray

from fastops._errors import AttributeValueError, OutputError
from fastops._process._signals import raise_of_handler


def hold(array: Any) -> list[Any]:
    """Return what keeps NumPy from resizing an array, or what it is a view of, for as long as it is kept itself."""
    # Most arrays own their memory and have no hooks: this way takes a third of the time.
    if type(array) is ndarray and array.base is None:
        return [proxy(array)]
    owner = _owner_of(array)
    return [] if owner is None else [proxy(owner)]


def _owner_of(array: Any, *, is_bound: bool = False) -> Any:
    """Return the array that can be resized where this one has its memory; None if there is none.

    None too, if ``is_bound``, where the array need not lie within the other's memory: `as_strided` gives what it is
    asked for.
    """
    for _ in range(_MOST_BASES):
        # By its type: what an object says of its class is its author's word.
        kind = type(array)
        if kind is ndarray or issubclass(kind, ndarray):
            base = ndarray.base.__get__(array)
            # An array that writes back to another has that one as its base, and memory of its own.
            if base is None or ndarray.flags.__get__(array).owndata:
                return array
            array = base
        elif kind is memoryview:
            try:
                array = array.obj
            except ValueError as error:
                raise_of_handler(error)
                # It has been released.
                return None
        elif kind is _STRIDED and not is_bound:
            array = vars(array).get("base")
        else:
            break
    return None


# NumPy keeps chains of views short. Whoever makes a ring of them has no array that could be resized.
_MOST_BASES = 1000

# What arrays of `as_strided` are views of.
_STRIDED = type(np.lib.stride_tricks.as_strided(np.zeros(1)).base)


def hold_all(op: str, data: Any, outs: tuple[Any, ...] = ()) -> list[Any]:
    """Return what holds all arrays of a call while code of the caller's runs.

    Raises
    ------
    AttributeValueError, OutputError
        An array is a view of memory that is another's by now: what it is a view of has been resized.
    """
    holds = [hold(array) for array in (data, *outs)]
    if not _is_inside(data):
        raise AttributeValueError(op, "data", "be a view of memory that is still there", data)
    for out in outs:
        if not _is_inside(out):
            raise OutputError(op, "out", "be a view of memory that is still there", out)
    return holds


def _is_inside(array: Any) -> bool:
    """True if the bytes of an array lie in the memory of the array that owns it, as far as that is known."""
    if not issubclass(type(array), ndarray) or ndarray.flags.__get__(array).owndata:
        return True
    owner = _owner_of(array, is_bound=True)
    if owner is None:
        return True
    view, owner = ndarray.view(array, ndarray), ndarray.view(owner, ndarray)
    low, high = np.lib.array_utils.byte_bounds(view)
    first = owner.ctypes.data
    return view.size == 0 or (first <= low and high <= first + owner.nbytes)
