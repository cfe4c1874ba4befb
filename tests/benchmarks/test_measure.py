"""What suites, peers and gate measure with: counters, assembly, medians in turns, the limit of the machine, peaks."""

from __future__ import annotations

import gc
import mmap
import platform
import shutil
import sys
from functools import partial
from itertools import product, repeat
from pathlib import Path
from unittest import mock

import numba
import numpy as np
import pytest

import fastops as fo
from benchmarks.measure import counters, growth, limits, timing
from benchmarks.measure.assembly import Code, code_of, kernels_in
from benchmarks.measure.processes import output_with_benchmarks
from benchmarks.measure.tables import shown_seconds

DATA = np.ones((700, 700), np.float32)


def crop(out=None):
    return fo.strided_slice(DATA, [0, 0], [600, 600], out=out)


def test_launches_are_entries_into_compiled_code_and_the_profiler_stays():
    data = np.zeros((400, 400), np.float32)
    crop = partial(fo.strided_slice, data, [0, 0], [300, 300])
    assert counters.launches_of(crop) == 1
    assert counters.launches_of(lambda: [crop(), fo.range(0, 10, 1, "f32")]) == 2
    assert counters.launches_of(lambda: fo.strided_slice(data, [0, 0], [6, 6])) == 1
    # What is large is found to be so before it is moved.
    assert counters.launches_of(lambda: fo.strided_slice(data, [0, 0], [380, 380])) == 1
    assert counters.launches_of(DATA.copy) == 0
    profiler = mock.Mock()
    sys.setprofile(profiler)
    try:
        counters.launches_of(crop)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


def test_allocated_bytes_are_those_of_results_and_of_what_is_dropped():
    assert 100_000 <= counters.allocated_bytes(lambda: np.zeros(100_000, np.uint8)) < 101_000
    assert 300_000 <= counters.allocated_bytes(lambda: np.zeros(100_000, np.uint8).repeat(2)) < 301_000
    assert counters.allocated_bytes(lambda: None) < 100


@pytest.mark.skipif(not counters.can_count_writers(), reason="the system tells no page faults of threads")
def test_writers_are_the_threads_that_write(monkeypatch):
    def split(out):
        for each, part in zip(out, np.split(DATA, 2), strict=True):
            np.copyto(each, part)

    assert counters.writers_of(split, np.split(DATA, 2)) == 1
    # On a busy machine, a thread may come too late for its part: the calls go on until it does not.
    monkeypatch.setattr(counters, "_SECONDS_FOR_WRITERS", 30.0)
    crop()
    # On TBB, a thread that is free takes the work of one that the system lets wait.
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


def test_what_assembly_holds():
    for assembly, vector_bytes, stores in (
        ("\tmovq\t%rax, %rbx\n\tretq\n", 0, 0),
        ("\tmovups\t(%rsi), %xmm0\n\tmovntps\t%xmm0, (%rdi)\n", 16, 1),
        ("\tvmovntps\t%ymm0, (%rdi)\n\tvmovntdq\t%ymm1, 32(%rdi)\n\tvmovups %xmm1, (%rax)\n", 32, 2),
        ("\tvmovdqu64\t(%rsi), %zmm3\n\tvmovntdqa\t(%rsi), %zmm3\n\tprefetchnta\t(%rsi)\n", 64, 0),
        ("\tldr\tq0, [x1]\n\tstnp\tq0, q1, [x0]\n", 16, 1),
        ("    1c:\tvmovntdq %zmm0,(%rdi)\n  20ef3:\tjmp    20e00 <f+0x3>\n", 64, 1),
        # A name is no instruction.
        ('\t.ascii\t"movntps"\n\tjmp\tq_loop\n', 0, 0),
    ):
        assert code_of("f", assembly) == Code("f", vector_bytes, stores)


COMPILE = """
import fastops, numba, numpy
from benchmarks.measure.assembly import compiled_code
pad = numba.njit(lambda x: fastops.numpy.pad(x, 1))
assert pad(numpy.ones(3)).sum() == 3
for code in compiled_code("fastops"):
    print(code.name, code.vector_bytes, code.streaming_stores)
"""


@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not installed")
def test_the_code_of_the_object_and_of_what_a_process_compiles_is_looked_at():
    lines = output_with_benchmarks(f"exec({COMPILE!r})").splitlines()
    found = {name: (int(vector_bytes), int(stores)) for name, vector_bytes, stores in map(str.split, lines)}
    assert list(found) == sorted(found)
    assert len(lines) == len(found)
    linked = {"fastops.write_range", "fastops.flush"}
    assert linked | {"fastops.move_rows", "fastops.entry.execute"} <= set(found)
    assert any(name.startswith("fastops._overloads.") for name in found)
    if platform.machine() == "x86_64":
        assert np.all(np.greater_equal([found[name] for name in linked], (16, 1)))


def test_files_of_machine_code_are_counted(tmp_path):
    for name in ("a.nbc", "b.object", "c/d.object", "c/e.nbc", "f.tmp", "code"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert kernels_in(tmp_path) == 4


def test_seconds_are_shown_in_the_unit_that_suits_them():
    seconds = (0.0, 4.56e-7, 1.5e-6, 9.99e-4, 9.996e-4, 0.0123, 0.9996, 1.5, 1234.6)
    shown = ["0 us", "0.456 us", "1.5 us", "999 us", "1 ms", "12.3 ms", "1 s", "1.5 s", "1235 s"]
    assert [shown_seconds(each) for each in seconds] == shown


def test_medians_are_taken_in_turns_for_as_long_as_is_wanted():
    now, order = [0.0], []

    def sleep(seconds):
        now[0] += seconds

    def sample(name, seconds, values):
        order.append(name)
        sleep(seconds)
        return next(values)

    values = {"a": iter([3.0, 1, 2]), "b": iter([9.0, 9, 1]), "c": iter([5.0, 6, 7])}
    samples = {name: partial(sample, name, 1.0, each) for name, each in values.items()}
    assert timing.interleaved_medians(samples, timing.Effort(3, 0, 0, 0.5), lambda: now[0], sleep) == (
        {"a": 2, "b": 9, "c": 6}
    )
    assert ("".join(order), now) == ("abc" + "acb" + "cab", [9 * 1.5])
    # Five samples of 0.3 seconds are the first that take 1.5 seconds.
    sample_of_one = {"d": partial(sample, "d", 0.3, repeat(1.0))}
    timing.interleaved_medians(sample_of_one, timing.Effort(2, 1.5, 0, 0), lambda: now[0], sleep)
    assert order.count("d") == 5
    # Short calls are timed in loops.
    number = timing.calls_per_sample(lambda: sleep(1e-6), 2e-3, lambda: now[0])
    assert 2_000 <= number <= 8_000
    assert timing.sample_of(lambda: sleep(1e-6), number, lambda: now[0])() == pytest.approx(1e-6)
    assert timing.calls_per_sample(lambda: sleep(1.0), 2e-3, lambda: now[0]) == 1
    with timing.without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_limits_write_every_byte_and_no_other():
    ways = [(way, n) for way in (limits.parallel_copy, limits.streaming_copy) for n in (1, 2, 3)]
    ways += [(way, 2) for way in (limits.parallel_fill, limits.streaming_fill)]
    for (write, workers), size, offset in product(ways, (0, 1, 63, 64, 65, 127, 1000, 4099, 300_001), (0, 1, 33)):
        source = np.resize(np.arange(251, dtype=np.uint8), size + offset + 5)[5:][:size]
        what = source if "copy" in write.__name__ else 251
        room = np.full(size + offset + 70, 0xA5, np.uint8)
        expected = room.copy()
        expected[offset : offset + size] = what
        write(room[offset : offset + size], what, workers)
        assert np.array_equal(room, expected), (write.__name__, workers, size, offset)
    for calls in (limits.copies(10_001, 2), limits.fills(10_001, 2)):
        assert len(calls) == 3
        for call in calls.values():
            call()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks cannot be begun anew")
def test_peaks_show_memory_that_is_gone():
    # What earlier tests left is let go first: collected in between, it would hide the memory that is taken here.
    gc.collect()
    growth.forget_peak()
    before = growth.peak_bytes()
    # Straight from the system: an array may lie in memory that was given back, and is resident still.
    with mmap.mmap(-1, 40 << 20) as pages:
        pages[:: mmap.PAGESIZE] = bytes((40 << 20) // mmap.PAGESIZE)
    assert 35 << 20 < growth.peak_bytes() - before < 60 << 20
    growth.forget_peak()
    assert growth.peak_bytes() - before < 35 << 20
