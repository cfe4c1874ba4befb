"""Types of raw memory: how a kernel receives arrays, and what it moves.

A kernel takes arrays of any dtype, rank, byte order and layout through one signature, because it takes their
addresses alone. Three argument types do that:

- ``array_address``: an ndarray, of which the kernel sees the address of element 0;
- ``array_addresses``: a tuple of ndarrays, of which the kernel sees the addresses one by one;
- ``array_object``: an object itself, for what reads its type, and its fields if it is an ndarray.

In the checked form of the kernels the address is that of the ndarray object, which tells the bounds (`_access`).

Nothing checks the objects here. But for `execute`, which does, the caller must pass ndarrays, must have checked shape,
strides and writeability, and must hold a reference until the kernel returns.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import models, register_model

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._object_layout import NDARRAY_DATA, TUPLE_ITEMS

BYTE = ir.IntType(8)
WORD = ir.IntType(64)


class _ArrayAddressType(types.Type):
    """An ndarray argument of which only the data address is taken."""

    def __init__(self) -> None:
        super().__init__(name="fastops.ArrayAddress")


class _ArrayObjectType(types.Type):
    """An argument of any type as the address of its object."""

    def __init__(self) -> None:
        super().__init__(name="fastops.ArrayObject")


class _ArrayAddressesType(types.Type):
    """A tuple of ndarrays of which only the data addresses are taken, one at a time."""

    def __init__(self) -> None:
        super().__init__(name="fastops.ArrayAddresses")


class _BytePointerType(types.Type):
    """The address of a byte of memory."""

    def __init__(self) -> None:
        super().__init__(name="fastops.BytePointer")


array_address = _ArrayAddressType()
array_addresses = _ArrayAddressesType()
array_object = _ArrayObjectType()
byte_pointer = _BytePointerType()


@register_model(_ArrayAddressType)
@register_model(_ArrayAddressesType)
@register_model(_ArrayObjectType)
class _AddressModel(models.PrimitiveModel):
    """An address as an integer, so that it passes into the body of a parallel loop like any number."""

    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, WORD)


class _BytePointerModel(models.PrimitiveModel):
    """A byte pointer as an address."""

    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, BYTE.as_pointer())


class _CheckedPointerModel(models.StructModel):
    """A byte pointer as an address, the bounds of its buffer, and 1 if that may be written."""

    def __init__(self, dmm, fe_type) -> None:
        words = [(name, types.intp) for name in ("low", "high", "is_writable")]
        super().__init__(dmm, fe_type, [("place", types.voidptr), *words])


register_model(_BytePointerType)(_CheckedPointerModel if IS_CHECKED else _BytePointerModel)


def taken_of(builder, kind, obj):
    """What a kernel takes of the object at the pointer ``obj`` as an argument of one of these types."""
    if kind == array_address:
        return load_array_address(builder, obj)
    at = obj if kind == array_object else builder.gep(builder.bitcast(obj, BYTE.as_pointer()), [WORD(TUPLE_ITEMS)])
    return builder.ptrtoint(at, WORD)


def load_array_address(builder, array):
    """The address that a kernel takes of the ndarray object at the pointer ``array``, as LLVM code."""
    if IS_CHECKED:
        return builder.ptrtoint(array, WORD)
    return load_field(builder, array, NDARRAY_DATA, WORD)


def load_field(builder, array, offset, kind):
    """The field of an LLVM type at an offset in the object at the pointer ``array``."""
    field = builder.gep(builder.bitcast(array, BYTE.as_pointer()), [WORD(offset)])
    return builder.load(builder.bitcast(field, kind.as_pointer()))
