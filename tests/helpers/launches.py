"""Launches that a test makes serial or parallel, and outputs in memory full of guard bytes.

Whether such a launch is serial does not depend on the times of earlier launches. The bytes around and between the
elements of an output must stay as they are.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np

from fastops._arrays._dtypes import span_of
from fastops._execution._execute import address_of
from fastops._execution._range_call import create_row, form_of
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._runtime._kernels import link_parallel, load_entry, load_object
from fastops.kernels._intrinsics._memory import HISTORIES, HISTORY_WORDS
from fastops.kernels._parallel import WORDS
from fastops.kernels._tables import _range as t
from fastops.kernels._tables._arrays import ARRAY_COLUMNS, HEADER_COLUMNS, HIGH, LOW

#: Each sequence of serial (True) and parallel launches, for 1 to 3 launches of a call.
SEQUENCES = [sequence for n in (1, 2, 3) for sequence in product((True, False), repeat=n)]


def forget_launches(serial_ticks: int = 0) -> None:
    """Clear the histories of launches; each history then holds only ``serial_ticks`` ticks of serial work."""
    histories = (ctypes.c_int64 * HISTORY_WORDS).from_address(load_object().addresses[HISTORIES])
    histories[:] = [serial_ticks, *[0] * (WORDS - 1)] * (HISTORY_WORDS // WORDS)


def decide(is_serial: bool) -> None:
    """Let the next launch run serially, or in parallel."""
    forget_launches(1 << 62 if is_serial else 0)


def run_launches_by(sequence: Sequence[bool], workers: int) -> Callable[..., int]:
    """Return a stand-in for `fastops._runtime._kernels.run_launches` that makes these launches, serial or parallel."""

    def run_launches(name: str, total_bytes: int, *args: Any) -> int:
        status = 0
        try:
            for launch, is_serial in enumerate(sequence):
                decide(is_serial)
                status = run_launch(name, *args, workers=workers, launch=launch, launches=len(sequence))
                if status:
                    break
        finally:
            forget_launches()
        return status

    return run_launches


@contextmanager
def described(
    arrays: Sequence[Any], words: Any, fill: Any, conversion: Any = None
) -> Iterator[tuple[int, int, int, int]]:
    """Give the first arguments of `execute_at`, for arrays (source first), words, fill values and a conversion."""
    converted = [0, 0] if conversion is None else [conversion.words.ctypes.data, conversion.words.size]
    numbers = [arrays[0].itemsize, fill.ctypes.data, fill.nbytes, 0, *converted]
    for array in arrays:
        numbers += (array.__array_interface__["data"][0], 0, 0, array.ndim)
    for side in ("shape", "strides"):
        for array in arrays:
            numbers += getattr(array, side)
    memory = np.array(numbers, np.int64)
    yield memory.ctypes.data, memory.size, words.ctypes.data, words.size


def run_launch(name: str, *args: Any, workers: int, launch: int = 0, launches: int = 1) -> Any:
    """Run one launch of a kernel by one or several threads, and return its status."""
    if workers > 1:
        assert link_parallel()
    return load_entry(name)(*args, workers, launch, launches)


@contextmanager
def range_written(geometry: RangeGeometry, dtype: np.dtype[Any], out: Any, **changes: int) -> Iterator[tuple[Any, ...]]:
    """Give the first arguments of `run_range`, for a range and an output, with changed columns of the range's row."""
    form = form_of(dtype)
    row = create_row(geometry, form)
    for column, number in changes.items():
        row[getattr(t, column)] = number
    yield address_of(out), len(out), address_of(row)


def run_table(arrays: Sequence[Any], table: Any, fill: Any, chunks: int = 1) -> None:
    """Run a table of the scheduler without checks on a source and outputs, one share after the other."""
    share = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 6)
    move_chunk = share(load_object().addresses["fastops.move_chunk"])
    # Room for the results and exceptions of Numba's functions.
    unused = (ctypes.c_int64 * 4)()
    # Write the bounds of arrays into their description, as `check_arrays` does.
    with described(arrays, table, fill) as (address, words, _, _):
        memory = (ctypes.c_int64 * words).from_address(address)
        for i, array in enumerate(arrays):
            low, high = span_of(array)
            row = HEADER_COLUMNS + i * ARRAY_COLUMNS
            memory[row + LOW], memory[row + HIGH] = low, high
        for chunk in range(chunks):
            move_chunk(unused, unused, address, words, table.ctypes.data, table.size, chunk, chunks)


Array = np.ndarray[Any, Any]

_GUARD, _ROOM = 0xA5, 64


class Guarded:
    """An output of any byte strides, ``offset`` bytes into a cache line, and the buffer around it."""

    def __init__(self, shape: Sequence[int], dtype: Any, strides: Sequence[int] | None = None, offset: int = 0) -> None:
        self._shape, self._dtype = tuple(shape), np.dtype(dtype)
        self._strides = tuple(np.empty(self._shape, self._dtype).strides if strides is None else strides)
        reaches = [stride * max(n - 1, 0) for stride, n in zip(self._strides, self._shape, strict=True)]
        first = _ROOM - sum(min(reach, 0) for reach in reaches)
        behind = sum(max(reach, 0) for reach in reaches) + self._dtype.itemsize
        self._buffer = np.full(first + 64 + behind + _ROOM, _GUARD, np.uint8)
        self._place = first + (offset - first - self._buffer.ctypes.data) % 64
        self.out = self._array_in(self._buffer)

    def _array_in(self, buffer: Array) -> Array:
        return np.ndarray(self._shape, self._dtype, buffer, self._place, self._strides)

    def assert_holds(self, expected: Array, *case: object) -> None:
        """Assert that the output has these bytes, and that no other byte of the buffer has changed; then clear it."""
        right = np.full_like(self._buffer, _GUARD)
        self._array_in(right)[...] = expected
        wrong = np.flatnonzero(self._buffer != right)
        assert not wrong.size, (f"{wrong.size} bytes are wrong, the first at {wrong[0] - self._place}", case)
        self._buffer[...] = _GUARD
