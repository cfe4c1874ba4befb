"""JAX on the CPU: one jitted function for each case; it always allocates."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way
from benchmarks.peers._work import Work, signed_index

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}


@cache
def _jax() -> Any:
    jax = import_module("jax")
    # Without it there are no types of 64 bits.
    jax.config.update("jax_enable_x64", val=True)
    return jax


def ways(work: Work, outs: list[Any] | None, _threads: int) -> list[Way]:
    """Return the compiled function."""
    if outs is not None or work.dtype.names:
        raise CannotExpressError("writes into no output of the caller's" if outs else "has no structured types")

    def build() -> Any:
        jax = _jax()
        names = ("start", "step") if work.kind == "range" else ()
        arguments = [work.dtype.type(work.attributes[name]) for name in names] or [work.data]
        on_device = [jax.device_put(each, jax.devices("cpu")[0]) for each in arguments]
        compiled = jax.jit(_function(jax, work))
        return lambda: jax.block_until_ready(compiled(*on_device))

    return [Way("jax.jit", build)]


def _function(jax: Any, work: Work) -> Any:
    if work.kind == "range":
        return lambda start, step: start + jax.lax.iota(work.dtype, work.size.shape[0]) * step
    if work.kind == "split":
        axis, lengths = work.split
        return lambda x: jax.numpy.split(x, np.cumsum(lengths[:-1]), axis)
    if work.kind == "pad":
        pads, mode = work.pad(_PAD_MODES)
        return lambda x: jax.numpy.pad(x, pads, mode=mode)
    index, shape = signed_index(work.axes), work.shapes[0]
    return lambda x: jax.numpy.broadcast_to(x[index], shape)
