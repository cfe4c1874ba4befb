"""The types of kernels' arguments, and the shuffle instructions of the processor that they are compiled for.

One signature of a kernel takes arrays of any dtype, rank, byte order and layout: the kernel gets addresses and reads
the fields of the objects itself. Nothing checks the objects here; the callers of kernels do.

- ``array_object``: the address of an object of any type;
- ``array_addresses``: the address of the addresses of a tuple's items;
- ``byte_pointer``: the address of a byte of memory.

Numba gives LLVM the name of a processor and a list of features. LLVM does not tell which instructions a name stands
for, so these functions let LLVM compile a shuffle and read its assembly.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import models, register_model

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._object_layout import TUPLE_ITEMS


def target() -> tuple[str, str, str]:
    """Return the triple, the processor and the features that Numba compiles for."""
    triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return triple, processor, features


@cache
def instructions_of(triple: str, processor: str, features: str, n: int) -> frozenset[str]:
    """Return the instructions of a shuffle of n bytes for a processor with features, without a V in front.

    On x86, that stands before the same word where AVX is used.
    """
    # A permutation, because 5 is odd and n a power of two, in no order for which there is a simpler instruction.
    lines = _assembly_of(triple, processor, features, [(5 * lane + 3) % n for lane in range(n)])
    words = [line.split()[0] for line in lines]
    # Apple's assembler writes the shape of the vector behind the instruction: tbl.16b.
    return frozenset([word.partition(".")[0].removeprefix("v") for word in words])


@cache
def shuffles_halves(triple: str, processor: str, features: str) -> bool:
    """Return whether a processor with features shuffles the bytes of both halves of a register of 32 at once."""
    lines = _assembly_of(triple, processor, features, [lane // 16 * 16 + (5 * lane + 3) % 16 for lane in range(32)])
    return any(["pshufb" in line and "ymm" in line for line in lines])


def _assembly_of(triple: str, processor: str, features: str, lanes: list[int]) -> list[str]:
    """Return the instructions and directives of a shuffle by these lanes, a line each."""
    target = llvmlite.binding.Target.from_triple(triple)
    machine = target.create_target_machine(processor, features)
    n, numbers = len(lanes), ", ".join([f"i32 {lane}" for lane in lanes])
    module = llvmlite.binding.parse_assembly(
        f'target triple = "{triple}"\n'
        f"define void @shuffle(ptr %to, ptr %from) {{\n"
        f"  %bytes = load <{n} x i8>, ptr %from\n"
        f"  %made = shufflevector <{n} x i8> %bytes, <{n} x i8> poison, <{n} x i32> <{numbers}>\n"
        f"  store <{n} x i8> %made, ptr %to\n"
        f"  ret void\n"
        f"}}\n"
    )
    return [line for line in machine.emit_assembly(module).splitlines() if line.startswith("\t") and line.split()]


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
