"""Loops in LLVM's code, for intrinsics."""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from contextlib import contextmanager

from llvmlite import ir

from fastops.kernels._intrinsics._types import WORD


@contextmanager
def emit_loop(builder, n):
    """Emit what the context emits as the body of a loop from 0 to n - 1; give the index.

    The body is a vector's work or more, so LLVM is told not to unroll it: it took twice as long to compile, and loops
    of many pointers became slower by it, because unrolling them gives each pointer a copy of its own.
    """
    before = builder.block
    body = builder.append_basic_block()
    after = builder.append_basic_block()
    builder.cbranch(builder.icmp_signed(">", n, WORD(0)), body, after)
    builder.position_at_end(body)
    index = builder.phi(WORD)
    index.add_incoming(WORD(0), before)
    yield index
    following = builder.add(index, WORD(1), flags=("nsw",))
    index.add_incoming(following, builder.block)
    repeat = builder.cbranch(builder.icmp_signed("<", following, n), body, after)
    repeat.set_metadata("llvm.loop", _not_unrolled(builder.module))
    builder.position_at_end(after)


def _not_unrolled(module):
    """The metadata of a loop that stays as it is: by LLVM's rule its first operand is itself."""
    node = module.add_metadata([module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])])
    if node.operands[0] is not node:
        node.operands = (node, *node.operands)
    return node
