"""Builds: objects that the user's cache keeps and refuses; calls while kernels are compiled, or cannot be compiled.

In most tests, a stand-in for the compiler returns the object of this process, which takes no time.
"""

from __future__ import annotations

import os
import pwd
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from fastops import _process
from fastops._errors import KernelError
from fastops._runtime import _builds, _kernels, _objects
from fastops._runtime._object_files import pack
from tests.helpers.processes import run_code
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
    """A stand-in for the compiler, and a package that came without objects."""
    manifest, code = OWN[1:]
    stand_in = mock.Mock(return_value=pack(manifest._replace(target=_objects.host()), code))
    monkeypatch.setattr(_builds, "run_compiler", stand_in)
    monkeypatch.setattr(_objects, "SHIPPED", Path("/nowhere"))
    return stand_in


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new cache for this test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def use() -> tuple[int, list[str]]:
    """Find the object, which must be right; return how many were compiled, and the warnings."""
    stand_in: Any = _builds.run_compiler
    before = stand_in.call_count
    with mock.patch.dict(_process._told, clear=True), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        origin, _, code = find()
    assert (origin, code) == (f"compiled here for {_objects.host().cpu}", OWN[2])
    return stand_in.call_count - before, [str(each.message) for each in caught]


# --- Files ----------------------------------------------------------------------------------------------------------


def test_a_file_is_complete_at_any_moment_and_stays_if_it_cannot_be_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace, seen = cache / "fastops-kernels" / "code.object", Path.replace, []
    monkeypatch.setattr(
        Path, "replace", lambda *args: (seen.append(path.exists() and path.read_bytes()), replace(*args))
    )
    for code in (b"one", b"two"):
        _builds.keep(path, code)
        assert (path.read_bytes(), list(path.parent.iterdir())) == (code, [path])
    assert seen == [False, b"one"]
    monkeypatch.setattr(Path, "replace", mock.Mock(side_effect=PermissionError(1, "no")))
    with pytest.warns(RuntimeWarning, match=f"{CANNOT_KEEP}.*: no"), mock.patch.dict(_process._told, clear=True):
        _builds.keep(path, b"three")
    assert (path.read_bytes(), list(path.parent.iterdir())) == (b"two", [path])


def test_files_that_cannot_be_used_cost_a_warning_and_are_written_again(cache: Path) -> None:
    assert (use(), use()) == ((COMPILED, []), (KEPT, []))
    # Nobody else can take the lock.
    assert (cache / "fastops-kernels" / "lock").stat().st_mode & 0o777 == 0o600
    (file,) = cache.rglob("*.object")
    content = file.read_bytes()
    for damaged in (b"", content[:-100], content[:999] + b"?" + content[1000:], content + b"more", b"no code", b"{}\n"):
        file.write_bytes(damaged)
        compiled, (told,) = use()
        assert (compiled, f"{file} is not used: it " in told) == (1, True)
        assert use() == (KEPT, [])


def test_compiling_may_be_forbidden(cache: Path, compiler: mock.Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTOPS_COMPILE", "0")
    with pytest.raises(KernelError, match="FASTOPS_COMPILE=0 forbids compiling them"):
        find()
    compiler.assert_not_called()
    monkeypatch.setenv("FASTOPS_COMPILE", "1")
    assert use() == (COMPILED, [])
    monkeypatch.setenv("FASTOPS_COMPILE", "0")
    assert use() == (KEPT, [])


# The variables that say where the cache is, and why it cannot be there. A system such as a container may not know the
# home of a user.
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
    """Check that the object is compiled instead of loaded, and that one warning says why, and what to do."""
    compiled, (told,) = use()
    assert compiled == 1
    assert told.startswith(CANNOT_KEEP + str(_builds.cache_directory()))
    assert reason in told
    assert "NUMBA_CACHE_DIR names another directory" in told


def test_code_is_kept_only_where_nobody_else_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chmod, writable = (
        partial(partial, Path.chmod),
        "others than its owner may write {place} (chmod go-w {place} ends that)",
    )
    changes: list[tuple[int, Callable[[Path], None], str]] = [
        (level, chmod(mode=mode), writable) for level, mode in ((0, 0o775), (0, 0o757), (0, 0o1777), (-1, 0o666))
    ]
    if os.geteuid() == 0:
        foreign = partial(os.chown, uid=12345, gid=12345)
        changes += [(level, foreign, "{place} belongs to another user") for level in (-1, 0)]
    for i, (level, change, reason) in enumerate(changes):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / str(i)))
        # The directories that `use` makes are safe, whatever the umask is.
        before = os.umask((0o000, 0o002, 0o077)[i % 3])
        use()
        os.umask(before)
        assert use() == (KEPT, [])
        place = [_builds.cache_directory(), *_builds.cache_directory().glob("*.object")][level]
        change(place)
        if level < 0:
            compiled, (told,) = use()
            assert (compiled, f"{place} is not used: {reason.format(place=place)}" in told) == (1, True)
            assert use() == (KEPT, [])
        else:
            check_refused(reason.format(place=place))


# The audit hook refuses to write, as if the installation and the cache were read-only. A warning is an error here.
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
print(_kernels._is_linked)
"""


def test_after_a_warm_up_nothing_is_compiled_or_written() -> None:
    assert _kernels.link_parallel()
    assert run_code(CALL_WITHOUT_WRITING) == "True\n"


# --- Compiling ------------------------------------------------------------------------------------------------------

# Makes a small call and a large one, and prints their results, and which kernels ran. While kernels are compiled, a
# signal handler makes a call, and sys.path has entries that Numba does not take.
CALLS = """
import signal
from fastops._runtime import _kernels, _objects
os.dup2(1, 2)
_objects.SHIPPED = _objects.SHIPPED / "nowhere"
sys.path += [None, b"bytes", ""]
done = []
signal.signal(signal.SIGALRM, lambda *_: done.append(fo.range(0, 3, 1, "i32").tolist()))
signal.setitimer(signal.ITIMER_REAL, 1)
print(fo.range(0, 4, 1, "i32"), done, "numba" in sys.modules, end=" ")
del sys.path[-3:]
print(fo.range(0, 1 << 20, 1, "i32")[-1], _kernels._object.origin)
"""


def test_processes_that_need_the_object_at_once_compile_it_once_amid_signals(tmp_path: Path) -> None:
    # Each Python process prints a line when it starts.
    (tmp_path / "sitecustomize.py").write_text("print('hello')\n")
    path, cache = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]), tmp_path / "cache"
    run = partial(run_code, NUMBA_CACHE_DIR=str(cache), PYTHONPATH=path, seconds=300)
    with ThreadPoolExecutor(3) as pool:
        printed = sorted(pool.map(lambda _: run(CALLS), range(scale(2, 8))), key=len)
    right = f"[0 1 2 3] [[0, 1, 2]] False {(1 << 20) - 1} compiled here for {_objects.host().cpu}\n"
    # If the handler's call begins while the other call compiles, the handler's call compiles too.
    assert printed[-1].count(told := f"{_builds.NOTE}\n") in (1, 2)
    assert printed.pop().replace(told, "") == f"hello\n{right}"
    # Other processes may have found the object before the signal.
    assert {*printed} <= {f"hello\n{right}", f"hello\n{right.replace('[[0, 1, 2]]', '[]')}"}
    assert sorted(path.suffix for path in cache.rglob("*") if path.is_file()) == ["", ".object"]


def test_an_object_that_was_compiled_from_other_sources_is_not_kept(cache: Path, compiler: mock.Mock) -> None:
    manifest, code = OWN[1:]
    compiler.return_value = pack(manifest._replace(process={**manifest.process, "sources": "other"}), code)
    with pytest.raises(KernelError, match="this process cannot compile kernels: it was compiled for other sources"):
        find()
    assert not [*cache.rglob("*.object")]


NO_PYTHON = "there is no Python to run beside this program"

# Changes of a process, and why it cannot compile kernels then.
CANNOT_COMPILE = {
    "sys.path.insert(0, {here!r})": "here",
    "sys.executable = None": NO_PYTHON,
    "sys.frozen = True": NO_PYTHON,
    "sys.executable = '/bin/false'": "exit code 1",
    "sys.executable = '/bin/true'": "exit code 0",
    # Standard error may be closed.
    "sys.executable = '/x/python'; sys.stderr.close()": "[Errno 2] No such file or directory: '/x/python'",
}


def test_where_nothing_can_be_compiled_there_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('no numba\\nhere')")
    code = "from fastops._runtime import _objects\n_objects.SHIPPED = _objects.SHIPPED / 'nowhere'\n"
    call = "\ntry: fo.slice(np.arange(3), [0], [1])\nexcept fo.KernelError as error: print(error)"
    for change, reason in CANNOT_COMPILE.items():
        printed = run_code(code + change.format(here=str(tmp_path)) + call, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
        assert printed == f"fastops: kernels cannot be compiled here: {reason}\n", change
