"""The comparison with other libraries, and the measurements that benchmarks share.

Tests of the comparison cover the work of a case, the measurement of a row, and the report. Tests of measurements cover
counts of writing threads and of instructions, limits of the machine, and peaks of memory.
"""

from __future__ import annotations

import gc
import mmap
import re
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from asv_gate.timing import QUICK

import fastops as fo
from benchmarks import counters, limits, processes
from benchmarks.cases import CASES, Size
from benchmarks.counters import Code, code_of
from benchmarks.peers.__main__ import GROUPS
from benchmarks.peers._front_group import lines_of, open_epochs
from benchmarks.peers._race import PEERS, Expected, Setup, Way, prepared, race
from benchmarks.peers._report import TITLES, Row
from benchmarks.peers._work import Work, create_work, describe, lines_read, touched_bytes
from benchmarks.peers.frameworks import ways_of
from tests.helpers.processes import run_python

SETUP = Setup(("numpy",), 2, QUICK, is_small=True)


def addresses_of(array: np.ndarray[Any, Any]) -> Any:
    steps = [np.arange(n) * stride for n, stride in zip(array.shape, array.strides, strict=True)]
    return array.__array_interface__["data"][0] + sum(np.ix_(*steps))


def lines_by_hand(work: Work) -> int:
    """Count the cache lines of every byte that a case reads: run the case on an array of addresses."""
    read = work.case.expected(addresses_of(work.data), work.size)
    elements = np.concatenate([each.ravel() for each in (read if isinstance(read, list) else [read])])
    # Drop fill values, which are 0: they are no addresses.
    elements = elements[elements != 0]
    return len(np.unique(np.add.outer(elements, np.arange(work.data.itemsize)) // 64))


def test_lines_are_those_of_every_byte(monkeypatch):
    wrong = []
    for at_once in (1 << 20, 100):
        monkeypatch.setattr("benchmarks.peers._work._AT_ONCE", at_once)
        for name, case in CASES.items():
            if case.takes_data and (at_once > 100 or case.suite == "layouts"):
                work = create_work(case, case.resized(3000) if case.sized else case.small)
                lines, expected = lines_read(work), lines_by_hand(work)
                written = sum(each.nbytes for each in work.expected())
                if lines != expected or touched_bytes(work) != 64 * lines + written:
                    wrong.append((name, lines, expected, touched_bytes(work), written))
    assert wrong == []
    work = create_work(CASES["range_f32"], Size((1000,)))
    assert (lines_read(work), touched_bytes(work)) == (0, 4000)
    assert describe(work) == "range float32 1000"


def test_every_way_of_fastops_and_numpy_is_right():
    """If a way were wrong, a race would not fail: it would drop that way and time a slower one."""
    wrong = []
    for name, is_fresh in product(CASES, (True, False)):
        work = create_work(CASES[name], CASES[name].small)
        outs = None if is_fresh else [np.empty(shape, work.dtype) for shape in work.shapes]
        # np.arange computes other floats, so NumPy is left out.
        names = ("fastops",) if name in ("range_f16", "range_f32", "range_f64") else ("fastops", "numpy")
        expected = Expected(work.expected(), outs, work.data)
        for contender, ways in ways_of(names, work, outs, 2, Row("", "", "")).items():
            found = [expected.difference(way.build()) for way in ways]
            if any(found) or not found:
                wrong.append((contender, name, is_fresh, found))
    assert wrong == []


def test_a_race_times_the_fastest_right_way_and_reports_wrong_ones():
    right, other = np.arange(6.0), np.arange(6.0) + 1
    out = np.empty(6)

    def fail() -> Any:
        raise ValueError("no\nway")

    ways = {
        "fastops": [prepared("wrong", lambda: np.copyto(out, other)), prepared("right", lambda: np.copyto(out, right))],
        # This contender must not pass with the output of another one.
        "idle": [prepared("nothing", lambda: None)],
        "raises": [Way("built", fail), prepared("called", fail)],
    }
    row = race(Row("large", "row", ""), ways, Expected([right], [out]), SETUP, {"copy": lambda: np.copyto(out, right)})
    assert (row.how, row.wrong, [*row.values], [*row.limits]) == ({"fastops": "right"}, "", ["fastops"], ["copy"])
    assert row.absent == {
        "idle": "nothing: differs in 6 of 6 elements",
        "raises": "built: ValueError: no; called: ValueError: no",
    }
    fresh = Expected([right], data=right)
    for result, reason in (
        (right[:], "gives a view of its input"),
        (right[:5].copy(), "has shape (5,) and 40 bytes"),
        ([right.copy()] * 2, "gives 2 results"),
        (right + 1e-9, "differs in 6 of 6 elements"),
        (right.copy(), ""),
    ):
        assert fresh.difference(lambda result=result: result) == reason
    assert Expected([right], rtol=1e-5).difference(lambda: right + 1e-9) == ""
    row = race(Row("large", "row", ""), {"fastops": ways["fastops"][:1]}, Expected([right], [out]), SETUP)
    assert (row.wrong, row.values) == ("wrong: differs in 6 of 6 elements", {})


def test_the_tables_of_the_front_page_are_those_of_the_readme_and_set_slower_rows_apart():
    values = {"fastops": 1.0, "numpy": 7.66, "opencv": 0.721, "torch": 12.4}
    names = [job.name for job in GROUPS["front"](Setup(tuple(PEERS), 2, QUICK, is_small=True))]
    names = list(dict.fromkeys([*names, "epoch_memory", "epoch_jpeg"]))
    tables = [line for line in lines_of([Row("front", name, "", values=values) for name in names]) if line]
    assert tables[2].endswith(" | 7.7 | *0.72* | 12 |")
    assert len(tables) == len(names) + 4
    readme = Path("README.md").read_text(encoding="utf-8").splitlines()
    assert {texts_of(line) for line in tables} <= {texts_of(line) for line in readme}


def texts_of(line):
    """The cells of a row of a table, without those that are numbers or empty."""
    return tuple(cell for cell in line.strip("| ").split(" | ") if re.search("[a-zA-Z]", cell))


# Here, workers are forked from a process that has threads.
@pytest.mark.filterwarnings("ignore:fastops. large work is done by one thread here:RuntimeWarning")
def test_the_ways_of_a_loader_give_the_same(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr("benchmarks.peers._front_group.IMAGES", 64)
    with open_epochs(np.asarray) as ways:
        first, *others = [epoch() for epoch in ways.values()]
    assert len(others) == 2
    for other in others:
        np.testing.assert_allclose(first, other, rtol=1e-5, atol=1e-6)


def test_rows_have_names_and_groups_have_titles():
    jobs = [job for group in GROUPS.values() for job in group(Setup(tuple(PEERS), 2, QUICK, is_small=True))]
    assert len({(job.group, job.name) for job in jobs}) == len(jobs)
    assert {job.group for job in jobs} == set(GROUPS) == set(TITLES)


def test_the_command_runs(tmp_path):
    options = ["--small", "--quick", "--peer", "numpy", "--only", "crop_f32", "--only", "chw_f16_448_1"]
    options += ["--only", "transform_image", "--group", "front", "--group", "large", "--group", "normalize"]
    result = run_python("-m", "benchmarks.peers", *options, "--markdown", tmp_path / "results.md")
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"^crop_f32 +[\d.]+ us", result.stdout, re.MULTILINE)
    assert "[2/3] large/crop_f32" in result.stderr
    assert "## Crops, mirrored" in (tmp_path / "results.md").read_text()
    result = run_python("-m", "benchmarks.peers", "--list", "--group", "ranges")
    assert result.stdout.splitlines()[0] == "ranges/range_f32"


DATA = np.ones((700, 700), np.float32)


def crop(out=None):
    return fo.strided_slice(DATA, [0, 0], [600, 600], out=out)


@pytest.mark.skipif(not counters.can_count_writers(), reason="the system does not count page faults by thread")
def test_writers_are_the_threads_that_write(monkeypatch):
    def split(out):
        for each, part in zip(out, np.split(DATA, 2), strict=True):
            np.copyto(each, part)

    assert counters.writers_of(split, np.split(DATA, 2)) == 1
    # On a busy machine, a thread may come too late for its part, so the counter repeats the calls.
    monkeypatch.setattr(counters, "_SECONDS_FOR_WRITERS", 30.0)
    crop()
    # On TBB, a free thread takes the work of a thread that waits for a processor.
    if numba.threading_layer() == "tbb" or numba.config.NUMBA_NUM_THREADS < 2:
        return
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(2)
        assert counters.writers_of(crop, [np.empty((600, 600), np.float32)]) == 2
        monkeypatch.setattr(counters, "_SECONDS_FOR_WRITERS", 0.01)
        numba.set_num_threads(1)
        assert counters.writers_of(crop, [np.empty((600, 600), np.float32)]) == 1
    finally:
        numba.set_num_threads(before)


def test_counts_of_assembly():
    for assembly, vector_bytes, stores in (
        ("\tmovq\t%rax, %rbx\n\tretq\n", 0, 0),
        ("\tmovups\t(%rsi), %xmm0\n\tmovntps\t%xmm0, (%rdi)\n", 16, 1),
        ("\tvmovntps\t%ymm0, (%rdi)\n\tvmovntdq\t%ymm1, 32(%rdi)\n\tvmovups %xmm1, (%rax)\n", 32, 2),
        ("\tvmovdqu64\t(%rsi), %zmm3\n\tvmovntdqa\t(%rsi), %zmm3\n\tprefetchnta\t(%rsi)\n", 64, 0),
        ("\tldr\tq0, [x1]\n\tstnp\tq0, q1, [x0]\n", 16, 1),
        ("    1c:\tvmovntdq %zmm0,(%rdi)\n  20ef3:\tjmp    20e00 <f+0x3>\n", 64, 1),
        # Names of instructions in text and labels do not count.
        ('\t.ascii\t"movntps"\n\tjmp\tq_loop\n', 0, 0),
    ):
        assert code_of("f", assembly) == Code("f", vector_bytes, stores)


def test_limits_write_every_byte_and_no_other():
    ways = [(way, n) for way in (limits.parallel_copy, limits.streaming_copy) for n in (1, 2, 3)]
    ways.append((limits.parallel_fill, 2))
    for (write, workers), size, offset in product(ways, (0, 1, 63, 64, 65, 127, 1000, 4099, 300_001), (0, 1, 33)):
        source = np.resize(np.arange(251, dtype=np.uint8), size + offset + 5)[5:][:size]
        what = source if "copy" in write.__name__ else 251
        room = np.full(size + offset + 70, 0xA5, np.uint8)
        expected = room.copy()
        expected[offset : offset + size] = what
        write(room[offset : offset + size], what, workers)
        assert np.array_equal(room, expected), (write.__name__, workers, size, offset)
    for call in (*limits.copies(10_001, 2).values(), *limits.fills(10_001, 2).values()):
        call()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory cannot be reset")
def test_peaks_include_freed_memory():
    # Free the garbage of earlier tests first: freeing it later would hide the memory that this test takes.
    gc.collect()
    processes.forget_peak()
    before = processes.peak_bytes()
    # Map new pages: the memory of an array may have been freed before, and still be resident.
    with mmap.mmap(-1, 40 << 20) as pages:
        pages[:: mmap.PAGESIZE] = bytes((40 << 20) // mmap.PAGESIZE)
    assert 35 << 20 < processes.peak_bytes() - before < 60 << 20
    processes.forget_peak()
    assert processes.peak_bytes() - before < 35 << 20
