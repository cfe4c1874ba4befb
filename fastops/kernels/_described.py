"""What kernels know of a call besides its words: its arrays, as they are described, and how it is run."""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._arrays_of_words import memory_in, words_at
from fastops.kernels._intrinsics._memory import loops
from fastops.kernels._tables import _arrays as a


class How(NamedTuple):
    """How a call is run."""

    workers: Any  # by how many threads, where it is large
    launch: Any  # which of so many launches it is
    launches: Any
    smallest_peeled: Any  # results of fewer bytes are one part, without an interior and edges
    stream_bytes: Any  # results of fewer bytes stay in the caches
    are_apart: Any  # 1 if whoever calls knows that outputs share no memory with anything
    are_fresh: Any  # 1 if nobody else has the outputs
    is_addressed: Any  # 1 if the source is no array but an address
    is_pinned: Any  # 1 if the caller keeps the memory of all arrays where it is
    conversion: Any  # the address of the tuple of a conversion, as `execute` has it; 0 for none


HOW = types.NamedUniTuple(types.intp, len(How._fields), How)


@loops
def array_in(arrays, i, is_writable):
    """The byte pointer of an array that is described, for reading, or for writing."""
    row = words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
    if is_writable:
        return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], True)
    return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], False)
