"""NumPy's function that makes arrays, under a symbol that machine code finds.

NumPy exports its functions as a table of addresses, in which none changes its place.

References
----------
NumPy C-API, ``numpy/_core/include/numpy/__multiarray_api.h``: ``PyArray_NewFromDescr`` has number 94 in the table.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ctypes

import llvmlite.binding
import numpy as np

#: The symbol of ``PyArray_NewFromDescr``.
NEW_ARRAY = "fastops.new_array"

_NUMBER = 94


def _find() -> int:
    core = getattr(np, "_core", None) or np.core
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get_pointer(core._multiarray_umath._ARRAY_API, None)
    return ctypes.c_size_t.from_address(table + 8 * _NUMBER).value


llvmlite.binding.add_symbol(NEW_ARRAY, _find())
