"""Intrinsics for memory, as bytes and as words, for the threads of parallel regions, and for the clock.

An address becomes a ``byte_pointer`` once, where a kernel begins (`memory_in`); after that it only moves by GEP, so
that LLVM keeps its provenance. Cells are integers of 1, 2, 4, 8 or 16 bytes: nothing treats a cell as a float, so the
payload of a NaN stays as it is. `_vectors` moves vectors; `_access` has every load and store.

Words are 64-bit integers. Kernels have a byte pointer to them, Python has an array of int64: ``words[i]`` and
``words_at(words, i)`` work on both. So functions of words are plain functions for Python, and Numba compiles them into
the kernels that call them (`let_kernels_call`).

Numba's functions for the number of threads hold an address of one process, so an object must not contain them. The
intrinsics here call the symbols that Numba itself calls when it compiles a parallel loop.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

import inspect
import operator
import sys

from llvmlite import binding, ir
from numba import types
from numba.core.imputils import lower_builtin
from numba.core.registry import cpu_target
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import intrinsic, overload, register_jitable

from fastops.kernels import _arithmetic
from fastops.kernels._intrinsics import _outlined as o
from fastops.kernels._intrinsics._access import Pointer, call_function, emit_loop, emitted, stack_room
from fastops.kernels._intrinsics._outlined import BYTE, INT32, WORD, byte_pointer

_BYTES = BYTE.as_pointer()

#: Bytes of a cell, which one load and one store move.
CELL_BYTES = (1, 2, 4, 8, 16)

#: Bytes of a page of memory.
PAGE_BYTES = 4096


@emitted(byte_pointer(byte_pointer, types.intp))
def shift(builder, pointer, offset):
    """``pointer`` moved by ``offset`` bytes, which may be negative."""
    return pointer.at(offset)


@emitted(byte_pointer(byte_pointer, types.intp, types.intp))
def narrow(builder, pointer, offset, n):
    """``pointer`` moved by ``offset`` bytes, to n bytes that are a buffer of their own."""
    return pointer.at(offset).narrowed(n)


def _stack_room(align):
    """Return the intrinsic that reserves room for a literal number of 64-bit integers on the caller's stack."""

    def room(typingctx, n):
        def codegen(context, builder, signature, args):
            return stack_room(builder, 8 * n.literal_value, align).value

        return byte_pointer(n), codegen

    return intrinsic(prefer_literal=True)(room)


stack_words = _stack_room(8)

#: Room at the start of a page of memory, so that called functions' stack frames lie at the same places of a page in
#: every process.
stack_pages = _stack_room(PAGE_BYTES)


@emitted(byte_pointer(types.intp))
def heap_bytes(builder, n):
    """Room for ``n`` bytes on the heap, until `free_bytes`; a pointer that `is_null` where there is no memory."""
    return Pointer.to_buffer(builder, call_function(builder, "malloc", _BYTES, n), 0, n, is_writable=True)


@emitted(types.void(byte_pointer))
def free_bytes(builder, pointer):
    """Free memory of `heap_bytes`, which may be null."""
    call_function(builder, "free", ir.VoidType(), pointer.place)


@emitted(types.boolean(byte_pointer))
def is_null(builder, pointer):
    """True for the null pointer."""
    return builder.icmp_unsigned("==", pointer.address, WORD(0))


@emitted(types.void(byte_pointer, byte_pointer, types.intp))
def copy_bytes(builder, dst, src, n):
    """Copy ``n`` bytes between places that do not overlap."""
    dst.copy_from(src, n)


#: Pairs of a number of vectors and their bytes: the first pair whose product is at least n copies n >= 16 bytes. Beyond
#: the last product, calls of memcpy are no slower.
SPANS = ((2, 16), (2, 32), (4, 32), (8, 32))

# Such pairs for fewer bytes, which are copied as integers.
_SHORT_SPANS = ((2, 2), (2, 4), (2, 8))


def copy_span(dst, src, n, vectors, size):
    """Emit the copy of n bytes between places that do not overlap, by vectors from both ends, which may overlap.

    All loads come before the first store, as in memcpy. To call memcpy takes as long as to copy 64 bytes. A loop over
    vectors of 32 bytes took longer than memcpy.
    """
    builder, kind = dst.builder, ir.IntType(8 * size) if size <= 8 else ir.VectorType(INT32, size // 4)
    near = [WORD(k * size) for k in range(vectors // 2)]
    far = [builder.sub(n, WORD((k + 1) * size)) for k in range(vectors // 2)]
    loaded = [(offset, src.at(offset).load(kind)) for offset in (*near, *far)]
    for offset, vector in loaded:
        dst.at(offset).store(vector)


def copy_cell(dst, src, size):
    """Emit the copy of a cell."""
    dst.store(src.load(ir.IntType(8 * size)))


@o.outlined(types.void(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def copy_long_blocks(dst, dst_pitch, src, src_pitch, n, block):
    """Copy blocks as `copy_blocks` does, by memcpy. It is out of line because memcpy's address takes a register."""
    for i in range(n):
        copy_bytes(shift(dst, i * dst_pitch), shift(src, i * src_pitch), block)


@emitted(types.void(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def copy_blocks(builder, dst, dst_pitch, src, src_pitch, n, block):
    """Copy n blocks of `block` bytes, read every src_pitch and written every dst_pitch bytes.

    There is a loop for each way of copying a block: by one load and store, by two, four or eight that overlap, and by
    memcpy. The last one is an out-of-line kernel: otherwise loops of 10 bytes lacked a register and took 1.45 times as
    long.
    """
    done = builder.append_basic_block()

    def emit_copies(copy):
        with emit_loop(builder, n) as i:
            copy(dst.at(builder.mul(i, dst_pitch)), src.at(builder.mul(i, src_pitch)))
        builder.branch(done)

    longer = builder.append_basic_block()
    chosen = builder.switch(block, longer)
    for size in CELL_BYTES:
        with builder.goto_block(builder.append_basic_block()):
            chosen.add_case(WORD(size), builder.block)
            emit_copies(lambda to, source, size=size: copy_cell(to, source, size))
    builder.position_at_end(longer)
    for vectors, size in (*_SHORT_SPANS, *SPANS):
        with builder.if_then(builder.icmp_signed("<=", block, WORD(vectors * size))):
            emit_copies(lambda to, source, way=(vectors, size): copy_span(to, source, block, *way))
    arguments = [dst.value, dst_pitch, src.value, src_pitch, n, block]
    o.emit_call(cpu_target.target_context, builder, o.outlined_by(copy_long_blocks), arguments)
    builder.branch(done)
    builder.position_at_end(done)


@emitted(types.void(byte_pointer, types.intp, byte_pointer, byte_pointer, types.intp, types.intp))
def copy_listed(builder, dst, dst_pitch, src, offsets, n, cell):
    """Copy n cells of `cell` bytes, 1, 2, 4, 8 or 16, from a list of offsets to every dst_pitch bytes."""
    for size in CELL_BYTES:
        with builder.if_then(builder.icmp_signed("==", cell, WORD(size))), emit_loop(builder, n) as i:
            source = src.at(offsets.element(WORD, i).load(WORD, align=8))
            copy_cell(dst.at(builder.mul(i, dst_pitch)), source, size)


#: The symbol and the length of the histories of launches (`fastops.kernels._parallel`): four words for each power of
#: two of written bytes. All threads of the process share them; they are in the object.
HISTORIES, HISTORY_WORDS = "fastops.launch_histories", 4 * 64


@emitted(byte_pointer())
def histories(builder):
    """The histories of launches."""
    kind = ir.ArrayType(WORD, HISTORY_WORDS)
    place = builder.module.globals.get(HISTORIES) or ir.GlobalVariable(builder.module, kind, HISTORIES)
    place = builder.bitcast(place, _BYTES)
    return Pointer.to_buffer(builder, place, 0, 8 * HISTORY_WORDS, is_writable=True)


@emitted(types.intp())
def region_threads(builder):
    """The number of threads of the calling thread's parallel regions."""
    # The function returns a C int; this declaration is the one of Numba's lowering.
    return builder.sext(builder.trunc(call_function(builder, "get_num_threads", WORD), INT32), WORD)


@emitted(types.void(types.intp))
def set_region_threads(builder, count):
    """Set the number of threads of the calling thread's parallel regions."""
    call_function(builder, "set_num_threads", ir.VoidType(), builder.trunc(count, INT32))


# Processors with a counter that user code may read and that ticks at a constant rate: the TSC of x86, CNTVCT_EL0 of
# ARM, the time base of POWER. Slow counters tick 20 million times a second. On other processors, LLVM's counter may be
# the constant 0, or reading it may end the process.
_COUNTING = ("x86_64", "aarch64", "arm64", "powerpc64le")

#: The number of chunks of a launch that are timed.
CLOCK_WORDS = 64


@emitted(types.intp())
def ticks(builder):
    """A CPU cycle counter; only differences mean anything. Always 0 where launches are not timed."""
    if binding.get_default_triple().partition("-")[0] not in _COUNTING:
        return WORD(0)
    return call_function(builder, "llvm.readcyclecounter", WORD)


def let_kernels_call(module):
    """Let kernels call the functions of a module: Numba compiles the functions into the kernels that call them.

    A module calls this at its end, with its own name. Python runs the functions as they are.
    """
    for function in vars(sys.modules[module]).values():
        if inspect.isfunction(function) and function.__module__ == module:
            register_jitable(**o.OPTIONS)(function)


# Python calls these for plans, so their module does not load Numba.
let_kernels_call(_arithmetic.__name__)


@infer_global(operator.getitem)
class _GetItem(ConcreteTemplate):
    """``words[i]``."""

    cases = (types.intp(byte_pointer, types.intp),)


@lower_builtin(operator.getitem, byte_pointer, types.intp)
def _emit_load(context, builder, signature, args):
    return Pointer.of(builder, args[0]).element(WORD, args[1]).load(WORD, align=8)


@infer_global(operator.setitem)
class _SetItem(ConcreteTemplate):
    """``words[i] = value``."""

    cases = (types.void(byte_pointer, types.intp, types.intp),)


@lower_builtin(operator.setitem, byte_pointer, types.intp, types.intp)
def _emit_store(context, builder, signature, args):
    Pointer.of(builder, args[0]).element(WORD, args[1]).store(args[2], align=8)


def words_at(words, i):
    """Return the words from number ``i`` on."""
    return words[i:]


@overload(words_at, jit_options=o.OPTIONS)
def _words_at(words, i):
    def compiled(words, i):
        return shift(words, 8 * i)

    return compiled if words == byte_pointer else None


@emitted(byte_pointer(types.intp, types.intp, types.intp, types.boolean))
def memory_in(builder, address, low, high, is_writable):
    """The byte pointer to an address, in a buffer from `low` to `high`, counted from the address."""
    place = builder.inttoptr(address, BYTE.as_pointer())
    return Pointer.to_buffer(builder, place, low, high, builder.zext(is_writable, WORD))


@emitted(types.intp(byte_pointer))
def address_to(builder, pointer):
    """The address that a byte pointer points to."""
    return pointer.address
