"""Threads, forks and the cache of compiled kernels. What can end a process runs in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

import fastops as fo
from fastops import _kernel_cache, _launch, _limits, _runtime

BIG = "data = np.arange(1 << 20).reshape(1024, 1024)\n"


def run(code: str, **environment: str) -> str:
    """Run code in a process of its own and return what it prints."""
    prelude = "import os, sys, threading, warnings\nimport numpy as np, fastops as fo\nfrom fastops import _runtime\n"
    done = subprocess.run(
        [sys.executable, "-c", prelude + code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


def test_threads_call_at_once() -> None:
    data = np.arange(1 << 20).reshape(1024, 1024)

    def call(k: int) -> bool:
        flipped = fo.strided_slice(data[k:], [0, -1], [2000, -2000], [1, -1])
        padded = fo.slice(data, [-k], [1024 + k], axes=[0], mode="reflect")
        return np.array_equal(flipped, data[k:, ::-1]) and np.array_equal(padded[k:], data)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(64)))


@pytest.mark.parametrize("layer", ["workqueue", "omp"])
def test_threads_call_at_once_on_each_layer(layer: str) -> None:
    code = (
        BIG
        + """
failed = []
def call(k):
    for _ in range(20):
        if not np.array_equal(fo.strided_slice(data, [0, -1], [2000, -2000], [1, -1]), data[:, ::-1]):
            failed.append(k)
threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not failed
print(_runtime.threading_layer())
"""
    )
    assert run(code, NUMBA_THREADING_LAYER=layer).strip() == layer


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_computes_and_exits() -> None:
    code = (
        BIG
        + """
flipped = fo.strided_slice(data, [0, -1], [2000, -2000], [1, -1])
for _ in range(2):
    child = os.fork()
    if child == 0:
        ok = np.array_equal(fo.strided_slice(data, [0, -1], [2000, -2000], [1, -1]), flipped)
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if len(fo.range(0, 1 << 20, 1, "i64")) == 1 << 20 else 1)
        ok = ok and os.waitpid(grandchild, 0)[1] == 0
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
print("parent lives", len(fo.range(0, 1 << 20, 1, "i64")))
"""
    )
    assert run(code).startswith("parent lives")


FORK_WHILE = """
import time
thread = threading.Thread(target=lambda: _runtime.compile_kernel("fill_range"))
thread.start()
while {waits}:
    time.sleep(0.001)
child = os.fork()
if child == 0:
    os._exit(0 if fo.range(0, 4, 1, "i32").tolist() == [0, 1, 2, 3] else 1)
assert os.waitpid(child, 0)[1] == 0
thread.join()
print("both live")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("waits", ['"numba" not in sys.modules', '"fastops.kernels._range" not in sys.modules'])
def test_a_fork_while_another_thread_compiles(waits: str, tmp_path: Path) -> None:
    assert run(FORK_WHILE.format(waits=waits), NUMBA_CACHE_DIR=str(tmp_path)) == "both live\n"


def test_the_gil_is_released() -> None:
    size = 1 << 26
    fo.range(0, 8, 1, "f8e4m3")  # compile before the clock runs
    done = threading.Event()

    def work() -> None:
        fo.range(0, size, 1, "f8e4m3")
        done.set()

    worker = threading.Thread(target=work)
    start = time.perf_counter()
    worker.start()
    longest, last = 0.0, time.perf_counter()
    while not done.is_set():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    worker.join()
    assert longest < 0.5 * (last - start), "this thread stood still while the kernel ran"


def test_small_work_is_serial_and_large_work_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = []
    real = _runtime.compile_kernel("gather")

    def spy(*args: object) -> None:
        workers.append(args[-1])
        real.run(*args)

    spied = _runtime.CompiledKernel(spy, real.dispatcher, real.from_cache)
    monkeypatch.setitem(_runtime._compiled, ("gather", 0), spied)
    monkeypatch.setattr(_launch, "_loaded", {})
    fo.slice(np.zeros(64), [0], [64], [1])  # a call that no other test makes
    fo.slice(np.zeros(1 << 20), [0], [1 << 20])
    assert workers[0] == 1
    assert workers[1] == numba.get_num_threads()


# --- The cache -----------------------------------------------------------------------------------------------------


def test_the_directory_tells_flags_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    one = _kernel_cache.cache_directory()
    assert _kernel_cache.cache_directory() == one
    monkeypatch.setattr(_kernel_cache.config, "BOUNDSCHECK", 1)
    assert _kernel_cache.cache_directory() != one


RECORDING = "with warnings.catch_warnings(record=True) as w:\n  warnings.simplefilter('always')\n"
COMPILE = 'print(_runtime.compile_kernel("fill_range").from_cache, fo.range(0, 4, 1, "i32").tolist())\n'


def test_a_second_process_loads_what_the_first_compiled_and_survives_damage(tmp_path: Path) -> None:
    assert run(COMPILE, NUMBA_CACHE_DIR=str(tmp_path)) == "False [0, 1, 2, 3]\n"
    assert run(COMPILE, NUMBA_CACHE_DIR=str(tmp_path)) == "True [0, 1, 2, 3]\n"
    (directory,) = tmp_path.iterdir()
    assert directory.name.startswith("fastops-kernels-")
    for file in directory.iterdir():
        file.write_bytes(file.read_bytes()[:100])
    warned = RECORDING + f"  {COMPILE}print(len(w) > 0)"
    assert run(warned, NUMBA_CACHE_DIR=str(tmp_path)) == "False [0, 1, 2, 3]\nTrue\n"


def test_an_impossible_directory_costs_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = RECORDING + f"  {COMPILE}print(w[0].message)"
    printed = run(code, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert printed.startswith("False [0, 1, 2, 3]\nfastops: compiled kernels cannot be kept in")


def test_without_the_jit_there_is_one_clear_error() -> None:
    code = """
try:
    fo.strided_slice(np.arange(3), [0], [1])
except RuntimeError as error:
    print(error)
"""
    assert "threads here: NUMBA_DISABLE_JIT is set" in run(code, NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", 7),
        ("  ", 7),
        ("0", 0),
        ("1048576", 1 << 20),
        ("never", sys.maxsize),
        (" NEVER ", sys.maxsize),
        ("9" * 30, sys.maxsize),
    ],
)
def test_the_environment_moves_the_limit_of_streaming(
    monkeypatch: pytest.MonkeyPatch, written: str, expected: int
) -> None:
    monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
    assert _limits.read_limit("FASTOPS_STREAM_BYTES", 7) == expected


@pytest.mark.parametrize("written", ["-1", "1e6", "16 MiB", "off"])
def test_a_limit_that_is_no_number_warns(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
    with pytest.warns(RuntimeWarning, match="FASTOPS_STREAM_BYTES must be a number of bytes or never"):
        assert _limits.read_limit("FASTOPS_STREAM_BYTES", 7) == 7
