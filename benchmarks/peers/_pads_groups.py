"""np.pad and F.pad by two elements on each side of two axes; and functions on arrays of dask beside dask's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np

import fastops
from benchmarks.peers._race import Expected, Job, Setup, prepared, race
from benchmarks.peers._report import FASTOPS, Row

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
