"""`fastops demo`, `info` and `warmup`: their output, also for wrong results and for caches that cannot be used."""

from __future__ import annotations

import re
from functools import partial
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import fastops as fo
from fastops import _process
from fastops._arrays import _outputs
from fastops._cli import _demo, _warmup
from fastops._process import warn_once
from fastops._runtime import _builds, _objects
from fastops._runtime._threads import ThreadLimits
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics import _object_layout
from tests.cli.conftest import ran

DEMO = "demo --repeats 1 --frames 1"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo make small frames and short ranges."""
    monkeypatch.setattr(_demo, "HEIGHT", 54)
    monkeypatch.setattr(_demo, "WIDTH", 96)
    monkeypatch.setattr(_demo, "RANGE_COUNT", 99)


def test_the_table() -> None:
    code, out, err = ran(DEMO)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == f"fastops {fo.__version__} on frames that it makes: 1x54x96x3, uint8, 0.0 MB"
    header, *rows = [re.split(r"  +", line) for line in lines[2 : lines.index("", 2)]]
    assert header == ["operator", "what", "out", "ms", "GB/s", "x NumPy", "ok"]
    assert {row[0] for row in rows} == {"strided_slice", "variadic_split", "slice", "range"}
    assert {row[1] for row in rows} >= {"crop", "stride 2", "horizontal flip", "BGR -> RGB", "planes", "f32", "i64"}
    assert {f"{mode.name.lower()} pad" for mode in fo.SampleMode} - {row[1] for row in rows} == {"strict_bounds pad"}
    assert [row[-1] for row in rows] == ["yes"] * len(rows)
    assert max(map(len, lines)) <= 80
    # With one run, no ratio is marked as changing.
    assert all(re.fullmatch(r"\d+\.\d\d", row[5]) for row in rows)
    assert re.fullmatch(rf"\d+ threads?, threading layer \w+: all {len(rows)} correct", lines[-1])


def test_wrong_results_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right, right_range = fo.slice, fo.range

    def wrong(*args: Any, mode: str, **options: Any) -> Any:
        return right(*args, mode="clamp" if mode == "reflect" else mode, **options)

    def idle(*args: Any, out: Any = None) -> Any:
        # It is right once, and later writes nothing.
        return right_range(*args) if out is None else out

    monkeypatch.setattr(_demo.fastops, "slice", wrong)
    monkeypatch.setattr(_demo.fastops, "range", idle)
    code, out, _ = ran(DEMO)
    assert code == 1
    assert [row.split()[1] for row in out.splitlines() if row.endswith(" NO")] == ["reflect", "f32", "i64"]
    assert re.search(r": 3 of \d+ WRONG$", out.rstrip())


def test_ratios_that_change_from_run_to_run_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    array = np.zeros(4, np.uint8)
    for seconds, ratio in (((8, 8, 8, 8), "8.00"), ((2, 8, 8, 64), "8.00"), ((2, 2, 8, 8), "~5.00")):
        # In each run, fastops takes one second, and NumPy takes the given seconds.
        times = accumulate([step for rival in seconds for step in (0, 1, rival)])
        monkeypatch.setattr(_demo, "perf_counter", partial(next, map(float, times)))
        row = _demo.measure("slice", "crop", lambda **_: array, lambda: array, repeats=len(seconds))
        assert row[5] == ratio


# --- Machine and kernels --------------------------------------------------------------------------------------------


def info() -> dict[str, str]:
    # At least two blanks separate a name, which may have two words, from its value.
    return dict(re.split(r"  +", line, maxsplit=1) for line in ran("info").out.splitlines())


def test_info(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = info()
    assert lines["fastops"] == f"{fo.__version__}, {Path(fo.__file__).parent}"
    assert all(lines[package] == version(package) for package in ("numpy", "numba", "llvmlite", "ml_dtypes"))
    assert lines["thread limits"].startswith(f"Numba {lines['threads']}, affinity ")
    assert lines["threading layer"] in ("omp", "tbb", "workqueue")
    assert not {"calls", "memory kept"} & {*lines}
    monkeypatch.setattr(_outputs, "CAN_COUNT", False)
    monkeypatch.setattr(_object_layout, "is_as_expected", lambda: False)
    monkeypatch.setattr(ThreadLimits, "read", lambda: ThreadLimits(4, 1.5, True))
    lines = info()
    assert lines["memory kept"] == "none: this Python does not tell what is in use"
    assert lines["calls"].startswith("slow: ")
    assert lines["thread limits"].endswith(", affinity 4, a quota of 1.5, a worker of a pool")


def test_info_says_which_kernels_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = _objects.find_ready()[0]
    lines = info()
    assert (lines["kernels"], "checked" in lines) == (origin, IS_CHECKED)
    monkeypatch.setattr(_objects, "find_ready", lambda: None)
    monkeypatch.setattr(_builds, "cache_directory", lambda: tmp_path / "kept")
    for _ in range(2):
        lines = info()
        assert lines["kernels"] == "not compiled yet: the first call does that, or fastops warmup"
        assert lines["cache"] == str(tmp_path / "kept")
        (tmp_path / "kept").mkdir(exist_ok=True)
    monkeypatch.setenv("FASTOPS_COMPILE", "0")
    assert info()["kernels"] == "none, and FASTOPS_COMPILE=0 forbids compiling them"
    monkeypatch.setattr(_objects, "look_at_shipped", lambda: ([], {"x.object": "it is damaged"}))
    assert info()["not used"] == "x.object: it is damaged"
    (tmp_path / "kept").chmod(0o777)
    assert ", not used: others than its owner may write" in info()["cache"]


def test_warmup(monkeypatch: pytest.MonkeyPatch) -> None:
    origin = _objects.find_ready()[0]
    assert re.fullmatch("(shipped|compiled here) for .+", origin)
    assert ran("warmup") == (0, f"all kernels  {origin}\nthreads      ready\n", "")
    monkeypatch.setattr(_warmup, "link_parallel", lambda: False)
    assert ran("warmup").out.endswith("threads      none: NUMBA_DISABLE_JIT is set\n")
    link = mock.Mock(side_effect=lambda: warn_once("compiled kernels cannot be kept in\n/x"))
    monkeypatch.setattr(_warmup, "link_parallel", link)
    monkeypatch.setattr(_process, "_told", {})
    code, _, err = ran("warmup")
    assert (code, err) == (2, "fastops: compiled kernels cannot be kept in /x\n")
