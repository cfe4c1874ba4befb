"""The object that this process runs, and its functions.

The process takes the best object that came with the package, or else an object that was compiled on this machine, which
the user's cache keeps. LLVM loads it in milliseconds, without Numba.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import binding as llvm

from fastops._errors import KernelError
from fastops._runtime import _builds
from fastops._runtime._object_files import KERNELS, Manifest, Target, UnfitObjectError, check, unpack
from fastops.kernels._form import ENTRY_PREFIX, IS_CHECKED

# Importing this module tells LLVM the functions and tables that objects use.
from fastops.kernels._intrinsics import _symbols as _symbols

#: The directory of the objects that came with the package.
SHIPPED = Path(__file__).parents[1] / "_objects"


class Object(NamedTuple):
    """Loaded machine code of all kernels.

    Attributes
    ----------
    origin : str
        Words that say where the object is from, and which processor it is for.
    addresses : dict
        The address of each symbol.
    entries : dict
        The builtin functions, by their names in `fastops.kernels._entries.ENTRIES`.
    """

    origin: str
    addresses: dict[str, int]
    entries: dict[str, Callable[..., Any]]


def host() -> Target:
    """Return the target that code is compiled for here: this processor, or the one that NUMBA_CPU_NAME names."""
    cpu = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    # As in Numba, "generic" has only the features that all processors have.
    features = os.environ.get("NUMBA_CPU_FEATURES", "" if cpu == "generic" else None)
    if features is None:
        features = llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_process_triple(), cpu, features)


def find_ready() -> tuple[str, Manifest, bytes] | None:
    """Return where the object of this process is from, its manifest and its code; None if it has to be compiled.

    Of the objects that came with the package, the one with the most features is the best. These objects are not taken
    if kernels are in their checked form, or if the user names a processor.
    """
    if not (IS_CHECKED or os.environ.get("NUMBA_CPU_NAME") or os.environ.get("NUMBA_CPU_FEATURES") is not None):
        usable, _ = look_at_shipped()
        if usable:
            manifest, code = max(usable, key=lambda each: len(each[0].target.needed()))
            return f"shipped for {manifest.target.cpu}", manifest, code
    target = host()
    kept = _builds.find(_builds.path_of(KERNELS, target), KERNELS, target)
    return None if kept is None else (_origin(target), *kept)


def look_at_shipped() -> tuple[list[tuple[Manifest, bytes]], dict[str, str]]:
    """Return the objects that came with the package and fit this process, and by name why each other one does not."""
    usable, refused = [], {}
    for path in sorted(SHIPPED.glob("*.object")):
        try:
            manifest, code = unpack(path.read_bytes())
            check(manifest)
            if not manifest.target.runs_on(llvm.get_host_cpu_features()):
                raise UnfitObjectError("it is for other processors")
            usable.append((manifest, code))
        except (OSError, UnfitObjectError) as error:
            refused[path.name] = str(error)
    return usable, refused


def build() -> tuple[str, Manifest, bytes]:
    """Compile the object of this process, and return the same as `find_ready`.

    Raises
    ------
    KernelError
        The object cannot be compiled, or the user forbids that.
    """
    if _builds.is_forbidden():
        raise KernelError(
            f"fastops: no kernels for this machine came with the package or are in {_builds.cache_directory()}, and "
            f"{_builds.VARIABLE}=0 forbids compiling them"
        )
    target = host()
    path = _builds.path_of(KERNELS, target)
    return _origin(target), *_builds.build_once(path, KERNELS, target, lambda: _builds.run_compiler(target))


def _origin(target: Target) -> str:
    return f"compiled here for {target.cpu}"


def load(origin: str, manifest: Manifest, code: bytes) -> Object:
    """Load an object from `find_ready` or `build`. It stays loaded until the process ends."""
    addresses = load_code(manifest, code)
    entries = {
        name: _builtin(name, address)
        for symbol, address in addresses.items()
        if (name := symbol.removeprefix(ENTRY_PREFIX)) != symbol
    }
    return Object(origin, addresses, entries)


def load_code(manifest: Manifest, code: bytes) -> dict[str, int]:
    """Load machine code, which stays loaded until the process ends; return the addresses of its symbols.

    Raises
    ------
    UnfitObjectError
        The code needs a symbol that this process does not have, or lacks a symbol of its manifest.
    """
    # Making the engine opens this program, where LLVM then finds functions of C.
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
        # Code that is compiled later finds it by its symbol.
        llvm.add_symbol(symbol, address)
    return addresses


def _is_there(name: str) -> bool:
    """Return whether loaded code can call a function; LLVM is told the addresses of CPython's functions."""
    if name.startswith("Py"):
        function = getattr(ctypes.pythonapi, name, None)
        if function is None:
            return False
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    return bool(llvm.address_of_symbol(name))


@cache
def _engine() -> Any:
    """Return LLVM's engine, which loads objects and keeps them until the process ends."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(opt=0, jit=True)
    # One piece of memory for all sections, which address each other by distances of 32 bits.
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=True)


class _MethodDef(ctypes.Structure):
    """``PyMethodDef`` of CPython, ``Include/methodobject.h``."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_METH_FASTCALL = 0x0080

# Builtin functions point to these, so they must stay alive.
_methods: list[_MethodDef] = []


def _builtin(name: str, address: int) -> Callable[..., Any]:
    """Return the builtin function whose code is at an address, bound to None."""
    _methods.append(_MethodDef(name.encode(), address, _METH_FASTCALL, None))
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype, create.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    function: Callable[..., Any] = create(ctypes.addressof(_methods[-1]), None, None)
    return function
