"""Intrinsics for parallel regions: how many threads those of the calling thread have, and what is kept of them.

Numba's own functions for compiled code hold the address of a function of this process, so that Numba would not cache
their callers. The names are those that its lowering of a parallel loop calls.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer

_INT32 = ir.IntType(32)

#: Four words for work of each power of two of bytes (`fastops.kernels._launches`), in all threads of the process: the
#: symbol and the number of them. They are in the object.
HISTORIES, HISTORY_WORDS = "fastops.launch_histories", 4 * 64


@intrinsic
def histories(typingctx):
    """What is kept of launches, for reading and writing."""

    def codegen(context, builder, signature, args):
        kind = ir.ArrayType(WORD, HISTORY_WORDS)
        place = builder.module.globals.get(HISTORIES) or ir.GlobalVariable(builder.module, kind, HISTORIES)
        place = builder.bitcast(place, BYTE.as_pointer())
        return Pointer.to_buffer(
            builder, place, builder.ptrtoint(place, WORD), WORD(8 * HISTORY_WORDS), is_writable=True
        ).value

    return byte_pointer(), codegen


@intrinsic
def region_threads(typingctx):
    """How many threads a region has."""

    def codegen(context, builder, signature, args):
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WORD, ()), "get_num_threads")
        # It returns a C int; Numba's lowering declares it as it is here.
        return builder.sext(builder.trunc(builder.call(function, ()), _INT32), WORD)

    return types.intp(), codegen


@intrinsic
def set_region_threads(typingctx, count):
    """Set how many threads a region has."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), (_INT32,))
        function = cgutils.get_or_insert_function(builder.module, kind, "set_num_threads")
        builder.call(function, (builder.trunc(args[0], _INT32),))
        return context.get_dummy_value()

    return types.void(types.intp), codegen
