"""Counters of calls and of machine code, the limits of the machine, and peaks of memory."""

from __future__ import annotations

import gc
import mmap
import shutil
import sys
from functools import partial
from itertools import product
from pathlib import Path
from unittest import mock

import numba
import numpy as np
import pytest

import fastops as fo
from benchmarks import counters, limits, processes
from benchmarks.counters import Code, code_of
from fastops._runtime import _kernels

DATA = np.ones((700, 700), np.float32)


def crop(out=None):
    return fo.strided_slice(DATA, [0, 0], [600, 600], out=out)


def test_launches_are_entries_into_compiled_code_and_the_profiler_stays():
    data = np.zeros((400, 400), np.float32)
    crop = partial(fo.strided_slice, data, [0, 0], [300, 300])
    assert counters.launches_of(crop) == 1
    assert counters.launches_of(lambda: [crop(), fo.range(0, 10, 1, "f32")]) == 2
    assert counters.launches_of(lambda: fo.strided_slice(data, [0, 0], [6, 6])) == 1
    # A large call is one launch too.
    assert counters.launches_of(lambda: fo.strided_slice(data, [0, 0], [380, 380])) == 1
    assert counters.launches_of(DATA.copy) == 0
    profiler = mock.Mock()
    sys.setprofile(profiler)
    try:
        counters.launches_of(crop)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


@pytest.mark.skipif(not counters.can_count_writers(), reason="the system tells no page faults of threads")
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


@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not installed")
def test_the_code_of_all_kernels_is_counted():
    fo.strided_slice(DATA, [0, 0], [6, 6])
    found = {code.name: code for code in counters.code_of_kernels()}
    late = {f"fastops.{each}" for each in ("share", "launch_histories")}
    assert {*_kernels.load_object().addresses} - late <= {*found}
    assert found["fastops.flush"].streaming_stores > 0
    assert found["fastops.flush"].vector_bytes >= 16


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


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks cannot be begun anew")
def test_peaks_include_freed_memory():
    # Free the garbage of earlier tests first: freeing it later would hide the memory that this test takes.
    gc.collect()
    processes.forget_peak()
    before = processes.peak_bytes()
    # Take memory from the system: the memory of an array may have been freed before, and still be resident.
    with mmap.mmap(-1, 40 << 20) as pages:
        pages[:: mmap.PAGESIZE] = bytes((40 << 20) // mmap.PAGESIZE)
    assert 35 << 20 < processes.peak_bytes() - before < 60 << 20
    processes.forget_peak()
    assert processes.peak_bytes() - before < 35 << 20
