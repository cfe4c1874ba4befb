"""NumPy, and the libraries that allocate each result: TensorFlow and JAX."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers._race import CannotExpressError, Way, prepared
from benchmarks.peers._work import Work, signed_index

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}

# Last axes of up to this many elements are also copied element by element, each along all the other axes.
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


_TENSORFLOW_MODES = {"reflect": "REFLECT", "fill": "CONSTANT", "symmetric": "SYMMETRIC"}


@cache
def _tensorflow(threads: int) -> Any:
    """Import TensorFlow and set its threads, which it allows once."""
    tf = import_module("tensorflow")
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    return tf


def ways_of_tensorflow(work: Work, outs: list[Any] | None, threads: int) -> list[Way]:
    """Return one way, a call of one operator."""
    if outs is not None:
        raise CannotExpressError("writes into no output of the caller's")
    moved = work.retyped("uint8") if work.dtype.names else work
    return [Way(f"tf, {work.kind}", partial(_build_tensorflow, moved, threads))]


def _build_tensorflow(work: Work, threads: int) -> Any:
    tf = _tensorflow(threads)
    if work.kind == "range":
        return partial(tf.range, *[tf.constant(number, work.dtype.name) for number in work.range])
    data = tf.constant(work.data)
    if work.kind == "split":
        axis, lengths = work.split
        return lambda: tf.split(data, lengths, axis)
    if (repeats := work.repeats) is not None:
        return lambda: tf.tile(data, repeats)
    if work.kind == "pad":
        pads, mode = work.pad(_TENSORFLOW_MODES)
        return partial(tf.pad, data, tf.constant(pads), mode)
    begin, end, strides = np.transpose([(axis.start, axis.stop, axis.stride) for axis in work.axes]).tolist()
    # -1 would count from the end of the axis.
    mask = sum(1 << i for i, stop in enumerate(end) if stop < 0)
    return partial(tf.strided_slice, data, *map(tf.constant, (begin, end, strides)), end_mask=mask)


_JAX_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}


@cache
def _jax() -> Any:
    jax = import_module("jax")
    # Without it there are no types of 64 bits.
    jax.config.update("jax_enable_x64", val=True)
    return jax


def ways_of_jax(work: Work, outs: list[Any] | None, _threads: int) -> list[Way]:
    """Return the compiled function."""
    if outs is not None or work.dtype.names:
        raise CannotExpressError("writes into no output of the caller's" if outs else "has no structured types")

    def build() -> Any:
        jax = _jax()
        names = ("start", "step") if work.kind == "range" else ()
        arguments = [work.dtype.type(work.attributes[name]) for name in names] or [work.data]
        on_device = [jax.device_put(each, jax.devices("cpu")[0]) for each in arguments]
        compiled = jax.jit(_jax_function(jax, work))
        return lambda: jax.block_until_ready(compiled(*on_device))

    return [Way("jax.jit", build)]


def _jax_function(jax: Any, work: Work) -> Any:
    if work.kind == "range":
        return lambda start, step: start + jax.lax.iota(work.dtype, work.size.shape[0]) * step
    if work.kind == "split":
        axis, lengths = work.split
        return lambda x: jax.numpy.split(x, np.cumsum(lengths[:-1]), axis)
    if work.kind == "pad":
        pads, mode = work.pad(_JAX_MODES)
        return lambda x: jax.numpy.pad(x, pads, mode=mode)
    index, shape = signed_index(work.axes), work.shapes[0]
    return lambda x: jax.numpy.broadcast_to(x[index], shape)
