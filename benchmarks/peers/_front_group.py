"""What README compares: what people write with NumPy and PyTorch today, repeated and with other arguments each time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops
from benchmarks.measure.timing import QUICK, Sample, interleaved_medians
from benchmarks.peers._rows import FASTOPS, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks._base import LazyModule

torch: Any = LazyModule("torch")

Array = NDArray[Any]
Call = Callable[[Any, tuple[int, ...]], Any]

# Calls of a sample.
_CALLS, _SOME_CALLS, _FEW_CALLS = 64, 16, 4
_PAD, _CROP, _SIDE, _PATCHES = 16, 224, 64, 32


@dataclass(frozen=True)
class Task:
    """What people write.

    Attributes
    ----------
    what, peer, how : str
        What is done, the library that is compared, and how that does it.
    shape, dtype
        Those of the data, an array or a tensor.
    draw : callable
        Returns the arguments of a call, drawn by a generator.
    own, theirs : callable
        The call of fastops, and the peer's, from data and arguments. Results are fresh.
    calls : int
        Calls of a sample.
    """

    what: str
    peer: str
    how: str
    shape: tuple[int, ...]
    dtype: str
    draw: Callable[[random.Random], tuple[int, ...]]
    own: Call
    theirs: Call
    calls: int = _CALLS


def _pads(numbers: random.Random) -> tuple[int, ...]:
    return tuple([numbers.randint(_PAD - 8, _PAD + 8) for _ in range(4)])


def _pairs(pads: tuple[int, ...], rank: int) -> list[tuple[int, int]]:
    """Return pads of rows and columns, and none of a batch before and of channels behind them."""
    return [(0, 0)] * (rank - 3) + [pads[:2], pads[2:], (0, 0)]


def _place(numbers: random.Random) -> tuple[int, ...]:
    return numbers.randrange(2 * _PAD), numbers.randrange(2 * _PAD), numbers.randrange(2)


def _augmented(image: Array, place: tuple[int, ...]) -> Array:
    y, x, is_mirrored = place
    start, stride = ([y - _PAD, x - _PAD + _CROP - 1], [1, -1]) if is_mirrored else ([y - _PAD, x - _PAD], [1, 1])
    result = np.empty((3, _CROP, _CROP), np.uint8)
    fastops.slice(image, start, [_CROP, _CROP], stride, axes=[0, 1], mode="reflect", out=result.transpose(1, 2, 0))
    return result


def _augmented_by_numpy(image: Array, place: tuple[int, ...]) -> Array:
    y, x, is_mirrored = place
    padded = np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), "reflect")
    crop = padded[y : y + _CROP, x : x + _CROP]
    return np.ascontiguousarray((crop[:, ::-1] if is_mirrored else crop).transpose(2, 0, 1))


def _corners(numbers: random.Random) -> tuple[int, ...]:
    return tuple([numbers.randrange(-_SIDE // 2, 256 - _SIDE // 2) for _ in range(2 * _PATCHES)])


def _patches(image: Array, corners: tuple[int, ...]) -> Array:
    starts = np.reshape(corners, (_PATCHES, 2))
    result: Array = fastops.windows(image, starts, [_SIDE, _SIDE], axes=[0, 1], mode="reflect")
    return result


def _patches_by_numpy(image: Array, corners: tuple[int, ...]) -> Array:
    half = _SIDE // 2
    padded = np.pad(image, ((half, half), (half, half), (0, 0)), "reflect")
    starts = np.reshape(corners, (_PATCHES, 2)) + half
    return np.stack([padded[y : y + _SIDE, x : x + _SIDE] for y, x in starts])


def _pad_by_numpy(data: Array, pads: tuple[int, ...]) -> Array:
    return np.pad(data, _pairs(pads, data.ndim), "reflect")


def _pad(data: Array, pads: tuple[int, ...]) -> Array:
    result: Array = fastops.numpy.pad(data, _pairs(pads, data.ndim), "reflect")
    return result


def _pad_of_tensor(tensor: Any, pads: tuple[int, ...]) -> Any:
    return fastops.torch.pad(tensor, pads, "reflect")


def _pad_by_torch(tensor: Any, pads: tuple[int, ...]) -> Any:
    return torch.nn.functional.pad(tensor, pads, "reflect")


_IMAGE, _BATCH = (256, 256, 3), (32, 256, 256, 3)
_TENSOR, _TENSORS = (1, 3, 256, 256), (32, 3, 256, 256)

TASKS = {
    "pad_image": Task("pad", "numpy", "np.pad", _IMAGE, "uint8", _pads, _pad, _pad_by_numpy),
    "pad_batch": Task("pad", "numpy", "np.pad", _BATCH, "uint8", _pads, _pad, _pad_by_numpy, _FEW_CALLS),
    "pad_tensor": Task("pad", "torch", "F.pad", _TENSOR, "float32", _pads, _pad_of_tensor, _pad_by_torch),
    "pad_tensors": Task("pad", "torch", "F.pad", _TENSORS, "float32", _pads, _pad_of_tensor, _pad_by_torch, _FEW_CALLS),
    "pad_bytes": Task("pad", "torch", "F.pad", _TENSORS, "uint8", _pads, _pad_of_tensor, _pad_by_torch, _FEW_CALLS),
    "augmentation": Task(
        "pad, crop, mirror every other time, channels first",
        *("numpy", "np.pad, slices, a copy", _IMAGE, "uint8", _place, _augmented, _augmented_by_numpy),
    ),
    "patches": Task(
        f"{_PATCHES} patches of {_SIDE}x{_SIDE}, some of them beyond the image",
        *("numpy", "np.pad, a loop of slices", _IMAGE, "uint8", _corners, _patches, _patches_by_numpy, _SOME_CALLS),
    ),
}


def front(setup: Setup) -> list[Job]:
    """Return each task whose peer takes part, with the same arguments at each call, and with others."""
    names = [name for name, task in TASKS.items() if task.peer in setup.peers]
    return [Job("front", f"{name}_{kind}", partial(_run, name, kind)) for name in names for kind in ("repeated", "new")]


def _run(name: str, kind: str, setup: Setup) -> Row:
    task = TASKS[name]
    row = Row("front", f"{name}_{kind}", f"{task.what}, reflect, {task.dtype} {task.shape}, arguments {kind}")
    data: Any = np.random.default_rng(0).integers(0, 255, task.shape).astype(task.dtype)
    setup.framework(FASTOPS)
    setup.framework(task.peer)
    ways = {FASTOPS: task.own, task.peer: task.theirs}
    row.how = {FASTOPS: "one call", task.peer: task.how}
    if task.peer == "torch":
        data = torch.from_numpy(data)
    first = task.draw(random.Random(name))  # noqa: S311 - no secrets.
    if not np.array_equal(task.own(data, first), task.theirs(data, first)):
        row.wrong = "another result than the peer's"
    calls = 2 if setup.effort is QUICK else task.calls
    samples = {way: _sample(call, data, task, calls, kind) for way, call in ways.items()}
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _sample(call: Call, data: Any, task: Task, calls: int, kind: str) -> Sample:
    """Return the sample of calls with arguments that are the same in all of them, or were in none before."""
    numbers = random.Random(task.what)  # noqa: S311 - no secrets.
    same = task.draw(numbers)

    def sample() -> float:
        arguments = [same] * (calls + 1) if kind == "repeated" else [task.draw(numbers) for _ in range(calls + 1)]
        call(data, arguments.pop())
        start = time.perf_counter()
        for each in arguments:
            call(data, each)
        return (time.perf_counter() - start) / calls

    return sample
