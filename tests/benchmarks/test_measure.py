"""What suites, peers and gate measure with: counters, assembly, tables."""

from __future__ import annotations

import sys

import numba
import numpy as np
import pytest

import fastops as fo
from benchmarks.measure.assembly import Code, code_of, kernels_in
from benchmarks.measure.counters import (
    allocated_bytes,
    can_count_writers,
    launches_of,
    threads_at_import,
    untouched,
    writers_of,
)
from benchmarks.measure.machine import core_count, cpu_model
from benchmarks.measure.processes import output_of, output_with_benchmarks
from benchmarks.measure.tables import markdown_lines, shown_seconds, text_lines

DATA = np.ones((700, 700), np.float32)


def crop(out=None):
    return fo.strided_slice(DATA, [0, 0], [600, 600], out=out)


def test_launches_are_entries_into_compiled_code():
    assert launches_of(crop) == 1
    assert launches_of(lambda: [crop(), fo.range(0, 10, 1, "f32")]) == 2
    assert launches_of(lambda: fo.strided_slice(DATA, [0, 0], [6, 6])) == 1
    assert launches_of(DATA.copy) == 0


def test_counting_launches_leaves_the_profiler_as_it_was():
    calls = []

    def profiler(_frame, event, _argument):
        calls.append(event)

    sys.setprofile(profiler)
    try:
        launches_of(crop)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)
    assert calls


def test_allocated_bytes_are_those_of_results_and_of_what_is_dropped():
    assert 100_000 <= allocated_bytes(lambda: np.zeros(100_000, np.uint8)) < 101_000
    assert 300_000 <= allocated_bytes(lambda: np.zeros(100_000, np.uint8).repeat(2)) < 301_000
    assert allocated_bytes(lambda: None) < 100


needs_tasks = pytest.mark.skipif(not can_count_writers(), reason="the system tells no page faults of threads")


@needs_tasks
@pytest.mark.parametrize("threads", [1, 2])
def test_writers_are_the_threads_of_the_kernel(threads):
    before = numba.get_num_threads()
    if threads > numba.config.NUMBA_NUM_THREADS:
        pytest.skip(f"Numba has {numba.config.NUMBA_NUM_THREADS} threads")
    crop()
    if numba.threading_layer() == "tbb":
        pytest.skip("on TBB, a thread that is free takes the work of one that the system lets wait")
    numba.set_num_threads(threads)
    try:
        assert writers_of(crop, [np.empty((600, 600), np.float32)]) == threads
    finally:
        numba.set_num_threads(before)


@needs_tasks
def test_writers_of_several_outputs():
    def split(out):
        for each, part in zip(out, np.split(DATA, 2), strict=True):
            np.copyto(each, part)

    assert writers_of(split, np.split(DATA, 2)) == 1


@needs_tasks
@pytest.mark.parametrize("shape", [(), (0, 3), (1,), (3, 5)])
def test_untouched_memory_is_an_array_like_any_other(shape):
    array = untouched(shape, np.dtype("complex128"))
    assert array.shape == shape
    assert array.dtype == np.complex128
    array[...] = 1j
    assert (array == 1j).all()


def test_importing_starts_no_thread():
    assert threads_at_import() == 1


@pytest.mark.parametrize(
    ("assembly", "vector_bytes", "streaming_stores"),
    [
        ("\tmovq\t%rax, %rbx\n\tretq\n", 0, 0),
        ("\tmovups\t(%rsi), %xmm0\n\tmovntps\t%xmm0, (%rdi)\n", 16, 1),
        ("\tvmovntps\t%ymm0, (%rdi)\n\tvmovntdq\t%ymm1, 32(%rdi)\n\tvmovups %xmm1, (%rax)\n", 32, 2),
        ("\tvmovdqu64\t(%rsi), %zmm3\n\tvmovntdqa\t(%rsi), %zmm3\n\tprefetchnta\t(%rsi)\n", 64, 0),
        ("\tldr\tq0, [x1]\n\tstnp\tq0, q1, [x0]\n", 16, 1),
        # A name is no instruction.
        ('\t.ascii\t"movntps"\n\tjmp\tq_loop\n', 0, 0),
    ],
)
def test_what_assembly_holds(assembly, vector_bytes, streaming_stores):
    assert code_of("f", assembly) == Code("f", vector_bytes, streaming_stores)


def test_compiled_functions_are_found_and_counted(tmp_path):
    program = (
        "from fastops._runtime._kernels import compile_kernel; from benchmarks.measure.assembly import compiled_code; "
        "compile_kernel('fill_range'); print(*[code.name for code in compiled_code('fastops')])"
    )
    names = output_with_benchmarks(program, tmp_path).split()
    assert "fastops.kernels._range.fill_range" in names
    assert names == sorted(set(names))
    assert kernels_in(tmp_path) == 2


def test_processes_keep_kernels_where_they_are_told(tmp_path):
    assert output_of("import os; print(os.environ['NUMBA_CACHE_DIR'])", tmp_path) == f"{tmp_path}\n"


TABLE = [["name", "time", "met"], ["crop", "3 ms", "ok"], ["flip", "12.5 ms", "below"]]


def test_text_table():
    assert text_lines(TABLE, (0, -1)) == [
        "name     time  met",
        "----  -------  -----",
        "crop     3 ms  ok",
        "flip  12.5 ms  below",
    ]


def test_markdown_table():
    assert markdown_lines(TABLE, (0, -1)) == [
        "| name | time | met |",
        "| --- | ---: | --- |",
        "| crop | 3 ms | ok |",
        "| flip | 12.5 ms | below |",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 us"), (1.5e-6, "1.5 us"), (9.99e-4, "999 us"), (9.996e-4, "1 ms"), (0.9996, "1 s"), (1234.6, "1235 s")],
)
def test_seconds_are_shown_in_the_unit_that_suits_them(seconds, text):
    assert shown_seconds(seconds) == text


def test_the_machine_has_a_core_and_a_name():
    assert core_count() >= 1
    assert cpu_model()
