"""np.pad and F.pad, by two elements on each side of two axes: modes, types and sizes."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.random import Generator

import fastops
from benchmarks.peers._rows import Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._tasks import Arguments, Task, run_task, torch

_ARRAYS = ((8, 8), (3, 256, 256), (16, 3, 512, 512))
_TENSORS = ((1, 1, 8, 8), (4, 3, 64, 64), (1, 3, 224, 224), (8, 3, 224, 224), (16, 3, 512, 512))
_ARRAY_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
_TENSOR_MODES = ("constant", "reflect", "replicate", "circular")
_DTYPES = ("uint8", "float32")
_PAD = 2

# Elements that the calls of a sample move together, and the most calls.
_ELEMENTS, _CALLS = 1 << 22, 1024


def _no_arguments(_: Generator) -> Arguments:
    return ()


def _widths(rank: int) -> list[tuple[int, int]]:
    return [(0, 0)] * (rank - 2) + [(_PAD, _PAD)] * 2


def _pad(mode: Any, data: Any, _: tuple[int, ...]) -> Any:
    return fastops.numpy.pad(data, _widths(data.ndim), mode)


def _pad_by_numpy(mode: Any, data: Any, _: tuple[int, ...]) -> Any:
    return np.pad(data, _widths(data.ndim), mode)


def _pad_of_tensor(mode: Any, tensor: Any, _: tuple[int, ...]) -> Any:
    return fastops.torch.pad(tensor, (_PAD,) * 4, mode)


def _pad_by_torch(mode: Any, tensor: Any, _: tuple[int, ...]) -> Any:
    return torch.nn.functional.pad(tensor, (_PAD,) * 4, mode)


def _tasks() -> dict[str, Task]:
    """Return all tasks by their names."""
    tasks = {}
    for peer, shapes, modes, own, theirs in (
        ("numpy", _ARRAYS, _ARRAY_MODES, _pad, _pad_by_numpy),
        ("torch", _TENSORS, _TENSOR_MODES, _pad_of_tensor, _pad_by_torch),
    ):
        for shape, dtype, mode in product(shapes, _DTYPES, modes):
            calls = max(min(_CALLS, _ELEMENTS // prod(shape)), 2)
            how = "np.pad" if peer == "numpy" else "F.pad"
            name = f"{how} {'x'.join(map(str, shape))} {dtype} {mode}"
            ways = (partial(own, mode), partial(theirs, mode))
            tasks[name] = Task(f"pad, {mode}", peer, how, shape, dtype, _no_arguments, *ways, calls)
    return tasks


TASKS = _tasks()


def pads(setup: Setup) -> list[Job]:
    """Return each pad whose peer takes part, with the same arguments at each call."""
    names = [name for name, task in TASKS.items() if task.peer in setup.peers]
    return [Job("pads", name, partial(_run, name)) for name in names]


def _run(name: str, setup: Setup) -> Row:
    return run_task("pads", name, TASKS[name], "repeated", setup)
