"""A system that gives no more threads: an error for large work, none for small work, and no end of the process."""

from __future__ import annotations

import pytest

from tests.helpers.processes import LAYERS, on_layer, run_code

CODE = """
import threading
data = np.zeros((2000, 2000))
start = threading.Thread.start
def refuse(self):
    raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
print(fo.slice(np.arange(5), [1], [2]).tolist())
try:
    fo.slice(data, [0, 0], [2000, 2000])
except fo.KernelError as error:
    print(error)
threading.Thread.start = start
print(fo.slice(data, [0, 0], [2000, 2000]).shape)
"""


@pytest.mark.parametrize("layer", LAYERS)
def test_without_threads_large_work_is_an_error(layer: str) -> None:
    first, error, last = run_code(CODE, NUMBA_NUM_THREADS="2", **on_layer(layer)).splitlines()
    assert first == "[1, 2]"
    assert error.endswith("2 threads are more than the system allows; NUMBA_NUM_THREADS sets how many")
    assert last == "(2000, 2000)"
