"""The object that this process runs: which one it is, and the functions that it gives.

It is the best of those that came with the package, or else one that was compiled on this machine, which is kept in the
user's cache. LLVM loads it in milliseconds, without Numba.
"""


# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from fastops._runtime import _builds
from fastops._runtime._object_files import Manifest, Target, UnfitObjectError, check, unpack
from fastops.kernels._form import ENTRY_PREFIX, IS_CHECKED

# What objects call to make an array: importing it gives it its name.
from fastops.kernels._intrinsics import _new_array as _new_array
from fastops.kernels._intrinsics import _violations as _violations

#: Where objects are that came with the package.
SHIPPED = Path(__file__).parents[1] / "_objects"


@dataclass(frozen=True)
class Object:
    """Machine code of all kernels, loaded.

    Attributes
    ----------
    origin : str
        Where it is from and what it is for, in words.
    addresses : dict
        The address of each symbol.
    entries : dict
        The builtin functions, by the names of `fastops.kernels._entries.ENTRIES`.
    """

    origin: str
    addresses: dict[str, int]
    entries: dict[str, Callable[..., Any]]

    def link(self, name: str, address: int) -> None:
        """Let code of this object call a kernel that is compiled later."""
        ctypes.c_void_p.from_address(self.addresses[name]).value = address


def host() -> Target:
    """Return the target that code is compiled for here: this processor, or that which NUMBA_CPU_NAME names."""
    cpu = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    # As Numba has it: "generic" is what every processor has.
    features = os.environ.get("NUMBA_CPU_FEATURES", "" if cpu == "generic" else None)
    if features is None:
        features = llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_process_triple(), cpu, features)


def shipped() -> tuple[Manifest, bytes] | None:
    """Return the best of the objects that came with the package and fit this process and processor, or None.

    It has the most features. None is taken in place of the checked form, or of code for a processor that is named.
    """
    if IS_CHECKED or os.environ.get("NUMBA_CPU_NAME") or os.environ.get("NUMBA_CPU_FEATURES") is not None:
        return None
    found = [usable for path in sorted(SHIPPED.glob("*.object")) if not isinstance(usable := _usable(path), str)]
    return max(found, key=lambda each: len(each[0].target.needed()), default=None)


def refused() -> dict[str, str]:
    """Return the objects that came with the package and cannot be used by this process, and why."""
    said = {path.name: _usable(path) for path in sorted(SHIPPED.glob("*.object"))}
    return {name: reason for name, reason in said.items() if isinstance(reason, str)}


def _usable(path: Path) -> tuple[Manifest, bytes] | str:
    """Return an object that came with the package and fits this process and processor, or why it does not."""
    try:
        manifest, code = unpack(path.read_bytes())
        check(manifest)
    except (OSError, UnfitObjectError) as error:
        return str(error)
    return (manifest, code) if manifest.target.runs_on(llvm.get_host_cpu_features()) else "it is for other processors"


Found = tuple[str, Manifest, bytes]


def find_ready() -> Found | None:
    """Return where the object of this process is from, its manifest and its code; None if it has to be compiled."""
    came = shipped()
    if came is not None:
        return f"shipped for {came[0].target.cpu}", *came
    kept = _builds.find_object(host())
    return None if kept is None else _compiled_here(*kept)


def build() -> Found:
    """Return the same of an object that is compiled now."""
    return _compiled_here(*_builds.build(host()))


def _compiled_here(manifest: Manifest, code: bytes) -> Found:
    return f"compiled here for {manifest.target.cpu}", manifest, code


def load(origin: str, manifest: Manifest, code: bytes) -> Object:
    """Load an object that `find_ready` or `build` has given, which stays as long as the process."""
    addresses = load_code(manifest, code)
    entries = {
        name: _builtin(name, address)
        for symbol, address in addresses.items()
        if (name := symbol.removeprefix(ENTRY_PREFIX)) != symbol
    }
    return Object(origin, addresses, entries)


def load_code(manifest: Manifest, code: bytes) -> dict[str, int]:
    """Load machine code, which stays as long as the process; return the addresses of its symbols.

    Raises
    ------
    UnfitObjectError
        It wants, or lacks, a symbol.
    """
    # It opens the program itself, in which functions of C are found.
    engine = _engine()
    for name in manifest.undefined:
        if not _is_there(name):
            raise UnfitObjectError(f"this process has no function {name}, which it calls")
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    addresses = {symbol: engine.get_function_address(symbol) for symbol in manifest.symbols}
    missing = [symbol for symbol, address in addresses.items() if not address]
    if missing:
        raise UnfitObjectError(f"it has no symbol {missing[0]}, which it should have")
    for symbol, address in addresses.items():
        # Code that is compiled later finds it by this.
        llvm.add_symbol(symbol, address)
    return addresses


def _is_there(name: str) -> bool:
    """Return whether code that is loaded finds a symbol; those of CPython are told to LLVM."""
    if name.startswith("Py"):
        function = getattr(ctypes.pythonapi, name, None)
        if function is None:
            return False
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    return bool(llvm.address_of_symbol(name))


@cache
def _engine() -> Any:
    """Return what loads objects, and keeps them as long as the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(opt=0, jit=True)
    # One piece of memory for all sections: what lies in one is addressed from another by a distance of 32 bits.
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=True)


class _MethodDef(ctypes.Structure):
    """``PyMethodDef`` of CPython, ``Include/methodobject.h``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_METH_FASTCALL = 0x0080

# Builtin functions point to them.
_methods: list[_MethodDef] = []


def _builtin(name: str, address: int) -> Callable[..., Any]:
    """Return the builtin function whose code is at an address, bound to None."""
    method = _MethodDef(name.encode(), address, _METH_FASTCALL, None)
    _methods.append(method)
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype, create.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    function: Callable[..., Any] = create(ctypes.addressof(method), None, None)
    return function
