"""What only new processes show: the cost of a start, and memory."""

from __future__ import annotations

import tempfile
from functools import cache, partial
from pathlib import Path
from statistics import median

from benchmarks.cases import CASES, Size
from benchmarks.measure.processes import (
    FIRST_CALLS,
    first_call_seconds,
    output_of,
    output_with_benchmarks,
    seconds_of,
)
from benchmarks.measure.timing import QUICK, Effort, interleaved_medians
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup

# Cold starts take seconds, which vary by far less than the bar is away from.
_COLD_PROCESSES = 3

_MEMORY_CASES = ("crop_f32", "horizontal_flip_f32", "bgr_to_rgb_u8", "pad_reflect_f32", "qkv_split_f32")
_LENGTHS = (1, 3)


def start(_setup: Setup) -> list[Job]:
    """Return the import, and first calls with and without compiled kernels."""
    jobs = [Job("start", "import", _import)]
    jobs += [Job("start", f"first_{kernel}_cold", partial(_cold, kernel)) for kernel in FIRST_CALLS]
    return jobs + [Job("start", f"first_{kernel}_warm", partial(_warm, kernel)) for kernel in FIRST_CALLS]


def memory(_setup: Setup) -> list[Job]:
    """Return what large calls take beyond input and output, at two sizes each."""
    return [
        Job("memory", f"{name}_x{times}", partial(_memory, name, times)) for name in _MEMORY_CASES for times in _LENGTHS
    ]


def _processes(effort: Effort) -> Effort:
    """Return the effort of samples that are processes."""
    return Effort(effort.processes, 0.0, 0.0, 0.0)


def _import(setup: Setup) -> Row:
    row = Row("start", "import", "import fastops and a function, beside import numpy", asked={"over_reference": 0.015})
    # The package loads nothing but its names, so that a function is asked for too.
    row.how = {FASTOPS: "import fastops; fastops.slice", REFERENCE: "import numpy"}
    samples = {
        FASTOPS: partial(seconds_of, "import fastops; fastops.slice", ""),
        REFERENCE: partial(seconds_of, "import numpy", ""),
    }
    row.values = interleaved_medians(samples, _processes(setup.effort))
    loaded = output_of("import sys, fastops; print(*sorted({'numba', 'ml_dtypes'} & set(sys.modules)))").split()
    if loaded:
        row.wrong = f"loads {' and '.join(loaded)}"
    return row


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Return a directory for caches of kernels, which is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="fastops-peers-")


def _warm_cache(kernel: str) -> Path:
    return Path(_scratch().name) / f"{kernel}-warm"


def _cold(kernel: str, setup: Setup) -> Row:
    row = Row("start", f"first_{kernel}_cold", f"first call of {kernel}, compiled", asked={"seconds": 15.0})
    row.how[FASTOPS] = FIRST_CALLS[kernel]
    count = 1 if setup.effort is QUICK else _COLD_PROCESSES
    # The first one fills the cache that `_warm` uses, unless that was before.
    caches = [_warm_cache(kernel), *[Path(_scratch().name) / f"{kernel}-{i}" for i in range(count)]]
    if caches[0].exists():
        del caches[0]
    row.values = {FASTOPS: median(first_call_seconds(kernel, each) for each in caches[:count])}
    return row


def _warm(kernel: str, setup: Setup) -> Row:
    row = Row("start", f"first_{kernel}_warm", f"first call of {kernel}, from the cache", asked={"seconds": 0.4})
    row.how[FASTOPS] = FIRST_CALLS[kernel]
    directory = _warm_cache(kernel)
    first_call_seconds(kernel, directory)
    samples = {FASTOPS: partial(first_call_seconds, kernel, directory)}
    row.values = interleaved_medians(samples, _processes(setup.effort))
    return row


def _memory(name: str, times: int, setup: Setup) -> Row:
    what = f"memory beyond input and output of {name}, {times} times as long"
    row = Row("memory", f"{name}_x{times}", what, "bytes", asked={"bytes": 2**20})
    if setup.is_small:
        times = 1
    full = CASES[name].full
    size = Size((full.shape[0] * times, *full.shape[1:]), full.amount)
    program = (
        "from benchmarks.cases import CASES, Size; from benchmarks.measure.growth import growth_of_large_call as grow; "
        f"print(grow(CASES[{name!r}], {size}))"
    )
    row.values = {FASTOPS: float(output_with_benchmarks(program))}
    return row
