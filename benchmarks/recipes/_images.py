"""Images and volumes: patches of images and of scans in files, and code that users compile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
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


CASES = (
    Case("patches", "256 patches of 64 x 64 x 3 of a 1080p image, some beyond its edges", _patches),
    Case("compiled", "Edges in 4 frames of 512 x 512 float32, in @njit", _compiled),
    Case(
        "volumes",
        "a batch of 2 patches of 2 x 96 x 128 x 128 float32, and their labels of int8, of volumes that are mapped, "
        "one of them beyond its volume",
        _volumes,
    ),
)
