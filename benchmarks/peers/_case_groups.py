"""The groups whose rows are cases of single operators beside all libraries and the limit; and calls that are tiny."""

from __future__ import annotations

import timeit
from functools import partial
from typing import Any

import numpy as np
from asv_gate.timing import Sample, interleaved_medians

import fastops
from benchmarks.cases import CASES, KIB, MIB, names_of, shown_bytes
from benchmarks.limits import copies, fills
from benchmarks.peers._race import Expected, Job, Setup, find_fastest, race, samples_of
from benchmarks.peers._report import FASTOPS, REFERENCE, Row
from benchmarks.peers._work import Work, create_work, describe, touched_bytes
from benchmarks.peers.frameworks import ALL_PEERS, OUT_PEERS, ways_of

_LARGE = (*names_of("bandwidth"), "range_f32", "range_i64", "range_i32")
_IN_CACHE = tuple([name for name in names_of("bandwidth") if CASES[name].sized])
_CACHE_SIZES = (256 * KIB, MIB, 4 * MIB)


def large(_setup: Setup) -> list[Job]:
    """Return large moves into the caller's output."""
    return [_job("large", name, OUT_PEERS) for name in _LARGE]


def fresh(_setup: Setup) -> list[Job]:
    """Return large moves into outputs that each call allocates, and drops before the next one."""
    return [_job("fresh", name, ALL_PEERS) for name in _LARGE]


def layouts(_setup: Setup) -> list[Job]:
    """Return other widths, layouts, strides, ranks and pads."""
    return [_job("layouts", name, OUT_PEERS) for name in names_of("layouts")]


def ranges(_setup: Setup) -> list[Job]:
    """Return ranges of each type, beside fills."""
    return [_job("ranges", name, OUT_PEERS) for name in names_of("ranges")]


def cache(_setup: Setup) -> list[Job]:
    """Return work whose output fits in the cache."""
    return [
        _job("cache", name, OUT_PEERS, output_bytes=size, suffix=f"_{shown_bytes(size)}")
        for name in _IN_CACHE
        for size in _CACHE_SIZES
    ]


def images(_setup: Setup) -> list[Job]:
    """Return moves of one image with one thread, then with all threads."""
    peers = ("numpy", "torch", "onnxruntime")
    return [
        _job("images", name, peers, threads=threads, suffix=suffix)
        for threads, suffix in ((1, "_1_thread"), (None, "_all_threads"))
        for name in names_of("images")
    ]


def _job(
    group: str,
    name: str,
    peers: tuple[str, ...],
    *,
    threads: int | None = None,
    output_bytes: int | None = None,
    suffix: str = "",
) -> Job:
    return Job(group, f"{name}{suffix}", partial(_run, group, name, f"{name}{suffix}", peers, output_bytes), threads)


def _run(group: str, name: str, row_name: str, peers: tuple[str, ...], output_bytes: int | None, setup: Setup) -> Row:
    """Return the row of a case: all contenders into one output of the caller's; in the group fresh, into their own."""
    case = CASES[name]
    work = create_work(case, case.small if setup.is_small else case.resized(output_bytes))
    row = Row(group, row_name, describe(work))
    outs = None if group == "fresh" else [np.empty(shape, work.dtype) for shape in work.shapes]
    names = (FASTOPS, *[peer for peer in peers if peer in setup.peers])
    ways = ways_of(names, work, outs, setup.threads, row)
    limits = (copies if work.outputs else fills)(touched_bytes(work), setup.threads)
    return race(row, ways, Expected(work.expected(), outs, work.data), setup, limits)


# Every tiny call is compared with a basic slice of an 8x8 float32 and the copy of it.
_SLICE = "x[1:7, ::2].copy()"


def latency(_setup: Setup) -> list[Job]:
    """Return tiny calls, and tiny calls of plans."""
    names = names_of("latency")
    jobs = [Job("latency", f"warm_{name}", partial(_run_tiny, name)) for name in names]
    return jobs + [Job("latency", f"plan_{name}", partial(_run_plan, name)) for name in names[:2]]


def _run_tiny(name: str, setup: Setup) -> Row:
    """Return the row of fastops' call, as one writes it, beside the fastest way of each library."""
    work = create_work(CASES[name], CASES[name].full)
    arguments = ["data"] * bool(work.outputs) + [f"{key}={value!r}" for key, value in work.attributes.items()]
    statement = f"{work.case.operator}({', '.join(arguments)})"
    row = Row("latency", f"warm_{name}", f"fastops.{statement}")
    samples = _samples_of_tiny(row, work, setup)
    names = {work.case.operator: getattr(fastops, work.case.operator), "data": work.data}
    samples[FASTOPS] = _statement_sample(statement, names, setup)
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _samples_of_tiny(row: Row, work: Work, setup: Setup) -> dict[str, Sample]:
    """Return the samples of the other libraries, and of NumPy's slice."""
    peers = tuple([name for name in ALL_PEERS if name in setup.peers])
    ways = ways_of((FASTOPS, *peers), work, None, setup.threads, row)
    expected = Expected(work.expected(), None, work.data)
    calls = {name: find_fastest(name, choices, expected, row) for name, choices in ways.items()}
    row.wrong = row.absent.get(FASTOPS, "")
    samples = samples_of({name: call for name, call in calls.items() if call is not None}, setup)
    return samples | {REFERENCE: _statement_sample(_SLICE, {"x": np.zeros((8, 8), np.float32)}, setup)}


def _run_plan(name: str, setup: Setup) -> Row:
    work = create_work(CASES[name], CASES[name].full)
    plan = getattr(fastops.plan, work.case.operator)(work.size.shape, **work.attributes)
    names: dict[str, Any] = {"plan": plan, "data": work.data, "out": np.zeros(work.shapes[0], work.dtype)}
    row = Row("latency", f"plan_{name}", "plan(data, out=out)")
    samples = {
        FASTOPS: _statement_sample("plan(data, out=out)", names, setup),
        REFERENCE: _statement_sample(_SLICE, {"x": np.zeros((8, 8), np.float32)}, setup),
    }
    if not np.array_equal(names["out"], work.expected()[0]):
        row.wrong = "another result than NumPy's"
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _statement_sample(statement: str, names: dict[str, Any], setup: Setup) -> Sample:
    """Return the sample of a statement, in a loop without the cost of a call around it."""
    timer = timeit.Timer(statement, globals=names)
    # The first run may load kernels, which takes longer than a sample.
    timer.timeit(1)
    number = 1
    while timer.timeit(number) < setup.effort.sample_seconds:
        number *= 2
    return lambda: timer.timeit(number) / number
