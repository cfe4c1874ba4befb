"""What README compares: what people write with NumPy and PyTorch today, repeated and with other arguments each time.

Arguments are NumPy's integers, as its random generators give them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import fastops
from benchmarks.peers._rows import Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._tasks import Arguments, Task, run_task, torch

Array = NDArray[Any]

# Calls of a sample.
_SOME_CALLS, _FEW_CALLS = 16, 4
_PAD, _CROP, _SIDE, _PATCHES = 16, 224, 64, 32


def _pads(numbers: Generator) -> Arguments:
    return tuple(numbers.integers(_PAD - 8, _PAD + 9, 4))


def _pairs(pads: Arguments, rank: int) -> list[tuple[int, int]]:
    """Return pads of rows and columns, and none of a batch before and of channels behind them."""
    return [(0, 0)] * (rank - 3) + [pads[:2], pads[2:], (0, 0)]


def _place(numbers: Generator) -> Arguments:
    return (*numbers.integers(0, 2 * _PAD, 2), numbers.random() < 0.5)


def _augmented(image: Array, place: Arguments) -> Array:
    y, x, is_mirrored = place
    start, stride = ([y - _PAD, x - _PAD + _CROP - 1], [1, -1]) if is_mirrored else ([y - _PAD, x - _PAD], [1, 1])
    result = np.empty((3, _CROP, _CROP), np.uint8)
    fastops.slice(image, start, [_CROP, _CROP], stride, axes=[0, 1], mode="reflect", out=result.transpose(1, 2, 0))
    return result


def _augmented_by_numpy(image: Array, place: Arguments) -> Array:
    y, x, is_mirrored = place
    padded = np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), "reflect")
    crop = padded[y : y + _CROP, x : x + _CROP]
    return np.ascontiguousarray((crop[:, ::-1] if is_mirrored else crop).transpose(2, 0, 1))


def _corners(numbers: Generator) -> Arguments:
    return tuple(numbers.integers(-_SIDE // 2, 256 - _SIDE // 2, 2 * _PATCHES))


def _patches(image: Array, corners: Arguments) -> Array:
    starts = np.reshape(corners, (_PATCHES, 2))
    result: Array = fastops.windows(image, starts, [_SIDE, _SIDE], axes=[0, 1], mode="reflect")
    return result


def _patches_by_numpy(image: Array, corners: Arguments) -> Array:
    half = _SIDE // 2
    padded = np.pad(image, ((half, half), (half, half), (0, 0)), "reflect")
    starts = np.reshape(corners, (_PATCHES, 2)) + half
    return np.stack([padded[y : y + _SIDE, x : x + _SIDE] for y, x in starts])


def _pad_by_numpy(data: Array, pads: Arguments) -> Array:
    return np.pad(data, _pairs(pads, data.ndim), "reflect")


def _pad(data: Array, pads: Arguments) -> Array:
    result: Array = fastops.numpy.pad(data, _pairs(pads, data.ndim), "reflect")
    return result


def _pad_of_tensor(tensor: Any, pads: Arguments) -> Any:
    return fastops.torch.pad(tensor, pads, "reflect")


def _pad_by_torch(tensor: Any, pads: Arguments) -> Any:
    return torch.nn.functional.pad(tensor, pads, "reflect")


_IMAGE, _BATCH = (256, 256, 3), (32, 256, 256, 3)
_TENSOR, _TENSORS = (1, 3, 256, 256), (32, 3, 256, 256)

TASKS = {
    "pad_image": Task("pad, reflect", "numpy", "np.pad", _IMAGE, "uint8", _pads, _pad, _pad_by_numpy),
    "pad_batch": Task("pad, reflect", "numpy", "np.pad", _BATCH, "uint8", _pads, _pad, _pad_by_numpy, _FEW_CALLS),
    "pad_tensor": Task("pad, reflect", "torch", "F.pad", _TENSOR, "float32", _pads, _pad_of_tensor, _pad_by_torch),
    "pad_tensors": Task(
        "pad, reflect", "torch", "F.pad", _TENSORS, "float32", _pads, _pad_of_tensor, _pad_by_torch, _FEW_CALLS
    ),
    "pad_bytes": Task(
        "pad, reflect", "torch", "F.pad", _TENSORS, "uint8", _pads, _pad_of_tensor, _pad_by_torch, _FEW_CALLS
    ),
    "augmentation": Task(
        "pad, reflect, crop, mirror every other time, channels first",
        *("numpy", "np.pad, slices, a copy", _IMAGE, "uint8", _place, _augmented, _augmented_by_numpy),
    ),
    "patches": Task(
        f"{_PATCHES} patches of {_SIDE}x{_SIDE}, some of them beyond the image, reflect",
        *("numpy", "np.pad, a loop of slices", _IMAGE, "uint8", _corners, _patches, _patches_by_numpy, _SOME_CALLS),
    ),
}


def front(setup: Setup) -> list[Job]:
    """Return each task whose peer takes part, with the same arguments at each call, and with others."""
    names = [name for name, task in TASKS.items() if task.peer in setup.peers]
    return [Job("front", f"{name}_{kind}", partial(_run, name, kind)) for name in names for kind in ("repeated", "new")]


def _run(name: str, kind: str, setup: Setup) -> Row:
    return run_task("front", f"{name}_{kind}", TASKS[name], kind, setup)
