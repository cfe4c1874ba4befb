"""TensorFlow, eager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.peers._moves import forward_index, pads_of
from benchmarks.peers._work import Work
from benchmarks.peers.frameworks._base import (
    Call,
    CannotExpressError,
    Framework,
    LazyModule,
    Recipe,
    range_numbers,
    repeats_of,
    the_mode,
)

if TYPE_CHECKING:
    import tensorflow as tf
else:
    tf = LazyModule("tensorflow")

_PAD_MODES = {"reflect": "REFLECT", "fill": "CONSTANT", "symmetric": "SYMMETRIC"}


class TensorFlow(Framework):
    """Eager operators; they always allocate."""

    name = "tensorflow"

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """One operator, or two."""
        if work.dtype.names:
            work = work.retyped("uint8")
        return [Recipe(f"tf, {work.kind}", lambda: self._build(work))]

    def arrays_of(self, result: Any) -> list[Any]:
        """Return tensors as arrays of NumPy."""
        return [each.numpy() for each in (result if isinstance(result, list) else [result])]

    def _build(self, work: Work) -> Call:
        if work.kind == "range":
            arguments = [tf.constant(number, work.dtype.name) for number in range_numbers(work)]
            return lambda: tf.range(*arguments)
        data = tf.constant(work.data)
        if work.kind == "split":
            axis, lengths = work.split
            return lambda: tf.split(data, lengths, axis)
        if (repeats := repeats_of(work)) is not None:
            return lambda: tf.tile(data, repeats)
        if work.kind == "view":
            return self._view(work, data)
        mode = the_mode(work)
        if mode not in _PAD_MODES:
            raise CannotExpressError(f"has no pad in mode {mode}")
        pads = tf.constant(pads_of(work.axes))
        return lambda: tf.pad(data, pads, _PAD_MODES[mode])

    def _view(self, work: Work, data: Any) -> Call:
        """Return the call of StridedSlice, which takes negative strides; its ends are those of Python's slices."""
        index, flipped = forward_index(work.axes)
        if not flipped:
            begin, end = [part.start for part in index], [part.stop for part in index]
            strides = [part.step for part in index]
            mask = 0
        else:
            axes = work.axes
            begin, strides = [axis.start for axis in axes], [axis.stride for axis in axes]
            end = [axis.start + axis.stride * (axis.count - 1) + (1 if axis.stride > 0 else -1) for axis in axes]
            # -1 would count from the end of the axis.
            mask = sum(1 << i for i, stop in enumerate(end) if stop < 0)
        begin, end, strides = tf.constant(begin), tf.constant(end), tf.constant(strides)
        return lambda: tf.strided_slice(data, begin, end, strides, end_mask=mask)
