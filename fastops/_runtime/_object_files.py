"""The format of objects: files with the machine code of kernels for some processors, and a manifest that describes it.

A file consists of a line with a checksum, the manifest as a line of JSON, and an object file as LLVM writes it. Reading
it needs neither Numba nor a compiler. The code contains offsets of fields in CPython's and NumPy's objects, so a
process may only load code that was compiled for its own Python, and from its own sources of kernels.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any, NamedTuple

import llvmlite
from llvmlite import binding as llvm

from fastops.kernels._form import IS_CHECKED, SOURCES

#: The process that compiles writes this before its result, because Python may print something when it starts.
MARK = b"\0fastops: "

#: Functions of C that objects may call.
C_FUNCTIONS = ("abort", "dprintf", "free", "malloc", "memcpy", "memset")

#: The prefix of symbols for variables that hold the addresses of Numba's threading functions.
THREADS_PREFIX = "fastops.numba."

_V2 = "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"
_V3 = f"{_V2} avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"

#: The features that each level of processors has, by LLVM's names.
#:
#: References
#: ----------
#: System V Application Binary Interface, AMD64 supplement, 1.0: Micro-Architecture Levels.
LEVELS = {
    "x86_64": {"x86-64-v4": f"{_V3} avx512f avx512bw avx512cd avx512dq avx512vl", "x86-64-v3": _V3, "x86-64-v2": _V2},
    # Every 64-bit ARM processor has the features that kernels use.
    "aarch64": {"generic": ""},
}


class Target(NamedTuple):
    """The processors that code is compiled for.

    Attributes
    ----------
    triple : str
        LLVM's name of the machine and the system.
    cpu : str
        LLVM's name of a processor, or of a level of them.
    features : str
        Further instructions that the processors have or lack, as LLVM writes them: "+avx2,-avx512f".
    """

    triple: str
    cpu: str
    features: str

    @property
    def machine(self) -> str:
        """The machine: the first word of the triple."""
        return self.triple.partition("-")[0]

    def needed(self) -> frozenset[str]:
        """Return the features that the target says a processor must have."""
        level = LEVELS.get(self.machine, {}).get(self.cpu, "")
        return frozenset([*level.split(), *[each[1:] for each in self.features.split(",") if each.startswith("+")]])


class Manifest(NamedTuple):
    """A description of an object.

    Attributes
    ----------
    process : dict
        The value of `this_process` in the process that compiled the object.
    target : Target
        The processors that the object is for.
    symbols : list of str
        The symbols that the object defines for others.
    undefined : list of str
        The symbols that the object needs.
    """

    process: dict[str, Any]
    target: Target
    symbols: list[str]
    undefined: list[str]


class UnfitObjectError(ValueError):
    """A file is not an object for this process."""


@cache
def this_process() -> dict[str, Any]:
    """Return the properties of this process, besides the processor, that an object must have been compiled for."""
    return {
        "sources": SOURCES,
        "form": "checked" if IS_CHECKED else "plain",
        # For instance ".cpython-311-x86_64-linux-gnu.so". It implies the layout of Python's objects.
        "python": EXTENSION_SUFFIXES[0],
        "machine": llvm.get_process_triple().partition("-")[0],
        # Kernels have Numba's calling convention, and each version of Numba needs one version of llvmlite.
        "llvm": [llvmlite.__version__, *llvm.llvm_version_info],
    }


def pack(manifest: Manifest, code: bytes) -> bytes:
    """Return the content of the file of an object."""
    content = json.dumps(manifest._asdict(), sort_keys=True).encode() + b"\n" + code
    return _checksum(content) + b"\n" + content


def unpack(content: bytes) -> tuple[Manifest, bytes]:
    """Return the manifest and the code of an object, from the content of its file.

    Raises
    ------
    UnfitObjectError
        The content is damaged.
    """
    checksum, _, content = content.partition(b"\n")
    if checksum != _checksum(content):
        raise UnfitObjectError("it is damaged")
    head, _, code = content.partition(b"\n")
    fields = json.loads(head)
    return Manifest(**{**fields, "target": Target(*fields["target"])}), code


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def check(manifest: Manifest) -> None:
    """Raise an UnfitObjectError unless an object was compiled for a process such as this one; processors may differ."""
    for key, value in this_process().items():
        if manifest.process.get(key) != value:
            raise UnfitObjectError(f"it was compiled for other {key}: {manifest.process.get(key)}, here {value}")
