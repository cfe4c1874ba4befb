"""The object that this process runs, and its functions.

The process takes the best object that came with the package, or else an object that was compiled on this machine, which
the user's cache keeps. LLVM loads it in milliseconds, without Numba.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import binding as llvm

from fastops._errors import KernelError
from fastops._runtime import _builds
from fastops._runtime._object_files import THREADS_PREFIX, Manifest, Target, UnfitObjectError, check, unpack
from fastops.kernels._form import ENTRY_PREFIX
from fastops.kernels._intrinsics._object_layout import NEW_ARRAY, NEW_ARRAY_NUMBER, numpy_function

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
    features = "" if cpu == "generic" else llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_process_triple(), cpu, os.environ.get("NUMBA_CPU_FEATURES", features))


def find_ready() -> tuple[str, Manifest, bytes] | None:
    """Return where the object of this process is from, its manifest and its code; None if it has to be compiled.

    Of the objects that came with the package, the one with the most features is the best. These objects are not taken
    if the user names a processor or its features.
    """
    usable, _ = look_at_shipped()
    if usable and not {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"} & {*os.environ}:
        manifest, code = max(usable, key=lambda each: len(each[0].target.needed()))
        return f"shipped for {manifest.target.cpu}", manifest, code
    kept = _builds.find(host())
    return kept and (f"compiled here for {kept[0].target.cpu}", *kept)


def look_at_shipped() -> tuple[list[tuple[Manifest, bytes]], dict[str, str]]:
    """Return the objects that came with the package and fit this process, and by name why each other one does not."""
    usable, refused, features = [], {}, llvm.get_host_cpu_features()
    for path in sorted(SHIPPED.glob("*.object")):
        try:
            manifest, code = unpack(path.read_bytes())
            check(manifest)
            if not all([features.get(name, False) for name in manifest.target.needed()]):
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
    if os.environ.get("FASTOPS_COMPILE", "").strip() == "0":
        found = f"came with the package or are in {_builds.cache_directory()}"
        raise KernelError(f"fastops: no kernels for this machine {found}, and FASTOPS_COMPILE=0 forbids compiling them")
    return f"compiled here for {host().cpu}", *_builds.build_once(host())


def load(origin: str, manifest: Manifest, code: bytes) -> Object:
    """Load an object from `find_ready` or `build`. It stays loaded until the process ends.

    Raises
    ------
    UnfitObjectError
        The code needs a symbol that this process does not have, or lacks a symbol of its manifest.
    """
    # Creating the engine lets LLVM find the C functions of this process.
    engine = _new_engine()
    for name in manifest.undefined:
        if name.startswith("Py") and (function := getattr(ctypes.pythonapi, name, None)):
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
        if not llvm.address_of_symbol(name):
            raise UnfitObjectError(f"this process has no function {name}, which the object calls")
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    addresses, entries = {}, {}
    for symbol in manifest.symbols:
        address = addresses[symbol] = engine.get_function_address(symbol)
        if not address:
            raise UnfitObjectError(f"it has no symbol {symbol}, which it should have")
        # Code that is compiled later finds each function by its symbol.
        llvm.add_symbol(symbol, address)
        name = symbol.removeprefix(ENTRY_PREFIX)
        if name != symbol:
            entries[name] = _builtin(name, address)
    return Object(origin, addresses, entries)


def link_threads(loaded: Object) -> None:
    """Let an object call Numba's threads, which must have been started.

    Raises
    ------
    UnfitObjectError
        This version of Numba lacks a function that the object calls.
    """
    helpers = getattr(sys.modules.get("numba._helperlib"), "c_helpers", {})
    for symbol, address in loaded.addresses.items():
        name = symbol.removeprefix(THREADS_PREFIX)
        if name != symbol:
            function = helpers.get(name.removeprefix("numba_")) or llvm.address_of_symbol(name)
            if not function:
                raise UnfitObjectError(f"it has no function {name}")
            ctypes.c_void_p.from_address(address).value = function


def _new_engine() -> Any:
    """Return a new engine of LLVM, which loads an object."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.add_symbol(NEW_ARRAY, numpy_function(NEW_ARRAY_NUMBER))
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(opt=0, jit=True)
    # One piece of memory for all sections, which address each other by distances of 32 bits.
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=True)


class _MethodDef(ctypes.Structure):
    """``PyMethodDef`` of CPython, ``Include/methodobject.h``."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_METH_FASTCALL = 0x0080

# Builtin functions point to these, and to code that an engine owns, so both must stay alive.
_methods: list[_MethodDef] = []
_engines: list[Any] = []


def _builtin(name: str, address: int) -> Callable[..., Any]:
    """Return the builtin function whose code is at an address, bound to None."""
    _methods.append(_MethodDef(name.encode(), address, _METH_FASTCALL, None))
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype, create.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return create(ctypes.addressof(_methods[-1]), None, None)
