"""The first call of a process: it loads all kernels, and neither Numba nor much memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.processes import run_code

CALLS = {
    "slice": "fo.slice(x, [1, 2], [4, 5])",
    "reflect": "fo.slice(x, [-1, -2], [9, 9], mode='reflect')",
    "split": "fo.variadic_split(x, 1, [3, -1])",
    "range": "fo.range(0, 5, 1, 'f32')",
    "windows": "fo.windows(x, [[0, 0], [-1, 2]], [3, 3], mode='wrap')",
    "chain": "fo.lazy(x).pad(((1, 1), (2, 2)), 'reflect')[1:-1].flip(1).run()",
    "pad": "fo.numpy.pad(x, 2)",
    "plan": "fo.plan.numpy.roll(x.shape, 3, 1)(x)",
}

# Warm code has been called several times, by new arguments too.
CODE = """
x = np.arange(48.0).reshape(6, 8)
for _ in range(3):
    result = {call}
own = [line.split()[1] for line in open("/proc/self/status") if line.startswith("RssAnon")]
print("numba" in sys.modules, *own)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the memory")
@pytest.mark.parametrize("call", CALLS)
def test_small_calls_load_no_numba_and_take_little_memory(call: str) -> None:
    numba, kilobytes = run_code(CODE.format(call=CALLS[call])).split()
    assert numba == "False"
    # Of this process alone: how much of LLVM's library is resident depends on what the system has read before.
    assert int(kilobytes) < 40 * 1024


def test_calls_amid_the_import_of_a_module_by_another_thread() -> None:
    # It is there already, and has no names yet, or functions without what they read.
    code = """
from types import ModuleType
from fastops._arrays._tensors import as_fill
from fastops._runtime._threads import ThreadLimits
for name in ("multiprocessing.process", "torch", "dask.array", "xarray", "numpy.ma", "numba"):
    sys.modules[name] = ModuleType(name)
print(ThreadLimits.read().is_pool_worker)
print(fo.slice([1, 2, 3], [1], [2]), fo.numpy.pad(np.ones(3), 1), fo.range(0, 4, 1, "i32"))
for call in (lambda: fo.torch.pad(np.arange(3), (1, 1)), lambda: as_fill("value", np.arange(3), 1)):
    try:
        call()
    except fo.DTypeError as error:
        print("must be a tensor of PyTorch" in str(error))
"""
    assert run_code(code).splitlines() == ["False", "[2 3] [0. 1. 1. 1. 0.] [0 1 2 3]", "True", "True"]


def test_large_work_of_one_thread_loads_no_numba() -> None:
    code = """
import multiprocessing
from fastops._runtime import _kernels
def work(n):
    return fo.range(0, n, 1, "i32")[-1], "numba" in sys.modules
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(*pool.apply(work, [1 << 20]))
    with _kernels.serial_launches():
        print(*work(1 << 20))
    print(*work(1000))
"""
    expected = [f"{(1 << 20) - 1} False", f"{(1 << 20) - 1} False", "999 False"]
    assert run_code(code, NUMBA_NUM_THREADS=None).splitlines() == expected


def test_large_work_of_one_thread_is_one_call_of_compiled_code() -> None:
    code = """
from benchmarks.counters import launches_of
from fastops._runtime._kernels import serial_launches
x, out = np.zeros((400, 400)), np.zeros((390, 390))
with serial_launches():
    print([launches_of(lambda: fo.slice(x, [k, 1], [390, 390], out=out)) for k in range(6)][-1])
    plan = fo.plan.slice((400, 400), [0, 0], [390, 390])
    print([launches_of(lambda: plan(x, out=out)) for _ in range(6)][-1])
"""
    assert run_code(code) == "1\n1\n"


# What another version of Numba may lack.
LACKING = [
    "numba._helperlib.c_helpers.pop('gil_ensure')",
    "del numba.core.compiler_lock.global_compiler_lock._lock",
    "del numba.core.codegen.CodeLibrary._get_compiled_object",
]


@pytest.mark.parametrize("change", LACKING)
def test_another_numba_leaves_large_work_to_one_thread(change: str) -> None:
    code = f"""
import numba.core.codegen, numba.core.compiler_lock, warnings
{change}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):
        print(fo.numpy.flip(np.arange(1 << 20))[:2], fo.range(0, 1 << 20, 1, "i32")[-1])
print(*[each.message for each in caught])
"""
    *results, warning = run_code(code, NUMBA_NUM_THREADS="2").splitlines()
    assert results == ["[1048575 1048574] 1048575"] * 2
    # With one processor there is nothing to share.
    expected = "fastops: large work is done by one thread here, because this version of Numba differs: "
    assert warning.startswith(expected) or os.cpu_count() == 1
