"""NumPy's function that makes arrays, under a symbol that machine code finds.

References
----------
NumPy C-API, ``numpy/_core/include/numpy/__multiarray_api.h``: ``PyArray_NewFromDescr`` has number 94 in the table.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import llvmlite.binding

from fastops.kernels._intrinsics._object_layout import numpy_function

#: The symbol of ``PyArray_NewFromDescr``.
NEW_ARRAY = "fastops.new_array"

_NUMBER = 94

llvmlite.binding.add_symbol(NEW_ARRAY, numpy_function(_NUMBER))
