"""The target: which instructions LLVM has for shuffles, on the processor that code is compiled for.

Numba gives LLVM a processor's name and a list of features. Either may say what it has, and LLVM does not tell what a
name stands for. So it compiles a shuffle, whose assembly is read.

Types of raw memory: how a kernel receives objects, and what it moves.

A kernel takes arrays of any dtype, rank, byte order and layout through one signature, because it takes the addresses of
objects alone, and reads their fields. Two argument types do that:

- ``array_object``: an object, of any type;
- ``array_addresses``: a tuple of objects, of which the kernel sees the addresses one by one.

Nothing checks the objects here: what kernels say of their arguments is the caller's to keep.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import models, register_model

from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics._object_layout import TUPLE_ITEMS


def has_shuffle(context: Any, instruction: str, n: int) -> bool:
    """Return whether n bytes are shuffled by an instruction, where code of a context of Numba's is compiled."""
    return instruction in instructions_of(*context.codegen().magic_tuple(), n)


def has_shuffle_of_halves(context: Any) -> bool:
    """Return whether one instruction of AVX2 shuffles both halves of 32 bytes, where code of a context is compiled."""
    return shuffles_halves(*context.codegen().magic_tuple())


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
