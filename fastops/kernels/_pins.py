"""Pins: what keeps the memory of arrays where it is while a kernel runs without the GIL.

Computes: for each array of a call, a weak reference to the owner of its memory: NumPy resizes no array that has one.
Memory: reads the fields of objects; the references are the interpreter's, and are dropped when the kernel has run.
Fast because nothing of Python's runs: made in Python, two pins took as long as to move 16 KiB.

They are made before the arrays are looked at. Making one may collect garbage, which may run code of anybody's.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._memory import loops
from fastops.kernels._intrinsics._object_layout import NDARRAY_BASE, NDARRAY_FLAGS, OBJECT_TYPE, OWNS_DATA
from fastops.kernels._intrinsics._objects import drop_reference, field_of, new_reference, object_at, object_of

# NumPy keeps chains of views short.
_MOST_BASES = 16

# Calls with more arrays are pinned in Python.
_MOST_PINS = 17

#: Words of pins: their number, which is 0 before, then their addresses.
PIN_WORDS = 1 + _MOST_PINS


@loops
def _pin(array, ndarray, pins):
    """Pin what an object is a view of; return False if that is no plain array."""
    for _ in range(_MOST_BASES):
        if field_of(array, OBJECT_TYPE) != ndarray:
            return False
        if field_of(array, NDARRAY_FLAGS) & OWNS_DATA:
            reference = new_reference(array)
            if reference == 0:
                return False
            pins[0] += 1
            pins[pins[0]] = reference
            return True
        base = field_of(array, NDARRAY_BASE)
        if base == 0:
            # The memory is nobody's who could resize it.
            return True
        array = object_at(base)
    return False


@loops
def pin_arrays(dsts, n, src, ndarray, how, pins):
    """Pin the source and the n outputs, as far as nobody keeps them; return False if Python has to do it.

    ndarray is the address of that type.
    """
    if not how.is_addressed and not _pin(src, ndarray, pins):
        return False
    n = 0 if how.are_fresh else n
    if n >= _MOST_PINS:
        return False
    for i in range(n):
        if not _pin(object_of(dsts, i), ndarray, pins):
            return False
    return True


@loops
def unpin_arrays(pins):
    """Drop all pins."""
    for i in range(pins[0]):
        drop_reference(pins[1 + i])
