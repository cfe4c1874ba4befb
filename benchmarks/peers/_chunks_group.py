"""Arrays of dask: functions of fastops on them, beside those of `dask.array`, with as many threads of dask's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import fastops
from benchmarks.measure.timing import interleaved_medians
from benchmarks.peers._contest import samples_of
from benchmarks.peers._rows import FASTOPS, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks._base import LazyModule

dask: Any = LazyModule("dask")
da: Any = LazyModule("dask.array")


class _Case(NamedTuple):
    """A call of both libraries on one array of float32.

    Attributes
    ----------
    shape, chunks : tuple of int
        Of the array, and lengths of its chunks.
    ours, theirs : callable
        Return the result of an array of dask.
    asked : float or None
        How many times as fast as dask it is asked to be.
    """

    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any]
    asked: float | None = None


_FLAT, _SOLID = ((4096, 4096), (512, 512)), ((256, 256, 256), (64, 64, 128))

_CASES: Mapping[str, _Case] = {
    "pad_reflect_10": _Case(
        *_FLAT, lambda a: fastops.numpy.pad(a, 10, "reflect"), lambda a: da.pad(a, 10, mode="reflect"), 1.0
    ),
    "pad_constant_10": _Case(*_FLAT, lambda a: fastops.numpy.pad(a, 10), lambda a: da.pad(a, 10)),
    "pad_symmetric_3d_8": _Case(
        *_SOLID, lambda a: fastops.numpy.pad(a, 8, "symmetric"), lambda a: da.pad(a, 8, mode="symmetric"), 1.0
    ),
    "roll": _Case(*_FLAT, lambda a: fastops.numpy.roll(a, (3, 7), (0, 1)), lambda a: da.roll(a, (3, 7), (0, 1)), 1.0),
    "flip": _Case(*_FLAT, fastops.numpy.flip, lambda a: da.flip(a)),
    "transpose": _Case(*_FLAT, fastops.numpy.transpose, lambda a: da.transpose(a)),
    "every_2nd_backwards": _Case(
        *_FLAT,
        lambda a: fastops.numpy.take_slice(a, (slice(None, None, -2),) * 2),
        lambda a: a[::-2, ::-2],
    ),
    "crop_then_pad_reflect_10": _Case(
        *_FLAT,
        lambda a: fastops.numpy.pad(fastops.numpy.take_slice(a, (slice(100, -96),) * 2), 10, "reflect"),
        lambda a: da.pad(a[100:-96, 100:-96], 10, mode="reflect"),
    ),
    "repeat_2": _Case(*_FLAT, lambda a: fastops.numpy.repeat(a, 2, 0), lambda a: da.repeat(a, 2, 0)),
}

_WAYS = ("compute", "persist")


def chunks(_setup: Setup) -> list[Job]:
    """Return each call computed, which puts the chunks together in the end, and persisted, which does not."""
    return [Job("chunks", f"{name}_{way}", partial(_run, name, way)) for way in _WAYS for name in _CASES]


def _run(name: str, way: str, setup: Setup) -> Row:
    case = _CASES[name]
    shape = tuple([n // 8 if setup.is_small else n for n in case.shape])
    row = Row("chunks", f"{name}_{way}", f"float32 {shape} in chunks of {case.chunks}")
    row.asked = {} if case.asked is None else {"best_peer": case.asked}
    if find_spec("dask") is None:
        row.absent["dask"] = "not installed"
        return row
    setup.framework(FASTOPS)
    with ThreadPoolExecutor(setup.threads) as pool, dask.config.set(scheduler="threads", pool=pool):
        data = np.random.default_rng(0).random(shape, np.float32)
        source = da.from_array(data, chunks=case.chunks).persist()
        calls: dict[str, Callable[[], object]] = {}
        for contender, call in ((FASTOPS, case.ours), ("dask", case.theirs)):
            result = call(source)
            row.how[contender] = (
                f"{len(result.__dask_graph__()) - source.npartitions} tasks, {result.npartitions} chunks"
            )
            calls[contender] = partial(_compute, call, source, way)
        if not np.array_equal(case.ours(source).compute(), case.theirs(source).compute()):
            row.wrong = "another result than dask's"
        row.values = interleaved_medians(samples_of(calls, setup), setup.effort)
    return row


def _compute(call: Callable[[Any], Any], source: Any, way: str) -> object:
    """Make the graph of a call, and run it."""
    return getattr(call(source), way)()
