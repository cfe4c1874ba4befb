"""PyTorch, on as many threads as fastops."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.peers._moves import Index, centre_of, forward_index, pad_steps
from benchmarks.peers._work import Work, retype
from benchmarks.peers.frameworks._base import (
    Arrays,
    CannotExpressError,
    Framework,
    LazyModule,
    Recipe,
    range_numbers,
    repeats_of,
    the_mode,
)

if TYPE_CHECKING:
    import torch
    from torch import Tensor
else:
    torch = LazyModule("torch")

_PAD_MODES = {"reflect": "reflect", "clamp": "replicate", "fill": "constant", "wrap": "circular"}

# Types of which few operators exist, and others of the same bytes, which all operators take.
_MOVED_AS = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}

# Up to so many elements of a reversed last axis are copied one by one, each along all the other axes.
_FEW = 8


class Torch(Framework):
    """One who knows PyTorch."""

    name = "torch"

    def take_threads(self) -> None:
        """Set PyTorch's number."""
        torch.set_num_threads(self.threads)

    def out_recipes(self, work: Work, outs: Arrays) -> list[Recipe]:
        """Copies into the outputs, and functions with ``out``."""
        moved, data = _as_tensor(work)
        targets = [torch.from_numpy(retype(out, moved.dtype.name)) for out in outs]
        if work.kind == "range":
            return [Recipe("torch.arange(out=)", lambda: partial(torch.arange, **_range(moved), out=targets[0]))]
        if work.kind == "split":
            axis, lengths = moved.split
            copy = partial(torch.split_with_sizes_copy, data, lengths, axis, out=targets)
            return [
                Recipe("copy_ of each torch.split", lambda: partial(_copy_parts, data, lengths, axis, targets)),
                Recipe("torch.split_with_sizes_copy(out=)", lambda: copy),
            ]
        fresh = self._views(moved, data) if moved.kind == "view" else self._pads(moved, data)
        out = targets[0]
        recipes = [
            Recipe(f"out.copy_({recipe.how})", partial(lambda build: partial(_copy_into, out, build()), recipe.build))
            for recipe in fresh
        ]
        if moved.kind == "view":
            return [*recipes, *self._views_out(moved, data, out)]
        recipes.append(Recipe("the centre, then the edges", lambda: partial(_pad_into(moved, data), out)))
        if (repeats := repeats_of(moved)) is not None:
            folded = out.view([n for pair in zip(repeats, data.shape, strict=True) for n in pair])
            once = data.reshape([n for extent in data.shape for n in (1, extent)]).expand_as(folded)
            recipes.append(Recipe("copy_ of a broadcast", lambda: lambda: folded.copy_(once)))
        return recipes

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """Copies of views, flips, and torch.nn.functional.pad."""
        moved, data = _as_tensor(work)
        if work.kind == "range":
            return [Recipe("torch.arange", lambda: partial(torch.arange, **_range(moved)))]
        if work.kind == "split":
            axis, lengths = moved.split
            return [
                Recipe("clone of each torch.split", lambda: partial(_split_clones, data, lengths, axis)),
                Recipe(
                    "torch.split_with_sizes_copy", lambda: partial(torch.split_with_sizes_copy, data, lengths, axis)
                ),
            ]
        if moved.kind == "view":
            index, _ = forward_index(moved.axes)
            views = [
                Recipe(f"{recipe.how}.contiguous()", partial(lambda build: _contiguous(build()), recipe.build))
                for recipe in self._views(moved, data)
            ]
            if moved.axes[-1].count <= _FEW and data.ndim > 1:
                last = partial(_copy_lasts, data, index, moved.axes[-1].stride < 0)
                views.append(Recipe("empty, last axis one by one", lambda: _fresh(moved, data, last)))
            return views
        recipes = self._pads(moved, data)
        return [*recipes, Recipe("empty, centre, edges", lambda: _fresh(moved, data, _pad_into(moved, data)))]

    def _views(self, work: Work, data: Tensor) -> list[Recipe]:
        """Return ways to the view, or to a copy of it where no view exists."""
        index, flipped = forward_index(work.axes)
        if not flipped:
            if any(axis.stride == 0 for axis in work.axes):
                shape = work.shapes[0]
                return [Recipe("data[index].expand()", lambda: lambda: data[index].expand(shape))]
            return [Recipe("data[index]", lambda: lambda: data[index])]
        recipes = [Recipe("data[index].flip()", lambda: lambda: data[index].flip(flipped))]
        if len(flipped) == 1:
            backwards = torch.arange(work.shapes[0][flipped[0]]).flip(0)
            recipes.append(
                Recipe("data[index].index_select()", lambda: lambda: data[index].index_select(flipped[0], backwards))
            )
        return recipes

    def _views_out(self, work: Work, data: Tensor, out: Tensor) -> list[Recipe]:
        """Return ways that write the output themselves."""
        index, flipped = forward_index(work.axes)
        recipes = []
        if len(flipped) == 1:
            (axis,) = flipped
            backwards = torch.arange(out.shape[axis]).flip(0)
            select = partial(torch.index_select, dim=axis, index=backwards, out=out)
            recipes.append(Recipe("torch.index_select(out=)", lambda: lambda: select(data[index])))
        if work.axes[-1].count <= _FEW and data.ndim > 1 and set(flipped) <= {data.ndim - 1}:
            copy = partial(_copy_lasts, data, index, bool(flipped), out)
            recipes.append(Recipe("copy_, last axis one by one", lambda: copy))
        return recipes

    def _pads(self, work: Work, data: Tensor) -> list[Recipe]:
        """Return ways that allocate a padded tensor."""
        recipes = [Recipe("torch.nn.functional.pad", lambda: _functional_pad(work, data))]
        if (repeats := repeats_of(work)) is not None:
            recipes.append(Recipe("torch.tile", lambda: lambda: torch.tile(data, repeats)))
        if the_mode(work) != "fill":
            recipes.append(Recipe("index_select of each axis", lambda: _select_axes(work, data)))
        return recipes


def _as_tensor(work: Work) -> tuple[Work, Tensor]:
    """Return the work in a type that PyTorch moves, and its data in shared memory."""
    if work.dtype.names:
        work = work.retyped("uint8")
    elif work.dtype.name in _MOVED_AS and work.kind != "range":
        work = work.retyped(_MOVED_AS[work.dtype.name])
    if any(stride < 0 for stride in work.data.strides):
        raise CannotExpressError("has no negative byte strides, so no such input")
    return work, torch.from_numpy(work.data)


def _range(work: Work) -> dict[str, Any]:
    numbers = dict(zip(("start", "end", "step"), range_numbers(work), strict=True))
    return numbers | {"dtype": torch.from_numpy(np.empty(0, work.dtype)).dtype}


def _copy_parts(data: Tensor, lengths: list[int], axis: int, targets: list[Tensor]) -> None:
    for target, part in zip(targets, torch.split(data, lengths, axis), strict=True):
        target.copy_(part)


def _split_clones(data: Tensor, lengths: list[int], axis: int) -> list[Tensor]:
    return [part.clone(memory_format=torch.contiguous_format) for part in torch.split(data, lengths, axis)]


def _copy_into(out: Tensor, call: Any) -> None:
    out.copy_(call())


def _contiguous(call: Any) -> Any:
    """Return the call that copies a view, and leaves alone what is a copy already."""
    first = call()
    if first.is_contiguous() and first._base is None:
        return call
    return lambda: call().clone(memory_format=torch.contiguous_format)


def _copy_lasts(data: Tensor, index: Index, is_reversed: bool, out: Tensor) -> None:
    view = data[index]
    n = out.shape[-1]
    for i in range(n):
        out.select(-1, i).copy_(view.select(-1, n - 1 - i if is_reversed else i))


def _functional_pad(work: Work, data: Tensor) -> Any:
    """Return the call of torch.nn.functional.pad, which pads up to three last axes behind one or two others."""
    mode, pads = the_mode(work), [axis.pads for axis in work.axes]
    first = next(i for i, pair in enumerate(pads) if pair != (0, 0))
    widths = [n for pair in reversed(pads[first:]) for n in pair]
    if mode == "fill":
        return lambda: torch.nn.functional.pad(data, widths)
    shape = (-1, *data.shape[first:])
    result = work.shapes[0]
    return lambda: torch.nn.functional.pad(data.reshape(shape), widths, _PAD_MODES[mode]).reshape(result)


def _select_axes(work: Work, data: Tensor) -> Any:
    chosen = [(i, torch.from_numpy(axis.sources())) for i, axis in enumerate(work.axes) if not axis.is_whole]

    def call() -> Tensor:
        result = data
        for axis, sources in chosen:
            result = result.index_select(axis, sources)
        return result

    return call


def _pad_into(work: Work, data: Tensor) -> Any:
    """Return the function that pads into an output, reversed edges by flips."""
    centre = centre_of(work.axes)
    steps = []
    for step in pad_steps(work.axes):
        source, flipped = (None, ()) if step.source is None else _forward(step.source)
        steps.append((step.target, source, flipped))

    def pad(out: Tensor) -> None:
        out[centre] = data
        for target, source, flipped in steps:
            if source is None:
                out[target] = 0
            else:
                out[target] = out[source].flip(flipped) if flipped else out[source]

    return pad


def _forward(index: Index) -> tuple[Index, tuple[int, ...]]:
    """Return slices with positive strides, and the axes to reverse after them."""
    slices, flipped = [], []
    for i, part in enumerate(index):
        if (part.step or 1) > 0:
            slices.append(part)
        else:
            flipped.append(i)
            slices.append(slice(0 if part.stop is None else part.stop + 1, part.start + 1))
    return tuple(slices), tuple(flipped)


def _fresh(work: Work, data: Tensor, write: Any) -> Any:
    """Return the call that allocates the output and writes it."""

    def call() -> Tensor:
        out = data.new_empty(work.shapes[0])
        write(out)
        return out

    return call
