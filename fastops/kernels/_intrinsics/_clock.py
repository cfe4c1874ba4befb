"""The clock: how launches tell what they have lost, in ticks of the processor, which say nothing but what is longer."""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._memory import load_int, loops, store_int
from fastops.kernels._intrinsics._types import WORD

# LLVM's counters that user code may read, and that tick at one rate whatever the processor does. A name of another
# processor's would end the process.
_COUNTERS = {"x86_64": "llvm.readcyclecounter", "aarch64": "llvm.readsteadycounter", "arm64": "llvm.readsteadycounter"}

_COUNTER = _COUNTERS.get(binding.get_default_triple().partition("-")[0])

#: The chunks of a launch that are timed, and room for their times.
CLOCK_WORDS = 64


@intrinsic
def ticks(typingctx):
    """The processor's clock; always 0 where it has none that LLVM knows."""

    def codegen(context, builder, signature, args):
        if _COUNTER is None:
            return WORD(0)
        counter = builder.module.declare_intrinsic(_COUNTER, (), ir.FunctionType(WORD, ()))
        return builder.call(counter, ())

    return types.intp(), codegen


@loops
def note_chunk(times, chunk, begun):
    """Note how long a chunk has taken that began at a tick; chunks beyond the room are not timed."""
    if chunk < CLOCK_WORDS:
        store_int(times, chunk, ticks() - begun)


@loops
def lost_ticks(times, chunks, begun):
    """Return how much longer a launch has taken than one thread would have; below 0 if it was not clearly longer.

    One thread would have taken about as long for each of the equal chunks as the fastest one took. What is longer by
    less than a quarter may as well be shorter: the other chunks may have had more to do.
    """
    fastest = load_int(times, 0)
    for chunk in range(1, min(chunks, CLOCK_WORDS)):
        fastest = min(fastest, load_int(times, chunk))
    serial = chunks * fastest
    return ticks() - begun - serial - serial // 4
