"""The clock that launches are timed with: a counter of the processor, of which only differences mean anything."""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._memory import load_int, loops, store_int
from fastops.kernels._intrinsics._types import WORD

# Processors with a counter that user code may read, and that ticks at one rate whatever the processor does: the TSC of
# x86, CNTVCT_EL0 of ARM, the time base of POWER. Slow ones tick 20 million times a second. On other processors, LLVM's
# counter may be the constant 0, or end the process.
_COUNTING = ("x86_64", "aarch64", "arm64", "powerpc64le")

_PROCESSOR = binding.get_default_triple().partition("-")[0]

#: True where launches are timed. Elsewhere all of them take no ticks, so that none is seen to lose time.
HAS_CLOCK = _PROCESSOR in _COUNTING

#: The chunks of a launch that are timed, and room for their times.
CLOCK_WORDS = 64


@intrinsic
def ticks(typingctx):
    """The processor's clock; always 0 where launches are not timed."""

    def codegen(context, builder, signature, args):
        return emit_ticks(builder, _PROCESSOR)

    return types.intp(), codegen


def emit_ticks(builder, processor):
    """Emit a reading of the clock of a processor, the first part of LLVM's name of a target."""
    if processor not in _COUNTING:
        return WORD(0)
    counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), ir.FunctionType(WORD, ()))
    return builder.call(counter, ())


@loops
def note_chunk(times, chunk, begun):
    """Note how long a chunk has taken that began at a tick; chunks beyond the room are not timed."""
    if chunk < CLOCK_WORDS:
        store_int(times, chunk, ticks() - begun)


@loops
def lost_ticks(times, chunks, begun):
    """Return how much longer a launch has taken than one thread would have; below 0 if it was not clearly longer.

    One thread would have taken about as long for each of the equal chunks as the fastest one took. What is longer by
    less than a quarter may as well be shorter: the other chunks may have had more to do. The quarter also covers the
    rounding to whole ticks, if a chunk takes five or more: 0.25 us on a slow clock.
    """
    fastest = load_int(times, 0)
    for chunk in range(1, min(chunks, CLOCK_WORDS)):
        fastest = min(fastest, load_int(times, chunk))
    serial = chunks * fastest
    return ticks() - begun - serial - serial // 4
