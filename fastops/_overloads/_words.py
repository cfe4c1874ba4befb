"""The words of a window, set from the arrays of users' code: their ranks are known when it is compiled."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer
from fastops.kernels._tables import _window as t

_BYTES = BYTE.as_pointer()


@intrinsic
def new_words(typingctx, array, rank, skipped):
    """The words of a window that reads an array as it is, of so many axes; those in front have extent 1.

    The first axes of the array are skipped. Both numbers are literals.
    """
    if not isinstance(array, types.Array) or not isinstance(rank, types.IntegerLiteral):
        return None
    if rank.literal_value > t.MOST_AXES:
        raise TypingError(f"fastops: results must have at most {t.MOST_AXES} axes")
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
