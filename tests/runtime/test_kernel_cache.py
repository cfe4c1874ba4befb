"""The cache of compiled kernels: what a user notices of it.

Two tiny functions stand for kernels, which go the same way into the cache: they are compiled and loaded as if each time
were in a new process.
"""

from __future__ import annotations

import os
import pwd
import shutil
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import numba
import pytest

from fastops._process import _warnings
from fastops._runtime import _kernel_cache, _kernels
from fastops._runtime._code_files import read_code, write_code
from tests.helpers.processes import ROOT, run_code
from tests.helpers.torture import scale

SIGNATURE = numba.int64(numba.int64)
KEPT, COMPILED = [True, True], [False, False]
CANNOT_KEEP = "fastops: compiled kernels cannot be kept in "

if not hasattr(os, "geteuid"):
    pytest.skip("files have no owners here", allow_module_level=True)


def add_one(n: int) -> int:
    return n + 1


def add_two(n: int) -> int:
    return n + 2


def use() -> tuple[list[bool], list[str]]:
    """Get both functions, which must be right: which were loaded, and the warnings, which must be at this line."""
    are_loaded = []
    with mock.patch.dict(_warnings._told, clear=True), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for k, function in enumerate((add_one, add_two)):
            dispatcher, is_loaded = _kernel_cache.compile_entry(function, SIGNATURE, {})
            assert dispatcher(40) == 41 + k
            are_loaded.append(is_loaded)
    assert {each.filename for each in caught} <= {__file__}
    return are_loaded, [str(each.message) for each in caught]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for this test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


# Compiles one kernel, and prints whether it was loaded, and what it computes.
COMPILE = """
from fastops._runtime import _kernels
print(_kernels.compile_kernel("fill_range").from_cache, fo.range(0, 4, 1, "i32"))
"""


def test_processes_compile_into_an_empty_cache_at_once(tmp_path: Path) -> None:
    for k in range(scale(1, 50)):
        own = {"NUMBA_CACHE_DIR": str(tmp_path / str(k)), "PYTHONWARNINGS": "error"}
        for processes, met in ((scale(2, 8), {"True", "False"}), (1, {"True"})):
            with ThreadPoolExecutor(processes) as pool:
                printed = pool.map(lambda _, own=own: run_code(COMPILE, seconds=300, **own), range(processes))
                assert set(printed) <= {f"{is_loaded} [0 1 2 3]\n" for is_loaded in met}
        assert {file.suffix for file in tmp_path.rglob("*") if file.is_file()} == {".nbc"}


def test_a_file_is_whole_at_any_moment_and_stays_if_it_cannot_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace, seen = tmp_path / "code.nbc", Path.replace, []
    monkeypatch.setattr(Path, "replace", lambda *args: (seen.append(read_code(path)), replace(*args)))
    for code in (b"one", b"two"):
        write_code(path, code)
        assert (read_code(path), list(tmp_path.iterdir())) == (code, [path])
    assert seen == [None, b"one"]
    # Windows says that it is in use where another process reads the file, which is as good as this one would be.
    monkeypatch.setattr(Path, "replace", mock.Mock(side_effect=PermissionError("in use")))
    write_code(path, b"three")
    assert list(tmp_path.iterdir()) == [path]
    path.unlink()
    with pytest.raises(PermissionError, match="in use"):
        write_code(path, b"three")
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_used_cost_a_warning_and_are_written_anew(cache: Path) -> None:
    assert (use(), use()) == ((COMPILED, []), (KEPT, []))
    files = sorted(cache.rglob("*.nbc"))
    first, second = [file.read_bytes() for file in files]
    for damaged in (
        (first[:-100], b""),
        (second, first),
        (first[:999] + b"?" + first[1000:], bytes([second[0] ^ 4]) + second[1:]),
        (first + b"more", b"no code"),
    ):
        for file, content in zip(files, damaged, strict=True):
            file.write_bytes(content)
        are_loaded, told = use()
        assert (are_loaded, len(told)) == (COMPILED, 2), told
        assert all(each.endswith(".nbc is damaged, so it is compiled anew") for each in told)
        assert use() == (KEPT, [])
    # One that is whole, but holds something else; and one that nobody could read to its end.
    write_code(files[0], b"no code")
    are_loaded, told = use()
    assert (sorted(are_loaded), [each.startswith(CANNOT_KEEP) for each in told]) == ([False, True], [True])
    files[1].unlink()
    os.mkfifo(files[1])
    assert sorted(use()[0]) == [False, True]
    assert use() == (KEPT, [])


def test_files_that_others_may_have_written_cost_one_warning_and_are_written_anew(cache: Path) -> None:
    use()
    for is_foreign in (False, True) if os.geteuid() == 0 else (False,):
        for file in cache.rglob("*.nbc"):
            os.chown(file, 12345, 12345) if is_foreign else file.chmod(0o666)
        assert _kernel_cache.files_kept() == []
        are_loaded, (told,) = use()
        assert are_loaded == COMPILED
        assert "belong to another user, or that others than their owner may write, are not used" in told
        assert use() == (KEPT, [])
        assert len(_kernel_cache.files_kept()) == 2


# --- Places --------------------------------------------------------------------------------------------------------

# What says where the cache is, and why it cannot be there. A system may know no home of a user, as in a container.
PLACES: list[tuple[dict[str, str], str]] = [
    ({"NUMBA_CACHE_DIR": "{here}/file/cache"}, "Not a directory"),
    ({"NUMBA_CACHE_DIR": "/tmp/" + "x" * 300}, "File name too long"),
    ({"NUMBA_CACHE_DIR": "here"}, "here is not an absolute path"),
    ({"HOME": "/proc"}, ""),
    ({}, "~/.cache/fastops is not an absolute path"),
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
    are_loaded, told = use()
    assert (are_loaded, len(told)) == (COMPILED, 1), told
    assert told[0].startswith(CANNOT_KEEP + str(_kernel_cache.cache_directory()))
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
        place = [_kernel_cache.cache_directory(), tmp_path / str(i)][level]
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
    monkeypatch.setattr(_warnings, "_told", {})
    with pytest.raises(RuntimeWarning, match=CANNOT_KEEP), _kernels._compiling():
        _kernel_cache.compile_entry(add_one, SIGNATURE, {})
    assert _kernel_cache.compile_entry(add_one, SIGNATURE, {})[0](1) == 2


# An installation and a cache that cannot be written: whoever tries it raises here, and so does a warning.
CALL_WITHOUT_WRITING = """
import warnings
from fastops._runtime import _kernels
from tests.safety.programs._operators import check_all
def refuse(event, details):
    if event in ("os.mkdir", "os.rename") or (event == "open" and details[2] & (os.O_WRONLY | os.O_RDWR)):
        raise PermissionError(event)
sys.addaudithook(refuse)
warnings.simplefilter("error")
check_all()
print({name for name, _ in _kernels._compiled} == {*_kernels.KERNELS})
print(all(kernel.from_cache for kernel in _kernels._compiled.values()))
"""


def test_after_a_warm_up_nothing_is_compiled_or_written() -> None:
    for name in _kernels.KERNELS:
        _kernels.compile_kernel(name)
    assert run_code(CALL_WITHOUT_WRITING) == "True\nTrue\n"


# --- Versions and flags --------------------------------------------------------------------------------------------


def directory_now() -> Path:
    """What the directory of the cache is, for what its name is made of now."""
    with mock.patch.object(_kernel_cache, "_digest_of", _kernel_cache._digest_of.__wrapped__):
        return _kernel_cache.cache_directory()


def test_code_of_other_versions_and_flags_is_never_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    own, places = version, [directory_now()]
    changes: list[tuple[object, str, object]] = [
        *[
            (_kernel_cache, "version", lambda each, name=name: "0" if each == name else own(each))
            for name in ("numba", "llvmlite", "numpy")
        ],
        (sys.implementation, "cache_tag", "cpython-399"),
        (_kernel_cache, "IS_CHECKED", not _kernel_cache.IS_CHECKED),
        *[(numba.config, flag, "other") for flag in ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "ENABLE_AVX")],
    ]
    for change in changes:
        with monkeypatch.context() as other:
            other.setattr(*change)
            places.append(directory_now())
            assert len(set(places)) == len(places), change
    # What changes no code.
    for flag in ("NUMBA_NUM_THREADS", "THREADING_LAYER", "_HAVE_YAML"):
        monkeypatch.setattr(numba.config, flag, "other", raising=False)
    # Numba reads this one from a file in the current directory too.
    monkeypatch.setattr(numba.config, "CACHE_DIR", "/another")
    assert directory_now() == places[0]


def test_code_of_other_kernels_is_never_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here, package = directory_now(), tmp_path / "fastops"
    shutil.copytree(ROOT / "fastops", package, ignore=shutil.ignore_patterns("__pycache__"))
    kernels, own = package / "kernels", package / "_runtime" / "_kernel_cache.py"
    monkeypatch.setattr(_kernel_cache, "__file__", str(own))
    monkeypatch.setattr(_kernel_cache.kernels, "__file__", str(kernels / "__init__.py"))
    of_each_folder = {source.parent: source for source in kernels.rglob("*.py")}
    assert {"kernels", "_intrinsics", "_tables"} == {folder.name for folder in of_each_folder}
    for source in (own, *of_each_folder.values(), kernels / "_new.py", kernels / "_another" / "_new.py"):
        assert directory_now() == here
        source.parent.mkdir(exist_ok=True)
        content = source.read_bytes() if source.exists() else None
        source.write_bytes((content or b"") + b"\n")
        assert directory_now() != here, source
        source.unlink() if content is None else source.write_bytes(content)
    # Without sources the directory would be the same one whatever the kernels are.
    shutil.rmtree(kernels)
    with pytest.raises(AssertionError):
        directory_now()


def test_without_the_jit_there_is_one_clear_error() -> None:
    code = "try: fo.strided_slice(np.arange(3), [0], [1])\nexcept RuntimeError as error: print(error)"
    expected = "fastops: NUMBA_DISABLE_JIT is set, but kernels exist as compiled code only\n"
    assert run_code(code, NUMBA_DISABLE_JIT="1") == expected
