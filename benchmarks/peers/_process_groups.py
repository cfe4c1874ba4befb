"""Rows that need new processes: the cost of a start, and memory beyond input and output."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from asv_gate.timing import Effort, interleaved_medians

from benchmarks.cases import CASES, RANDOM_KINDS, Size
from benchmarks.peers._race import Job, Setup, is_quick
from benchmarks.peers._report import FASTOPS, REFERENCE, Row
from benchmarks.processes import FIRST_CALLS, first_call_seconds, output_of, output_with_benchmarks, seconds_of

# Large cases, each with outputs of its full size and of three times as much.
_CASES = ("crop_f32", "horizontal_flip_f32", "bgr_to_rgb_u8", "pad_reflect_f32", "qkv_split_f32")

#: The rows of both groups.
START = ("import", "first_gather_cold", *[f"first_{kernel}_warm" for kernel in FIRST_CALLS])
MEMORY = (*[f"{name}_x{times}" for name in _CASES for times in (1, 3)], *[f"different_{kind}" for kind in RANDOM_KINDS])


def start(_setup: Setup) -> list[Job]:
    """Return the import, and first calls with and without compiled kernels."""
    return [Job("start", name, partial(_run_first, name) if name != "import" else _run_import) for name in START]


def memory(_setup: Setup) -> list[Job]:
    """Return the memory of large calls beyond input and output, and the memory that many different calls keep."""
    return [Job("memory", name, partial(_run_memory, name)) for name in MEMORY]


def _effort(setup: Setup) -> Effort:
    """Return the effort of samples that are processes."""
    return Effort(1 if is_quick(setup) else 7, 0.0, 0.0, 0.0)


def _run_import(setup: Setup) -> Row:
    # The package loads nothing but its names, so that a function is asked for too.
    row = Row("start", "import", "import fastops and a function, beside import numpy")
    row.how = {FASTOPS: "import fastops; fastops.slice", REFERENCE: "import numpy"}
    samples = {name: partial(seconds_of, statement, "") for name, statement in row.how.items()}
    row.values = interleaved_medians(samples, _effort(setup))
    loaded = output_of("import sys, fastops; print(*sorted({'numba', 'ml_dtypes'} & set(sys.modules)))").split()
    row.wrong = f"loads {' and '.join(loaded)}" if loaded else ""
    return row


def _run_first(name: str, setup: Setup) -> Row:
    """Return the row of a process's first call: its kernels are compiled into an empty cache, or loaded."""
    kernel = name.split("_")[1]
    row = Row("start", name, FIRST_CALLS[kernel])
    if name.endswith("warm"):
        first_call_seconds(kernel)
        row.values = interleaved_medians({FASTOPS: partial(first_call_seconds, kernel)}, _effort(setup))
        return row
    seconds = []
    for _ in range(1 if is_quick(setup) else 3):
        with tempfile.TemporaryDirectory(prefix="fastops-peers-") as directory:
            seconds.append(first_call_seconds(kernel, Path(directory)))
    row.values = {FASTOPS: median(seconds)}
    return row


def _run_memory(name: str, setup: Setup) -> Row:
    row = Row("memory", name, "growth of the peak of resident memory", "bytes")
    if name.startswith("different_"):
        count = 1_000 if is_quick(setup) else 100_000
        call = f"growth_of_random_calls({name.removeprefix('different_')!r}, {count})"
    else:
        case, times = name.rsplit("_x", 1)
        full = CASES[case].full
        size = CASES[case].small if setup.is_small else Size((full.shape[0] * int(times), *full.shape[1:]), full.amount)
        call = f"growth_of_large_call(CASES[{case!r}], {size})"
    program = f"from benchmarks.cases import CASES, Size; from benchmarks.processes import *; print({call})"
    row.values = {FASTOPS: float(output_with_benchmarks(program))}
    return row
