"""Arguments of users' code as numbers: indices, modes, fill values and pads, whose types are known when compiling."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

import sys

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer
from fastops.kernels._tables import _window as t

_BYTES = BYTE.as_pointer()

# The longest name of a mode has 18 characters.
_NAME_BYTES = 24


#: What `is_index` asks for.
OF_INTEGERS = "of integers, signed or of less than 64 bits"


def is_index(kind) -> bool:
    """True for a type of integers of which 64 bits with a sign hold each."""
    return isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 64)


@intrinsic
def as_integers(typingctx, values):
    """A tuple of integers of any types as one of 64-bit integers."""
    kinds = list(values.types) if isinstance(values, types.BaseTuple) else None
    if kinds is None or not all(is_index(kind) for kind in kinds):
        raise TypingError(f"fastops: indices must be a tuple {OF_INTEGERS}, got {values}")

    def codegen(context, builder, signature, args):
        items = cgutils.unpack_tuple(builder, args[0]) if kinds else []
        words = [context.cast(builder, item, kind, types.intp) for item, kind in zip(items, kinds, strict=True)]
        return context.make_tuple(builder, signature.return_type, words)

    return types.UniTuple(types.intp, len(kinds))(values), codegen


@intrinsic
def mode_of(typingctx, mode, names):
    """The number of a mode that is a string, among ``names``, a literal: "name number name number"; -1 for none."""
    if not isinstance(names, types.StringLiteral):
        return None
    words = names.literal_value.split()
    numbers = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    if isinstance(mode, types.StringLiteral):
        number = numbers.get(mode.literal_value, -1)
        return types.intp(mode, names), lambda context, builder, signature, args: WORD(number)
    if not isinstance(mode, types.UnicodeType):
        return None

    def codegen(context, builder, signature, args):
        text = cgutils.create_struct_proxy(types.unicode_type)(context, builder, args[0])
        room = cgutils.alloca_once(builder, WORD, size=_NAME_BYTES // 8)
        for i in range(_NAME_BYTES // 8):
            builder.store(WORD(0), builder.gep(room, [WORD(i)]))
        is_short = builder.icmp_unsigned("<=", text.length, WORD(_NAME_BYTES))
        is_plain = builder.icmp_unsigned("==", text.kind, ir.Constant(text.kind.type, 1))
        fits = builder.and_(is_short, is_plain)
        with builder.if_then(fits):
            cgutils.raw_memcpy(builder, builder.bitcast(room, _BYTES), text.data, text.length, itemsize=1)
        found = WORD(-1)
        for name, number in numbers.items():
            raw = name.encode().ljust(_NAME_BYTES, b"\0")
            is_same = builder.and_(fits, builder.icmp_signed("==", text.length, text.length.type(len(name))))
            for i in range(_NAME_BYTES // 8):
                word = builder.load(builder.gep(room, [WORD(i)]))
                expected = WORD(int.from_bytes(raw[8 * i : 8 * i + 8], sys.byteorder))
                is_same = builder.and_(is_same, builder.icmp_unsigned("==", word, expected))
            found = builder.select(is_same, WORD(number), found)
        return found

    return types.intp(types.unicode_type, names), codegen


@intrinsic
def fill_at(typingctx, array, value):
    """The byte pointer to an element of an array's type that holds a number, or zero bytes for None; and a status."""
    if not isinstance(array, types.Array):
        return None
    dtype = array.dtype
    is_none = isinstance(value, (types.NoneType, types.Omitted))
    if not is_none and not _takes(dtype, value):
        raise TypingError(f"fastops: a fill value of type {value} is none for data of type {dtype}")

    def codegen(context, builder, signature, args):
        model = context.data_model_manager[dtype]
        room = cgutils.alloca_once(builder, model.get_data_type())
        status = WORD(0)
        if is_none:
            builder.store(ir.Constant(model.get_data_type(), None), room)
        else:
            cast = context.cast(builder, args[1], value, dtype)
            builder.store(model.as_data(builder, cast), room)
            if isinstance(dtype, types.Integer) and isinstance(value, types.Integer):
                status = _status_of_integer(context, builder, args[1], value, cast, dtype)
            elif isinstance(dtype, types.Float) and isinstance(value, types.Float):
                status = _status_of_float(builder, args[1], cast)
            elif isinstance(dtype, types.Complex) and isinstance(value, types.Complex):
                parts = [
                    _status_of_float(builder, builder.extract_value(args[1], k), builder.extract_value(cast, k))
                    for k in range(2)
                ]
                status = builder.or_(*parts)
        place = builder.bitcast(room, _BYTES)
        size = WORD(context.get_abi_sizeof(model.get_data_type()))
        pointer = Pointer.to_buffer(builder, place, builder.ptrtoint(place, WORD), size, is_writable=False)
        return context.make_tuple(builder, signature.return_type, [pointer.value, status])

    return types.Tuple((byte_pointer, types.intp))(array, value), codegen


def _takes(dtype, value) -> bool:
    """True if a type has numbers of another one's kind."""
    if isinstance(dtype, types.Boolean):
        return isinstance(value, types.Boolean)
    if isinstance(dtype, types.Integer):
        return isinstance(value, (types.Boolean, types.Integer))
    if isinstance(dtype, types.Float):
        return isinstance(value, (types.Boolean, types.Integer, types.Float))
    if isinstance(dtype, types.Complex):
        return isinstance(value, (types.Boolean, types.Integer, types.Float, types.Complex))
    return bool(dtype == value)


def _status_of_integer(context, builder, number, kind, cast, dtype):
    """Return a status of an integer that another type shall hold: whether it and its sign are still the same."""
    back = context.cast(builder, cast, dtype, kind)
    is_same = builder.icmp_signed("==", back, number)
    if kind.signed != dtype.signed:
        zero, other_zero = number.type(0), cast.type(0)
        signed = builder.icmp_signed("<", number, zero) if kind.signed else builder.icmp_signed("<", cast, other_zero)
        is_same = builder.and_(is_same, builder.not_(signed))
    return builder.select(is_same, WORD(0), WORD(t.FILL_VALUE))


def _status_of_float(builder, number, cast):
    """Return a status of a number that another type shall hold: whether it is still finite if it was."""
    if number.type == cast.type:
        return WORD(0)
    was, still = (builder.fcmp_ordered("==", builder.fsub(each, each), each.type(0)) for each in (number, cast))
    return builder.select(builder.and_(was, builder.not_(still)), WORD(t.FILL_VALUE), WORD(0))


@intrinsic
def as_pads(typingctx, pad_width, rank):
    """Pads of each axis, before and behind it in turn, as NumPy broadcasts them; ``rank`` is a literal."""
    if not isinstance(rank, types.IntegerLiteral):
        return None
    n = rank.literal_value
    rows = _rows_of(pad_width)
    if rows is None or len(rows) not in (1, n):
        raise TypingError(
            "fastops: pad_width must be an integer, or a tuple of two integers, or of such a tuple for each axis"
        )
    rows = rows * n if len(rows) == 1 else rows

    def codegen(context, builder, signature, args):
        pads = []
        for row in rows:
            for path, kind in (row[0], row[-1]):
                value = builder.extract_value(args[0], path) if path else args[0]
                pads.append(context.cast(builder, value, kind, types.intp))
        return context.make_tuple(builder, signature.return_type, pads)

    return types.UniTuple(types.intp, 2 * n)(pad_width, rank), codegen


def _rows_of(pad_width):
    """The places and types of the integers of pads, a row of one or two for each axis; None where they are none."""
    if is_index(pad_width):
        return [[((), pad_width)]]
    if not isinstance(pad_width, types.BaseTuple) or len(pad_width) == 0:
        return None
    kinds = list(pad_width.types)
    if all(is_index(kind) for kind in kinds):
        return [[((i,), kind) for i, kind in enumerate(kinds)]] if len(kinds) <= 2 else None
    if not all(isinstance(kind, types.BaseTuple) and len(kind) in (1, 2) for kind in kinds):
        return None
    if not all(is_index(item) for kind in kinds for item in kind.types):
        return None
    return [[((i, j), item) for j, item in enumerate(kind.types)] for i, kind in enumerate(kinds)]
