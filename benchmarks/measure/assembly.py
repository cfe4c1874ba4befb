"""What the machine code of the kernels is made of: the width of its vectors, and its streaming stores.

The object of all kernels is disassembled by objdump, where that is installed. Numba has the assembly of functions that
this process compiled, not of those that it loaded.
"""

from __future__ import annotations

import gc
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

# Registers by the letters that begin their names, of x86 and of Arm.
_REGISTERS = {"zmm": 64, "ymm": 32, "xmm": 16, "q": 16}
_REGISTER = re.compile(r"\b(zmm|ymm|xmm|q)\d+\b")

# Not the loads (MOVNTDQA), nor prefetches. In front there may be an address.
_STREAMING_STORE = re.compile(r"^\s+(?:[0-9a-f]+:\s+)?(v?movnt(?!dqa)\w*|stnp)\s", re.MULTILINE)

# How objdump begins a function.
_FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:\n", re.MULTILINE)


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
    """Return the code of the functions of a package's object, and of those that this process has compiled and kept."""
    codes = {code.name: code for code in _code_of_object()}
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


def _code_of_object() -> Iterator[Code]:
    """Give the code of each function of the object that this process runs; nothing where that is not known."""
    disassembler = shutil.which("objdump")
    try:
        found = import_module("fastops._runtime._objects").find_ready()
    except ImportError:
        # A commit that has no objects.
        found = None
    if disassembler is None or found is None:
        return
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(found[2])
        file.flush()
        command = [disassembler, "--disassemble", "--no-show-raw-insn", file.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    _, *parts = _FUNCTION.split(text)
    for name, assembly in zip(parts[::2], parts[1::2], strict=True):
        # Others are parts of these, which have no name of their own.
        if name.startswith("fastops."):
            yield code_of(name, assembly)


# Of a commit that keeps one file a function, and of one that compiles objects.
_CODE = (".nbc", ".object")


def kernels_in(cache: Path) -> int:
    """Return how many files of machine code have been compiled into a cache."""
    return len([path for path in cache.rglob("*") if path.suffix in _CODE])
