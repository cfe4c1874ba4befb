"""What the machine code of the kernels is made of: the width of its vectors, and its streaming stores.

Numba has the assembly of functions that this process compiled, not of those that it loaded.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

# Registers by the letters that begin their names, of x86 and of Arm.
_REGISTERS = {"zmm": 64, "ymm": 32, "xmm": 16, "q": 16}
_REGISTER = re.compile(r"\b(zmm|ymm|xmm|q)\d+\b")

# Not the loads (MOVNTDQA), nor prefetches.
_STREAMING_STORE = re.compile(r"^\s+(v?movnt(?!dqa)\w*|stnp)\s", re.MULTILINE)


@dataclass(frozen=True)
class Code:
    """The machine code of one function.

    Attributes
    ----------
    name : str
        Module and function.
    vector_bytes : int
        The widest register that it uses; 0 if none is a vector.
    streaming_stores : int
        Instructions that write past the caches.
    """

    name: str
    vector_bytes: int
    streaming_stores: int


def code_of(name: str, assembly: str) -> Code:
    """Return what the assembly of a function holds."""
    widths = {_REGISTERS[kind] for kind in _REGISTER.findall(assembly)}
    return Code(name, max(widths, default=0), len(_STREAMING_STORE.findall(assembly)))


def compiled_code(package: str) -> list[Code]:
    """Return the code of every function of a package that this process has compiled and kept."""
    codes: dict[str, Code] = {}
    for result in _compile_results(package):
        name = f"{result.fndesc.modname}.{result.fndesc.qualname}"
        # A function may be compiled for several signatures.
        found, other = code_of(name, result.library.get_asm_str()), codes.get(name, Code(name, 0, 0))
        vector_bytes = max(found.vector_bytes, other.vector_bytes)
        codes[name] = Code(name, vector_bytes, found.streaming_stores + other.streaming_stores)
    return [codes[name] for name in sorted(codes)]


def _compile_results(package: str) -> Iterator[Any]:
    """Give what Numba keeps of its compiling, whatever holds it."""
    kind = import_module("numba.core.compiler").CompileResult
    for each in gc.get_objects():
        if type(each) is kind and each.fndesc.modname.split(".")[0] == package:
            yield each


def kernels_in(cache: Path) -> int:
    """Return how many functions have been compiled into a cache."""
    return len(list(cache.rglob("*.nbc")))
