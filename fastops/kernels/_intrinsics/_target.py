"""The target: which instructions LLVM has for shuffles, on the processor that code is compiled for.

Numba gives LLVM a processor's name and a list of features. Either may say what it has, and LLVM does not tell what a
name stands for. So it compiles a shuffle, whose assembly is read.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding


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
