"""The tool that measures fastops beside other libraries: what it counts, how it times, what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.cases import CASES, Size
from benchmarks.measure import limits
from benchmarks.measure.growth import forget_peak, growth_of_random_calls, peak_bytes
from benchmarks.measure.timing import (
    QUICK,
    Effort,
    calls_per_sample,
    interleaved_medians,
    sample_of,
    without_collector,
)
from benchmarks.peers.__main__ import main
from benchmarks.peers._bars import RULES, bars_of, is_met
from benchmarks.peers._chart import draw
from benchmarks.peers._contest import contest, describe, fastest_call
from benchmarks.peers._groups import GROUPS
from benchmarks.peers._moves import centre_of, forward_index, pad_steps, signed_index
from benchmarks.peers._report import markdown_of, shown_value, summary, text_of
from benchmarks.peers._rows import Results, Row
from benchmarks.peers._setup import Setup
from benchmarks.peers._store import load, save
from benchmarks.peers._work import Axis, Work, create_work, lines_read, row_bytes, touched_bytes
from benchmarks.peers.frameworks import create_framework

ROOT = Path(__file__).parents[2]
MOVES = [name for name, case in CASES.items() if case.takes_data]
MODES = ("strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric")
NUMPY_MODES: dict[str, Any] = {"wrap": "wrap", "clamp": "edge", "fill": "constant", "reflect": "reflect"}
NUMPY_MODES["symmetric"] = "symmetric"


def work_of(data: np.ndarray[Any, Any], *axes: Axis) -> Work:
    return Work(CASES["crop_f32"], Size(data.shape), data, (axes,), data.dtype)


def whole(extent: int) -> Axis:
    return Axis(extent, 0, 1, extent, "strict_bounds")


# What work touches.


def lines_by_hand(work: Work) -> int:
    """Every byte that is read, one by one: the case itself says which elements, of an array of addresses."""
    address = work.data.__array_interface__["data"][0]
    addresses = np.full(work.data.shape, address)
    for axis, stride in enumerate(work.data.strides):
        shape = [1] * work.data.ndim
        shape[axis] = -1
        addresses += (np.arange(work.data.shape[axis]) * stride).reshape(shape)
    read = work.case.expected(addresses, work.size)
    elements = np.concatenate([each.ravel() for each in (read if isinstance(read, list) else [read])])
    elements = elements[elements != 0]  # What is filled.
    return len(np.unique(np.add.outer(elements, np.arange(work.data.itemsize)) // 64))


@pytest.mark.parametrize("name", MOVES)
def test_lines_are_those_of_every_byte(name):
    case = CASES[name]
    work = create_work(case, case.resized(3000) if case.sized else case.small)
    assert lines_read(work) == lines_by_hand(work)
    assert touched_bytes(work) == 64 * lines_read(work) + sum(each.nbytes for each in work.expected())


@pytest.mark.parametrize("offset", [0, 1, 17, 63])
@pytest.mark.parametrize(("extents", "strides"), [((9, 500), (1, 3)), ((40, 200), (3, 31)), ((2, 3, 900), (1, 2, 7))])
def test_lines_of_rows_at_any_place_in_a_line(offset, extents, strides):
    shape = [extent * stride for extent, stride in zip(extents, strides, strict=True)]
    data = np.zeros(int(np.prod(shape)) + 63, np.uint8)[offset : offset + int(np.prod(shape))].reshape(shape)
    axes = [Axis(n * s, 0, s, n, "strict_bounds") for n, s in zip(extents, strides, strict=True)]
    view = data[tuple(slice(None, None, stride) for stride in strides)]
    steps = [np.arange(n) * s for n, s in zip(view.shape, view.strides, strict=True)]
    addresses = view.__array_interface__["data"][0] + sum(np.ix_(*steps))
    assert lines_read(work_of(data, *axes)) == len(np.unique(addresses // 64))


def test_a_range_reads_nothing():
    work = create_work(CASES["range_f32"], Size((1000,)))
    assert (lines_read(work), touched_bytes(work), row_bytes(work)) == (0, 4000, 4000)
    assert describe(work) == "range float32 1000"


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        ([whole(4), whole(30)], 4 * 30 * 4),
        ([whole(4), Axis(30, 2, 1, 20, "strict_bounds")], 80),
        ([whole(4), Axis(30, 29, -1, 30, "strict_bounds")], 120),
        ([Axis(4, 3, -1, 4, "strict_bounds"), Axis(30, 29, -1, 30, "strict_bounds")], 480),
        ([whole(4), Axis(30, 0, 2, 15, "strict_bounds")], 4),
        ([Axis(4, -1, 1, 6, "reflect"), whole(30)], 4 * 30 * 4),
        ([whole(4), Axis(30, -1, 1, 32, "reflect")], 120),
        ([Axis(4, 0, 2, 2, "strict_bounds"), whole(30)], 120),
    ],
)
def test_rows_are_what_is_contiguous_on_both_sides(axes, expected):
    assert row_bytes(work_of(np.zeros((4, 30), np.float32), *axes)) == expected


def test_channels_in_opposite_order_are_rows_of_one_pixel():
    work = create_work(CASES["bgr_to_rgb_u8"], CASES["bgr_to_rgb_u8"].small)
    assert row_bytes(work) == 3


# Moves by slices.


@pytest.mark.parametrize(("start", "stride", "count"), [(0, 1, 5), (4, -1, 5), (4, -2, 3), (1, 3, 2), (2, 0, 4)])
def test_indices_read_what_the_axis_says(start, stride, count):
    data = np.arange(5)
    axis = Axis(5, start, stride, count, "strict_bounds")
    index, reversed_axes = forward_index((axis,))
    assert np.broadcast_to(data[signed_index((axis,))], count).tolist() == axis.sources().tolist()
    assert np.broadcast_to(np.flip(data[index], reversed_axes), count).tolist() == axis.sources().tolist()


@pytest.mark.parametrize("mode", sorted(NUMPY_MODES))
def test_steps_pad_as_numpy_does(mode):
    for n, before, after in product((1, 2, 5), (0, 1, 4, 11), (0, 1, 13)):
        data = np.arange(1, 3 * n + 1).reshape(3, n)
        axes = (Axis(3, -2, 1, 9, mode), Axis(n, -before, 1, before + n + after, mode))
        out = np.full((9, before + n + after), -1)
        out[centre_of(axes)] = data
        for step in pad_steps(axes):
            out[step.target] = 0 if step.source is None else out[step.source]
        np.testing.assert_array_equal(out, np.pad(data, ((2, 4), (before, after)), NUMPY_MODES[mode]))


@pytest.mark.parametrize("name", [*MOVES, "range_i64", "range_i32", "range_u8"])
@pytest.mark.parametrize("is_fresh", [True, False])
def test_numpy_does_every_case(name, is_fresh):
    work = create_work(CASES[name], CASES[name].small)
    outs = None if is_fresh else [np.empty(shape, work.dtype) for shape in work.shapes]
    for contender in ("fastops", "numpy"):
        row = Row("group", name, "")
        assert fastest_call(create_framework(contender, 2), work, outs, work.expected(), row), row.absent
        assert row.how[contender]


def test_a_wrong_result_is_found():
    work = create_work(CASES["crop_f32"], CASES["crop_f32"].small)
    expected = work.expected()
    expected[0] = expected[0].copy()
    expected[0][1, 2, 3, 4] += 1
    row = Row("group", "row", "")
    outs = [np.empty(shape, work.dtype) for shape in work.shapes]
    assert fastest_call(create_framework("fastops", 2), work, outs, expected, row) is None
    assert row.wrong == row.absent["fastops"]
    assert row.wrong.endswith("differs from NumPy in 1 of 1536 elements")
    assert not is_met(row)


def test_retyped_work_reads_the_same_bytes():
    work = create_work(CASES["flip_c128"], CASES["flip_c128"].small)
    halves = work.retyped("float64")
    assert (halves.data.shape[-1], halves.shapes[0][-1]) == (2, 2)
    assert halves.data[signed_index(halves.axes)].tobytes() == work.expected()[0].tobytes()
    assert lines_read(halves) == lines_read(work)
    with pytest.raises(ValueError, match="16 bytes"):
        work.retyped("u1,u1,u1")


# Timing.


class FakeTime:
    """A clock that contenders move on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_medians_are_taken_in_turns():
    time, order = FakeTime(), []

    def sample(name: str, values: list[float]) -> Any:
        remaining = iter(values)

        def run() -> float:
            order.append(name)
            time.sleep(1)
            return next(remaining)

        return run

    samples = {"a": sample("a", [3, 1, 2]), "b": sample("b", [9, 9, 1]), "c": sample("c", [5, 6, 7])}
    medians = interleaved_medians(samples, Effort(3, 0, 0, 0.5), time, time.sleep)
    assert medians == {"a": 2, "b": 9, "c": 6}
    assert "".join(order) == "abc" + "acb" + "cab"
    assert time.now == 9 * 1.5


def test_rounds_go_on_for_as_long_as_is_wanted():
    time = FakeTime()
    taken = []

    def sample() -> float:
        time.sleep(0.3)
        taken.append(time.now)
        return 0.3

    interleaved_medians({"a": sample}, Effort(2, 1.5, 0, 0), time, time.sleep)
    assert len(taken) == 5


def test_short_calls_are_timed_in_loops():
    time = FakeTime()

    def call() -> None:
        time.sleep(1e-6)

    number = calls_per_sample(call, 2e-3, time)
    assert 2_000 <= number <= 8_000
    assert sample_of(call, number, time)() == pytest.approx(1e-6)
    assert calls_per_sample(lambda: time.sleep(1.0), 2e-3, time) == 1


def test_the_collector_is_off_inside():
    gc = sys.modules["gc"]
    with without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


# The limit.


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 127, 1000, 4099, 300_001])
@pytest.mark.parametrize("offset", [0, 1, 33])
def test_limit_kernels_write_every_byte_and_no_other(size, offset):
    source = np.resize(np.arange(251, dtype=np.uint8), size + offset + 5)[5:][:size]
    for copy in (limits.parallel_copy, limits.streaming_copy):
        for workers in (1, 2, 3):
            room = np.full(size + offset + 70, 0xA5, np.uint8)
            copy(room[offset : offset + size], source, workers)
            np.testing.assert_array_equal(room[offset : offset + size], source)
            assert (room[:offset] == 0xA5).all()
            assert (room[offset + size :] == 0xA5).all()
    for fill in (limits.parallel_fill, limits.streaming_fill):
        room = np.full(size + offset + 70, 0xA5, np.uint8)
        fill(room[offset : offset + size], 251, 2)
        assert (room[offset : offset + size] == 251).all()
        assert (np.delete(room, np.s_[offset : offset + size]) == 0xA5).all()


def test_limits_touch_the_bytes_of_a_case():
    for make in (limits.copies, limits.fills):
        calls = make(10_001, 2)
        assert len(calls) == 3
        for call in calls.values():
            call()


# Bars.


def row_with(asked: dict[str, float], unit: str = "s", **values: float) -> Row:
    return Row("large", "row", "what", unit, values=values, limits={"slow": 2.0, "fast": 1.0}, asked=asked)


@pytest.mark.parametrize(
    ("row", "is_enough"),
    [
        (row_with({"share": 0.9}, fastops=1.1), True),
        (row_with({"share": 0.9}, fastops=1.12), False),
        (row_with({"best_peer": 1.3}, fastops=1.0, numpy=1.4, torch=1.5), True),
        (row_with({"best_peer": 1.3}, fastops=1.0, numpy=9.0, torch=1.2), False),
        (row_with({"best_peer": 1.3}, fastops=1.0), True),
        # 1.3 times the peer would be 1.04 of the limit.
        (row_with({"best_peer_with_room": 1.3}, fastops=1.1, torch=1.25), True),
        (row_with({"best_peer_with_room": 1.3}, fastops=1.1, torch=1.35), False),
        (row_with({"best_peer_with_room": 1.3}, fastops=1.0, torch=1.35), True),
        (row_with({"numpy_and_torch": 1.0}, fastops=1.0, openvino=0.1, numpy=1.0), True),
        (row_with({"numpy_and_torch": 1.0}, fastops=1.0, torch=0.9, numpy=1.0), False),
        (row_with({"speedup": 1.7}, fastops=1.0, reference=1.7), True),
        (row_with({"speedup": 1.7}, fastops=1.0, reference=1.6), False),
        (row_with({"times_reference": 3.5}, fastops=3.5, reference=1.0), True),
        (row_with({"times_reference": 3.5}, fastops=3.6, reference=1.0), False),
        (row_with({"over_reference": 0.015}, fastops=0.1149, reference=0.1), True),
        (row_with({"over_reference": 0.015}, fastops=0.116, reference=0.1), False),
        (row_with({"seconds": 20e-6}, fastops=20e-6), True),
        (row_with({"seconds": 6}, fastops=6.1), False),
        (row_with({"bytes": 2**20}, "bytes", fastops=2**20), True),
        (row_with({"bytes": 2**20}, "bytes", fastops=2**20 + 1), False),
        (row_with({"share": 0.9}, numpy=1.0), False),
        (replace(row_with({"share": 0.9}, fastops=1.0), wrong="differs"), False),
        (row_with({"share": 0.9, "best_peer": 1.3}, fastops=1.0, numpy=1.2), False),
    ],
)
def test_bars(row, is_enough):
    assert is_met(row) is is_enough


def test_a_bar_says_what_it_asks_for():
    row = row_with({"share": 0.9, "best_peer_with_room": 1.3}, fastops=1.0, numpy=2.0)
    assert [bar.text for bar in bars_of(row)] == ["0.9 of the limit", "1.3x the best peer"]


# Reports.


def canned() -> Results:
    environment = {"date": "2026-01-02", "cpu": "A Processor", "cores": 2, "threads": 2, "threading_layer": "omp"}
    environment |= {"python": "3.11.0", "versions": {"fastops": "1.0", "numpy": "2.1.0"}, "missing": ["torch"]}
    values = {"fastops": 0.005, "numpy": 0.02, "onnxruntime": 0.01}
    large = Row("large", "crop_f32", "strided_slice float32", values=values, limits={"np.copyto": 0.0048})
    large.asked = {"share": 0.9, "best_peer_with_room": 1.3}
    large.absent = {"openvino": "takes C-contiguous input only"}
    warm = Row("latency", "warm_tiny_split", "fastops.variadic_split", values={"fastops": 2e-6, "numpy": 1e-6})
    warm.asked = {"best_peer": 1.0}
    start = Row("start", "import", "import fastops", values={"fastops": 0.11, "reference": 0.1})
    start.asked = {"over_reference": 0.015}
    memory = Row("memory", "crop_f32_x1", "memory", "bytes", values={"fastops": 4096.0}, asked={"bytes": 2**20})
    return Results(environment, [large, warm, start, memory])


TEXT = """\
2026-01-02, 2 cores of A Processor, 2 threads (omp), Python 3.11.0: fastops 1.0, numpy 2.1.0.
Not taking part: torch.

large: Large moves into the caller's output: share of the limit

row       time  fastops  numpy  onnxruntime  openvino  x best  bar                                   met
--------  ----  -------  -----  -----------  --------  ------  ------------------------------------  ---
crop_f32  5 ms     0.96   0.24         0.48         -    2.00  0.9 of the limit, 1.3x the best peer  ok

latency: Calls on an 8x8 float32; the reference is NumPy's x[1:7, ::2].copy()

row              fastops  numpy  x best  bar                   met
---------------  -------  -----  ------  --------------------  -----
warm_tiny_split     2 us   1 us    0.50  1x the best peer (!)  below

start: New processes

row     fastops  reference  bar                    met
------  -------  ---------  ---------------------  ---
import   110 ms     100 ms  the reference + 15 ms  ok

memory: Memory beyond input and output

row           fastops  bar            met
-----------  --------  -------------  ---
crop_f32_x1  0.00 MiB  at most 1 MiB  ok

3 of 4 rows at their bars, 1 below: latency/warm_tiny_split
"""


def test_text():
    assert text_of(canned()) == TEXT


def test_markdown_is_tables_of_one_width():
    tables = [part for part in markdown_of(canned()).split("\n\n") if part.startswith("|")]
    assert len(tables) == 4
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert "| crop_f32 | 5 ms | 0.96 | 0.24 | 0.48 | - | 2.00 |" in tables[0]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.5, "1.5 s"), (0.9996, "1 s"), (0.0123, "12.3 ms"), (1e-3, "1 ms"), (4.56e-7, "0.456 us")],
)
def test_values_are_shown_in_the_unit_that_suits(value, shown):
    assert shown_value(value, "s") == shown


def test_results_come_back_from_the_file(tmp_path):
    save(canned(), tmp_path / "results.json")
    assert load(tmp_path / "results.json") == canned()


def test_stored_results_are_shown_without_measuring(tmp_path, capsys):
    path, table = tmp_path / "results.json", tmp_path / "table.md"
    save(canned(), path)
    assert main(["--from-json", str(path), "--markdown", str(table)]) == 1
    assert capsys.readouterr().out == TEXT
    assert table.read_text() == markdown_of(canned())
    assert main(["--from-json", str(path), "--group", "large"]) == 0
    assert main(["--from-json", str(path), "--only", "nothing"]) == 2


def test_summary_of_rows_that_are_all_met():
    results = Results({}, canned().rows[:1])
    assert summary(results) == "1 of 1 rows at their bars, 0 below"


@pytest.mark.parametrize(
    "content", [None, b"", b"{", b"[]", b"{}", b'{"rows": [1], "environment": {}}', b'{"rows": [{"x": 1}]}', b"\xff"]
)
def test_a_file_that_holds_no_results_is_one_line_and_exit_2(content, tmp_path, capsys):
    path = tmp_path / "results.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["--from-json", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"{path} ")
    assert printed.err.count("\n") == 1


def test_a_wrong_row_is_named_under_its_table():
    results = canned()
    results.rows[0] = replace(results.rows[0], wrong="differs from NumPy", values={})
    assert "crop_f32: differs from NumPy" in text_of(results)
    assert not is_met(results.rows[0])


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_chart(tmp_path, suffix):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"chart.{suffix}"
    assert draw(canned(), path)
    assert path.stat().st_size > 5_000
    assert not draw(Results({}, canned().rows[1:]), path)


# Groups.


def test_rows_have_names_of_their_own_and_bars_that_exist():
    setup = Setup(("numpy",), 2, QUICK, is_small=False)
    jobs = [job for group in GROUPS.values() for job in group(setup)]
    assert len({(job.group, job.name) for job in jobs}) == len(jobs)
    assert {job.group for job in jobs} == set(GROUPS)


def test_a_contest_gives_a_row():
    work = create_work(CASES["pad_reflect_f32"], CASES["pad_reflect_f32"].small)
    setup = Setup(("numpy",), 2, QUICK, is_small=True)
    row = contest(setup, "large", "pad", work, ("numpy", "torch"), fresh=False, asked={"share": 0.9})
    assert set(row.values) == {"fastops", "numpy"}
    assert len(row.limits) == 3
    assert row.limit == min(row.limits.values())
    assert set(row.asked) <= set(RULES)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks cannot be begun anew")
def test_peaks_show_memory_that_is_gone():
    forget_peak()
    before = peak_bytes()
    np.ones(40 << 20, np.uint8)
    assert 35 << 20 < peak_bytes() - before < 60 << 20
    forget_peak()
    assert peak_bytes() - before < 35 << 20


def test_random_calls_do_not_gather_memory():
    assert growth_of_random_calls("strides_and_pads", 2_000) < 4 << 20


def test_asv_finds_no_benchmark_here_and_needs_no_framework():
    program = """
import inspect, pkgutil, re, sys
from importlib import import_module
import benchmarks.peers
names = [each.name for each in pkgutil.walk_packages(benchmarks.peers.__path__, "benchmarks.peers.")]
pattern = re.compile(r"(time|timeraw|track|mem|peakmem)_|(Time|Timeraw|Track|Mem|PeakMem)[A-Z_]")
for name in names:
    module = import_module(name)
    for attribute, value in vars(module).items():
        inner = dir(value) if inspect.isclass(value) and value.__module__.startswith("benchmarks") else []
        print(*[f"{name}.{each}" for each in [attribute, *inner] if pattern.match(each)], sep="", end="")
print(*sorted({"torch", "onnxruntime", "openvino", "tensorflow", "jax", "matplotlib"} & set(sys.modules)))
"""
    assert subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True) == "\n"


def test_the_command_runs():
    command = [sys.executable, "-m", "benchmarks.peers", "--small", "--quick", "--only", "crop_f32", "--peer", "numpy"]
    result = subprocess.run(
        [*command, "--group", "large", "--group", "fresh"], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode in (0, 1), result.stderr
    assert re.search(r"^crop_f32 +[\d.]+ us", result.stdout, re.MULTILINE)
    assert "[2/2] fresh/crop_f32" in result.stderr


def test_the_command_lists_its_rows(capsys):
    with pytest.raises(SystemExit):
        main(["--list", "--group", "ranges"])
    assert capsys.readouterr().out.splitlines()[0] == "ranges/range_f32"
