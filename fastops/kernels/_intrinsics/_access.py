"""Helpers of intrinsics: functions that emit code, pointers with their loads and stores, variables and loops.

Only `Pointer` touches memory. The kernels are built from one source code in two forms. In the plain form a byte pointer
is an address and nothing else. In the checked form (`_form.IS_CHECKED`) it also has the bounds of its buffer: an array
from its lowest byte to its highest, or room on the stack or the heap. Each access is then checked for its bounds, for
the right to write and for its alignment. Before a wrong access, the kernel prints a line on standard error and ends the
process.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._outlined import BYTE, INT32, WORD, Outlined, byte_pointer, intrinsic_of


@contextmanager
def emit_loop(builder, n):
    """Emit the body of the context as a loop from 0 to n - 1; give the index.

    The metadata tells LLVM not to unroll the loop: the body is a vector's work or more. Unrolling took twice as long to
    compile, and made loops of many pointers slower, because each pointer got a copy of its own.
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
    """Return the metadata of a loop that is not unrolled: by LLVM's rule its first operand is itself."""
    node = module.add_metadata([module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])])
    if node.operands[0] is not node:
        node.operands = (node, *node.operands)
    return node


def call_function(builder, name, result, *args):
    """Emit the call of a function of C, of Python or of LLVM, which returns an LLVM type."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


_BYTES = BYTE.as_pointer()
_VOID = ir.VoidType()

# Above about 2 KiB, the C library copies by one instruction of the processor, `rep movsb`. On Zen 3 and 4 this
# instruction takes 15 to 30 times as long if the destination lies 1 to 31 bytes behind the source, modulo a page. In
# all other cases a loop of vectors takes 0.95 of the instruction's time, or 0.6 to 0.9 if the destination is misaligned
# (one thread of a Zen 3).
_LONG_BYTES = 2048


class Pointer(NamedTuple):
    """A byte pointer within an intrinsic: a place, and in the checked form the bounds of its buffer."""

    builder: Any
    place: Any
    bounds: Any = None

    @classmethod
    def of(cls, builder, value) -> Pointer:
        """Return the pointer for a value of type ``byte_pointer``."""
        if not IS_CHECKED:
            return cls(builder, value)
        place, *bounds = (builder.extract_value(value, k) for k in range(4))
        return cls(builder, place, bounds)

    @classmethod
    def to_buffer(cls, builder, place, low, high, is_writable) -> Pointer:
        """Return the pointer to a place in a buffer, which reaches from `low` to `high`, counted from the place."""
        if not IS_CHECKED:
            return cls(builder, place)
        ends = [builder.add(builder.ptrtoint(place, WORD), _as_word(end)) for end in (low, high)]
        return cls(builder, place, [*ends, _as_word(is_writable)])

    @property
    def value(self) -> Any:
        """Return the pointer as a value of type ``byte_pointer``."""
        if not IS_CHECKED:
            return self.place
        value = ir.Constant(ir.LiteralStructType([_BYTES, WORD, WORD, WORD]), ir.Undefined)
        for k, field in enumerate([self.place, *self.bounds]):
            value = self.builder.insert_value(value, field, k)
        return value

    @property
    def address(self) -> Any:
        """Return the address as an integer."""
        return self.builder.ptrtoint(self.place, WORD)

    def at(self, offset) -> Pointer:
        """Return the pointer ``offset`` bytes further on, an integer or a word, in the same buffer."""
        return Pointer(self.builder, self.builder.gep(self.place, [_as_word(offset)]), self.bounds)

    def element(self, kind, i) -> Pointer:
        """Return the pointer to element i of an LLVM type, in the same buffer."""
        place = self.builder.gep(self.builder.bitcast(self.place, kind.as_pointer()), [_as_word(i)])
        return Pointer(self.builder, self.builder.bitcast(place, _BYTES), self.bounds)

    def narrowed(self, n) -> Pointer:
        """Return the pointer to the next n bytes as a buffer of their own, empty if they reach out of this one."""
        if not IS_CHECKED:
            return self
        low, high, is_writable = self.bounds
        is_outside = _emit_is_outside(self.builder, self.address, low, high, n)
        n = self.builder.select(is_outside, WORD(0), n)
        return Pointer.to_buffer(self.builder, self.place, 0, n, is_writable)

    def load(self, kind, align=1) -> Any:
        """Return the value of an LLVM type here."""
        place = self._checked("read", WORD(_bytes_of(kind)), align)
        return self.builder.load(self.builder.bitcast(place, kind.as_pointer()), align=align)

    def store(self, value, align=1, *, streams=False) -> None:
        """Write a value here; with ``streams`` past the caches, for whole aligned lines."""
        place = self._checked("write", WORD(_bytes_of(value.type)), align)
        stored = self.builder.store(value, self.builder.bitcast(place, value.type.as_pointer()), align=align)
        if streams:
            stored.set_metadata("nontemporal", self.builder.module.add_metadata([INT32(1)]))

    def load_first(self, kind, n, mask) -> Any:
        """Return a vector of bytes: the first n, which are those of the mask, are read here; the others are 0."""
        place = self.builder.bitcast(self._checked("read", n), kind.as_pointer())
        name, empty = f"llvm.masked.load.v{kind.count}i8.p0", ir.Constant(kind, None)
        return call_function(self.builder, name, kind, place, INT32(1), mask, empty)

    def store_first(self, value, n, mask) -> None:
        """Write the first n bytes of a vector of bytes here: the bytes of the mask."""
        place = self.builder.bitcast(self._checked("write", n), value.type.as_pointer())
        name = f"llvm.masked.store.v{value.type.count}i8.p0"
        call_function(self.builder, name, _VOID, value, place, INT32(1), mask)

    def copy_from(self, source, n, *, is_short=False) -> None:
        """Copy n bytes from a place that does not overlap: by memcpy of the C library, or by a loop for long copies.

        With ``is_short`` there is no branch for long copies.
        """
        to, place = self._checked("write", n), source._checked("read", n)
        if IS_CHECKED:
            _call_emitted(self.builder, _emit_check_apart, to, place, n, _site(self.builder, "copy onto themselves"))
        if is_short:
            cgutils.raw_memcpy(self.builder, to, place, n, itemsize=1)
            return
        is_long = self.builder.icmp_unsigned(">", n, WORD(_LONG_BYTES))
        with self.builder.if_else(is_long, likely=False) as (long, short):
            with long:
                _call_emitted(self.builder, _emit_long_copy, to, place, n)
            with short:
                cgutils.raw_memcpy(self.builder, to, place, n, itemsize=1)

    def prefetch(self) -> None:
        """Prefetch the cache line here, which may lie anywhere: a prefetch never faults."""
        call_function(self.builder, "llvm.prefetch.p0", _VOID, self.place, INT32(0), INT32(3), INT32(1))

    def _checked(self, what, n, align=1) -> Any:
        """Return the place; in the checked form, let the kernel check the access to n bytes before."""
        if IS_CHECKED:
            arguments = self.place, *self.bounds, n, WORD(align), WORD(int(what == "write")), _site(self.builder, what)
            _call_emitted(self.builder, _emit_check, *arguments)
        return self.place


def emitted(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes an intrinsic of a function that emits its code.

    The function gets the builder and the arguments of the signature, a `Pointer` in place of each byte pointer. It
    returns the result: a value of LLVM, a `Pointer`, or None.
    """

    def decorate(emit: Callable[..., Any]) -> Any:
        def codegen(context, builder, _signature, args):
            kinds = zip(signature.args, args, strict=True)
            made = emit(builder, *[Pointer.of(builder, arg) if kind == byte_pointer else arg for kind, arg in kinds])
            if made is None:
                return context.get_dummy_value()
            return made.value if isinstance(made, Pointer) else made

        return intrinsic_of(Outlined(emit.__name__, signature), codegen)

    return decorate


class Variable:
    """A variable of an intrinsic, for a value that changes in a loop: LLVM keeps it in a register."""

    def __init__(self, builder, value) -> None:
        self._builder = builder
        self._place = cgutils.alloca_once_value(builder, value)

    def get(self) -> Any:
        """Return the value."""
        return self._builder.load(self._place)

    def set(self, value) -> None:
        """Assign a value."""
        self._builder.store(value, self._place)


def _as_word(number) -> Any:
    return WORD(int(number)) if isinstance(number, int) else number


# Room of up to this many bytes on the stack lies in one page. If it crossed from one page to the next, streamed rows of
# 1 KiB took twice as long (one thread of a Zen 3).
_IN_ONE_PAGE = 128


def stack_room(builder, n: int, align: int = 8) -> Pointer:
    """Return the pointer to n bytes on the stack, a multiple of 8."""
    room = cgutils.alloca_once(builder, WORD, size=n // 8)
    room.align = max(align, _IN_ONE_PAGE if n <= _IN_ONE_PAGE else 8)
    place = builder.bitcast(room, _BYTES)
    return Pointer.to_buffer(builder, place, 0, n, True)


def _bytes_of(kind) -> Any:
    """Return the size in bytes of an LLVM type, of a number or of a vector."""
    if isinstance(kind, ir.VectorType):
        return kind.count * _bytes_of(kind.element)
    return _FLOAT_BYTES.get(str(kind)) or kind.width // 8


_FLOAT_BYTES = {"half": 2, "float": 4, "double": 8}


def _emit_long_copy(builder, to, source, n):
    """Copy n bytes, more than five vectors: four vectors at a time to aligned places; the last four may overlap."""
    size, together = 32, 4
    kind = ir.VectorType(INT32, size // 4).as_pointer()

    def move(at, vectors):
        offsets = [builder.add(at, WORD(k * size)) for k in range(vectors)]
        loaded = [builder.load(builder.bitcast(builder.gep(source, [o]), kind), align=1) for o in offsets]
        for o, vector in zip(offsets, loaded, strict=True):
            builder.store(vector, builder.bitcast(builder.gep(to, [o]), kind), align=1)

    move(WORD(0), 1)
    first = builder.sub(WORD(size), builder.and_(builder.ptrtoint(to, WORD), WORD(size - 1)))
    last, step = builder.sub(n, WORD(together * size)), WORD(together * size)
    turns = builder.udiv(builder.sub(builder.add(last, WORD(together * size - 1)), first), step)
    with emit_loop(builder, turns) as i:
        move(builder.add(first, builder.mul(i, step)), together)
    move(last, together)
    builder.ret_void()


def _call_emitted(builder, emit, *arguments):
    """Call the function of this module that an emitter makes; the function is made at its first call."""
    name = emit.__name__
    function = builder.module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(_VOID, [argument.type for argument in arguments])
        function = ir.Function(builder.module, kind, name)
        function.linkage = "internal"
        # When the loop of a long copy was inlined into a transpose, the transpose lacked registers and took 1.1 times
        # as long.
        function.attributes.add("noinline")
        emit(ir.IRBuilder(function.append_basic_block()), *function.args)
    builder.call(function, arguments)


# --- The checked form ----------------------------------------------------------------------------------------------


def _emit_check(builder, place, low, high, is_writable, n, align, writes, site):
    """Check that n bytes from a place on lie in [low, high); 0 bytes may lie anywhere."""
    address = builder.ptrtoint(place, WORD)
    is_outside = _emit_is_outside(builder, address, low, high, n)
    is_bad = builder.or_(is_outside, builder.icmp_unsigned(">", writes, is_writable))
    is_bad = builder.and_(is_bad, builder.icmp_unsigned("!=", n, WORD(0)))
    is_misaligned = builder.icmp_unsigned("!=", builder.urem(address, align), WORD(0))
    with builder.if_then(builder.or_(is_bad, is_misaligned)):
        _emit_violation(builder, site, n, builder.sub(address, low), builder.sub(high, low), align)
    builder.ret_void()


def _emit_is_outside(builder, address, low, high, n):
    """Return the condition that n bytes from an address on do not lie in [low, high)."""
    room, offset = builder.sub(high, low), builder.sub(address, low)
    return builder.or_(builder.icmp_unsigned(">", n, room), builder.icmp_unsigned(">", offset, builder.sub(room, n)))


def _emit_check_apart(builder, to, source, n, site):
    """Check that n bytes at two places do not overlap, unless both places are the same."""
    distance = builder.sub(builder.ptrtoint(to, WORD), builder.ptrtoint(source, WORD))
    is_near = builder.or_(builder.icmp_unsigned("<", distance, n), builder.icmp_unsigned("<", builder.neg(distance), n))
    with builder.if_then(builder.and_(is_near, builder.icmp_unsigned("!=", distance, WORD(0)))):
        _emit_violation(builder, site, n, distance, n, WORD(1))
    builder.ret_void()


def _emit_violation(builder, *values):
    """Print what is wrong on standard error, and end the process."""
    text = "fastops: %s %lld bytes at offset %lld of a buffer of %lld, aligned to %lld\n"
    kind = ir.FunctionType(INT32, [INT32, _BYTES], var_arg=True)
    print_to = cgutils.get_or_insert_function(builder.module, kind, "dprintf")
    builder.call(print_to, [INT32(2), _text(builder, text), *values])
    call_function(builder, "abort", _VOID)


def _site(builder, what):
    """Return the pointer to a text: the function that the builder builds, and what the function would do."""
    return _text(builder, f"{builder.function.name} would {what}")


def _text(builder, text):
    """Return the pointer to a constant text."""
    found = builder.module.globals.get(text)
    if found is None:
        code = bytearray(text.encode() + b"\0")
        found = cgutils.global_constant(builder, text, ir.Constant(ir.ArrayType(BYTE, len(code)), code))
    return builder.bitcast(found, _BYTES)
