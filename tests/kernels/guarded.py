"""Outputs in memory full of guard bytes: what lies around and between their elements must stay as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_GUARD, _ROOM = 0xA5, 64


class Guarded:
    """An output of any byte strides, so many bytes into a cache line, and the buffer that it lies in."""

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
