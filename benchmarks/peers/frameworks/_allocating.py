"""TensorFlow, eager, and JAX on the CPU, with one jitted function for each case: both always allocate their results."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way
from benchmarks.peers._work import Work, signed_index

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
