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
from fastops.kernels._tables import _words as w

_BYTES = BYTE.as_pointer()


@intrinsic
def new_words(typingctx, array, rank, skipped):
    """The words of a window that reads an array as it is, of so many axes; those in front have extent 1.

    The first axes of the array are skipped. Both numbers are literals.
    """
    if not isinstance(array, types.Array) or not isinstance(rank, types.IntegerLiteral):
        return None
    if rank.literal_value > w.MOST_AXES:
        raise TypingError(f"fastops: results must have at most {w.MOST_AXES} axes")
    n = rank.literal_value
    front = n - array.ndim + skipped.literal_value
    first_piece = w.HEADER_COLUMNS + 2 * n + 1
    behind = first_piece + w.PIECE_COLUMNS + n * w.AXIS_COLUMNS
    room_words = behind + t.USER_BYTE_STRIDES + 2 * n

    def codegen(context, builder, signature, args):
        struct = context.make_array(array)(context, builder, args[0])
        room = builder.bitcast(cgutils.alloca_once(builder, WORD, size=room_words), _BYTES)
        words = Pointer.to_buffer(builder, room, builder.ptrtoint(room, WORD), WORD(8 * room_words), is_writable=True)
        at = 0

        def store(*values):
            nonlocal at
            for value in values:
                word = WORD(value) if isinstance(value, int) else value
                words.element(WORD, WORD(at)).store(word, align=8)
                at += 1

        shape, strides = _sides_of(builder, array, struct, skipped.literal_value)
        extents, pitches = [1] * front + shape, [0] * front + strides
        store(1, 1, n, 1, first_piece, *extents, n, *extents)
        store(0, 0, n, behind - first_piece)
        for k, extent in enumerate(extents):
            store(extent, 0, 1, extent, w.STRICT_BOUNDS, k, 0, 1, k, 0, 1)
        store(struct.itemsize, 0, *pitches, *[0] * n)
        return words.value

    return byte_pointer(array, rank, skipped), codegen


def _axis_element(builder, words, axis, column):
    """The pointer to a column of an axis of a window; of the axis behind the last one, to what lies behind the axes."""
    first_piece = words.element(WORD, WORD(w.FIRST_PIECE)).load(WORD, align=8)
    at = builder.add(first_piece, builder.mul(axis, WORD(w.AXIS_COLUMNS)))
    return words.element(WORD, builder.add(at, WORD(w.PIECE_COLUMNS + column)))


def _sides_of(builder, array, struct, skipped):
    """The shape and the byte strides of an array, but for the first axes."""
    if array.ndim == 0:
        return [], []
    return [cgutils.unpack_tuple(builder, each)[skipped:] for each in (struct.shape, struct.strides)]


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
            counts.append(_axis_element(builder, pointer, axis, w.COUNT).load(WORD, align=8))
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
            rank = pointer.element(WORD, WORD(w.SRC_RANK)).load(WORD, align=8)
            first = _axis_element(builder, pointer, rank, t.USER_BYTE_STRIDES)
            first.element(WORD, builder.add(rank, axis)).store(stride, align=8)
            count = _axis_element(builder, pointer, axis, w.COUNT).load(WORD, align=8)
            differs = builder.icmp_signed("!=", count, extent)
            status = builder.select(differs, WORD(t.OTHER_SHAPE), status)
        return status

    return types.intp(byte_pointer, out, axes, skipped), codegen
