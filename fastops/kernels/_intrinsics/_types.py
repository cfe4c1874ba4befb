"""Types of raw memory: how a kernel receives objects, and what it moves.

A kernel takes arrays of any dtype, rank, byte order and layout through one signature, because it takes the addresses of
objects alone, and reads their fields. Two argument types do that:

- ``array_object``: an object, of any type;
- ``array_addresses``: a tuple of objects, of which the kernel sees the addresses one by one.

Nothing checks the objects here: what kernels say of their arguments is the caller's to keep.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import models, register_model

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._object_layout import TUPLE_ITEMS

BYTE = ir.IntType(8)
WORD = ir.IntType(64)


class _ArrayObjectType(types.Type):
    """An argument of any type as the address of its object."""

    def __init__(self) -> None:
        super().__init__(name="fastops.ArrayObject")


class _ArrayAddressesType(types.Type):
    """A tuple, as the address of the addresses of its items."""

    def __init__(self) -> None:
        super().__init__(name="fastops.ArrayAddresses")


class _BytePointerType(types.Type):
    """The address of a byte of memory."""

    def __init__(self) -> None:
        super().__init__(name="fastops.BytePointer")


array_addresses = _ArrayAddressesType()
array_object = _ArrayObjectType()
byte_pointer = _BytePointerType()


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
    at = obj if kind == array_object else builder.gep(builder.bitcast(obj, BYTE.as_pointer()), [WORD(TUPLE_ITEMS)])
    return builder.ptrtoint(at, WORD)


def load_field(builder, array, offset, kind):
    """The field of an LLVM type at an offset in the object at the pointer ``array``."""
    field = builder.gep(builder.bitcast(array, BYTE.as_pointer()), [WORD(offset)])
    return builder.load(builder.bitcast(field, kind.as_pointer()))
