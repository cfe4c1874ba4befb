"""The parallel kernel, which Numba compiles before the first large work, and which the user's cache keeps. Loads Numba.

It shares work among Numba's threads, each of which calls the object of all kernels. Numba compiles it to an object file
too, which is kept and loaded in the same way.
"""

# Numba is typed in part only.
# mypy: disable-error-code="attr-defined, misc, no-untyped-call"

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from llvmlite import binding as llvm
from numba import njit
from numba.core import config

from fastops._process import warn_once
from fastops._runtime._builds import build_once
from fastops._runtime._cache import find, keep, path_of
from fastops._runtime._locks import let_forks_wait
from fastops._runtime._numba_internals import COMPILER_LOCK as COMPILER_LOCK
from fastops._runtime._numba_internals import HELPERS, object_code_of
from fastops._runtime._object_files import Manifest, UnfitObjectError, pack, this_process, undefined_symbols, unpack
from fastops._runtime._objects import Object, host, load_code
from fastops._runtime._threads import start_threads
from fastops.kernels._intrinsics._outlined import OPTIONS, outlined_by
from fastops.kernels._parallel import share

let_forks_wait(COMPILER_LOCK)


_SHARE = outlined_by(share)


def link_parallel(loaded: Object) -> None:
    """Compile the parallel kernel, or load it from the cache, and let the object call it; under `COMPILER_LOCK`."""
    # Numba starts its threads when it compiles parallel code, but not when such code is loaded from the cache.
    start_threads()
    for symbol, address in HELPERS.items():
        llvm.add_symbol(symbol, address)
    path, name = parallel_path(), _SHARE.name
    found = find(path, name, host()) or build_once(path, name, host(), _compiled)
    try:
        (address,) = load_code(*found).values()
    except UnfitObjectError as error:
        # With Numba's settings for debugging, code calls functions that other processes may not have.
        warn_once(f"{path} is not used: {error}. It is compiled anew")
        content = _compiled()
        keep(path, content)
        (address,) = load_code(*unpack(content)).values()
    loaded.link(_SHARE.symbol, address)


def parallel_path() -> Path:
    """Return the path of the parallel kernel in the cache, for this processor and this version of Numba."""
    return path_of(_SHARE.name, host(), config.CPU_NAME, config.CPU_FEATURES, version("numba"))


def _compiled() -> bytes:
    dispatcher = njit(**OPTIONS, parallel=True)(_SHARE.function)
    dispatcher.compile(_SHARE.signature)
    symbol, code = object_code_of(dispatcher.overloads[_SHARE.signature.args])
    return pack(Manifest(_SHARE.name, this_process(), host(), [symbol], undefined_symbols(code)), code)
