"""Tasks: what people write with another library, beside one call of fastops with fresh results."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from benchmarks.measure.timing import QUICK, Sample, interleaved_medians
from benchmarks.peers._rows import FASTOPS, Row
from benchmarks.peers._setup import Setup
from benchmarks.peers.frameworks._base import LazyModule

torch: Any = LazyModule("torch")

#: Of a call, beside its data: integers of Python or of NumPy.
Arguments = tuple[Any, ...]

Call = Callable[[Any, Arguments], Any]


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
    draw: Callable[[Generator], Arguments]
    own: Call
    theirs: Call
    calls: int = 64


def run_task(group: str, name: str, task: Task, kind: str, setup: Setup) -> Row:
    """Return the row of a task with the arguments of each call repeated, or new."""
    row = Row(group, name, f"{task.what}, {task.dtype} {task.shape}, arguments {kind}")
    data: Any = np.random.default_rng(0).integers(0, 255, task.shape).astype(task.dtype)
    setup.framework(FASTOPS)
    setup.framework(task.peer)
    ways = {FASTOPS: task.own, task.peer: task.theirs}
    row.how = {FASTOPS: "one call", task.peer: task.how}
    if task.peer == "torch":
        data = torch.from_numpy(data)
    first = task.draw(np.random.default_rng(list(name.encode())))
    if not np.array_equal(task.own(data, first), task.theirs(data, first)):
        row.wrong = "another result than the peer's"
    calls = 2 if setup.effort is QUICK else task.calls
    samples = {way: _sample(call, data, task, calls, kind) for way, call in ways.items()}
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _sample(call: Call, data: Any, task: Task, calls: int, kind: str) -> Sample:
    """Return the sample of calls with the same arguments in all of them, or with others in each."""
    numbers = np.random.default_rng(list(task.what.encode()))
    same = task.draw(numbers)

    def sample() -> float:
        arguments = [same] * (calls + 1) if kind == "repeated" else [task.draw(numbers) for _ in range(calls + 1)]
        call(data, arguments.pop())
        start = time.perf_counter()
        for each in arguments:
            call(data, each)
        return (time.perf_counter() - start) / calls

    return sample
