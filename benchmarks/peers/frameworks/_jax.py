"""JAX on the CPU, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from benchmarks.peers._moves import signed_index
from benchmarks.peers._work import Work
from benchmarks.peers.frameworks._base import (
    Call,
    CannotExpressError,
    Framework,
    LazyModule,
    Recipe,
    the_mode,
)

if TYPE_CHECKING:
    import jax
    import jax.numpy as jnp
else:
    jax, jnp = LazyModule("jax"), LazyModule("jax.numpy")

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}


class Jax(Framework):
    """One jitted function for each case; it always allocates."""

    name = "jax"

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        # Without it there are no types of 64 bits.
        jax.config.update("jax_enable_x64", val=True)
        self.device = jax.devices("cpu")[0]

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """The compiled function."""
        if work.dtype.names:
            raise CannotExpressError("has no structured types")
        return [Recipe("jax.jit", lambda: self._build(work))]

    def _build(self, work: Work) -> Call:
        if work.kind == "range":
            number, count = work.dtype.type, work.size.shape[0]
            attributes = work.attributes
            arguments = [jax.device_put(number(attributes[name]), self.device) for name in ("start", "step")]

            def generate(start: Any, step: Any) -> Any:
                return start + jax.lax.iota(work.dtype, count) * step

            compiled = jax.jit(generate)
            return lambda: compiled(*arguments).block_until_ready()
        data = jax.device_put(work.data, self.device)
        if work.kind == "split":
            axis, lengths = work.split
            ends = np.cumsum(lengths[:-1])
            split = jax.jit(lambda x: jnp.split(x, ends, axis))
            return lambda: jax.block_until_ready(split(data))
        function = jax.jit(self._function(work))
        return lambda: function(data).block_until_ready()

    def _function(self, work: Work) -> Any:
        if work.kind == "pad":
            pads, mode = [axis.pads for axis in work.axes], _PAD_MODES[the_mode(work)]
            return lambda x: cast("Any", jnp.pad)(x, pads, mode=mode)
        index, shape = signed_index(work.axes), work.shapes[0]
        return lambda x: jnp.broadcast_to(x[index], shape)
