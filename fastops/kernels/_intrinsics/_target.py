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


@cache
def instructions_of(triple: str, processor: str, features: str, n: int) -> frozenset[str]:
    """Return the instructions of a shuffle of n bytes for a processor with features, without a V in front.

    On x86, that stands before the same word where AVX is used.
    """
    target = llvmlite.binding.Target.from_triple(triple)
    machine = target.create_target_machine(processor, features)
    # A permutation, because 5 is odd and n a power of two, in no order for which there is a simpler instruction.
    lanes = ", ".join(f"i32 {(5 * lane + 3) % n}" for lane in range(n))
    module = llvmlite.binding.parse_assembly(
        f'target triple = "{triple}"\n'
        f"define void @shuffle(ptr %to, ptr %from) {{\n"
        f"  %bytes = load <{n} x i8>, ptr %from\n"
        f"  %made = shufflevector <{n} x i8> %bytes, <{n} x i8> poison, <{n} x i32> <{lanes}>\n"
        f"  store <{n} x i8> %made, ptr %to\n"
        f"  ret void\n"
        f"}}\n"
    )
    lines = machine.emit_assembly(module).splitlines()
    words = [line.split()[0] for line in lines if line.startswith("\t") and line.split()]
    # Apple's assembler writes the shape of the vector behind the instruction: tbl.16b.
    return frozenset([word.partition(".")[0].removeprefix("v") for word in words])
