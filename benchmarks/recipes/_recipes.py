"""The recipes of images and of tensors, beside code without fastops."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import fastops as fo
from benchmarks.cases import WINDOWS_CASES, padded_copies
from benchmarks.recipes import FASTOPS, Case, Ways

Array = NDArray[Any]


@contextmanager
def _patches() -> Iterator[Ways]:
    drawn = WINDOWS_CASES["windows_beyond_u8"].draw(False)
    yield {
        FASTOPS: partial(fo.windows, drawn.data, drawn.starts, **drawn.arguments),
        "np.pad of the image, np.stack": partial(padded_copies, drawn),
    }


@contextmanager
def _compiled() -> Iterator[Ways]:
    from numba import njit

    @njit
    def ours(frames: Any) -> Any:
        result = np.empty(frames.shape, np.float32)
        for n in range(len(frames)):
            padded = fo.numpy.pad(frames[n], 1, "edge")
            for y in range(frames.shape[1]):
                for x in range(frames.shape[2]):
                    down = padded[y + 2, x + 1] - padded[y, x + 1]
                    right = padded[y + 1, x + 2] - padded[y + 1, x]
                    result[n, y, x] = np.sqrt(down * down + right * right)
        return result

    @njit
    def theirs(frames: Any) -> Any:
        result = np.empty(frames.shape, np.float32)
        rows, columns = frames.shape[1:]
        for n in range(len(frames)):
            frame = frames[n]
            for y in range(rows):
                for x in range(columns):
                    down = frame[min(y + 1, rows - 1), x] - frame[max(y - 1, 0), x]
                    right = frame[y, min(x + 1, columns - 1)] - frame[y, max(x - 1, 0)]
                    result[n, y, x] = np.sqrt(down * down + right * right)
        return result

    frames = np.random.default_rng(0).random((4, 512, 512), np.float32)
    yield {FASTOPS: lambda: ours(frames), "clamped indices": lambda: theirs(frames)}


_VOLUMES = ((2, 120, 224, 208), (2, 96, 256, 240))
_PATCH = (96, 128, 128)


def load(scans: Sequence[Array], labels: Sequence[Array], starts: Array) -> tuple[Array, Array]:
    """Return a batch of patches and a batch of their labels; labels beyond a scan are -1."""
    of_scans = fo.windows(scans, starts, _PATCH, axes=(1, 2, 3), mode="fill")
    return of_scans, fo.windows(labels, starts, _PATCH, axes=(1, 2, 3), mode="fill", fill_value=-1)


def load_by_numpy(scans: Sequence[Array], labels: Sequence[Array], starts: Array) -> tuple[Array, Array]:
    """Return the same by the steps of nnU-Net's loader: clip the box, slice it, pad the slice, copy it to the batch."""
    n = len(scans)
    batches = (
        np.empty((n, scans[0].shape[0], *_PATCH), scans[0].dtype),
        np.empty((n, labels[0].shape[0], *_PATCH), labels[0].dtype),
    )
    for batch, arrays, value in zip(batches, (scans, labels), (0, -1), strict=True):
        for i, (array, start) in enumerate(zip(arrays, starts, strict=True)):
            shape = np.array(array.shape[1:])
            low, high = np.maximum(start, 0), np.minimum(start + _PATCH, shape)
            inside = array[:, low[0] : high[0], low[1] : high[1], low[2] : high[2]]
            pads = [(0, 0), *zip(low - start, start + _PATCH - high, strict=True)]
            batch[i] = np.pad(inside, pads, "constant", constant_values=value)
    return batches


@contextmanager
def _volumes() -> Iterator[Ways]:
    rng = np.random.default_rng(0)
    starts = np.array([[10, 40, 60], [-20, 150, -30]])
    with TemporaryDirectory() as folder:
        scans, labels = [], []
        for i, (channels, *shape) in enumerate(_VOLUMES):
            for name, made, found in (
                ("scan", rng.random((channels, *shape), np.float32), scans),
                ("labels", rng.integers(0, 4, (1, *shape)).astype(np.int8), labels),
            ):
                path = Path(folder) / f"{name}{i}.npy"
                np.save(path, made)
                found.append(np.load(path, mmap_mode="r"))
        yield {
            FASTOPS: lambda: list(load(scans, labels, starts)),
            "clip, slice, np.pad, copy": lambda: list(load_by_numpy(scans, labels, starts)),
        }


IMAGES = (
    Case("patches", "256 patches of 64 x 64 x 3 of a 1080p image, some beyond its edges", _patches),
    Case("compiled", "Edges in 4 frames of 512 x 512 float32, in @njit", _compiled),
    Case(
        "volumes",
        "a batch of 2 patches of 2 x 96 x 128 x 128 float32 and of their int8 labels, from memory-mapped volumes; "
        "one patch reaches beyond its volume",
        _volumes,
    ),
)


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

TENSORS = (
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
