"""Words: memory as an array of 64-bit integers, for code that Python runs as well as kernels.

Kernels have a byte pointer, Python an array of int64: ``words[i]`` and ``words_at(words, i)`` mean the same of both. So
the functions that `interpreted` decorates are plain functions for Python, and are compiled into the kernels that call
them.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, arg-type, call-arg"

from __future__ import annotations

import operator

from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import overload, register_jitable

from fastops.kernels._intrinsics._access import Pointer, emitted
from fastops.kernels._intrinsics._memory import shift
from fastops.kernels._intrinsics._outlined import OPTIONS
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer

#: Decorates functions that Python runs as they are, and that are compiled into the kernels that call them.
interpreted = register_jitable(**OPTIONS)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    """``words[i]``."""

    def generic(self, args, kws):  # noqa: ARG002
        is_word = args[0] == byte_pointer and isinstance(args[1], types.Integer)
        return signature(types.intp, byte_pointer, types.intp) if is_word else None


@lower_builtin(operator.getitem, byte_pointer, types.intp)
def _emit_load(context, builder, signature, args):
    return Pointer.of(builder, args[0]).element(WORD, args[1]).load(WORD, align=8)


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    """``words[i] = value``."""

    def generic(self, args, kws):  # noqa: ARG002
        is_word = args[0] == byte_pointer and isinstance(args[1], types.Integer)
        return signature(types.void, byte_pointer, types.intp, types.intp) if is_word else None


@lower_builtin(operator.setitem, byte_pointer, types.intp, types.intp)
def _emit_store(context, builder, signature, args):
    Pointer.of(builder, args[0]).element(WORD, args[1]).store(args[2], align=8)


def words_at(words, i):
    """Return the words from number ``i`` on."""
    return words[i:]


@overload(words_at, jit_options=OPTIONS)
def _words_at(words, i):
    def compiled(words, i):
        return shift(words, 8 * i)

    return compiled if words == byte_pointer else None


@emitted(byte_pointer(types.intp, types.intp, types.intp, types.boolean))
def memory_in(builder, address, low, high, is_writable):
    """The byte pointer to an address, in a buffer from `low` to `high`, counted from there."""
    place = builder.inttoptr(address, BYTE.as_pointer())
    return Pointer.to_buffer(builder, place, low, high, builder.zext(is_writable, WORD))


@emitted(types.intp(byte_pointer))
def address_to(builder, pointer):
    """The address that a byte pointer points to."""
    return pointer.address
