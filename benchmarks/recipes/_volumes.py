"""Volumes: patches of scans in files that are mapped into memory, with their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops as fo
from benchmarks.recipes._case import FASTOPS, Case, Ways

Array = NDArray[Any]

_SHAPES = ((2, 120, 224, 208), (2, 96, 256, 240))
_SIZE = (96, 128, 128)


def load(scans: Sequence[Array], labels: Sequence[Array], starts: Array) -> tuple[Array, Array]:
    """Return a batch of patches, and one of their labels, which are -1 beyond a scan."""
    of_scans = fo.windows(scans, starts, _SIZE, axes=(1, 2, 3), mode="fill")
    return of_scans, fo.windows(labels, starts, _SIZE, axes=(1, 2, 3), mode="fill", fill_value=-1)


def load_by_numpy(scans: Sequence[Array], labels: Sequence[Array], starts: Array) -> tuple[Array, Array]:
    """Return the same by the steps of nnU-Net's loader: clip the box, slice it, pad the slice, copy it to the batch."""
    n = len(scans)
    batches = (
        np.empty((n, scans[0].shape[0], *_SIZE), scans[0].dtype),
        np.empty((n, labels[0].shape[0], *_SIZE), labels[0].dtype),
    )
    for batch, arrays, value in zip(batches, (scans, labels), (0, -1), strict=True):
        for i, (array, start) in enumerate(zip(arrays, starts, strict=True)):
            shape = np.array(array.shape[1:])
            low, high = np.maximum(start, 0), np.minimum(start + _SIZE, shape)
            inside = array[:, low[0] : high[0], low[1] : high[1], low[2] : high[2]]
            pads = [(0, 0), *zip(low - start, start + _SIZE - high, strict=True)]
            batch[i] = np.pad(inside, pads, "constant", constant_values=value)
    return batches


@contextmanager
def _volumes() -> Iterator[Ways]:
    rng = np.random.default_rng(0)
    starts = np.array([[10, 40, 60], [-20, 150, -30]])
    with TemporaryDirectory() as folder:
        scans, labels = [], []
        for i, (channels, *shape) in enumerate(_SHAPES):
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
    Case(
        "volumes",
        "a batch of 2 patches of 2 x 96 x 128 x 128 float32, and their labels of int8, of volumes that are mapped, "
        "one of them beyond its volume",
        _volumes,
    ),
)
