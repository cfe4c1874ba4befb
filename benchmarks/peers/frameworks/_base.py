"""What a framework has to tell: its ways to do some work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers._work import Work

Arrays = list[NDArray[Any]]
Call = Callable[[], Any]


class LazyModule:
    """Stands for a module that is imported at its first use.

    asv imports every module below its directory to look for benchmarks: it needs no framework for that.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


class CannotExpressError(ValueError):
    """A framework has no way to do the work; the message says why."""


@dataclass(frozen=True)
class Recipe:
    """One way to do the work.

    Attributes
    ----------
    how : str
        The expression in few words.
    build : callable
        Prepares everything that is not to be timed, and returns the call that is. May raise anything, where the
        framework refuses.
    """

    how: str
    build: Callable[[], Call]


class Framework:
    """A library as a contender.

    Attributes
    ----------
    name : str
        As shown.
    """

    name: ClassVar[str]

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def take_threads(self) -> None:
        """Let what follows run on so many threads, where a process has one number for all."""

    def out_recipes(self, work: Work, outs: Arrays) -> list[Recipe]:  # noqa: ARG002
        """Return ways to write into the caller's outputs."""
        raise CannotExpressError("writes into no output of the caller's")

    def fresh_recipes(self, work: Work) -> list[Recipe]:  # noqa: ARG002
        """Return ways that allocate their outputs at each call."""
        raise CannotExpressError("always writes into an output of the caller's")

    def arrays_of(self, result: Any) -> Arrays:
        """Return what a fresh call returned as arrays of NumPy."""
        return [np.asarray(each) for each in (result if isinstance(result, list | tuple) else [result])]


def only(work: Work, *kinds: str) -> None:
    """Refuse work of other kinds."""
    if work.kind not in kinds:
        raise CannotExpressError(f"has no operator for this {work.kind}")


def contiguous_input(work: Work) -> None:
    """Refuse work on data that is not C-contiguous, which could only be copied first."""
    if not work.data.flags.c_contiguous:
        raise CannotExpressError("takes C-contiguous input only")


def repeats_of(work: Work) -> list[int] | None:
    """Return how often each axis is repeated, if the work is a tile or a broadcast of axes of length 1."""
    repeats = []
    for axis in work.axes:
        if axis.is_whole:
            repeats.append(1)
        elif axis.stride == 0 and axis.extent == 1:
            repeats.append(axis.count)
        elif axis.mode == "wrap" and axis.start == 0 and axis.stride == 1 and axis.count % axis.extent == 0:
            repeats.append(axis.count // axis.extent)
        else:
            return None
    return repeats if max(repeats) > 1 else None


def padded_modes(work: Work) -> set[str]:
    """Return the modes of the axes that are padded."""
    return {axis.mode for axis in work.axes if not axis.is_view}


def the_mode(work: Work) -> str:
    """Return the mode of a pad; refuse axes of several modes."""
    modes = padded_modes(work)
    if len(modes) != 1:
        raise CannotExpressError("pads all axes in one mode")
    return modes.pop()


def range_numbers(work: Work) -> tuple[float, float, float]:
    """Return start, stop and step of a range, of whole numbers where its type is of these."""
    attributes = work.attributes
    start, step = attributes["start"], attributes["step"]
    stop = start + step * work.size.shape[0] if work.dtype.kind in "iu" else attributes["stop"]
    return start, stop, step
