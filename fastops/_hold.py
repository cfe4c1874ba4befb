"""Holds: what keeps the memory of a caller's array where it is while a call runs.

`ndarray.resize(..., refcheck=False)` frees or moves memory under everybody who uses it, and other threads run whenever
a kernel or the interpreter lets them. But NumPy resizes no array that has a weak reference. A hold is one, which ends
with the list that keeps it; a proxy is made in half the time of a plain one.

It has to begin before an array says how long its memory is, and before a view is made of it.
"""

from __future__ import annotations

from typing import Any
from weakref import proxy

from numpy import ndarray


def hold(array: Any) -> list[Any]:
    """Return what keeps NumPy from resizing an array, and those it is a view of, for as long as it is kept itself."""
    holds = []
    # By its type: what an object says of its class is its author's word.
    while issubclass(type(array), ndarray):
        holds.append(proxy(array))
        array = ndarray.base.__get__(array)
    return holds
