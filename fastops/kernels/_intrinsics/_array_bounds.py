"""The bounds of an array, as LLVM code: what the checked form of the kernels knows of a buffer."""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._access import Pointer, Variable
from fastops.kernels._intrinsics._emit_loop import emit_loop
from fastops.kernels._intrinsics._object_layout import (
    DTYPE_ITEMSIZE,
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
)
from fastops.kernels._intrinsics._types import BYTE, WORD, load_field

_BYTES = BYTE.as_pointer()


def pointer_to_array(builder, address, *, is_writable) -> Pointer:
    """The pointer to element 0 of an array, of which a kernel has the address: the one place that makes it a pointer.

    In the checked form the address is that of the object, and the pointer has the bounds of its elements.
    """
    if not IS_CHECKED:
        return Pointer(builder, builder.inttoptr(address, _BYTES))
    array = builder.inttoptr(address, _BYTES)
    place = load_field(builder, array, NDARRAY_DATA, _BYTES)
    extents, strides = (
        load_field(builder, array, offset, WORD.as_pointer()) for offset in (NDARRAY_DIMENSIONS, NDARRAY_STRIDES)
    )
    itemsize = load_field(builder, load_field(builder, array, NDARRAY_DTYPE, _BYTES), DTYPE_ITEMSIZE, WORD)
    low, high = (Variable(builder, builder.ptrtoint(place, WORD)) for _ in range(2))
    is_empty = Variable(builder, ir.IntType(1)(0))
    rank = builder.zext(load_field(builder, array, NDARRAY_RANK, ir.IntType(32)), WORD)
    with emit_loop(builder, rank) as axis:
        extent, stride = (load_field(builder, builder.gep(words, [axis]), 0, WORD) for words in (extents, strides))
        reach = builder.mul(builder.sub(extent, WORD(1)), stride)
        is_empty.set(builder.or_(is_empty.get(), builder.icmp_signed("==", extent, WORD(0))))
        is_falling = builder.icmp_signed("<", stride, WORD(0))
        low.set(builder.add(low.get(), builder.select(is_falling, reach, WORD(0))))
        high.set(builder.add(high.get(), builder.select(is_falling, WORD(0), reach)))
    n = builder.add(builder.sub(high.get(), low.get()), itemsize)
    n = builder.select(is_empty.get(), WORD(0), n)
    return Pointer.to_buffer(builder, place, low.get(), n, is_writable)
