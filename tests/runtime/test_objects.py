"""Objects: which one a process runs, what it refuses, and what it keeps in the user's cache.

Where a test needs one to be compiled, a stand-in for the compiler gives the object of this process, which was compiled
before, so that it takes no time.
"""

from __future__ import annotations

import compileall
import os
import platform
import pwd
import shutil
import struct
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import llvmlite.binding
import numba
import pytest

import fastops as fo
from fastops import _process
from fastops._errors import KernelError
from fastops._runtime import _builds, _cache, _kernels, _object_files, _objects, _parallel
from fastops._runtime._object_files import (
    LEVELS,
    Manifest,
    Target,
    UnfitObjectError,
    check,
    pack,
    unpack,
)
from fastops.kernels import _sources
from fastops.kernels._entries import ENTRIES
from tests.helpers.inspection import ALLOWED_SYMBOLS
from tests.helpers.processes import ROOT, run_code, run_python
from tests.helpers.seeds import scale

KEPT, COMPILED = 0, 1
CANNOT_KEEP = "fastops: compiled kernels cannot be kept in "

if not hasattr(os, "geteuid"):
    pytest.skip("files have no owners here", allow_module_level=True)


def find() -> Any:
    """Find the object as a first call does."""
    return _objects.find_ready() or _objects.build()


OWN = find()


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    """A stand-in for the compiler; and nothing came with the package."""
    manifest, code = OWN[1:]
    target = _objects.host()
    stand_in = mock.Mock(return_value=pack(manifest._replace(target=target), code))
    monkeypatch.setattr(_builds, "run_compiler", stand_in)
    monkeypatch.setattr(_objects, "SHIPPED", Path("/nowhere"))
    return stand_in


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for this test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def use() -> tuple[int, list[str]]:
    """Find the object, which must be right: how many were compiled, and the warnings."""
    stand_in: Any = _builds.run_compiler
    before = stand_in.call_count
    with mock.patch.dict(_process._told, clear=True), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        origin, _, code = find()
    assert (origin, code) == (f"compiled here for {_objects.host().cpu}", OWN[2])
    return stand_in.call_count - before, [str(each.message) for each in caught]


# Makes a small call and a large one, and prints what they give, and what kernels are run.
CALLS = """
from fastops._runtime import _kernels, _objects
_objects.SHIPPED = _objects.SHIPPED / "nowhere"
print(fo.range(0, 4, 1, "i32"), "numba" in sys.modules, fo.range(0, 1 << 20, 1, "i32")[-1], _kernels._object.origin)
"""


def test_processes_that_need_the_object_at_once_compile_it_once(tmp_path: Path) -> None:
    code = f"os.dup2(1, 2)\n{CALLS}"
    with ThreadPoolExecutor(3) as pool:
        printed = list(
            pool.map(lambda _: run_code(code, NUMBA_CACHE_DIR=str(tmp_path), seconds=300), range(scale(2, 8)))
        )
    told = f"{_builds.NOTE}\n"
    assert max(printed, key=len).startswith(told)
    right = f"[0 1 2 3] False {(1 << 20) - 1} compiled here for {_objects.host().cpu}\n"
    assert {each.removeprefix(told) for each in printed} == {right}
    assert sum(each.startswith(told) for each in printed) == 1
    assert sorted(path.suffix for path in tmp_path.rglob("*") if path.is_file()) == ["", ".object", ".object"]


def test_a_file_is_whole_at_any_moment_and_stays_if_it_cannot_be_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace, seen = cache / "fastops-kernels" / "code.object", Path.replace, []
    monkeypatch.setattr(
        Path, "replace", lambda *args: (seen.append(path.exists() and path.read_bytes()), replace(*args))
    )
    for code in (b"one", b"two"):
        _cache.keep(path, code)
        assert (path.read_bytes(), list(path.parent.iterdir())) == (code, [path])
    assert seen == [False, b"one"]
    monkeypatch.setattr(Path, "replace", mock.Mock(side_effect=PermissionError(1, "no")))
    with pytest.warns(RuntimeWarning, match=f"{CANNOT_KEEP}.*: no"), mock.patch.dict(_process._told, clear=True):
        _cache.keep(path, b"three")
    assert (path.read_bytes(), list(path.parent.iterdir())) == (b"two", [path])


def test_files_that_cannot_be_used_cost_a_warning_and_are_written_anew(cache: Path) -> None:
    assert (use(), use()) == ((COMPILED, []), (KEPT, []))
    (file,) = cache.rglob("*.object")
    content = file.read_bytes()
    for damaged in (b"", content[:-100], content[:999] + b"?" + content[1000:], content + b"more", b"no code"):
        file.write_bytes(damaged)
        compiled, (told,) = use()
        assert compiled == 1
        assert f"{file} is not used: it " in told
        assert use() == (KEPT, [])
    # Files that are whole, but hold something else; and one that nobody could read to its end.
    another = [{"process": {}}, {"name": "share"}, {"target": Target("a", "b", "")}]
    for whole in (b"no code", *[pack(OWN[1]._replace(**fields), OWN[2]) for fields in another]):
        _cache.keep(file, whole)
        compiled, (told,) = use()
        assert (compiled, "is not used: it " in told) == (1, True)
    file.unlink()
    os.mkfifo(file)
    assert use() == (1, [])
    assert use() == (KEPT, [])


def test_files_that_others_may_have_written_are_not_used(cache: Path) -> None:
    use()
    for is_foreign in (False, True) if os.geteuid() == 0 else (False,):
        for file in cache.rglob("*.object"):
            os.chown(file, 12345, 12345) if is_foreign else file.chmod(0o666)
        compiled, (told,) = use()
        assert compiled == 1
        assert ("belongs to another user" if is_foreign else "others than its owner may write") in told
        assert use() == (KEPT, [])


# --- Places --------------------------------------------------------------------------------------------------------

# What says where the cache is, and why it cannot be there. A system may know no home of a user, as in a container.
PLACES: list[tuple[dict[str, str], str]] = [
    ({"NUMBA_CACHE_DIR": "{here}/file/cache"}, "Not a directory"),
    ({"NUMBA_CACHE_DIR": "/tmp/" + "x" * 300}, "File name too long"),
    ({"NUMBA_CACHE_DIR": "here"}, "here is not an absolute path"),
    ({"HOME": "/proc"}, ""),
    ({}, "~/.cache is not an absolute path"),
]


def test_a_place_that_cannot_be_used_costs_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pwd, "getpwuid", mock.Mock(side_effect=KeyError))
    (tmp_path / "file").write_text("")
    for variables, reason in PLACES:
        for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value.format(here=tmp_path))
        for _ in range(2):
            check_refused(reason)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def check_refused(reason: str) -> None:
    """Nothing is loaded, with one warning that says why, and what to do."""
    compiled, told = use()
    assert (compiled, len(told)) == (1, 1), told
    assert told[0].startswith(CANNOT_KEEP + str(_cache.cache_directory()))
    assert reason in told[0]
    assert "NUMBA_CACHE_DIR names another directory" in told[0]


def test_code_is_kept_only_where_nobody_else_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[tuple[int, Callable[[Path], None], str | None]] = [
        *[
            (level, partial(Path.chmod, mode=mode), "{place} (chmod go-w {place} ends that)")
            for level in (0, 1)
            for mode in (0o775, 0o757)
        ],
        # Where users cannot remove each other's files, a directory of the user's own is safe, but files are not.
        (0, partial(Path.chmod, mode=0o1777), "others than its owner may write {place}"),
        (1, partial(Path.chmod, mode=0o1777), None),
    ]
    if os.geteuid() == 0:
        changes += [(level, partial(os.chown, uid=12345, gid=12345), "belongs to another user") for level in (0, 1)]
    for i, (level, change, reason) in enumerate(changes):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / str(i)))
        place = [_cache.cache_directory(), tmp_path / str(i)][level]
        # What is made may be used, whatever the umask.
        before = os.umask((0o000, 0o002, 0o077)[i % 3])
        use()
        os.umask(before)
        assert use() == (KEPT, [])
        change(place)
        if reason is None:
            assert use() == (KEPT, [])
        else:
            check_refused(reason.format(place=place))


def test_where_warnings_are_errors_only_one_call_raises(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("")
    monkeypatch.setattr(_process, "_told", {})
    with pytest.raises(RuntimeWarning, match=CANNOT_KEEP):
        find()
    assert find()[2] == OWN[2]


# An installation and a cache that cannot be written: whoever tries it raises here, and so does a warning.
CALL_WITHOUT_WRITING = """
import warnings
from fastops._runtime import _builds, _kernels, _parallel
from tests.safety.programs._operators import check_all
def refuse(event, details):
    if event in ("os.mkdir", "os.rename") or (event == "open" and details[2] & (os.O_WRONLY | os.O_RDWR)):
        raise PermissionError(event)
sys.addaudithook(refuse)
warnings.simplefilter("error")
check_all()
print(_kernels._is_linked)
"""


def test_after_a_warm_up_nothing_is_compiled_or_written() -> None:
    assert _kernels.link_parallel()
    assert run_code(CALL_WITHOUT_WRITING, FASTOPS_COMPILE="0") == "True\n"


# --- Versions, flags and sources -----------------------------------------------------------------------------------


@pytest.fixture
def fresh_process() -> Iterator[None]:
    """Let what this process is be found out each time."""
    with mock.patch.object(_object_files, "this_process", _object_files.this_process.__wrapped__):
        for module in (_cache, _parallel):
            module.this_process = lambda: _object_files.this_process()  # type: ignore[attr-defined]
        yield
    for module in (_cache, _parallel):
        module.this_process = _object_files.this_process  # type: ignore[attr-defined]


def paths_now() -> tuple[Path, Path]:
    """Where code is kept, for what this process is now."""
    return _builds.object_path(_objects.host()), _parallel.parallel_path()


@pytest.mark.usefixtures("fresh_process")
def test_code_for_something_else_is_never_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [*paths_now()]
    own = {**_object_files.this_process()}
    changes: list[tuple[object, str, object]] = [
        (_object_files, "EXTENSION_SUFFIXES", [".cpython-399.so"]),
        (_object_files, "IS_CHECKED", not _object_files.IS_CHECKED),
        (_object_files._object_layout, "NDARRAY_DATA", 24),
        (_object_files.llvm, "llvm_version_info", (99, 1, 0)),
        (_object_files.llvm, "get_process_triple", lambda: "riscv64-unknown-linux-gnu"),
        (_object_files, "SOURCES", "other"),
    ]
    keys = set()
    for change in changes:
        with monkeypatch.context() as other:
            other.setattr(*change)
            seen += paths_now()
            assert len(set(seen)) == len(seen), change
            with pytest.raises(UnfitObjectError, match=r"it was compiled (for|from) other "):
                check(OWN[1])
            keys |= {key for key, value in _object_files.this_process().items() if own[key] != value}
    assert keys == {*own}
    check(OWN[1])


def test_the_parallel_kernel_is_kept_for_numba_and_the_processor_that_it_compiles_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = [_parallel.parallel_path()]
    for change in (
        (_parallel, "version", lambda _: "0"),
        (numba.config, "CPU_NAME", "x"),
        (numba.config, "CPU_FEATURES", "y"),
    ):
        with monkeypatch.context() as other:
            other.setattr(*change)
            seen.append(_parallel.parallel_path())
            assert len(set(seen)) == len(seen), change


def test_a_parallel_kernel_that_is_damaged_is_compiled_anew(cache: Path) -> None:
    del cache
    loaded, path = _kernels.load_object(), _parallel.parallel_path()
    other = pack(OWN[1]._replace(name="share", process={}), OWN[2])
    debugged = pack(OWN[1]._replace(name="share", target=_objects.host(), undefined=["no_such_function"]), OWN[2])
    for write in (
        None,
        lambda: path.write_bytes(b"damaged"),
        lambda: _cache.keep(path, other),
        lambda: _cache.keep(path, debugged),
    ):
        if write is not None:
            write()
        with mock.patch.dict(_process._told, clear=True), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            _parallel.link_parallel(loaded)
        assert [f"{path} is not used" in str(each.message) for each in caught] == [True] * (write is not None)
        manifest, code = unpack(path.read_bytes())
        assert "no_such_function" not in manifest.undefined
        assert _object_files.undefined_symbols(code) == manifest.undefined
        assert "numba_parallel_for" in manifest.undefined
        assert _cache.find(path, "share", _objects.host()) == (manifest, code)
    fo.range(0, 1 << 20, 1, "i32")


def test_sources_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "fastops"
    shutil.copytree(ROOT / "fastops", package, ignore=shutil.ignore_patterns("__pycache__"))
    kernels, compiler = package / "kernels", package / "_runtime" / "_compiler.py"
    monkeypatch.setattr(_sources, "__file__", str(kernels / "_sources.py"))
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
    # Without sources a digest would be the same one whatever the kernels are.
    for source in kernels.rglob("*.py"):
        source.unlink()
    assert _sources.digest_now() == ""
    monkeypatch.setattr(_object_files, "SOURCES", "")
    with pytest.raises(UnfitObjectError, match="its sources cannot be compared"):
        check(OWN[1])


def test_without_sources_plans_work_and_calls_are_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "fastops", tmp_path / "fastops", ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(tmp_path / "fastops", legacy=True, quiet=1)
    for source in (tmp_path / "fastops").rglob("*.py"):
        source.unlink()
    (tmp_path / "program.py").write_text("""
import fastops as fo
print(fo.plan.slice((4,), [1], [2]).shape)
try:
    fo.slice([1, 2, 3], [1], [2])
except fo.KernelError as error:
    print(error)
""")
    done = run_python(tmp_path / "program.py", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.splitlines() == [
        "(2,)",
        "fastops: kernels cannot be compiled here: there are no sources of fastops",
    ], done.stderr


# Kernels change on disk when the package is in memory, as in an upgrade.
UPGRADED = """
from pathlib import Path
import numpy as np
from numba import njit
import fastops as fo
# What it imports decides about the layout of tables.
fo.slice
with (Path(__file__).parent / "fastops/kernels/_tables/_gather.py").open("a") as file:
    file.write("# Another version.\\n")
print(fo.slice(np.arange(4), [1], [3]))
from fastops._runtime._kernels import link_parallel
for call in (lambda: link_parallel(), njit(lambda: fo.range(0, 4, 1, np.int32))):
    try:
        print(call())
    except fo.KernelError as error:
        print(error)
"""


def test_code_of_other_sources_is_not_mixed_with_that_in_memory(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "fastops", tmp_path / "fastops", ignore=shutil.ignore_patterns("__pycache__"))
    # Its own directory is the first that it imports from.
    (tmp_path / "program.py").write_text(UPGRADED)
    done = run_python(tmp_path / "program.py")
    told = "fastops: it has changed on disk since this process imported it; start the process anew"
    assert done.stdout.splitlines() == ["[1 2 3]", told, told], done.stderr


# --- Processors and symbols ----------------------------------------------------------------------------------------


def test_the_best_object_that_came_and_fits_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_objects, "SHIPPED", tmp_path)
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    if _object_files.IS_CHECKED:
        pytest.skip("no object comes in the checked form")
    manifest, code = OWN[1:]
    triple = manifest.target.triple
    machine = triple.partition("-")[0]

    def put(name: str, **fields: Any) -> None:
        (tmp_path / f"{name}.object").write_bytes(pack(manifest._replace(**fields), code))

    assert _objects.look_at_shipped()[0] == []
    (tmp_path / "broken.object").write_bytes(b"broken")
    (tmp_path / "cut.object").write_bytes(pack(manifest, code)[:-99])
    (tmp_path / "directory.object").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"")
    put("other", process={**manifest.process, "llvm": [1, 2, 3]})
    put("beyond", target=Target(triple, "generic", "+no-such-feature"))
    assert _objects.look_at_shipped()[0] == []
    said = {name.partition(".")[0]: why[:23] for name, why in _objects.look_at_shipped()[1].items()}
    assert (said.pop("broken"), said.pop("cut"), said.pop("beyond")) == (
        *["it is damaged"] * 2,
        "it is for other process",
    )
    assert said == {
        "other": "it was compiled for oth",
        "directory": "[Errno 21] Is a directo",
    }
    features = llvmlite.binding.get_host_cpu_features()
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    for level in LEVELS[machine]:
        put(level, target=Target(triple, level, ""))
    for level in LEVELS[machine]:
        features.clear()
        features.update(dict.fromkeys(Target(triple, level, "").needed(), True))
        assert find()[0] == f"shipped for {level}"
    features["more"] = False
    put("host", target=Target(triple, "any", ",".join([f"+{name}" for name in features])))
    assert find()[0] == f"shipped for {level}"
    features["more"] = True
    assert find()[0] == "shipped for any"
    # The name of a processor may stand for features that are not said.
    features["other"] = False
    assert find()[0] == f"shipped for {level}"
    monkeypatch.setenv("NUMBA_CPU_NAME", "haswell")
    monkeypatch.setattr(_objects, "find", lambda *_: None)
    assert _objects.find_ready() is None
    assert _objects.host() == Target(triple, "haswell", llvmlite.binding.get_host_cpu_features().flatten())
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert _objects.host().features == ""
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+avx2")
    assert _objects.host().features == "+avx2"


def test_what_kernels_call_is_allowed_and_is_there() -> None:
    manifest, code = OWN[1:]
    assert {"memcpy", "malloc", "PyEval_SaveThread"} <= {*manifest.undefined} <= ALLOWED_SYMBOLS
    assert _object_files.undefined_symbols(code) == manifest.undefined
    for symbols, attribute, message in (
        (["PyLong_AsNothing"], "undefined", "this process has no function PyLong_AsNothing"),
        (["no_such_function"], "undefined", "this process has no function no_such_function"),
        (["fastops.nothing"], "symbols", "it has no symbol fastops.nothing"),
    ):
        changed = manifest._replace(**{attribute: [*getattr(manifest, attribute), *symbols]})
        with pytest.raises(UnfitObjectError, match=message):
            _objects.load("here", changed, code)


def test_what_was_compiled_of_other_sources_is_not_kept(cache: Path, compiler: mock.Mock) -> None:
    manifest, code = OWN[1:]
    compiler.return_value = pack(manifest._replace(process={**manifest.process, "sources": "other"}), code)
    with pytest.raises(KernelError, match="this process cannot compile kernels: it was compiled from other sources"):
        find()
    assert not [*cache.rglob("*.object")]


def test_undefined_symbols_of_an_object() -> None:
    llvmlite.binding.initialize_native_target()
    llvmlite.binding.initialize_native_asmprinter()
    module = llvmlite.binding.parse_assembly(
        f'target triple = "{llvmlite.binding.get_process_triple()}"\n'
        "declare void @one()\ndeclare void @unused()\n@two = external global i64\n"
        "define i64 @three() { call void @one()\n %x = load i64, ptr @two\n ret i64 %x }"
    )
    machine = llvmlite.binding.Target.from_default_triple().create_target_machine()
    code = machine.emit_object(module)
    assert {"one", "two"} <= {*_object_files.undefined_symbols(code)} <= {"one", "two", "_GLOBAL_OFFSET_TABLE_"}
    assert _object_files.undefined_symbols(struct.pack("<I", 0xFEEDFACF) + code[4:]) == []


def test_a_manifest_is_read_as_it_was_written() -> None:
    manifest = Manifest("kernels", {"sources": 'a\n"b"'}, Target("a-b", "c", "+d,-e"), ["f"], ["g"])
    code = bytes(range(256))
    assert unpack(pack(manifest, code)) == (manifest, code)
    assert manifest.target.needed() == {"d"}
    for content in (b"", b"\n", b"{}\n", code, pack(manifest, code)[:-1], pack(manifest, code)[1:]):
        with pytest.raises(UnfitObjectError, match="it is damaged"):
            unpack(content)


# --- Where nothing may or can be compiled --------------------------------------------------------------------------


def test_compiling_may_be_forbidden(cache: Path, compiler: mock.Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTOPS_COMPILE", "0")
    with pytest.raises(KernelError, match="FASTOPS_COMPILE=0 forbids compiling them"):
        find()
    compiler.assert_not_called()
    monkeypatch.setenv("FASTOPS_COMPILE", "1")
    assert use() == (1, [])
    monkeypatch.setenv("FASTOPS_COMPILE", "0")
    assert use() == (KEPT, [])


@pytest.mark.parametrize("way", ["no numba", "no executable", "frozen", "a broken Python", "no Python", "no compiler"])
def test_where_nothing_can_be_compiled_there_is_one_clear_error(way: str, tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('no numba\\nhere')")
    code = {
        "no numba": f"sys.path.insert(0, {str(tmp_path)!r})",
        "no executable": "sys.executable = None",
        "frozen": "sys.frozen = True",
        "a broken Python": "sys.executable = '/bin/false'",
        # And where there is no standard error.
        "no Python": "sys.executable, sys.stderr = '/nowhere/python', None",
        "no compiler": "sys.executable = '/bin/true'",
    }[way]
    reason = {
        "no numba": "kernels cannot be compiled here: here",
        "a broken Python": "kernels cannot be compiled here: exit code 1",
        "no compiler": "kernels cannot be compiled here: exit code 0",
        "no Python": "kernels cannot be compiled here: [Errno 2] No such file or directory: '/nowhere/python'",
    }.get(way, "kernels cannot be compiled here, as there is no Python to run beside this program")
    calls = "try: fo.slice(np.arange(3), [0], [1])\nexcept fo.KernelError as error: print(error)"
    code = f"from fastops._runtime import _objects\n_objects.SHIPPED = _objects.SHIPPED / 'nowhere'\n{code}\n{calls}"
    assert run_code(code, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == f"fastops: {reason}\n"


# What else goes on in a process, its parent and its children while kernels are compiled.
AMID = {
    "a handler of a signal calls": """
import signal
done = []
signal.signal(signal.SIGALRM, lambda *_: done.append(fo.range(0, 3, 1, "i32").tolist()))
signal.setitimer(signal.ITIMER_REAL, 1)
print(fo.range(0, 3, 1, "i32").tolist(), done)
""",
    "Python prints when it starts, and paths are odd": """
sys.path += [None, b"bytes", ""]
print(fo.range(0, 3, 1, "i32").tolist(), [[0, 1, 2]])
""",
}


@pytest.mark.parametrize("what", AMID)
def test_kernels_are_compiled_amid(what: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('hello')\n" if what.startswith("Python") else "")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    code = f"from fastops._runtime import _objects\n_objects.SHIPPED = _objects.SHIPPED / 'nowhere'\n{AMID[what]}"
    printed = run_code(code, NUMBA_CACHE_DIR=str(tmp_path / "cache"), PYTHONPATH=path, seconds=300)
    assert printed.removeprefix("hello\n") == "[0, 1, 2] [[0, 1, 2]]\n"


def test_nobody_else_can_take_the_lock(cache: Path) -> None:
    assert use() == (COMPILED, [])
    assert (cache / "fastops-kernels" / "lock").stat().st_mode & 0o777 == 0o600


def test_without_the_jit_small_work_is_done_and_large_work_by_one_thread() -> None:
    code = """
import warnings
warnings.simplefilter("error")
print(fo.strided_slice(np.arange(3), [0], [1]))
try: fo.range(0, 1 << 20, 1, "i32")
except RuntimeWarning as warning: print(warning)
print(fo.range(0, 1 << 20, 1, "i32")[-1])
"""
    told = "fastops: large work is done by one thread here, because NUMBA_DISABLE_JIT is set"
    assert run_code(code, NUMBA_DISABLE_JIT="1", NUMBA_NUM_THREADS="2").splitlines() in (
        ["[0]", told, str((1 << 20) - 1)],
        # One processor.
        ["[0]", str((1 << 20) - 1)],
    )


def test_compiled_code_finds_kernels_of_any_object_under_the_same_symbols() -> None:
    assert fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2]
    loaded = _kernels.load_object()
    for symbol, address in loaded.addresses.items():
        assert llvmlite.binding.address_of_symbol(symbol) == address
    assert {*loaded.entries} == {*ENTRIES}


@pytest.mark.skipif(platform.machine() != "x86_64" or sys.platform != "linux", reason="relocations of ELF for x86-64")
def test_objects_call_what_is_elsewhere_by_a_table_of_addresses() -> None:
    """LLVM reserves too little memory for an object that calls it directly, and may end the process that loads it."""
    *_, code = find()
    sections = {section.name(): section.data() for section in llvmlite.binding.ObjectFileRef.from_data(code).sections()}
    symbols = list(struct.iter_unpack("<IBBHQQ", sections[b".symtab"]))
    direct = 4  # R_X86_64_PLT32
    called = [
        info >> 32 for _, info, _ in struct.iter_unpack("<QQq", sections[b".rela.text"]) if info % 2**32 == direct
    ]
    assert called
    assert [symbols[number] for number in called if symbols[number][3] == 0] == []
