"""TensorFlow, eager; it always allocates."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way
from benchmarks.peers._work import Work

_PAD_MODES = {"reflect": "REFLECT", "fill": "CONSTANT", "symmetric": "SYMMETRIC"}


@cache
def _tensorflow(threads: int) -> Any:
    """Import TensorFlow and set its threads, which it allows once."""
    tf = import_module("tensorflow")
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    return tf


def ways(work: Work, outs: list[Any] | None, threads: int) -> list[Way]:
    """Return one operator."""
    if outs is not None:
        raise CannotExpressError("writes into no output of the caller's")
    moved = work.retyped("uint8") if work.dtype.names else work
    return [Way(f"tf, {work.kind}", partial(_build, moved, threads))]


def _build(work: Work, threads: int) -> Any:
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
        pads, mode = work.pad(_PAD_MODES)
        return partial(tf.pad, data, tf.constant(pads), mode)
    begin, end, strides = np.transpose([(axis.start, axis.stop, axis.stride) for axis in work.axes]).tolist()
    # -1 would count from the end of the axis.
    mask = sum(1 << i for i, stop in enumerate(end) if stop < 0)
    return partial(tf.strided_slice, data, *map(tf.constant, (begin, end, strides)), end_mask=mask)
