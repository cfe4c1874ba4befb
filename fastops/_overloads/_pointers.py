"""Pointers to the elements of arrays of users' code, with the bounds that the checked form of the kernels takes."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer

_BYTES = BYTE.as_pointer()


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


@intrinsic
def output_at(typingctx, array):
    """The byte pointer to element 0 of an array, for writing."""
    if not isinstance(array, types.Array):
        return None

    def codegen(context, builder, signature, args):
        place, low, high = _bounds_of(context, builder, array, args[0])
        first = builder.add(builder.ptrtoint(place, WORD), low)
        return Pointer.to_buffer(builder, place, first, builder.sub(high, low), is_writable=True).value

    return byte_pointer(array), codegen


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
