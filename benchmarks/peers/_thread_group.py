"""Threads against one: how much they gain in the cache, and that they lose nowhere."""

from __future__ import annotations

from functools import partial

import numba
import numpy as np

from benchmarks.cases import CASES, KIB, MIB, shown_bytes
from benchmarks.measure.timing import Call, Sample, calls_per_sample, interleaved_medians, sample_of
from benchmarks.peers._case_groups import IN_CACHE
from benchmarks.peers._contest import describe
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._work import create_work

_GAIN_SIZES = (MIB, 4 * MIB)
_SWEPT = ("crop_f32", "pad_reflect_f32")
_SWEEP_SIZES = tuple(KIB << k for k in range(17))

# What is meant to be equal is up to 5 % off by chance.
_GAIN, _NO_LOSS = 1.7, 0.95


def threads(setup: Setup) -> list[Job]:
    """Return work in the cache, then sizes from 1 KiB to 64 MiB."""
    gains = [(name, size, _GAIN) for name in IN_CACHE for size in _GAIN_SIZES]
    sweep = [(name, size, _NO_LOSS) for name in _SWEPT for size in _SWEEP_SIZES]
    rows = [*gains[:1], *sweep[:1]] if setup.is_small else gains + sweep
    return [
        Job("threads", _row_name(name, size, least), partial(_run, name, size, least)) for name, size, least in rows
    ]


def _row_name(name: str, size: int, least: float) -> str:
    return f"{'gain' if least == _GAIN else 'sweep'}_{name}_{shown_bytes(size)}"


def _run(name: str, size: int, least: float, setup: Setup) -> Row:
    work = create_work(CASES[name], CASES[name].resized(size))
    row = Row("threads", _row_name(name, size, least), describe(work), asked={"speedup": least})
    row.how = {FASTOPS: f"{setup.threads} threads", REFERENCE: "1 thread"}
    outs = [np.zeros(shape, work.dtype) for shape in work.shapes]
    (recipe,) = setup.framework(FASTOPS).out_recipes(work, outs)
    call = recipe.build()
    samples = {
        FASTOPS: _sample_with(setup.threads, call, setup),
        REFERENCE: _sample_with(1, call, setup),
    }
    try:
        row.values = interleaved_medians(samples, setup.effort)
    finally:
        numba.set_num_threads(setup.threads)
    return row


def _sample_with(count: int, call: Call, setup: Setup) -> Sample:
    """Return the sample of a call with so many threads, which are set outside of what is timed."""
    numba.set_num_threads(count)
    sample = sample_of(call, calls_per_sample(call, setup.effort.sample_seconds))

    def run() -> float:
        numba.set_num_threads(count)
        return sample()

    return run
