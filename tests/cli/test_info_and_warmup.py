"""`fastops info` and `fastops warmup`."""

from __future__ import annotations

import platform
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import pytest

import fastops
from fastops.__main__ import main
from fastops._arrays import _buffer_pool
from fastops._cli import _info, _warmup
from fastops._cli._info import find_library
from fastops._runtime._kernels import KERNELS, CompiledKernel, thread_count
from fastops._runtime._thread_limits import ThreadLimits
from fastops._runtime._threading_layers import read_thread_count, serial_work
from fastops.kernels._intrinsics import _clock, _object_layout


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    # Names of two words and values are two blanks apart, or more.
    lines = {
        line[: line.index("  ")]: line[line.index("  ") :].strip() for line in capsys.readouterr().out.splitlines()
    }
    assert lines["fastops"] == fastops.__version__
    for package in ("numpy", "numba", "llvmlite", "ml_dtypes"):
        assert lines[package] == version(package)
    assert int(lines["threads"]) >= 1
    assert lines["thread limits"].startswith(f"Numba {read_thread_count()}, affinity ")
    assert "threading layer" in lines


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (ThreadLimits(4, None, False), "affinity 4, no quota"),
        (ThreadLimits(4, 1.5, True), "affinity 4, a quota of 1.5, a worker of a pool"),
    ],
)
def test_info_says_what_limits_threads(limits: ThreadLimits, text: str) -> None:
    thread_count()
    assert _info._limits_text(limits) == f"Numba {read_thread_count()}, {text}"


@pytest.mark.parametrize(
    ("layer", "says"),
    [
        ("omp", "serial in a process that was forked from one that has used its threads"),
        ("workqueue", "serial while the process has several threads"),
        ("tbb", "serial in a process that was forked from one with several threads"),
        ("none", None),
    ],
)
def test_info_says_when_large_work_is_serial(monkeypatch: pytest.MonkeyPatch, layer: str, says: str | None) -> None:
    monkeypatch.setattr(_info, "threading_layer", lambda: layer)
    monkeypatch.setattr(_info, "thread_count", lambda: 2)
    monkeypatch.setattr(_info, "read_thread_count", lambda: 2)
    lines = dict(_info._thread_lines())
    assert lines.get("large work", "").startswith(says or "")
    assert ("large work" in lines) == (says is not None)


@pytest.mark.parametrize(
    ("layer", "machine", "advice"),
    [
        ("workqueue", "x86_64", "TBB: pip install tbb"),
        ("omp", "AMD64", "TBB: pip install tbb"),
        ("workqueue", "arm64", "OpenMP, if Numba finds its library"),
        ("omp", "aarch64", None),
        ("tbb", "x86_64", None),
    ],
)
def test_no_layer_is_advised_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch, layer: str, machine: str, advice: str | None
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    _, has_advice, advised = str(serial_work(layer)).partition(". Less work is serial with ")
    assert (advised if has_advice else None) == advice


def test_info_says_what_does_not_work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "launches" not in dict(_info._thread_lines())
    assert dict(_info._limit_lines())["memory kept"].startswith("of results, up to ")
    assert "calls" not in dict(_info._kernel_lines())
    monkeypatch.setattr(_clock, "HAS_CLOCK", False)
    monkeypatch.setattr(_buffer_pool, "CAN_COUNT", False)
    monkeypatch.setattr(_object_layout, "is_as_expected", lambda: False)
    assert dict(_info._thread_lines())["launches"].startswith("not timed on this processor")
    assert dict(_info._limit_lines())["memory kept"] == "none: this Python does not tell what is in use"
    assert dict(_info._kernel_lines())["calls"].startswith("slow: ")


def test_info_of_a_cache_that_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fastops._runtime._kernel_cache.cache_directory", lambda: tmp_path)
    assert _info._kernel_lines()[1] == ("cache size", "empty: run fastops warmup")
    (tmp_path / "a").write_bytes(bytes(1500))
    (tmp_path / "b").write_bytes(bytes(500))
    assert _info._kernel_lines()[1] == ("cache size", "2 files, 2.0 kB")


def test_find_library() -> None:
    maps = [
        "7f0-7f1 r--p 00000000 fe:00 1 /usr/lib/libc.so.6",
        "7f1-7f2 rw-p 00000000 00:00 0 ",
        "7f2-7f3 r--p 00000000 fe:00 2 /some where/libgomp.so.1.0.0",
        "7f3-7f4 r--p 00000000 fe:00 3 /x/workqueue.cpython-311.so",
    ]
    assert find_library("omp", maps) == "libgomp.so.1.0.0"
    assert find_library("workqueue", maps) == "workqueue.cpython-311.so"
    assert find_library("tbb", maps) is None
    tbb = [f"7f4-7f5 r--p 00000000 fe:00 4 /x/lib/{name}" for name in ("libtbbmalloc.so.2.20", "libtbb.so.12.20")]
    assert find_library("tbb", tbb) == "libtbb.so.12.20"


def test_warmup(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["kernel", "outcome", "s"]
    assert [row[0] for row in rows[2:]] == [*KERNELS, "user_calls"]


def test_warmup_tells_compiled_from_cached(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = {"gather": True, "fill_range": False}
    monkeypatch.setattr(_warmup, "KERNELS", found)
    monkeypatch.setattr(_warmup, "compile_kernel", lambda name: CompiledKernel(print, None, found[name]))
    monkeypatch.setattr(_warmup, "_link_user_calls", lambda: True)
    assert main(["warmup"]) == 0
    _, _, gather, fill_range, user_calls = capsys.readouterr().out.splitlines()
    assert user_calls.startswith("user_calls  was in the cache")
    assert gather.startswith("gather      was in the cache")
    assert fill_range.startswith("fill_range  compiled")


def test_warmup_fails_where_the_cache_does_not_keep(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compile_kernel(name: str) -> CompiledKernel:
        warnings.warn("kernels cannot\nbe kept", RuntimeWarning, stacklevel=1)
        return CompiledKernel(print, None, False)

    monkeypatch.setattr(_warmup, "compile_kernel", compile_kernel)
    assert main(["warmup"]) == 1
    assert capsys.readouterr().err == "kernels cannot be kept\n"


def test_info_in_a_fresh_process_names_the_library() -> None:
    done = subprocess.run([sys.executable, "-m", "fastops", "info"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    line = next(line for line in done.stdout.splitlines() if line.startswith("threading layer"))
    assert line.split()[2] in ("omp", "tbb", "workqueue")
    if sys.platform == "linux":
        assert "unknown" not in line
    assert "/" not in line
