"""The types of kernels' arguments, and the features of the processor that kernels are compiled for.

One signature of a kernel takes arrays of any dtype, rank, byte order and layout: the kernel gets addresses and reads
the fields of the objects itself. Nothing checks the objects here; the callers of kernels do.

- ``array_object``: the address of an object of any type;
- ``array_addresses``: the address of the addresses of a tuple's items;
- ``byte_pointer``: the address of a byte of memory.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import models, register_model

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._object_layout import TUPLE_ITEMS


def features() -> frozenset[str]:
    """Return LLVM's names of the features of the processor that Numba compiles for, with "neon" for any 64-bit ARM."""
    triple, _, names = cpu_target.target_context.codegen().magic_tuple()
    found = frozenset([name[1:] for name in names.split(",") if name.startswith("+")])
    return found | {"neon"} if triple.startswith(("aarch64", "arm64")) else found


BYTE, INT32, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)


class _AddressType(types.Type):
    """The address of an object, or of the addresses of a tuple's items."""


class _BytePointerType(types.Type):
    """The address of a byte of memory."""


array_object = _AddressType("fastops.ArrayObject")
array_addresses = _AddressType("fastops.ArrayAddresses")
byte_pointer = _BytePointerType("fastops.BytePointer")


@register_model(_AddressType)
class _AddressModel(models.PrimitiveModel):
    """An address as an integer, which passes into the body of a parallel loop like any number."""

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


def numbers_type(record: Any) -> types.Type:
    """Return the type of a NamedTuple class whose fields are integers, for the signatures of out-of-line kernels."""
    return types.NamedUniTuple(types.intp, len(record._fields), record)


def taken_of(builder, kind, obj):
    """Return the address that a kernel gets for the object at the pointer ``obj``, as an argument of a type."""
    at = obj if kind == array_object else builder.gep(builder.bitcast(obj, BYTE.as_pointer()), [WORD(TUPLE_ITEMS)])
    return builder.ptrtoint(at, WORD)


def load_field(builder, array, offset, kind):
    """Return the field of an LLVM type at an offset in the object at the pointer ``array``."""
    offset = WORD(offset) if isinstance(offset, int) else offset
    field = builder.gep(builder.bitcast(array, BYTE.as_pointer()), [offset])
    return builder.load(builder.bitcast(field, kind.as_pointer()))
