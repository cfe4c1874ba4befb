"""Intrinsics of stubs: from the arrays and the arguments of users' code to the words of a window.

Rank and types are known when they are compiled, so that all of them are straight code of a few instructions.
"""

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

# The longest name of a mode has 13 characters.
_NAME_BYTES = 16

#: Texts of statuses, as they follow the operator's name.
TEXTS = {
    t.NO_AXIS: "axes must name axes of data",
    t.REPEATED_AXIS: "axes must name each axis once",
    t.ZERO_STRIDE: "strides must not be 0",
    t.NEGATIVE_SIZE: "sizes and pads must be at least 0",
    t.TOO_LARGE: "numbers must keep all sums within 64 bits",
    t.OUT_OF_BOUNDS: "coordinates must lie in bounds",
    t.EMPTY_AXIS: "an empty axis has nothing to read but in mode fill",
    t.OTHER_SHAPE: "out must have the shape of the result",
    t.NO_MODE: "mode must be the name of a mode, in lower case",
    t.FILL_VALUE: "the fill value must be one that the type of data can express",
    t.OTHER_LENGTH: "lists must have as many values as there are axes",
    t.UNUSED_FILL_VALUE: "a fill value must be given in mode fill only",
}


@intrinsic
def raise_status(typingctx, operator, status):
    """Raise a ValueError for a status that is not 0; ``operator`` is a literal, its name."""
    if not isinstance(operator, types.StringLiteral):
        return None
    name = operator.literal_value

    def codegen(context, builder, signature, args):
        is_wrong = builder.icmp_signed("!=", args[1], WORD(0))
        with builder.if_then(is_wrong, likely=False):
            for code, text in TEXTS.items():
                with builder.if_then(builder.icmp_signed("==", args[1], WORD(code))):
                    context.call_conv.return_user_exc(builder, ValueError, (f"{name}: {text}",))
        return context.get_dummy_value()

    return types.void(operator, types.intp), codegen


@intrinsic
def new_words(typingctx, array, rank, skipped):
    """The words of a window that reads an array as it is, of so many axes; those in front have extent 1.

    The first axes of the array are skipped. Both numbers are literals.
    """
    if not isinstance(array, types.Array) or not isinstance(rank, types.IntegerLiteral):
        return None
    front = rank.literal_value - array.ndim + skipped.literal_value

    def codegen(context, builder, signature, args):
        struct = context.make_array(array)(context, builder, args[0])
        room = builder.bitcast(cgutils.alloca_once(builder, WORD, size=t.USER_WORDS), _BYTES)
        words = Pointer.to_buffer(builder, room, builder.ptrtoint(room, WORD), WORD(8 * t.USER_WORDS), is_writable=True)

        def store(i, value):
            words.element(WORD, WORD(i)).store(value, align=8)

        store(t.RANK, WORD(rank.literal_value))
        store(t.WIDTH, struct.itemsize)
        for column in (t.MODE, t.STREAMS, t.HAS_PLANES, t.PROGRAMS, t.FIRST_PROGRAM, t.AXES_SET):
            store(column, WORD(0))
        shape, strides = _sides_of(builder, array, struct, skipped.literal_value)
        for k in range(rank.literal_value):
            extent = WORD(1) if k < front else shape[k - front]
            pitch = WORD(0) if k < front else strides[k - front]
            at = t.HEADER_COLUMNS + k * t.AXIS_COLUMNS
            for column, value in (
                (t.EXTENT, extent),
                (t.SRC_PITCH, pitch),
                (t.START, WORD(0)),
                (t.STRIDE, WORD(1)),
                (t.COUNT, extent),
                (t.DST_PITCH, WORD(0)),
            ):
                store(at + column, value)
        return words.value

    return byte_pointer(array, rank, skipped), codegen


def _sides_of(builder, array, struct, skipped):
    """The shape and the byte strides of an array, but for the first axes."""
    if array.ndim == 0:
        return [], []
    return [cgutils.unpack_tuple(builder, each)[skipped:] for each in (struct.shape, struct.strides)]


@intrinsic
def set_mode(typingctx, words, mode):
    """Let a window have a mode, by its number, and no axis be set; return a status."""

    def codegen(context, builder, signature, args):
        pointer = Pointer.of(builder, args[0])
        pointer.element(WORD, WORD(t.MODE)).store(args[1], align=8)
        pointer.element(WORD, WORD(t.AXES_SET)).store(WORD(0), align=8)
        is_one = builder.icmp_unsigned("<=", args[1], WORD(t.SYMMETRIC))
        return builder.select(is_one, WORD(0), WORD(t.NO_MODE))

    return types.intp(byte_pointer, types.intp), codegen


@intrinsic
def shape_of(typingctx, words, axes):
    """The shape of a result, axis i of which is axis axes[i] of the window, a tuple of numbers that are right."""
    if not isinstance(axes, types.BaseTuple):
        return None

    def codegen(context, builder, signature, args):
        pointer = Pointer.of(builder, args[0])
        counts = []
        for k, kind in enumerate(axes):
            axis = context.cast(builder, builder.extract_value(args[1], k), kind, types.intp)
            at = builder.add(WORD(t.HEADER_COLUMNS + t.COUNT), builder.mul(axis, WORD(t.AXIS_COLUMNS)))
            counts.append(pointer.element(WORD, at).load(WORD, align=8))
        return context.make_tuple(builder, signature.return_type, counts)

    return types.UniTuple(types.intp, len(axes))(words, axes), codegen


@intrinsic
def set_output(typingctx, words, out, axes, skipped):
    """Let a window be written into an array, axis i of which is axis axes[i] of the window; return a status.

    The first axes of the array are skipped, which is a literal; ``axes`` is a tuple of numbers of axes that are right.
    """
    if not isinstance(out, types.Array) or not isinstance(skipped, types.IntegerLiteral):
        return None
    if len(axes) != out.ndim - skipped.literal_value:
        raise TypingError("fastops: out must have the rank of the result")

    def codegen(context, builder, signature, args):
        pointer = Pointer.of(builder, args[0])
        struct = context.make_array(out)(context, builder, args[1])
        shape, strides = _sides_of(builder, out, struct, skipped.literal_value)
        status = WORD(0)
        for k, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
            axis = context.cast(builder, builder.extract_value(args[2], k), axes[k], types.intp)
            at = builder.add(WORD(t.HEADER_COLUMNS), builder.mul(axis, WORD(t.AXIS_COLUMNS)))
            pointer.element(WORD, builder.add(at, WORD(t.DST_PITCH))).store(stride, align=8)
            count = pointer.element(WORD, builder.add(at, WORD(t.COUNT))).load(WORD, align=8)
            differs = builder.icmp_signed("!=", count, extent)
            status = builder.select(differs, WORD(t.OTHER_SHAPE), status)
        return status

    return types.intp(byte_pointer, out, axes, skipped), codegen


def _bounds_of(context, builder, array, value):
    """Return the pointer to element 0 of an array, with the bounds that only the checked form takes."""
    struct = context.make_array(array)(context, builder, value)
    place = builder.bitcast(struct.data, _BYTES)
    low, high = WORD(0), struct.itemsize
    if array.ndim:
        shape, strides = (cgutils.unpack_tuple(builder, each) for each in (struct.shape, struct.strides))
        for extent, stride in zip(shape, strides, strict=True):
            reach = builder.mul(builder.sub(extent, WORD(1)), stride)
            is_falling = builder.icmp_signed("<", stride, WORD(0))
            low = builder.add(low, builder.select(is_falling, reach, WORD(0)))
            high = builder.add(high, builder.select(is_falling, WORD(0), reach))
    is_empty = builder.icmp_signed("==", struct.nitems, WORD(0))
    return place, builder.select(is_empty, WORD(0), low), builder.select(is_empty, WORD(0), high)


def _pointer_to(is_writable):
    def pointer_to(typingctx, array):
        if not isinstance(array, types.Array):
            return None

        def codegen(context, builder, signature, args):
            place, low, high = _bounds_of(context, builder, array, args[0])
            first = builder.add(builder.ptrtoint(place, WORD), low)
            return Pointer.to_buffer(builder, place, first, builder.sub(high, low), is_writable=is_writable).value

        return byte_pointer(array), codegen

    return intrinsic(pointer_to)


#: The byte pointer to element 0 of an array: for reading, and for writing.
source_at, output_at = _pointer_to(False), _pointer_to(True)


@intrinsic
def shift_by(typingctx, pointer, offset):
    """A byte pointer moved by so many bytes."""

    def codegen(context, builder, signature, args):
        return Pointer.of(builder, args[0]).at(args[1]).value

    return byte_pointer(byte_pointer, types.intp), codegen


@intrinsic
def may_overlap(typingctx, one, other):
    """True if the spans of memory of two arrays meet."""
    if not isinstance(one, types.Array) or not isinstance(other, types.Array):
        return None

    def codegen(context, builder, signature, args):
        spans = []
        for array, value in zip((one, other), args, strict=True):
            place, low, high = _bounds_of(context, builder, array, value)
            first = builder.ptrtoint(place, WORD)
            spans.append((builder.add(first, low), builder.add(first, high)))
        (low, high), (other_low, other_high) = spans
        return builder.and_(builder.icmp_unsigned("<", low, other_high), builder.icmp_unsigned("<", other_low, high))

    return types.boolean(one, other), codegen


@intrinsic
def as_integers(typingctx, values):
    """A tuple of integers of any types as one of 64-bit integers."""
    kinds = list(values.types) if isinstance(values, types.BaseTuple) else None
    if kinds is None or not all(isinstance(kind, types.Integer) for kind in kinds):
        raise TypingError("fastops: lists of indices must be tuples of integers")
    if any(kind.bitwidth == 64 and not kind.signed for kind in kinds):
        raise TypingError("fastops: indices must be signed integers, or unsigned ones of less than 64 bits")

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
            is_same = fits
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


@intrinsic
def as_pads(typingctx, pad_width, rank):
    """Pads of each axis, before and behind it in turn, as NumPy broadcasts them; ``rank`` is a literal."""
    if not isinstance(rank, types.IntegerLiteral):
        return None
    n = rank.literal_value
    rows = _rows_of(pad_width)
    if rows is None or len(rows) not in (1, n):
        raise TypingError("fastops: pad_width must be an integer, a pair, or a pair for each axis")
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
    if isinstance(pad_width, types.Integer):
        return [[((), pad_width)]]
    if not isinstance(pad_width, types.BaseTuple) or len(pad_width) == 0:
        return None
    kinds = list(pad_width.types)
    if all(isinstance(kind, types.Integer) for kind in kinds):
        return [[((i,), kind) for i, kind in enumerate(kinds)]] if len(kinds) <= 2 else None
    if not all(isinstance(kind, types.BaseTuple) and len(kind) in (1, 2) for kind in kinds):
        return None
    if not all(isinstance(item, types.Integer) for kind in kinds for item in kind.types):
        return None
    return [[((i, j), item) for j, item in enumerate(kind.types)] for i, kind in enumerate(kinds)]
