"""A machine that is shared: all threads beside one, next to a busy process and in a pool of processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from statistics import fmean, median

import numba

from benchmarks.cases import CASES
from benchmarks.measure.machine import core_count
from benchmarks.measure.pools import seconds_of_a_pad
from benchmarks.measure.processes import busy_cores, output_with_benchmarks
from benchmarks.measure.timing import PAUSE_SECONDS, QUICK
from benchmarks.peers._contest import describe
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._work import create_work

# A pad of one image, and one of a batch.
_CASES = ("image_pad_reflect_16_chw_f16", "pad_reflect_f32")

# Where all threads must be as fast on TBB as on OpenMP.
_QUIET_CASES = ("pad_reflect_f32_4MiB", "pad_reflect_f32")
_QUIET_BYTES = {"pad_reflect_f32_4MiB": 4 << 20}
_LAYERS = ("tbb", "omp")

# How long all threads and one take turns, and for how long each time: long enough for the system to let another process
# have the core meanwhile.
_SECONDS, _TURN_SECONDS = 8.0, 0.15

# A row of processes takes the median of so many turns.
_TURNS = 3


def shared(_setup: Setup) -> list[Job]:
    """Return means beside a busy process, the layers of threads on a quiet machine, and a pool of processes."""
    jobs = [Job("shared", f"beside_busy_{name}", partial(_beside_busy, name)) for name in _CASES]
    jobs += [Job("shared", f"quiet_{name}", partial(_quiet, name)) for name in _QUIET_CASES]
    return [*jobs, Job("shared", "pool_of_processes", _pool)]


def _beside_busy(name: str, setup: Setup) -> Row:
    work = create_work(CASES[name], setup.size_of(CASES[name]))
    row = Row("shared", f"beside_busy_{name}", f"mean of {describe(work)}", asked={"times_reference": 1.5})
    row.how = {FASTOPS: f"{setup.threads} threads, {core_count() - 1} busy", REFERENCE: "1 thread, likewise"}
    call = CASES[name].call(__import__("fastops"), setup.size_of(CASES[name]))
    out = call()
    with busy_cores(max(core_count() - 1, 1)):
        means = _means_in_turns(partial(call, out=out), (setup.threads, 1), 0.3 if setup.effort is QUICK else _SECONDS)
    numba.set_num_threads(setup.threads)
    row.values = {FASTOPS: means[0], REFERENCE: means[1]}
    return row


def _means_in_turns(call: Callable[[], object], counts: tuple[int, ...], seconds: float) -> list[float]:
    """Return the mean seconds of a call with each number of threads."""
    taken: list[list[float]] = [[] for _ in counts]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for count, values in zip(counts, taken, strict=True):
            numba.set_num_threads(count)
            time.sleep(PAUSE_SECONDS)
            call()
            until = time.perf_counter() + _TURN_SECONDS
            now = 0.0
            while now < until:
                start = time.perf_counter()
                call()
                now = time.perf_counter()
                values.append(now - start)
    return [fmean(values) for values in taken]


def _quiet(name: str, setup: Setup) -> Row:
    row = Row("shared", f"quiet_{name}", "all threads, nothing else running", asked={"times_reference": 1.1})
    row.how = {FASTOPS: "Numba's layer tbb", REFERENCE: "Numba's layer omp"}
    case = name.removesuffix("_4MiB")
    arguments = f"{case!r}, {_QUIET_BYTES.get(name, 0)}, {setup.threads}, {setup.is_small}"
    program = f"from benchmarks.peers._shared_group import print_seconds as p; p({arguments})"
    seconds: dict[str, list[float]] = {layer: [] for layer in _LAYERS}
    for _ in range(1 if setup.effort is QUICK else _TURNS):
        for layer, values in seconds.items():
            values.append(float(output_with_benchmarks(program, variables={"NUMBA_THREADING_LAYER": layer})))
    row.values = {FASTOPS: median(seconds["tbb"]), REFERENCE: median(seconds["omp"])}
    return row


def print_seconds(name: str, output_bytes: int, threads: int, is_small: bool) -> None:
    """Print the median seconds of a case in this process, of turns with a pause and an untimed call before each."""
    import fastops

    case = CASES[name]
    size = case.small if is_small else case.resized(output_bytes) if output_bytes else case.full
    call = case.call(fastops, size)
    out = call()
    numba.set_num_threads(threads)
    taken = []
    for _ in range(100):
        time.sleep(PAUSE_SECONDS)
        call(out=out)
        start = time.perf_counter()
        for _ in range(5):
            call(out=out)
        taken.append((time.perf_counter() - start) / 5)
    print(median(taken))


def _pool(setup: Setup) -> Row:
    what = f"a pad of 400x400x3 u8 in each of {core_count()} processes at once"
    row = Row("shared", "pool_of_processes", what, asked={"times_reference": 1 / 0.9})
    row.how = {FASTOPS: "threads as they are", REFERENCE: "NUMBA_NUM_THREADS=1"}
    is_quick = setup.effort is QUICK
    taken: dict[str, list[float]] = {FASTOPS: [], REFERENCE: []}
    for _ in range(1 if is_quick else _TURNS):
        for contender, threads in ((FASTOPS, None), (REFERENCE, 1)):
            taken[contender].append(seconds_of_a_pad(0.3 if is_quick else 2.0, threads))
    row.values = {contender: median(values) for contender, values in taken.items()}
    return row
