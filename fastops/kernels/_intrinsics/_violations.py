"""Violations: what the checked form of the kernels records of the first access that it has caught.

The machine code writes into a table here, found by its name, and does what it must not do to a scratch.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ctypes
import threading

import llvmlite.binding

# Words of the table: how many there were; then of the first one what it did, how many bytes from where in a buffer of
# how many, and the address of the name of the function.
COUNT, WHAT, BYTES, OFFSET, ROOM, SITE = range(6)
WORDS = 6

# What an access did.
READS, WRITES, MISALIGNED, OVERLAPS = range(4)
_WORDS = {READS: "read", WRITES: "write", MISALIGNED: "access misaligned", OVERLAPS: "copy onto themselves"}

#: The names of the table and of the scratch in machine code.
TABLE_SYMBOL, SCRATCH_SYMBOL = "fastops.violations", "fastops.scratch"

#: A kernel that runs on after so many violations does so for ever: its process is aborted.
MOST_VIOLATIONS = 1 << 20

#: Bytes of the scratch: more than one load or store has.
SCRATCH_BYTES = 4096

_LINE_BYTES = 64

_table = (ctypes.c_int64 * WORDS)()
# Aligned as what is done to it may ask for.
_scratch = ctypes.create_string_buffer(SCRATCH_BYTES + _LINE_BYTES)
_scratch_address = -(-ctypes.addressof(_scratch) // _LINE_BYTES) * _LINE_BYTES
_lock = threading.Lock()

llvmlite.binding.add_symbol(TABLE_SYMBOL, ctypes.addressof(_table))
llvmlite.binding.add_symbol(SCRATCH_SYMBOL, _scratch_address)


def take_violation() -> str | None:
    """Return what has been recorded since the last time, or None."""
    if not _table[COUNT]:
        return None
    with _lock:  # Another thread may take it meanwhile.
        count, what, n, offset, room, site = _table
        ctypes.memset(_table, 0, ctypes.sizeof(_table))
    if not count:
        return None
    name = ctypes.string_at(site).decode()
    return f"{name} would {_WORDS[what]} {n} bytes at offset {offset} of a buffer of {room} ({count} in all)"
