"""NumPy, with one thread: copies of views, np.pad, and the centre of a pad with its edges around it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers._race import Way, prepared
from benchmarks.peers._work import Work, signed_index

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}

# Last axes of up to so many elements are also copied one element by one, each along all the other axes.
_FEW = 8


def ways_of_numpy(work: Work, outs: list[NDArray[Any]] | None, _threads: int) -> list[Way]:
    """Return the ways that NumPy has."""
    if work.kind == "range":
        return _ranges(work, outs)
    if work.kind == "split":
        axis, lengths = work.split
        ends = np.cumsum(lengths[:-1])
        if outs is None:
            return [prepared("copies of np.split", lambda: [part.copy() for part in np.split(work.data, ends, axis)])]
        return [
            prepared("np.copyto of each np.split", lambda: list(map(np.copyto, outs, np.split(work.data, ends, axis))))
        ]
    if work.kind == "pad":
        return _pads(work, outs)
    index, shape = signed_index(work.axes), work.shapes[0]
    if outs is None:
        found = [prepared("data[index].copy()", lambda: np.broadcast_to(work.data[index], shape).copy())]
    else:
        found = [prepared("np.copyto(out, data[index])", lambda: np.copyto(outs[0], work.data[index]))]
    *others, last = work.axes
    if work.data.flags.c_contiguous and not last.is_whole and all(axis.is_whole for axis in others):
        sources, how = last.sources(), {} if outs is None else {"out": outs[0], "mode": "clip"}
        found.append(prepared("np.take", partial(np.take, work.data, sources, -1, **how)))
    if last.count <= _FEW and work.data.ndim > 1:
        found.append(prepared("last axis one by one", partial(_copy_lasts, work, outs[0] if outs else None)))
    return found


def _ranges(work: Work, outs: list[NDArray[Any]] | None) -> list[Way]:
    arange = partial(np.arange, *work.range, dtype=work.dtype)
    if outs is None:
        return [prepared("np.arange", arange)]
    start, step = [work.dtype.type(number) for number in work.range[::2]]
    positions = np.arange(work.size.shape[0]).astype(work.dtype)
    return [
        prepared("np.copyto(out, np.arange())", lambda: np.copyto(outs[0], arange())),
        prepared(
            "positions * step + start", lambda: np.add(np.multiply(positions, step, out=outs[0]), start, out=outs[0])
        ),
    ]


def _pads(work: Work, outs: list[NDArray[Any]] | None) -> list[Way]:
    pads, mode = work.pad(_PAD_MODES)
    found = []
    if outs is None:
        found = [prepared("np.pad", lambda: np.pad(work.data, pads, mode))]  # type: ignore[call-overload]
    if (repeats := work.repeats) is not None and outs is None:
        found.append(prepared("np.tile", lambda: np.tile(work.data, repeats)))
    elif repeats is not None and outs is not None:
        folded = outs[0].reshape([n for pair in zip(repeats, work.data.shape, strict=True) for n in pair])
        once = work.data.reshape([n for extent in work.data.shape for n in (1, extent)])
        found.append(prepared("np.copyto of a broadcast", lambda: np.copyto(folded, once)))
    return [*found, prepared("the centre, then the edges", partial(_write_pad, work, outs[0] if outs else None))]


def _write_pad(work: Work, out: NDArray[Any] | None) -> NDArray[Any]:
    """Write the centre, then the edges around it, axis by axis from the last one; return the output."""
    target = np.empty(work.shapes[0], work.dtype) if out is None else out
    centre = [slice(axis.pads[0], axis.pads[0] + axis.extent) for axis in work.axes]
    target[tuple(centre)] = work.data
    for i, axis in reversed(list(enumerate(work.axes))):
        before = axis.pads[0]
        sources = axis.sources()
        for edge in (slice(0, before), slice(before + axis.extent, axis.count)):
            if edge.stop > edge.start:
                around = (*centre[:i], edge, *[slice(None)] * (target.ndim - i - 1))
                if axis.mode == "fill":
                    target[around] = 0
                else:
                    inside = target[(*centre[:i], slice(None), *around[i + 1 :])]
                    target[around] = inside.take(before + sources[edge], i)
    return target


def _copy_lasts(work: Work, out: NDArray[Any] | None) -> NDArray[Any]:
    target, view = np.empty(work.shapes[0], work.dtype) if out is None else out, work.data[signed_index(work.axes)]
    for i in range(target.shape[-1]):
        target[..., i] = view[..., i if view.shape[-1] > 1 else 0]
    return target
