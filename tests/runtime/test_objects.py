"""Object files: which one a process loads, and which it refuses; and the first calls of a process.

The tests of first calls check which modules a call loads, and its results with another Numba or Python.
"""

from __future__ import annotations

import compileall
import os
import platform
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding
import pytest

from fastops._errors import KernelError
from fastops._runtime import _builds, _kernels, _object_files, _objects
from fastops._runtime._object_files import LEVELS, Target, UnfitObjectError, check, pack
from fastops.kernels import _form
from tests.helpers.processes import ALLOWED_SYMBOLS, ROOT, run_code, run_python

_, MANIFEST, CODE = _objects.find_ready() or _objects.build()
SECTIONS = {section.name(): section.data() for section in llvmlite.binding.ObjectFileRef.from_data(CODE).sections()}

needs_elf = pytest.mark.skipif(
    platform.machine() != "x86_64" or sys.platform != "linux", reason="reads ELF files of x86-64"
)


def test_code_for_another_process_is_never_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    # Read the properties of this process anew each time.
    read = _object_files.this_process.__wrapped__
    for module in (_object_files, _builds):
        monkeypatch.setattr(module, "this_process", read)
    seen, keys = [_builds.path_of(_objects.host())], set()
    own = _object_files.this_process()
    changes: list[tuple[object, str, object]] = [
        (_object_files, "EXTENSION_SUFFIXES", [".cpython-399.so"]),
        (_object_files, "IS_CHECKED", not _object_files.IS_CHECKED),
        (_object_files.llvm, "llvm_version_info", (99, 1, 0)),
        (_object_files.llvm, "get_process_triple", lambda: "riscv64-unknown-linux-gnu"),
        (_object_files, "SOURCES", "other"),
    ]
    for change in changes:
        with monkeypatch.context() as other:
            other.setattr(*change)
            seen.append(_builds.path_of(_objects.host()))
            assert len(set(seen)) == len(seen), change
            with pytest.raises(UnfitObjectError, match=r"it was compiled for other "):
                check(MANIFEST)
            keys |= {key for key, value in _object_files.this_process().items() if own[key] != value}
    assert keys == {*own}
    check(MANIFEST)


def copy_package(place: Path) -> Path:
    """Copy the package into a directory; return the copy."""
    return Path(shutil.copytree(ROOT / "fastops", place / "fastops", ignore=shutil.ignore_patterns("__pycache__")))


def test_changed_sources_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = copy_package(tmp_path)
    kernels, compiler = package / "kernels", package / "_runtime" / "_compiler.py"
    monkeypatch.setattr(_form, "__file__", str(kernels / "_form.py"))
    of_each_folder = {source.parent: source for source in kernels.rglob("*.py")}
    assert {"kernels", "_intrinsics", "_rules", "_scheduler", "_tables"} == {folder.name for folder in of_each_folder}
    for source in (compiler, *of_each_folder.values(), kernels / "_new.py", kernels / "_another" / "_new.py"):
        _kernels.check_unchanged()
        source.parent.mkdir(exist_ok=True)
        content = source.read_bytes() if source.exists() else None
        source.write_bytes((content or b"") + b"\n")
        with pytest.raises(KernelError, match="changed on disk since this process imported it; start the process anew"):
            _kernels.check_unchanged()
        source.unlink() if content is None else source.write_bytes(content)


# Calls of a process without sources.
WITHOUT_SOURCES = """
import fastops as fo
print(fo.plan.slice((4,), [1], [2]).shape)
try:
    fo.slice([1, 2, 3], [1], [2])
except fo.KernelError as error:
    print(error)
"""

# Calls of a process whose sources change after it has imported the layout of tables, as in an upgrade.
UPGRADED = """
from pathlib import Path
import numpy as np
from numba import njit
import fastops as fo
fo.slice
with (Path(__file__).parent / "fastops/kernels/_tables/_gather.py").open("a") as file:
    file.write("# Another version.\\n")
print(fo.slice(np.arange(4), [1], [3]))
print(fo.range(0, 1 << 20, 1, "i32")[-1])
try:
    print(njit(lambda: fo.range(0, 4, 1, np.int32))())
except fo.KernelError as error:
    print(error)
"""


def test_without_sources_plans_work_and_after_an_upgrade_code_of_both_versions_is_not_mixed(tmp_path: Path) -> None:
    package, program = copy_package(tmp_path), tmp_path / "program.py"
    # Python imports from the program's own directory first.
    program.write_text(UPGRADED)
    told = "fastops: it has changed on disk since this process imported it; start the process anew"
    assert run_python(program).stdout.splitlines() == ["[1 2 3]", str((1 << 20) - 1), told]
    assert compileall.compile_dir(package, legacy=True, quiet=1)
    for source in package.rglob("*.py"):
        source.unlink()
    program.write_text(WITHOUT_SOURCES)
    refused = "fastops: kernels cannot be compiled here: there are no sources of fastops"
    done = run_python(program, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.splitlines() == ["(2,)", refused], done.stderr


def test_the_best_object_that_came_and_fits_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(_objects, "SHIPPED", tmp_path)
    triple, levels = MANIFEST.target.triple, LEVELS[MANIFEST.target.machine]

    def put(name: str, **fields: Any) -> None:
        (tmp_path / f"{name}.object").write_bytes(pack(MANIFEST._replace(**fields), CODE))

    def origin() -> str:
        found = _objects.find_ready()
        assert found is not None
        return found[0]

    assert _objects.look_at_shipped() == ([], {})
    (tmp_path / "broken.object").write_bytes(b"broken")
    (tmp_path / "directory.object").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"")
    put("other", process={**MANIFEST.process, "llvm": [1, 2, 3]})
    put("beyond", target=Target(triple, "generic", "+no-such-feature"))
    usable, refused = _objects.look_at_shipped()
    assert (usable, {name.partition(".")[0]: why[:23] for name, why in refused.items()}) == (
        [],
        {
            "broken": "it is damaged",
            "directory": "[Errno 21] Is a directo",
            "other": "it was compiled for oth",
            "beyond": "it is for other process",
        },
    )
    features = llvmlite.binding.get_host_cpu_features()
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    for level in levels:
        put(level, target=Target(triple, level, ""))
    for level in levels:
        features.clear()
        features.update(dict.fromkeys(Target(triple, level, "").needed(), True))
        assert origin() == f"shipped for {level}"
    features["more"] = True
    put("host", target=Target(triple, "any", ",".join([f"+{name}" for name in features])))
    assert origin() == "shipped for any"
    features["more"] = False
    assert origin() == f"shipped for {level}"
    # If the user names a processor, the objects of the package are not used.
    monkeypatch.setattr(_builds, "find", lambda _: None)
    monkeypatch.setenv("NUMBA_CPU_NAME", "haswell")
    assert (_objects.find_ready(), _objects.host()) == (None, Target(triple, "haswell", features.flatten()))
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert _objects.host().features == ""
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+avx2")
    assert _objects.host().features == "+avx2"


@needs_elf
def test_functions_that_kernels_call_are_allowed_and_exist() -> None:
    assert {"memcpy", "malloc", "PyEval_SaveThread"} <= {*MANIFEST.undefined} <= ALLOWED_SYMBOLS
    names, symbols = SECTIONS[b".strtab"], struct.iter_unpack("<IBBHQQ", SECTIONS[b".symtab"])
    # The number of the section of a symbol is 0 if another module has it.
    needed = {names[at : names.index(b"\0", at)].decode() for at, _, _, section, *_ in symbols if at and not section}
    assert needed <= {*MANIFEST.undefined}
    for symbol, attribute, message in (
        ("PyLong_AsNothing", "undefined", "this process has no function PyLong_AsNothing"),
        ("no_such_function", "undefined", "this process has no function no_such_function"),
        ("fastops.nothing", "symbols", "it has no symbol fastops.nothing"),
    ):
        changed = MANIFEST._replace(**{attribute: [*getattr(MANIFEST, attribute), symbol]})
        with pytest.raises(UnfitObjectError, match=message):
            _objects.load("here", changed, CODE)


@needs_elf
def test_objects_call_external_functions_through_a_table_of_addresses() -> None:
    """With direct calls of external functions, LLVM reserves too little memory, and loading may end the process."""
    symbols = list(struct.iter_unpack("<IBBHQQ", SECTIONS[b".symtab"]))
    direct = 4  # R_X86_64_PLT32
    relocations = [info for _, info, _ in struct.iter_unpack("<QQq", SECTIONS[b".rela.text"])]
    called = [info >> 32 for info in relocations if info % 2**32 == direct]
    assert called
    assert [symbols[number] for number in called if symbols[number][3] == 0] == []


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
FIRST_CALL = f"""
x = np.arange(48.0).reshape(6, 8)
for call in {CALLS}:
    for _ in range(3):
        eval(call)
    assert "numba" not in sys.modules, call
print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("RssAnon")])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the memory")
def test_small_calls_load_no_numba_and_take_little_memory() -> None:
    # Count anonymous memory only: how much of LLVM's library is resident depends on the system.
    assert int(run_code(FIRST_CALL)) < 40 * 1024


LOADED = """
def use(*values):
    print([name in sys.modules for name in ("numba", "fastops.ops", "fastops._runtime._objects")])
use(fo.SampleMode, hasattr(fo, "__wrapped__"), hasattr(fo.plan, "_x"))
use(fo.slice, fo.plan.strided_slice((2, 3), [0], [1]), fo.plan.range(0, 5, 1, "i32"))
use(fo.slice(np.ones(3), [0], [0]))
"""


def test_names_load_only_what_they_need() -> None:
    """Types, and hasattr with private names, load no operators. Plans and names of operators load no compiled code."""
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


# Changes that another version of Numba may have, and the reasons in the warnings.
DIFFERS = "fastops: large work is done by one thread here, because this version of Numba differs: "
LACKING = {
    "numba._helperlib.c_helpers.pop('gil_ensure')": "it has no function numba_gil_ensure",
    "del numba._helperlib.c_helpers": "it has no function numba_gil_",
    "numba.np.ufunc.parallel.ll = unittest.mock.Mock()": "it has no function ",
}


@pytest.mark.parametrize("change", LACKING)
def test_another_numba_leaves_large_work_to_one_thread(change: str) -> None:
    code = f"""
import numba.np.ufunc.parallel, unittest.mock, warnings
{change}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):
        print(fo.numpy.flip(np.arange(1 << 20))[:2], fo.range(0, 1 << 20, 1, "i32")[-1])
print(*[each.message for each in caught])
"""
    *results, warning = run_code(code, NUMBA_NUM_THREADS="2").splitlines()
    assert results == ["[1048575 1048574] 1048575"] * 2
    # With one processor, there is no warning: there are no threads to share work.
    assert warning.startswith(f"{DIFFERS}{LACKING[change]}") or os.cpu_count() == 1


# This process pretends that its Python is a free-threaded build. Then neither Python nor users' compiled code calls
# kernels; views, and making a plan, still work without kernels.
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
