"""Symbols of this process that machine code finds: NumPy's function that makes arrays, and a table of violations.

Violations are wrong accesses that the checked form of the kernels has caught. Machine code counts them in the table,
describes the first one there, and accesses a scratch buffer instead.

References
----------
NumPy C-API, ``numpy/_core/include/numpy/__multiarray_api.h``: ``PyArray_NewFromDescr`` has number 94 in the table.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ctypes
import threading

import llvmlite.binding

from fastops.kernels._intrinsics._object_layout import numpy_function

#: The symbol of ``PyArray_NewFromDescr``.
NEW_ARRAY = "fastops.new_array"

_NUMBER = 94

llvmlite.binding.add_symbol(NEW_ARRAY, numpy_function(_NUMBER))


# Words of the table: the number of violations; then of the first one the kind of access, its bytes, its offset in the
# buffer, the bytes of the buffer, and the address of the name of the function.
COUNT, WHAT, BYTES, OFFSET, ROOM, SITE = range(6)
WORDS = 6

# Kinds of accesses.
READS, WRITES, MISALIGNED, OVERLAPS = range(4)
_WORDS = {READS: "read", WRITES: "write", MISALIGNED: "access misaligned", OVERLAPS: "copy onto themselves"}

#: The symbols of the table and of the scratch buffer.
TABLE_SYMBOL, SCRATCH_SYMBOL = "fastops.violations", "fastops.scratch"

#: After this many violations the process is aborted: the kernel might run for ever.
MOST_VIOLATIONS = 1 << 20

#: Bytes of the scratch buffer: more than one load or store has.
SCRATCH_BYTES = 4096

_LINE_BYTES = 64

_table = (ctypes.c_int64 * WORDS)()
# Aligned for any access.
_scratch = ctypes.create_string_buffer(SCRATCH_BYTES + _LINE_BYTES)
_scratch_address = -(-ctypes.addressof(_scratch) // _LINE_BYTES) * _LINE_BYTES
_lock = threading.Lock()

llvmlite.binding.add_symbol(TABLE_SYMBOL, ctypes.addressof(_table))
llvmlite.binding.add_symbol(SCRATCH_SYMBOL, _scratch_address)


def take_violation() -> str | None:
    """Return a text about the violations since the last call, or None."""
    if not _table[COUNT]:
        return None
    with _lock:  # Another thread may take it meanwhile.
        count, what, n, offset, room, site = _table
        ctypes.memset(_table, 0, ctypes.sizeof(_table))
    if not count:
        return None
    name = ctypes.string_at(site).decode()
    return f"{name} would {_WORDS[what]} {n} bytes at offset {offset} of a buffer of {room} ({count} in all)"
