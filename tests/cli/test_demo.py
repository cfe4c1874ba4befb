"""`fastops demo`: what it runs, that it notices what is wrong, and what it makes of any input."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import chain, count, repeat
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import fastops
from fastops.__main__ import main
from fastops._cli import _cases, _demo, _frames, _timing
from fastops._cli._cases import count_read, create_cases
from fastops._cli._frames import make_frames, read_input
from fastops._cli._timing import measure
from fastops._cli._waiting import seconds_waited
from fastops._errors import AttributeValueError


def demo(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[str]]:
    code = main(["demo", "--repeats", "1", *args])
    return code, capsys.readouterr().out.splitlines()


def test_one_frame(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = demo(capsys, "--frames", "1")
    assert code == 0
    assert lines[0] == f"fastops {fastops.__version__} on frames that it makes: 1x1080x1920x3, uint8, 6.2 MB"
    header, rule, *rows = lines[2 : lines.index("", 2)]
    assert header.split() == ["operator", "what", "out", "ms", "GB/s", "x", "NumPy", "ok"]
    titles = [re.split(r"  +", row)[1] for row in rows]
    assert {"crop", "stride 2", "horizontal flip", "BGR -> RGB", "planes", "f32", "i64"} <= set(titles)
    for mode in ("strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"):
        assert any(title.startswith(mode) for title in titles)
    assert {row.split()[0] for row in rows} == {"strided_slice", "variadic_split", "slice", "range"}
    # Columns are aligned: a blank between two rules is a blank in every row.
    for gap in (match.start() for match in re.finditer(" ", rule)):
        assert all(row[gap : gap + 1] in ("", " ") for row in (header, *rows))
    assert re.fullmatch(rf"\d+ threads?, threading layer \w+: all {len(rows)} correct", lines[-1])
    assert "bytes written plus bytes read" in "\n".join(lines)


def test_the_table_fits_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # The most frames, slow, on a busy machine, of which there is more to say.
    def slow(case: _cases.Case, _repeats: int) -> _timing.Outcome:
        shapes = [(_frames.MOST_FRAMES, *out.shape[1:]) for out in case.outs()]
        return _timing.Outcome(tuple(shapes), 10**10, 0.5, 50, True, case.title == "crop")

    monkeypatch.setattr(_demo, "measure", slow)
    _, lines = demo(capsys, "--frames", "1")
    assert max(map(len, lines)) <= 80
    assert any(re.search(r" 3 of 32x1080x1920x1 +500\.00 ", line) for line in lines)


def test_wrong_results_are_seen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    right = fastops.slice

    def wrong(data: Any, *args: Any, out: Any, mode: str = "strict_bounds", **options: Any) -> Any:
        right(data, *args, out=out, mode="clamp" if mode == "reflect" else mode, **options)

    monkeypatch.setattr(_cases.fastops, "slice", wrong)
    code, lines = demo(capsys, "--frames", "1")
    assert code == 1
    assert [row.split()[1] for row in lines if row.endswith(" NO")] == ["reflect"]
    assert re.search(r": 1 of \d+ WRONG$", lines[-1])


def tiny_cases() -> list[_cases.Case]:
    return list(create_cases(np.zeros((4, 5), np.uint8)))


@pytest.mark.parametrize(("busy_rounds", "is_busy"), [(0, False), (2, False), (3, True), (5, True)])
def test_times_of_a_busy_machine_are_told(busy_rounds: int, is_busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Before and after each of 5 rounds; in the busy ones an hour passes.
    waits = [k * 3600.0 for k in range(busy_rounds) for k in (k, k + 1)]
    waited = chain(waits, repeat(busy_rounds * 3600.0))
    monkeypatch.setattr(_timing, "seconds_waited", waited.__next__)
    case = tiny_cases()[0]
    outcome = measure(case, 5)
    assert outcome.is_busy == is_busy
    assert outcome.is_correct
    assert (_demo.format_row(case, outcome)[-2] == "busy") == is_busy


def test_a_busy_machine_gives_no_ratio(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(_timing, "seconds_waited", count(0, 1000).__next__)
    code, lines = demo(capsys, "--frames", "1")
    assert code == 0
    rows = lines[4 : lines.index("", 2)]
    assert {row.split()[-2] for row in rows} == {"busy"}
    assert any(line.startswith("busy: threads had to wait for a processor") for line in lines)
    monkeypatch.setattr(_timing, "seconds_waited", lambda: 0.0)
    assert "busy" not in "\n".join(demo(capsys, "--frames", "1")[1])


def test_waiting_is_counted(tmp_path: Path) -> None:
    for name, text in {"1": "5 1500000000 7", "2": "5 250000000 7"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "schedstat").write_text(text)
    (tmp_path / "3").mkdir()
    (tmp_path / "3" / "schedstat").mkdir()
    assert seconds_waited(tmp_path) == 1.75
    assert seconds_waited(tmp_path / "none") == 0


@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="needs Linux's counts")
def test_waiting_beside_others_is_seen() -> None:
    processors = os.sched_getaffinity(0)
    program = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nprint(flush=True)\nwhile True: pass"
    one = min(processors)
    busy = subprocess.Popen([sys.executable, "-c", program, str(one)], stdout=subprocess.PIPE)
    try:
        busy.stdout.readline()
        os.sched_setaffinity(0, {one})
        before, until = seconds_waited(), monotonic() + 1
        while monotonic() < until:
            pass
        assert seconds_waited() - before > 0.1
    finally:
        os.sched_setaffinity(0, processors)
        busy.kill()
        busy.wait()
        busy.stdout.close()


def test_results_that_are_not_written_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cases.fastops, "strided_slice", Mock())
    cases = [case for case in create_cases(np.zeros((4, 5), np.uint8)) if case.operator == "strided_slice"]
    assert cases
    assert not any(measure(case, 1).is_correct for case in cases)


ARRAYS = [
    np.arange(1000, dtype=np.int16),
    np.array([3]),
    np.linspace(0, 1, 5 * 6 * 7 * 8 * 9).reshape(5, 6, 7, 8, 9),
    np.array([(1, 2.5), (3, np.nan)] * 15, np.dtype([("a", "u1"), ("b", "f8")], align=True)).reshape(5, 6),
    np.arange(30, dtype="g").reshape(5, 6),
    np.array(["ab", "cde"] * 5),
    np.arange(10).astype("M8[D]"),
    np.ones((5, 5), bool),
    np.ones((6, 5), "c8"),
    np.arange(12, dtype=">i4").reshape(3, 4),
    np.asfortranarray(np.random.default_rng(0).random((40, 50, 3))),
    np.zeros((1, 1, 5, 1, 1, 2), "V3"),
    np.full((9, 9), np.nan, "f2"),
]


@pytest.mark.parametrize("data", ARRAYS, ids=lambda data: f"{data.shape}-{data.dtype.str}")
def test_any_array(
    data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_cases, "_RANGES", {"i32": (0, 1, 8)})
    np.save(tmp_path / "in.npy", data)
    code, lines = demo(capsys, "--input", str(tmp_path / "in.npy"))
    assert code == 0
    assert len(lines) > 10


@pytest.mark.parametrize("data", [np.zeros((0, 3)), np.array(7), np.zeros((3, 2), "V0")], ids=["empty", "0-d", "V0"])
def test_arrays_that_it_refuses(data: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "in.npy", data)
    assert main(["demo", "--input", str(tmp_path / "in.npy")]) == 2
    assert capsys.readouterr().err.startswith("demo: input must have at least one axis, one element")


def test_frames_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "in.npy", np.arange(80, dtype=np.uint8).reshape(8, 10))
    path = str(tmp_path / "in.npy")
    assert read_input(path, None).data.shape == (8, 10)
    few = read_input(path, 3)
    assert few.data.shape == (3, 10)
    assert few.origin == "the first 3 of 8 items of the file"
    monkeypatch.setattr(_frames, "MOST_BYTES", 25)
    assert read_input(path, None).data.tolist() == np.arange(20).reshape(2, 10).tolist()
    monkeypatch.setattr(_frames, "MOST_BYTES", 9)
    with pytest.raises(AttributeValueError, match="have items of at most 9 B"):
        read_input(path, None)


def test_made_frames_differ() -> None:
    frames = make_frames(2)
    assert frames.shape == (2, 1080, 1920, 3)
    assert frames.dtype == np.uint8
    assert (frames[0] != frames[1]).mean() > 0.5


def test_images(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(0).integers(0, 255, (12, 20, 3), dtype=np.uint8)
    path = tmp_path / "in.PNG"
    image.fromarray(pixels).save(path)
    source = read_input(str(path), 3)
    assert str(source) == "3 copies of the image: 3x12x20x3, uint8, 2.2 kB"
    assert (source.data == pixels).all()
    path.write_bytes(path.read_bytes()[:300])
    for name in ("in.PNG", "missing.png"):
        assert main(["demo", "--input", str(tmp_path / name)]) == 2
        error = capsys.readouterr().err
        assert error.startswith("demo: input must be a readable image (")
        assert error.count("\n") == 1


def test_images_without_pillow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["demo", "--input", "x.png"]) == 2
    assert "must be a .npy file where Pillow is not installed" in capsys.readouterr().err


def test_bytes_read() -> None:
    plan = fastops.plan
    assert count_read(plan.strided_slice((10, 4), [2, 0], [8, 4], [2, 1])) == 12
    assert count_read(plan.slice((10,), [-5], [20], mode="fill")) == 10
    assert count_read(plan.slice((10,), [8], [5], mode="fill")) == 2
    assert count_read(plan.slice((10,), [8], [5], mode="wrap")) == 5
    assert count_read(plan.slice((10,), [0], [50], mode="wrap")) == 10
