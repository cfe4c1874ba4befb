"""The cache of compiled kernels: processes at once, damage, places that cannot be written, versions and flags."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from fastops._runtime import _kernel_cache
from fastops.kernels import _user_calls
from fastops.kernels._intrinsics._units import unit_of
from tests.helpers.caches import copy_of, copy_of_package, functions_of_kernels, started
from tests.helpers.processes import ROOT, run_code, run_python
from tests.helpers.torture import scale

# Compiles one kernel, and prints whether it was loaded, what it computes, and how many warnings there were.
COMPILE = """
import warnings
from fastops._runtime import _kernels
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    is_loaded = _kernels.compile_kernel("fill_range").from_cache
    right = fo.range(0, 4, 1, "i32").tolist() == [0, 1, 2, 3]
print(is_loaded, right, len(caught), *[each.message for each in caught])
"""


def compile_into(directory: Path | None, **environment: str | None) -> str:
    cache = None if directory is None else str(directory)
    return run_code(COMPILE, **{"NUMBA_CACHE_DIR": cache, **environment})


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds a kernel. Nobody may change it."""
    directory = tmp_path_factory.mktemp("warm")
    assert compile_into(directory) == "False True 0\n"
    return directory


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds all kernels: a copy of the one of all tests, or made from nothing. Nobody may change it."""
    directory = tmp_path_factory.mktemp("whole")
    environment = scale({}, {"NUMBA_CACHE_DIR": str(directory)})
    warm_up = run_python("-m", "fastops", "warmup", seconds=300, **environment)
    assert warm_up.returncode == 0, warm_up.stderr
    if not environment:
        place = _kernel_cache.cache_directory()
        shutil.copytree(place, directory / place.name)
    return directory


def test_a_second_process_loads_what_the_first_compiled(warm: Path) -> None:
    assert compile_into(warm) == "True True 0\n"


def test_processes_compile_into_an_empty_cache_at_once(tmp_path: Path) -> None:
    code = f"import sys; sys.argv[0] = ''\nimport numpy as np, fastops as fo\n{COMPILE}"
    if scale(short=False, long=True):
        code += "assert fo.slice(np.arange(5), [-2], [9], mode='reflect').tolist() == [2, 1, 0, 1, 2, 3, 4, 3, 2]\n"
    for k in range(scale(1, 50)):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / str(k))}
        with ExitStack() as stack:
            processes = [stack.enter_context(started(code, environment)) for _ in range(scale(4, 8))]
            for process in processes:
                printed, errors = process.communicate(timeout=300)
                assert process.returncode == 0, errors
                assert printed in ("True True 0\n", "False True 0\n")
        assert not list(tmp_path.rglob("*.tmp"))


def test_one_function_has_one_signature_and_one_file(whole: Path) -> None:
    names = functions_of_kernels()
    assert len(set(names)) == len(names) > 10
    # Tests of users' compiled code may have kept its units there too.
    others = {unit_of(call).function.__qualname__ for call in _user_calls.UNITS}
    files = sorted(file.name.rpartition("-")[0] for file in whole.rglob("*.nbc"))
    assert [name for name in files if name not in others] == names


# --- Damage --------------------------------------------------------------------------------------------------------


def _damage(file: Path, how: str) -> None:
    content = bytearray(file.read_bytes())
    if how == "empty":
        content = bytearray()
    elif how == "truncated":
        content = content[: len(content) // 2]
    elif how == "one bit":
        content[len(content) // 3] ^= 4
    elif how == "longer":
        content += b"more"
    elif how == "text":
        content = bytearray(b"not a kernel\n" * 100)
    file.write_bytes(content)


@pytest.mark.parametrize("how", scale(["truncated", "one bit"], ["empty", "truncated", "one bit", "longer", "text"]))
def test_damaged_files_cost_a_warning_each_and_are_written_anew(how: str, warm: Path, tmp_path: Path) -> None:
    for file in copy_of(warm, tmp_path):
        _damage(file, how)
    printed = compile_into(tmp_path)
    assert printed.startswith("False True 2 fastops: ")
    assert printed.count("is damaged, so it is compiled anew") == 2
    assert compile_into(tmp_path) == "True True 0\n"


def test_another_function_in_the_place_of_one_is_never_run(warm: Path, tmp_path: Path) -> None:
    one, other = copy_of(warm, tmp_path)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    printed = compile_into(tmp_path)
    assert printed.startswith("False True 2 fastops: ")


# --- Places --------------------------------------------------------------------------------------------------------


def test_a_directory_that_cannot_be_costs_one_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    printed = compile_into(tmp_path / "file" / "cache")
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")


def test_a_full_disk_costs_one_warning(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="this system cannot limit the length of files")
    # The system refuses to make files longer than this, as it does if there is no room for them.
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
    printed = run_code(limit + COMPILE, NUMBA_CACHE_DIR=str(tmp_path))
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")
    assert not [file for file in tmp_path.rglob("*") if file.suffix in (".tmp", ".nbc")]


def test_a_home_that_cannot_be_written_costs_one_warning() -> None:
    printed = compile_into(None, HOME="/proc", XDG_CACHE_HOME=None)
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")


def test_without_a_home_nothing_is_written_into_the_current_directory(tmp_path: Path) -> None:
    # As in a container whose user is not known to the system.
    lost = f"""
import pwd
def unknown(_):
    raise KeyError
pwd.getpwuid = unknown
os.chdir({str(tmp_path)!r})
"""
    printed = run_code(lost + COMPILE, NUMBA_CACHE_DIR=None, HOME=None, XDG_CACHE_HOME=None)
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")
    assert not list(tmp_path.iterdir())


def test_a_directory_that_others_may_write_costs_one_warning(warm: Path, tmp_path: Path) -> None:
    copy_of(warm, tmp_path)
    assert compile_into(tmp_path) == "True True 0\n"
    tmp_path.chmod(0o777)
    printed = compile_into(tmp_path)
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")
    assert f"others than its owner may write {tmp_path} (chmod go-w {tmp_path} ends that)" in printed
    assert "NUMBA_CACHE_DIR names another directory" in printed


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_files_that_others_may_write_cost_one_warning_and_are_written_anew(warm: Path, tmp_path: Path) -> None:
    files = copy_of(warm, tmp_path)
    assert len(files) > 1
    for file in files:
        file.chmod(0o666)
    printed = compile_into(tmp_path)
    assert printed.startswith(f"False True 1 fastops: files in {files[0].parent} that belong to another user, or that")
    assert "are not used: their kernels are compiled anew" in printed
    assert compile_into(tmp_path) == "True True 0\n"


def test_a_relative_directory_costs_one_warning(tmp_path: Path) -> None:
    printed = run_code(f"os.chdir({str(tmp_path)!r})\n{COMPILE}", NUMBA_CACHE_DIR="here")
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")
    assert "here is not an absolute path" in printed
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_current_directory_does_not_say_where_code_is(warm: Path, tmp_path: Path) -> None:
    """Numba reads it, where PyYAML is installed; without that, what Numba would have read is put in its place."""
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {warm}\n")
    code = f"""
os.chdir({str(tmp_path)!r})
import numba
numba.config.CACHE_DIR = {str(warm)!r}
from fastops._runtime._kernel_cache import cache_directory
print(cache_directory().parent)
"""
    home = tmp_path / "home"
    printed = run_code(code, NUMBA_CACHE_DIR=None, XDG_CACHE_HOME=str(home))
    assert printed == f"{home / 'fastops'}\n"


def run_read_only(directory: Path, **environment: str) -> tuple[Path, bool, int]:
    """Call every operator where a directory cannot be written and no warning may be given.

    Returns where fastops lies, whether all kernels were loaded, and how many there are.
    """
    done = run_python("-P", "-m", "tests.safety.programs.read_only", directory, **environment)
    assert done.returncode == 0, done.stderr
    if done.stdout.startswith("refused: "):
        pytest.skip(f"this directory stays writable: {done.stdout.strip()}")
    file, is_loaded, kernels = done.stdout.split()
    return Path(file), is_loaded == "True", int(kernels)


def test_after_a_warm_up_nothing_is_compiled_where_the_cache_cannot_be_written(whole: Path, tmp_path: Path) -> None:
    copy_of(whole, tmp_path)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    file, is_loaded, kernels = run_read_only(tmp_path, **environment)
    assert file == ROOT / "fastops" / "__init__.py"
    assert is_loaded
    assert kernels >= 3


def test_an_installation_that_cannot_be_written_works(whole: Path, tmp_path: Path) -> None:
    cache, installed = tmp_path / "cache", copy_of_package(tmp_path / "site")
    copy_of(whole, cache)
    environment = {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join([str(installed.parent), str(ROOT)])}
    file, is_loaded, kernels = run_read_only(installed, **environment)
    assert file == installed / "__init__.py"
    assert is_loaded
    assert kernels >= 3


# --- Versions and flags --------------------------------------------------------------------------------------------

FLAGS = [
    "NUMBA_BOUNDSCHECK=1",
    "NUMBA_OPT=1",
    "NUMBA_LOOP_VECTORIZE=0",
    "NUMBA_ENABLE_AVX=0",
    "FASTOPS_CHECKED_KERNELS=1",
]


@pytest.mark.parametrize("flag", FLAGS)
def test_other_flags_never_read_this_cache(flag: str) -> None:
    code = "from fastops._runtime import _kernel_cache\nprint(_kernel_cache.cache_directory())"
    name, value = flag.split("=")
    plain = dict.fromkeys([each.split("=")[0] for each in FLAGS])
    assert run_code(code, **plain) != run_code(code, **{**plain, name: value})


@pytest.mark.parametrize("flag", ["NUMBA_NUM_THREADS=1", "NUMBA_THREADING_LAYER=workqueue"])
def test_flags_that_change_no_code_share_it(flag: str) -> None:
    code = "from fastops._runtime import _kernel_cache\nprint(_kernel_cache.cache_directory())"
    name, value = flag.split("=")
    assert run_code(code, **{name: None}) == run_code(code, **{name: value})


def test_what_else_is_installed_changes_no_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    here = _kernel_cache.cache_directory()
    monkeypatch.setattr(_kernel_cache.config, "_HAVE_YAML", "otherwise", raising=False)
    assert _kernel_cache.cache_directory() == here


def test_another_version_never_reads_this_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    here = _kernel_cache.cache_directory()
    _kernel_cache._digest_of.cache_clear()
    assert _kernel_cache.cache_directory() == here
    for package in _kernel_cache._PACKAGES:
        with monkeypatch.context() as other:
            other.setattr(_kernel_cache, "version", lambda name, package=package: "0" if name == package else "1")
            _kernel_cache._digest_of.cache_clear()
            one = _kernel_cache.cache_directory()
            other.setattr(_kernel_cache, "version", lambda _: "1")
            _kernel_cache._digest_of.cache_clear()
            assert _kernel_cache.cache_directory() != one
    _kernel_cache._digest_of.cache_clear()


@pytest.fixture
def directory_now() -> Iterator[Callable[[], Path]]:
    """What the name of the cache's directory is for what it is made of now."""

    def compute() -> Path:
        _kernel_cache._digest_of.cache_clear()
        return _kernel_cache.cache_directory()

    yield compute
    _kernel_cache._digest_of.cache_clear()


def test_another_python_never_reads_this_cache(
    directory_now: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = directory_now()
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    assert directory_now() != here


def test_other_kernels_never_read_this_cache(
    directory_now: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here, package = directory_now(), copy_of_package(tmp_path)
    monkeypatch.setattr(_kernel_cache, "__file__", str(package / "_runtime" / "_kernel_cache.py"))
    monkeypatch.setattr(_kernel_cache.kernels, "__file__", str(package / "kernels" / "__init__.py"))
    assert directory_now() == here
    sources = sorted((package / "kernels").rglob("*.py"))
    assert {"kernels", "_intrinsics", "_tables"} == {source.parent.name for source in sources}
    for source in (package / "_runtime" / "_kernel_cache.py", *sources):
        content = source.read_bytes()
        source.write_bytes(content + b"\n")
        assert directory_now() != here, source
        source.write_bytes(content)
    for folder in ("", "_intrinsics", "_another"):
        added = package / "kernels" / folder / "_new.py"
        added.parent.mkdir(exist_ok=True)
        added.write_text("# another one\n")
        assert directory_now() != here, added
        added.unlink()
    assert directory_now() == here


def test_kernels_without_files_are_noticed(
    directory_now: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Without them the directory would be the same one whatever the kernels are.
    monkeypatch.setattr(_kernel_cache.kernels, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(AssertionError):
        directory_now()


def test_without_the_jit_there_is_one_clear_error() -> None:
    code = """
try:
    fo.strided_slice(np.arange(3), [0], [1])
except RuntimeError as error:
    print(error)
"""
    expected = "fastops: NUMBA_DISABLE_JIT is set, but kernels exist as compiled code only\n"
    assert run_code(code, NUMBA_DISABLE_JIT="1") == expected


def test_a_path_that_is_too_long_costs_one_warning() -> None:
    printed = compile_into(Path("/tmp") / ("x" * 300))
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")


def test_where_warnings_are_errors_only_one_call_raises(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = """
import warnings
warnings.simplefilter("error")
for _ in range(3):
    try:
        print(fo.range(0, 3, 1, "i32").tolist())
    except RuntimeWarning:
        print("a warning")
"""
    assert run_code(code, NUMBA_CACHE_DIR=str(tmp_path / "file")) == "a warning\n[0, 1, 2]\n[0, 1, 2]\n"
