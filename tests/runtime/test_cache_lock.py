"""Processes that keep the lock of the cache of kernels: others wait for a while, and can be interrupted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.processes import run_code

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")

LOCKED = """
import fcntl, signal, threading, time, warnings
from pathlib import Path
from fastops._runtime import _code_files
from fastops._runtime import _kernel_cache
directory = _kernel_cache.cache_directory()
directory.mkdir(parents=True)
holder = open(directory / "lock", "w")
fcntl.flock(holder, fcntl.LOCK_EX)
"""


def test_a_process_that_keeps_the_lock_costs_a_minute_in_all_and_a_warning(tmp_path: Path) -> None:
    code = f"""{LOCKED}
_code_files._seconds_left = 1.0
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    start = time.monotonic()
    print(fo.range(0, 3, 1, "i32").tolist(), fo.slice(np.arange(3), [1], [2]).tolist())
print([str(warning.message) for warning in caught])
"""
    assert run_code(code, NUMBA_CACHE_DIR=str(tmp_path)) == (
        "[0, 1, 2] [1, 2]\n['fastops: another process keeps the lock of the cache of compiled kernels; "
        "they are compiled beside it']\n"
    )


def test_ctrl_c_ends_the_waiting_for_another_process(tmp_path: Path) -> None:
    code = f"""{LOCKED}
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(2, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()
start = time.monotonic()
try:
    fo.range(0, 3, 1, "i32")
except KeyboardInterrupt:
    print(time.monotonic() - start < 30)
fcntl.flock(holder, fcntl.LOCK_UN)
print(fo.range(0, 3, 1, "i32").tolist())
"""
    assert run_code(code, NUMBA_CACHE_DIR=str(tmp_path)) == "True\n[0, 1, 2]\n"
