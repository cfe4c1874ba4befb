"""Pins: what keeps the memory of a caller's array where it is while a kernel runs without Python's lock.

`ndarray.resize(..., refcheck=False)` frees or moves memory under everybody who uses it, and other threads may call it
while a kernel runs. But NumPy resizes no array that has a weak reference, and none but the owner of memory. A pin is a
weak reference to the owner, for as long as it is kept; a proxy is made in half the time of a plain reference.
"""

from __future__ import annotations

from typing import Any
from weakref import proxy

import numpy as np
from numpy import ndarray


def pin(array: Any) -> Any:
    """Return what keeps NumPy from resizing an array, or what it is a view of, for as long as it is kept itself."""
    # Most arrays own their memory.
    if type(array) is ndarray and array.base is None:
        return proxy(array)
    owner = _owner_of(array)
    return None if owner is None else proxy(owner)


def _owner_of(array: Any) -> Any:
    """Return the array that can be resized where this one has its memory; None if there is none."""
    for _ in range(_MOST_BASES):
        if issubclass(type(array), ndarray):
            # Not by attributes that a subclass may have of its own.
            base = ndarray.base.__get__(array)
            # An array that writes back to another has that one as its base, and memory of its own.
            if base is None or ndarray.flags.__get__(array).owndata:
                return array
            array = base
        elif type(array) is memoryview:
            try:
                array = array.obj
            except ValueError:
                # It has been released.
                return None
        elif type(array) is _STRIDED:
            array = vars(array).get("base")
        else:
            break
    return None


# NumPy keeps chains of views short. Whoever makes a ring of them has no array that could be resized.
_MOST_BASES = 1000

# What arrays of `as_strided` are views of.
_STRIDED = type(np.lib.stride_tricks.as_strided(np.zeros(1)).base)
