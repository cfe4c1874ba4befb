"""`fastops demo`, `info` and `warmup`: what they say, and that wrong results and bad caches are noticed."""

from __future__ import annotations

import io
import re
import sys
import warnings
from dataclasses import replace
from importlib.metadata import version
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import fastops as fo
from fastops._arrays import _buffer_pool
from fastops._cli import _cases, _demo, _frames, _info, _timing, _warmup
from fastops._cli._cases import count_read, create_cases
from fastops._cli._frames import read_input
from fastops._cli._progress import progress_line
from fastops._cli._waiting import seconds_waited
from fastops._runtime import _builds, _code_files, _kernels, _objects
from fastops._runtime._thread_limits import ThreadLimits
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics import _clock, _object_layout
from tests.cli._runs import ODD, is_refused, ran

OPERATORS = {"strided_slice", "variadic_split", "slice", "range"}
DEMO = "demo --repeats 1 --frames 1"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo make small frames and short ranges."""
    monkeypatch.setattr(_frames, "HEIGHT", 54)
    monkeypatch.setattr(_frames, "WIDTH", 96)
    short = {name: (start, step, 99) for name, (start, step, _) in _cases._RANGES.items()}
    monkeypatch.setattr(_cases, "_RANGES", short)


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = ran(DEMO)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == f"fastops {fo.__version__} on frames that it makes: 1x54x96x3, uint8, 15.6 kB"
    header, rule, *rows = lines[2 : lines.index("", 2)]
    assert header.split() == ["operator", "what", "out", "ms", "GB/s", "x", "NumPy", "ok"]
    titles = [re.split(r"  +", row)[1] for row in rows]
    assert {"crop", "stride 2", "horizontal flip", "BGR -> RGB", "planes", "f32", "i64"} <= {*titles}
    assert {title.split()[0] for title in titles} >= {mode.name.lower() for mode in fo.SampleMode}
    assert {row.split()[0] for row in rows} == OPERATORS
    # Columns are aligned: a blank between two rules is a blank in every row.
    for gap in (match.start() for match in re.finditer(" ", rule)):
        assert all(row[gap : gap + 1] in ("", " ") for row in (header, *rows))
    assert re.fullmatch(rf"\d+ threads?, threading layer \w+: all {len(rows)} correct", lines[-1])

    def slow(case: _cases.Case, _repeats: int) -> _timing.Outcome:
        shapes = [(32, 1080, 1920, *out.shape[3:]) for out in case.outs()]
        return _timing.Outcome(tuple(shapes), 10**10, 0.5, 50, True, case.title == "crop")

    # The most frames, slow, on a busy machine, of which there is more to say.
    monkeypatch.setattr(_demo, "measure", slow)
    lines = ran(DEMO).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(re.search(r" 3 of 32x1080x1920x1 +500\.00 +20\.0 +100\.00 +yes$", line) for line in lines)
    assert any(re.search(r" crop +32x1080x1920x3 +500\.00 +20\.0 +busy +yes$", line) for line in lines)
    assert any(line.startswith("busy: threads had to wait for a processor") for line in lines)


def test_wrong_results_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = fo.slice

    def wrong(data: Any, *args: Any, out: Any, mode: str = "strict_bounds", **options: Any) -> Any:
        right(data, *args, out=out, mode="clamp" if mode == "reflect" else mode, **options)

    monkeypatch.setattr(_cases.fastops, "slice", wrong)
    code, out, _ = ran(DEMO)
    assert code == 1
    assert [row.split()[1] for row in out.splitlines() if row.endswith(" NO")] == ["reflect"]
    assert re.search(r": 1 of \d+ WRONG$", out.rstrip())
    # What is not written is wrong too, whatever the memory has held before.
    for case in create_cases(np.zeros((4, 5), np.uint8)):
        idle = replace(case, outs=lambda case=case: list(map(np.array, case.expected())), run=lambda _: None)
        assert not _timing.measure(idle, 1).is_correct, case


def test_a_machine_is_busy_if_most_rounds_are(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(iter(create_cases(np.zeros((4, 5), np.uint8))))
    for busy_rounds in (0, 2, 3, 5):
        # Before and after each of 5 rounds; in the busy ones an hour passes.
        waits = [k * 3600.0 for k in range(busy_rounds) for k in (k, k + 1)]
        monkeypatch.setattr(_timing, "seconds_waited", chain(waits, repeat(busy_rounds * 3600.0)).__next__)
        outcome = _timing.measure(case, 5)
        assert (outcome.is_busy, outcome.is_correct) == (busy_rounds >= 3, True)


def test_waiting_is_counted() -> None:
    for name, text in {"1": "5 1500000000 7", "2": "5 250000000 7"}.items():
        Path(name).mkdir()
        (Path(name) / "schedstat").write_text(text)
    Path("3/schedstat").mkdir(parents=True)
    assert seconds_waited(Path()) == 1.75
    assert seconds_waited(Path("none")) == 0


ARRAYS = [
    *[data for data in ODD if data.itemsize],
    np.arange(30, dtype="g").reshape(5, 6),
    np.array([(1, 2.5), (3, np.nan)] * 15, np.dtype([("a", "u1"), ("b", "f8")], align=True)).reshape(5, 6),
    np.linspace(0, 1, 5 * 6 * 7 * 8 * 9).reshape(5, 6, 7, 8, 9),
    np.asfortranarray(np.random.default_rng(0).random((40, 50, 3))),
    np.zeros((1, 1, 5, 1, 1, 2), "V3"),
]


def test_arrays_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in ARRAYS:
        np.save("in.npy", data)
        code, out, _ = ran("demo --repeats 1 --input in.npy")
        assert (code, out.count("\n") > 10) == (0, True), data
    for data in (np.zeros((0, 3)), np.array(7), np.zeros((3, 2), "V0")):
        np.save("in.npy", data)
        assert is_refused(ran("demo --input in.npy"), "demo: input must have at least one axis, one element"), data
    np.save("in.npy", np.arange(80, dtype=np.uint8).reshape(8, 10))
    assert read_input("in.npy", None).data.shape == (8, 10)
    few = read_input("in.npy", 3)
    assert (few.data.shape, few.origin) == ((3, 10), "the first 3 of 8 items of the file")
    monkeypatch.setattr(_frames, "MOST_BYTES", 25)
    assert read_input("in.npy", None).data.tolist() == np.arange(20).reshape(2, 10).tolist()
    monkeypatch.setattr(_frames, "MOST_BYTES", 9)
    assert is_refused(ran("demo --input in.npy"), "demo: input must have items of at most 9 B")


def test_frames_and_images(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (np.subtract(*_frames.make_frames(2)) != 0).mean() > 0.5
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(0).integers(0, 255, (12, 20, 3), dtype=np.uint8)
    image.fromarray(pixels).save("in.PNG")
    source = read_input("in.PNG", 3)
    assert str(source) == "3 copies of the image: 3x12x20x3, uint8, 2.2 kB"
    assert (source.data == pixels).all()
    Path("in.PNG").write_bytes(Path("in.PNG").read_bytes()[:300])
    for name in ("in.PNG", "missing.png"):
        assert is_refused(ran(f"demo --input {name}"), "demo: input must be a readable image ("), name
    for name in ("PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, name, None)
    assert is_refused(ran("demo --input x.png"), "demo: input must be a .npy file where Pillow is not installed")


def test_bytes_read() -> None:
    calls = [(-5, 20, "fill"), (8, 5, "fill"), (8, 5, "wrap"), (0, 50, "wrap")]
    read = [count_read(fo.plan.slice((10,), [start], [size], mode=mode)) for start, size, mode in calls]
    assert read == [10, 2, 5, 10]


# The bar.


def test_a_terminal_has_a_bar_that_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(progress_line(1, 3, "a long label" * 20, 40)) == 39
    terminal, demo = io.StringIO(), Mock(input="in.npy", frames=None, repeats="1")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    np.save("in.npy", np.arange(60, dtype=np.int16))
    assert _demo.run_demo(demo) == 0
    lines = terminal.getvalue().split("\r")
    assert any("0%  compiling gather" in line for line in lines)
    assert any("slice reflect" in line for line in lines)
    # What is written last blanks the line.
    assert "\n" not in terminal.getvalue()
    assert lines[-2:] == [" " * len(lines[-2]), ""]
    # A terminal that has been closed.
    monkeypatch.setattr(terminal, "write", Mock(side_effect=OSError(5, "Input/output error")))
    assert _demo.run_demo(demo) == 0


# What is told of the machine.


def info() -> dict[str, str]:
    # Names of two words and values are two blanks apart, or more.
    return dict(re.split(r"  +", line, maxsplit=1) for line in ran("info").out.splitlines())


def test_info(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = info()
    assert lines["fastops"] == f"{fo.__version__}, {Path(fo.__file__).parent}"
    assert all(lines[package] == version(package) for package in ("numpy", "numba", "llvmlite", "ml_dtypes"))
    assert lines["thread limits"].startswith(f"Numba {lines['threads']}, affinity ")
    layer, _, library = lines["threading layer"].partition(" (")
    assert layer in ("omp", "tbb", "workqueue")
    assert "/" not in library
    assert sys.platform != "linux" or "unknown" not in library
    assert lines["memory kept"].startswith("of results, up to ")
    assert not {"launches", "calls"} & {*lines}
    monkeypatch.setattr(_clock, "HAS_CLOCK", False)
    monkeypatch.setattr(_buffer_pool, "CAN_COUNT", False)
    monkeypatch.setattr(_object_layout, "is_as_expected", lambda: False)
    monkeypatch.setattr(ThreadLimits, "read", lambda: ThreadLimits(4, 1.5, True))
    lines = info()
    assert lines["launches"].startswith("not timed on this processor")
    assert lines["memory kept"] == "none: this Python does not tell what is in use"
    assert lines["calls"].startswith("slow: ")
    assert lines["thread limits"].endswith(", affinity 4, a quota of 1.5, a worker of a pool")


def test_info_says_when_large_work_is_serial(monkeypatch: pytest.MonkeyPatch) -> None:
    forked = "serial in a process that was forked from one "
    for layer, says in (
        ("omp", f"{forked}that has used its threads"),
        ("workqueue", "serial while the process has several threads"),
        ("tbb", f"{forked}with several threads"),
    ):
        monkeypatch.setattr(_info, "threading_layer", lambda layer=layer: layer)
        assert info()["large work"].startswith(says), layer


def test_find_library() -> None:
    files = ["/usr/lib/libc.so.6", "", "/some where/libgomp.so.1.0.0", "/x/workqueue.cpython-311.so"]
    maps = [f"7f{i}-7f4 r--p 00000000 fe:00 {i} {file}" for i, file in enumerate(files)]
    found = [_info.find_library(layer, maps) for layer in ("omp", "workqueue", "tbb")]
    assert found == ["libgomp.so.1.0.0", "workqueue.cpython-311.so", None]
    tbb = [f"7f4-7f5 r--p 00000000 fe:00 4 /x/lib/{name}" for name in ("libtbbmalloc.so.2.20", "libtbb.so.12.20")]
    assert _info.find_library("tbb", tbb) == "libtbb.so.12.20"


def test_info_says_which_kernels_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = _objects.find_ready()[0]
    form = " in their checked form (FASTOPS_CHECKED_KERNELS)" if IS_CHECKED else ""
    assert info()["kernels"] == origin + form
    monkeypatch.setattr(_objects, "find_ready", lambda: None)
    monkeypatch.setattr(_code_files, "cache_directory", lambda: tmp_path / "kept")
    monkeypatch.setattr(_builds, "cache_directory", lambda: tmp_path / "kept")
    for _ in range(2):
        lines = info()
        assert lines["kernels"] == f"not compiled yet{form}: the first call does that, or fastops warmup"
        assert lines["cache"] == str(tmp_path / "kept")
        (tmp_path / "kept").mkdir(exist_ok=True)
    monkeypatch.setenv("FASTOPS_COMPILE", "0")
    assert info()["kernels"] == f"none{form}, and FASTOPS_COMPILE=0 forbids compiling them"
    monkeypatch.setattr(_objects, "refused", lambda: {"x.object": "it is damaged"})
    assert info()["not used"] == "x.object: it is damaged"
    with _builds.one_builder():
        assert info()["kernels"] == f"being compiled{form} by another process"
    (tmp_path / "kept").chmod(0o777)
    assert ", not used: others than its owner may write" in info()["cache"]


def test_warmup(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = ran("warmup")
    rows = [re.split(r"  +", line.strip()) for line in out.splitlines()]
    assert (code, rows[0]) == (0, ["kernels", "code", "s"])
    assert [row[0] for row in rows[2:]] == ["all kernels", *[f"{name} for threads" for name in _kernels.PARALLEL]]
    origin = _objects.find_ready()[0]
    assert [row[1] for row in rows[2:]] == [origin, *["from the cache"] * len(_kernels.PARALLEL)]
    assert re.fullmatch("(shipped|compiled here) for .+", origin)

    def link_parallel(name: str) -> bool:
        warnings.warn("kernels cannot\nbe kept", RuntimeWarning, stacklevel=1)
        return False

    monkeypatch.setattr(_warmup, "link_parallel", link_parallel)
    code, out, err = ran("warmup")
    assert (code, err) == (1, "kernels cannot be kept\n")
    assert "gather for threads      none: NUMBA_DISABLE_JIT is set" in out
