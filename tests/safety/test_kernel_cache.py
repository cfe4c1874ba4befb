"""The cache of compiled kernels: processes at once, damage, places that cannot be written, versions and flags."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fastops import _code_files, _kernel_cache
from tests._torture import scale
from tests.safety._processes import run_code, run_python

# Compiles one kernel, and prints whether it was loaded, what it computes, and how many warnings there were.
COMPILE = """
import warnings
from fastops import _runtime
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    is_loaded = _runtime.compile_kernel("fill_range").from_cache
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


def copy_of(warm: Path, place: Path) -> list[Path]:
    """Copy a cache; return its files of code."""
    subprocess.run(["cp", "-r", f"{warm}/.", place], check=True)
    files = sorted(place.rglob("*.nbc"))
    assert files
    return files


def test_a_second_process_loads_what_the_first_compiled(warm: Path) -> None:
    assert compile_into(warm) == "True True 0\n"


def test_processes_compile_into_an_empty_cache_at_once(tmp_path: Path) -> None:
    code = f"import sys; sys.argv[0] = ''\nimport numpy as np, fastops as fo\n{COMPILE}"
    if scale(short=False, long=True):
        code += "assert fo.slice(np.arange(5), [-2], [9], mode='reflect').tolist() == [2, 1, 0, 1, 2, 3, 4, 3, 2]\n"
    for k in range(scale(1, 50)):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / str(k))}
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(scale(4, 8))
        ]
        for process in processes:
            printed, errors = process.communicate(timeout=300)
            assert process.returncode == 0, errors
            assert printed in ("True True 0\n", "False True 0\n")
        assert not list(tmp_path.rglob("*.tmp"))


def test_one_function_has_one_signature_and_one_file(warm: Path) -> None:
    names = [file.name.rpartition("-")[0] for file in warm.rglob("*.nbc")]
    assert sorted(names) == ["fill_range", "range_chunk"]


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


@pytest.mark.parametrize("content", [b"", b"x", b"x" * 5000])
def test_code_is_what_was_written(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "new" / "code.nbc"
    assert _code_files.read_code(path) is None
    _code_files.write_code(path, content)
    assert _code_files.read_code(path) == content
    assert list(path.parent.iterdir()) == [path]
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(_code_files.DamagedFileError, match=r"code\.nbc is damaged"):
        _code_files.read_code(path)


def test_code_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        _code_files.write_code(tmp_path / "code.nbc", b"x")
    assert not list(tmp_path.iterdir())


# --- Places --------------------------------------------------------------------------------------------------------


def test_a_directory_that_cannot_be_costs_one_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    printed = compile_into(tmp_path / "file" / "cache")
    assert printed.startswith("False True 1 fastops: compiled kernels cannot be kept in")


def test_a_full_disk_costs_one_warning(tmp_path: Path) -> None:
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


READ_ONLY = """
import subprocess, warnings
from fastops import _kernel_cache, _runtime
from tests.safety.programs._operators import check_all
directory = str(_kernel_cache.cache_directory())
if os.getuid() == 0:
    libc = __import__("ctypes").CDLL(None, use_errno=True)
    assert libc.unshare(0x00020000) == 0, "a namespace of mounts"
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "--bind", directory, directory], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", directory], check=True)
else:
    os.chmod(directory, 0o555)
try:
    open(directory + "/new", "w")
except OSError:
    warnings.simplefilter("error")
    check_all()
    print(all(kernel.from_cache for kernel in _runtime._compiled.values()), len(_runtime._compiled))
finally:
    if os.getuid():
        os.chmod(directory, 0o755)
"""


def test_after_a_warm_up_nothing_is_compiled_where_the_cache_cannot_be_written() -> None:
    warm_up = run_python("-m", "fastops", "warmup", seconds=300)
    assert warm_up.returncode == 0, warm_up.stderr
    loaded, kernels = run_code(READ_ONLY).split()
    assert loaded == "True"
    assert int(kernels) >= 3


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
    code = "from fastops import _kernel_cache\nprint(_kernel_cache.cache_directory())"
    name, value = flag.split("=")
    plain = dict.fromkeys([each.split("=")[0] for each in FLAGS])
    assert run_code(code, **plain) != run_code(code, **{**plain, name: value})


@pytest.mark.parametrize("flag", ["NUMBA_NUM_THREADS=1", "NUMBA_THREADING_LAYER=workqueue"])
def test_flags_that_change_no_code_share_it(flag: str) -> None:
    code = "from fastops import _kernel_cache\nprint(_kernel_cache.cache_directory())"
    name, value = flag.split("=")
    assert run_code(code, **{name: None}) == run_code(code, **{name: value})


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


def test_without_the_jit_there_is_one_clear_error() -> None:
    code = """
try:
    fo.strided_slice(np.arange(3), [0], [1])
except RuntimeError as error:
    print(error)
"""
    assert "threads here: NUMBA_DISABLE_JIT is set" in run_code(code, NUMBA_DISABLE_JIT="1")


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


def test_a_pipe_in_the_place_of_code_is_no_code(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "code.nbc")
    assert _code_files.read_code(tmp_path / "code.nbc") is None
