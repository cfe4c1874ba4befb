"""Contiguous copies that are longer than what processors copy by one instruction: at all distances, to the byte."""

from __future__ import annotations

import numpy as np
import pytest

import fastops as fo

PAGE = 4096


@pytest.mark.parametrize("n", [2047, 2048, 2049, 4096, 4097, 9000])
@pytest.mark.parametrize("distance", [0, 1, 15, 31, 32, 4065, 4095])
def test_copies_at_a_distance(distance: int, n: int) -> None:
    memory = np.zeros(16 * PAGE, np.uint8)
    begin = -memory.ctypes.data % PAGE + 100
    data = memory[begin : begin + n]
    data[:] = np.random.default_rng(0).integers(1, 256, n)
    place = begin + 4 * PAGE + distance
    out = memory[place : place + n]
    fo.slice(data, [0], [n], out=out)
    np.testing.assert_array_equal(out, data)
    assert not memory[place - 64 : place].any()
    assert not memory[place + n :].any()
