"""NumPy: basic slices, copies of parts, np.pad."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers._moves import Index, centre_of, pad_steps, signed_index
from benchmarks.peers._work import Work
from benchmarks.peers.frameworks._base import Arrays, Framework, Recipe, range_numbers, repeats_of, the_mode

_PAD_MODES: dict[str, Any] = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}
_PAD_MODES["symmetric"] = "symmetric"

# Up to so many elements of a reversed last axis are copied one by one, each along all the other axes.
_FEW = 8


class NumPy(Framework):
    """One who knows NumPy, with one thread."""

    name = "numpy"

    def out_recipes(self, work: Work, outs: Arrays) -> list[Recipe]:
        """Copies into the outputs."""
        if work.kind == "range":
            return [
                Recipe("np.copyto(out, np.arange())", lambda: partial(_copy_range, work, outs[0])),
                Recipe("positions * step + start", lambda: _multiply_range(work, outs[0])),
            ]
        if work.kind == "split":
            return [Recipe("np.copyto of each np.split", lambda: partial(_copy_parts, work, outs))]
        if work.kind == "pad":
            recipes = [Recipe("the centre, then the edges", lambda: partial(_pad_into(work), outs[0]))]
            return recipes + self._repeats(work, outs[0])
        index = signed_index(work.axes)
        recipes = [Recipe("np.copyto(out, data[index])", lambda: lambda: np.copyto(outs[0], work.data[index]))]
        if (last := _reversed_last(work)) is not None:
            taken = partial(np.take, work.data, last, -1, out=outs[0], mode="clip")
            recipes.append(Recipe("np.take(out=)", lambda: taken))
        if work.axes[-1].count <= _FEW and work.data.ndim > 1:
            recipes.append(
                Recipe("np.copyto, last axis one by one", lambda: partial(_copy_lasts, work, index, outs[0]))
            )
        return recipes

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """Copies of views, and np.pad."""
        if work.kind == "range":
            return [Recipe("np.arange", lambda: partial(np.arange, *range_numbers(work), dtype=work.dtype))]
        if work.kind == "split":
            return [Recipe("copies of np.split", lambda: partial(_split_copies, work))]
        if work.kind == "pad":
            pads, mode = [axis.pads for axis in work.axes], _PAD_MODES[the_mode(work)]
            recipes = [Recipe("np.pad", lambda: lambda: np.pad(work.data, pads, mode))]
            if (repeats := repeats_of(work)) is not None:
                recipes.append(Recipe("np.tile", lambda: lambda: np.tile(work.data, repeats)))
            return [*recipes, Recipe("np.empty, centre, edges", lambda: _fresh(work, _pad_into(work)))]
        index, shape = signed_index(work.axes), work.shapes[0]
        if any(axis.stride == 0 for axis in work.axes):
            return [Recipe("np.broadcast_to().copy()", lambda: lambda: np.broadcast_to(work.data[index], shape).copy())]
        recipes = [Recipe("data[index].copy()", lambda: lambda: work.data[index].copy())]
        if (last := _reversed_last(work)) is not None:
            recipes.append(Recipe("np.take", lambda: partial(np.take, work.data, last, -1)))
        if work.axes[-1].count <= _FEW and work.data.ndim > 1:
            copy = partial(_copy_lasts, work, index)
            recipes.append(Recipe("np.empty, last axis one by one", lambda: _fresh(work, copy)))
        return recipes

    def _repeats(self, work: Work, out: NDArray[Any]) -> list[Recipe]:
        """Return the copy of all repeats at once."""
        repeats = repeats_of(work)
        if repeats is None:
            return []
        folded = out.reshape([n for pair in zip(repeats, work.data.shape, strict=True) for n in pair])
        once = work.data.reshape([n for extent in work.data.shape for n in (1, extent)])
        return [Recipe("np.copyto of a broadcast", lambda: lambda: np.copyto(folded, once))]


def _copy_range(work: Work, out: NDArray[Any]) -> None:
    np.copyto(out, np.arange(*range_numbers(work), dtype=work.dtype))


def _multiply_range(work: Work, out: NDArray[Any]) -> Any:
    number = work.dtype.type
    positions = np.arange(work.size.shape[0]).astype(work.dtype)
    start, step = number(work.attributes["start"]), number(work.attributes["step"])

    def call() -> None:
        np.multiply(positions, step, out=out)
        np.add(out, start, out=out)

    return call


def _splits(work: Work) -> list[NDArray[Any]]:
    axis, lengths = work.split
    return np.split(work.data, np.cumsum(lengths[:-1]), axis)


def _copy_parts(work: Work, outs: Arrays) -> None:
    for out, part in zip(outs, _splits(work), strict=True):
        np.copyto(out, part)


def _split_copies(work: Work) -> list[NDArray[Any]]:
    return [part.copy() for part in _splits(work)]


def _reversed_last(work: Work) -> NDArray[Any] | None:
    """Return the indices of the last axis, if no other axis is anything but whole, and this one is neither."""
    *others, last = work.axes
    if last.is_whole or not all(axis.is_whole for axis in others) or not work.data.flags.c_contiguous:
        return None
    return last.sources()


def _copy_lasts(work: Work, index: Index, out: NDArray[Any]) -> None:
    view = work.data[index]
    for i in range(out.shape[-1]):
        out[..., i] = view[..., i]


def _pad_into(work: Work) -> Any:
    """Return the function that pads into an output."""
    centre, steps = centre_of(work.axes), list(pad_steps(work.axes))

    def pad(out: NDArray[Any]) -> None:
        out[centre] = work.data
        for step in steps:
            if step.source is None:
                out[step.target] = 0
            else:
                out[step.target] = out[step.source]

    return pad


def _fresh(work: Work, write: Any) -> Any:
    """Return the call that allocates the output and writes it."""

    def call() -> NDArray[Any]:
        out = np.empty(work.shapes[0], work.dtype)
        write(out)
        return out

    return call
