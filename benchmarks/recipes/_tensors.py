"""Frames of a signal, key-value caches, models, and arrays of dask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import fastops as fo
from benchmarks.recipes import FASTOPS, Case, Ways

Array = NDArray[Any]

_LENGTH, _HOP = 2048, 512


def _frames(signal: Array) -> Array:
    return fo.frame(signal, _LENGTH, _HOP, axis=0, center=True)


def _frames_by_numpy(signal: Array) -> Array:
    padded = np.pad(signal, _LENGTH // 2, "reflect")
    return sliding_window_view(padded, _LENGTH)[::_HOP].copy()


def _stft(frames: Callable[[Array], Array]) -> Callable[[Array], Array]:
    window = np.hanning(_LENGTH + 1)[:-1].astype(np.float32)
    return lambda signal: np.fft.rfft(frames(signal) * window)


def _signal(ours: Callable[[Array], Array], how: str, theirs: Callable[[Array], Array]) -> Any:
    @contextmanager
    def opened() -> Iterator[Ways]:
        signal = np.random.default_rng(0).standard_normal(480_000, np.float32)
        yield {FASTOPS: lambda: ours(signal), how: lambda: theirs(signal)}

    return opened


@contextmanager
def _split() -> Iterator[Ways]:
    projected = np.random.default_rng(0).random((8, 1024, 3072), np.float32)
    yield {
        FASTOPS: lambda: fo.variadic_split(projected, -1, [1024, 1024, 1024]),
        "np.split, copies": lambda: [part.copy() for part in np.split(projected, 3, -1)],
    }


@contextmanager
def _window() -> Iterator[Ways]:
    cache = np.random.default_rng(0).random((2, 32, 4096, 128), np.float32).astype(np.float16)
    outs = [np.empty((2, 32, 1024, 128), np.float16) for _ in range(2)]

    def theirs() -> Array:
        np.copyto(outs[1], cache[:, :, 3072:])
        return outs[1]

    yield {FASTOPS: lambda: fo.slice(cache, [3072], [1024], axes=[2], out=outs[0]), "np.copyto": theirs}


@contextmanager
def _pages() -> Iterator[Ways]:
    rng = np.random.default_rng(0)
    pages = rng.random((1024, 16, 8, 128), np.float32)
    table = rng.permutation(1024)[:64]
    whole = np.zeros((len(table), 0), int)
    outs = [np.empty((len(table), 16, 8, 128), np.float32) for _ in range(2)]
    yield {
        FASTOPS: lambda: fo.windows(pages, whole, [], axes=[], items=table, out=outs[0]),
        "np.take": lambda: np.take(pages, table, 0, out=outs[1], mode="clip"),
    }


@contextmanager
def _model() -> Iterator[Ways]:
    from onnx.parser import parse_model
    from onnx.reference import ReferenceEvaluator

    model = parse_model("""
        <ir_version: 10, opset_import: ["" : 21]>
        tiles (float[1, 3, 512, 512] image) => (float[1, 48, 130, 130] out)
        <int64[4] pads = {4, 4, 4, 4}, int64[2] axes = {2, 3}> {
            padded = Pad <mode = "reflect"> (image, pads, , axes)
            out = SpaceToDepth <blocksize = 4> (padded)
        }
    """)
    inputs = {"image": np.random.default_rng(0).random((1, 3, 512, 512), np.float32)}
    ours, theirs = ReferenceEvaluator(model, new_ops=fo.onnx.reference_ops()), ReferenceEvaluator(model)
    yield {FASTOPS: lambda: ours.run(None, inputs), "onnx's own operators": lambda: theirs.run(None, inputs)}


@contextmanager
def _layer() -> Iterator[Ways]:
    ports = "".join(f'<port id="{n}"><dim>4</dim></port>' for n in (1, 2, 3))
    layer = fo.openvino.from_ir(f"""
        <layer id="1" name="flip" type="StridedSlice" version="opset1">
            <data begin_mask="1,1,1,0" end_mask="1,1,1,0" new_axis_mask="" shrink_axis_mask="" ellipsis_mask=""/>
            <input>
                <port id="0"><dim>8</dim><dim>3</dim><dim>512</dim><dim>512</dim></port>{ports}
            </input>
            <output><port id="4"><dim>8</dim><dim>3</dim><dim>256</dim><dim>256</dim></port></output>
        </layer>
    """)
    data = np.random.default_rng(0).random((8, 3, 512, 512), np.float32)
    yield {
        FASTOPS: lambda: layer(data, [0, 0, 0, 511], [0, 0, 0, -513], [1, 1, 2, -2]),
        "a copy of NumPy's slice": lambda: data[:, :, ::2, ::-2].copy(),
    }


@contextmanager
def _chunked() -> Iterator[Ways]:
    import dask
    import dask.array as da

    data = np.random.default_rng(0).random((4096, 4096), np.float32)
    source = da.from_array(data, chunks=512)
    with dask.config.set(scheduler="threads"):
        yield {
            FASTOPS: lambda: fo.numpy.pad(source, 10, "reflect").compute(),
            "dask.array.pad": lambda: da.pad(source, 10, mode="reflect").compute(),
        }


_FRAMED = "10 s at 48 kHz, frames of 2048, every 512, centered"

CASES = (
    Case("chunked", "4096 x 4096 float32 in chunks of 512 x 512, padded by 10, reflect", _chunked, ("dask",)),
    Case("stft", f"{_FRAMED}: the frames", _signal(_frames, "np.pad, a copy of views", _frames_by_numpy)),
    Case(
        "stft",
        f"{_FRAMED}: the whole transform, by np.fft.rfft",
        _signal(_stft(_frames), "the same with np.pad", _stft(_frames_by_numpy)),
    ),
    Case("kv_cache", "Query, key and value of 8 x 1024 x 3072 float32", _split),
    Case("kv_cache", "The last 1024 of 4096 tokens, 2 x 32 x 4096 x 128 float16", _window),
    Case("kv_cache", "64 pages of 64 KiB", _pages),
    Case("onnx_model", "A reflecting pad by 4 and SpaceToDepth of 3 x 512 x 512 float32", _model, ("onnx",)),
    Case(
        "openvino_ir",
        "StridedSlice of 8 x 3 x 512 x 512 float32: every second row and column, mirrored",
        _layer,
        ("defusedxml",),
    ),
)
