"""The groups whose rows are calls of single operators, beside other libraries and the limit.

Rows are cases in many sizes, tiny calls, pads of arrays and tensors, calls on dask arrays, and the costs of a process.
"""

from __future__ import annotations

import tempfile
import timeit
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from asv_gate.timing import Effort, Sample, interleaved_medians

import fastops
from benchmarks.cases import CASES, KIB, MIB, RANDOM_KINDS, Size, names_of, shown_bytes
from benchmarks.limits import copies, fills
from benchmarks.peers._race import Expected, Job, Setup, find_fastest, is_quick, prepared, race, samples_of
from benchmarks.peers._report import FASTOPS, REFERENCE, Row
from benchmarks.peers._work import Work, create_work, describe, touched_bytes
from benchmarks.peers.frameworks import ALL_PEERS, OUT_PEERS, ways_of
from benchmarks.processes import FIRST_CALLS, first_call_seconds, output_of, output_with_benchmarks, seconds_of

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
    """Return the row of a case: all contenders write into one output; in the group fresh, each allocates its own."""
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
    """Return the row of fastops' call, as users write it, beside the fastest way of each library."""
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


_ARRAYS = ((8, 8), (3, 256, 256), (16, 3, 512, 512))
_TENSORS = ((1, 1, 8, 8), (4, 3, 64, 64), (1, 3, 224, 224), (8, 3, 224, 224), (16, 3, 512, 512))
_ARRAY_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
_TENSOR_MODES = ("constant", "reflect", "replicate", "circular")
_PAD = 2


def pads(setup: Setup) -> list[Job]:
    """Return each pad whose library takes part, with fresh results."""
    jobs = []
    for peer, how, shapes, modes in (
        ("numpy", "np.pad", _ARRAYS, _ARRAY_MODES),
        ("torch", "F.pad", _TENSORS, _TENSOR_MODES),
    ):
        for shape, dtype, mode in product(shapes, ("uint8", "float32"), modes):
            name = f"{how} {'x'.join(map(str, shape))} {dtype} {mode}"
            jobs += [Job("pads", name, partial(_run_pad, name, peer, shape, dtype, mode))] * (peer in setup.peers)
    return jobs


def _run_pad(name: str, peer: str, shape: tuple[int, ...], dtype: str, mode: str, setup: Setup) -> Row:
    data: Any = np.resize(np.arange(251, dtype=dtype), shape)
    widths: Any = [(0, 0)] * (len(shape) - 2) + [(_PAD, _PAD)] * 2
    own, theirs = fastops.numpy.pad, np.pad
    if peer == "torch":
        data, widths = import_module("torch").from_numpy(data), (_PAD,) * 4
        own, theirs = fastops.torch.pad, import_module("torch.nn.functional").pad
    calls = {contender: partial(pad, data, widths, mode) for contender, pad in ((FASTOPS, own), (peer, theirs))}
    ways = {contender: [prepared("pad", call)] for contender, call in calls.items()}
    return race(Row("pads", name, f"pad, {mode}"), ways, Expected([np.asarray(calls[peer]())]), setup)


# On arrays of dask of float32: the shape, the chunks, the call of fastops, and that of dask.array.
_FLAT, _SOLID = ((4096, 4096), (512, 512)), ((256, 256, 256), (64, 64, 128))
_CHUNKED: Mapping[str, tuple[tuple[int, ...], tuple[int, ...], Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "pad_reflect_10": (
        *_FLAT,
        lambda a: fastops.numpy.pad(a, 10, "reflect"),
        lambda da, a: da.pad(a, 10, mode="reflect"),
    ),
    "pad_constant_10": (*_FLAT, lambda a: fastops.numpy.pad(a, 10), lambda da, a: da.pad(a, 10)),
    "pad_symmetric_3d_8": (
        *_SOLID,
        lambda a: fastops.numpy.pad(a, 8, "symmetric"),
        lambda da, a: da.pad(a, 8, mode="symmetric"),
    ),
    "roll": (*_FLAT, lambda a: fastops.numpy.roll(a, (3, 7), (0, 1)), lambda da, a: da.roll(a, (3, 7), (0, 1))),
    "flip": (*_FLAT, fastops.numpy.flip, lambda da, a: da.flip(a)),
    "transpose": (*_FLAT, fastops.numpy.transpose, lambda da, a: da.transpose(a)),
    "every_2nd_backwards": (
        *_FLAT,
        lambda a: fastops.numpy.take_slice(a, (slice(None, None, -2),) * 2),
        lambda _, a: a[::-2, ::-2],
    ),
    "crop_then_pad_reflect_10": (
        *_FLAT,
        lambda a: fastops.numpy.pad(fastops.numpy.take_slice(a, (slice(100, -96),) * 2), 10, "reflect"),
        lambda da, a: da.pad(a[100:-96, 100:-96], 10, mode="reflect"),
    ),
    "repeat_2": (*_FLAT, lambda a: fastops.numpy.repeat(a, 2, 0), lambda da, a: da.repeat(a, 2, 0)),
}


def chunks(setup: Setup) -> list[Job]:
    """Return two jobs for each call: one computes it and so puts the chunks together, and one persists it."""
    names = product(("compute", "persist"), _CHUNKED if "dask" in setup.peers else ())
    return [Job("chunks", f"{name}_{way}", partial(_run_chunked, name, way)) for way, name in names]


def _run_chunked(name: str, way: str, setup: Setup) -> Row:
    dask, da = import_module("dask"), import_module("dask.array")
    whole, chunk, own, theirs = _CHUNKED[name]
    shape = tuple([n // 8 if setup.is_small else n for n in whole])
    with ThreadPoolExecutor(setup.threads) as pool, dask.config.set(scheduler="threads", pool=pool):
        source = da.from_array(np.random.default_rng(0).random(shape, np.float32), chunks=chunk).persist()
        calls = {FASTOPS: partial(own, source), "dask": partial(theirs, da, source)}
        # The graph is made and run in each call.
        ways = {who: [prepared(way, partial(lambda call: getattr(call(), way)(), call))] for who, call in calls.items()}
        expected = Expected([theirs(da, source).compute()])
        return race(Row("chunks", f"{name}_{way}", f"float32 {shape} in chunks of {chunk}"), ways, expected, setup)


# Large cases, each with outputs of its full size and of three times as much.
_CASES = ("crop_f32", "horizontal_flip_f32", "bgr_to_rgb_u8", "pad_reflect_f32", "qkv_split_f32")

#: The rows of the groups start and memory.
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
    # The import loads only names, so the statement also asks for a function.
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
