"""PyTorch: copies and flips of views, F.pad, and functions with ``out``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way, prepared
from benchmarks.peers._work import Work, forward_index, retype

_PAD_MODES = {"reflect": "reflect", "clamp": "replicate", "fill": "constant", "wrap": "circular", "symmetric": ""}

# Types that few operators take, and types of the same size that all operators take.
_MOVED_AS = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}

# A last axis of up to this many elements is also copied index by index, each index with all the other axes.
_FEW = 8


def ways_of_torch(work: Work, outs: list[Any] | None, _threads: int) -> list[Way]:
    """Return the ways that PyTorch has."""
    torch = import_module("torch")
    if work.dtype.names:
        work = work.retyped("uint8")
    elif work.dtype.name in _MOVED_AS and work.kind != "range":
        work = work.retyped(_MOVED_AS[work.dtype.name])
    if any(stride < 0 for stride in work.data.strides):
        raise CannotExpressError("has no negative byte strides, so no such input")
    data = torch.from_numpy(work.data)
    targets = None if outs is None else [torch.from_numpy(retype(out, work.dtype.name)) for out in outs]
    if work.kind == "range":
        how: dict[str, Any] = {"dtype": torch.from_numpy(np.empty(0, work.dtype)).dtype}
        how |= {} if targets is None else {"out": targets[0]}
        return [prepared("torch.arange", partial(torch.arange, *work.range, **how))]
    if work.kind == "split":
        return _splits(torch, work, data, targets)
    made = _views(torch, work, data) if work.kind == "view" else _pads(torch, work, data)
    if targets is None:
        return [prepared(how, _contiguous(torch, call)) for how, call in made.items()]
    target = targets[0]
    found = [prepared(f"out.copy_({how})", lambda call=call: target.copy_(call())) for how, call in made.items()]
    if work.kind == "view":
        found += _views_out(torch, work, data, target)
    if work.kind == "pad" and (repeats := work.repeats) is not None:
        folded = target.view([n for pair in zip(repeats, data.shape, strict=True) for n in pair])
        once = data.reshape([n for extent in data.shape for n in (1, extent)]).expand_as(folded)
        found.append(prepared("copy_ of a broadcast", lambda: folded.copy_(once)))
    return found


def _splits(torch: Any, work: Work, data: Any, targets: list[Any] | None) -> list[Way]:
    axis, lengths = work.split
    copy = partial(torch.split_with_sizes_copy, data, lengths, axis)
    if targets is None:
        clone = {"memory_format": torch.contiguous_format}
        return [
            prepared("clone of each split", lambda: [part.clone(**clone) for part in torch.split(data, lengths, axis)]),
            prepared("torch.split_with_sizes_copy", copy),
        ]
    return [
        prepared(
            "copy_ of each split",
            lambda: [
                target.copy_(part) for target, part in zip(targets, torch.split(data, lengths, axis), strict=True)
            ],
        ),
        prepared("torch.split_with_sizes_copy(out=)", partial(copy, out=targets)),
    ]


def _views(torch: Any, work: Work, data: Any) -> dict[str, Callable[[], Any]]:
    """Return ways to the view, or to a copy of it where no view exists."""
    index, flipped = forward_index(work.axes)
    if not flipped:
        return {"data[index]": lambda: data[index].expand(work.shapes[0])}
    found: dict[str, Callable[[], Any]] = {"data[index].flip()": lambda: data[index].flip(flipped)}
    if len(flipped) == 1:
        (axis,) = flipped
        backwards = torch.arange(work.shapes[0][axis]).flip(0)
        found["data[index].index_select()"] = lambda: data[index].index_select(axis, backwards)
    return found


def _views_out(torch: Any, work: Work, data: Any, target: Any) -> list[Way]:
    """Return ways that write the output themselves."""
    index, flipped = forward_index(work.axes)
    found = []
    if len(flipped) == 1:
        (axis,) = flipped
        backwards = torch.arange(target.shape[axis]).flip(0)
        select = partial(torch.index_select, dim=axis, index=backwards, out=target)
        found.append(prepared("torch.index_select(out=)", lambda: select(data[index])))
    if target.shape[-1] <= _FEW and data.ndim > 1 and {*flipped} <= {data.ndim - 1}:
        found.append(prepared("last axis one by one", partial(_copy_lasts, data, index, bool(flipped), target)))
    return found


def _copy_lasts(data: Any, index: Any, is_reversed: bool, target: Any) -> None:
    view, n = data[index], target.shape[-1]
    for i in range(n):
        target.select(-1, i).copy_(view.select(-1, n - 1 - i if is_reversed else i))


def _pads(torch: Any, work: Work, data: Any) -> dict[str, Callable[[], Any]]:
    """Return ways that allocate a padded tensor: F.pad pads the last one to three axes, after one or two others."""
    pads, mode = work.pad(_PAD_MODES)
    found: dict[str, Callable[[], Any]] = {}
    if mode:
        first = next(i for i, pair in enumerate(pads) if pair != (0, 0))
        widths = [n for pair in reversed(pads[first:]) for n in pair]
        shape, result = (-1, *data.shape[first:]), work.shapes[0]
        pad = torch.nn.functional.pad
        if mode == "constant":
            found["F.pad"] = lambda: pad(data, widths)
        else:
            found["F.pad"] = lambda: pad(data.reshape(shape), widths, mode).reshape(result)
    if (repeats := work.repeats) is not None:
        found["torch.tile"] = lambda: torch.tile(data, repeats)
    if mode != "constant":
        chosen = [(i, torch.from_numpy(axis.sources())) for i, axis in enumerate(work.axes) if not axis.is_whole]
        found["index_select of each axis"] = partial(_select_axes, data, chosen)
    return found


def _select_axes(data: Any, chosen: list[tuple[int, Any]]) -> Any:
    for axis, sources in chosen:
        data = data.index_select(axis, sources)
    return data


def _contiguous(torch: Any, call: Callable[[], Any]) -> Callable[[], Any]:
    """Return the call that copies a view; if the result is a copy already, return the call itself."""
    first = call()
    if first.is_contiguous() and first._base is None:
        return call
    return lambda: call().clone(memory_format=torch.contiguous_format)
