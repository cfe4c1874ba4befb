"""The first calls of a process: the modules that they load, and their results with another Numba or Python."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.processes import run_code

CALLS = (
    "fo.slice(x, [1, 2], [4, 5])",
    "fo.slice(x, [-1, -2], [9, 9], mode='reflect')",
    "fo.variadic_split(x, 1, [3, -1])",
    "fo.range(0, 5, 1, 'f32')",
    "fo.windows(x, [[0, 0], [-1, 2]], [3, 3], mode='wrap')",
    "fo.lazy(x).pad(((1, 1), (2, 2)), 'reflect')[1:-1].flip(1).run()",
    "fo.numpy.pad(x, 2)",
    "fo.plan.numpy.roll(x.shape, 3, 1)(x)",
)

# Makes each call several times, and prints the memory of the process in kilobytes.
CODE = f"""
x = np.arange(48.0).reshape(6, 8)
for call in {CALLS}:
    for _ in range(3):
        eval(call)
    assert "numba" not in sys.modules, call
print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("RssAnon")])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the memory")
def test_small_calls_load_no_numba_and_take_little_memory() -> None:
    # Only memory of this process counts: how much of LLVM's library is resident depends on what the system has read.
    assert int(run_code(CODE)) < 40 * 1024


LOADED = """
def use(*values):
    print([name in sys.modules for name in ("numba", "fastops.ops", "fastops._execution._gather_runner")])
use(fo.SampleMode, hasattr(fo, "__wrapped__"), hasattr(fo.plan, "_x"))
use(fo.slice, fo.plan.strided_slice((2, 3), [0], [1]), fo.plan.range(0, 5, 1, "i32"))
use(fo.slice(np.ones(3), [0], [0]))
"""


def test_names_load_only_what_they_need() -> None:
    """Types and questions for private names load no operators. Plans and names of operators load nothing that runs."""
    assert run_code(LOADED) == "[False, False, False]\n[False, True, False]\n[False, True, True]\n"


def test_calls_while_another_thread_imports_a_module() -> None:
    # The modules are in `sys.modules` already, and have no names yet.
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


def test_large_work_of_one_thread_loads_no_numba_and_is_one_call_of_compiled_code() -> None:
    code = """
import itertools, multiprocessing
from fastops._runtime._kernels import serial_launches
def work(n):
    return fo.range(0, n, 1, "i32")[-1], "numba" in sys.modules
x, out, numbers = np.zeros((400, 400)), np.zeros((390, 390)), itertools.count()
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(*pool.apply(work, [1 << 20]))
with serial_launches():
    print(*work(1 << 20))
    print(*work(1000))
    from benchmarks.counters import launches_of
    plan = fo.plan.slice((400, 400), [0, 0], [390, 390])
    for call in (lambda: fo.slice(x, [next(numbers) % 10, 1], [390, 390], out=out), lambda: plan(x, out=out)):
        print([launches_of(call) for _ in range(6)][-1])
"""
    expected = [f"{(1 << 20) - 1} False", f"{(1 << 20) - 1} False", "999 False", "1", "1"]
    assert run_code(code, NUMBA_NUM_THREADS=None).splitlines() == expected


# Changes of Numba, as another version may make them; and what the warning says.
DIFFERS = "fastops: large work is done by one thread here, because this version of Numba differs: "
LACKING = {
    "numba._helperlib.c_helpers.pop('gil_ensure')": DIFFERS,
    "del numba.core.compiler_lock.global_compiler_lock._lock": DIFFERS,
    "del numba.core.codegen.CodeLibrary._get_compiled_object": DIFFERS,
    "numba.config.DISABLE_JIT = 1": "fastops: large work is done by one thread here, because NUMBA_DISABLE_JIT is set",
}


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
    assert warning.startswith(LACKING[change]) or os.cpu_count() == 1


# The process takes its own build of Python for a free-threaded one. Then neither Python nor compiled code of the user
# calls kernels; views and plans need none.
FREE_THREADED = """
import sysconfig
known = sysconfig.get_config_var
sysconfig.get_config_var = lambda name: 1 if name == "Py_GIL_DISABLED" else known(name)
sys.stderr = sys.stdout

import numba, fastops.numba
from fastops.__main__ import main

x, out = np.arange(12).reshape(3, 4), np.full((2, 2), 7)
plan = fo.plan.slice((3, 4), [0, 0], [2, 2])
for call in (
    lambda: fo.slice(x, [0, 0], [2, 2], out=out),
    lambda: plan(x, out=out),
    lambda: fo.windows(x, [[0, 0]], [2, 2]),
    lambda: fo.range(0, 5, 1, "f32"),
    lambda: fo.numpy.pad(np.zeros((1000, 1000)), 1),
    numba.njit(lambda: fo.slice(x, (0, 0), (2, 2))),
    numba.njit(lambda: fo.range(0, 5, 1, np.float32)),
):
    try:
        call()
    except fo.KernelError as error:
        print(error)
assert (out == 7).all()
assert (fo.numpy.flip(x, 0, copy=False) == x[::-1]).all()
print(main(["warmup"]))
main(["info"])
"""


def test_no_kernel_runs_on_a_free_threaded_build_and_the_command_line_says_so() -> None:
    printed = run_code(FREE_THREADED).splitlines()
    refusal = "fastops: this Python is a free-threaded build, but kernels need the global lock"
    assert printed[:9] == [*[refusal] * 8, "1"]
    assert "none: they do not run on a free-threaded build of Python" in "".join(printed[9:])
