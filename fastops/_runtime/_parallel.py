"""The parallel kernel, which shares work among Numba's threads, and the internals of Numba that it needs. Loads Numba.

Numba compiles this kernel before the first large work. Its machine code is an object file too: the user's cache keeps
it, and LLVM loads it. It calls the object of all kernels for each share.

Numba does not document its internals, and may change them. If this version of Numba lacks one of them, importing this
module fails, and one thread does large work (`fastops._runtime._threads`).

Two other places depend on Numba: intrinsics use its interface for extensions (`numba.extending`), and
`fastops._runtime._compiler` derives from its code generator. If these fail, kernels cannot be compiled, and the error
says why.
"""

# Numba is typed in part only.
# mypy: disable-error-code="attr-defined, misc, no-untyped-call"

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

# This import comes first: it waits while another thread imports Numba. Importing a submodule would not wait.
import numba  # noqa: F401
from llvmlite import binding as llvm
from numba import _helperlib, njit
from numba.core import config
from numba.core.codegen import CodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.np.ufunc import parallel

from fastops._process import warn_once
from fastops._runtime._builds import build_once, find, keep, path_of
from fastops._runtime._locks import let_forks_wait
from fastops._runtime._object_files import Manifest, UnfitObjectError, pack, this_process, undefined_symbols, unpack
from fastops._runtime._objects import Object, host, load_code
from fastops.kernels._intrinsics._outlined import OPTIONS, outlined_by
from fastops.kernels._parallel import share

#: The reentrant lock that a thread holds while Numba compiles for it.
COMPILER_LOCK: Any = global_compiler_lock._lock
let_forks_wait(COMPILER_LOCK)

# The addresses of functions that parallel code calls, by their symbols. Numba tells LLVM the functions of its threading
# layer when it starts threads, but these only when it compiles.
_HELPERS = {f"numba_{name}": _helperlib.c_helpers[name] for name in ("gil_ensure", "gil_release")}

_object_code_of = CodeLibrary._get_compiled_object

_SHARE = outlined_by(share)


def thread_counter() -> Callable[[], int]:
    """Start Numba's threads, and return a function that returns how many of them a region of its caller has.

    Numba's own `get_num_threads` takes two locks. In a child that was forked while another thread held one of them, it
    would never return.
    """
    if not hasattr(parallel, "_get_num_threads"):
        parallel.get_num_threads()
    counter: Callable[[], int] = getattr(parallel, "_get_num_threads", parallel.get_num_threads)
    return counter


def link_parallel(loaded: Object) -> None:
    """Compile the parallel kernel, or load it from the cache, and let the object call it; under `COMPILER_LOCK`.

    Numba must have started its threads: it does so when it compiles parallel code, but not when such code is loaded
    from the cache.
    """
    for symbol, address in _HELPERS.items():
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
    ctypes.c_void_p.from_address(loaded.addresses[_SHARE.symbol]).value = address


def parallel_path() -> Path:
    """Return the path of the parallel kernel in the cache, for this processor and this version of Numba."""
    return path_of(_SHARE.name, host(), config.CPU_NAME, config.CPU_FEATURES, version("numba"))


def _compiled() -> bytes:
    dispatcher = njit(**OPTIONS, parallel=True)(_SHARE.function)
    dispatcher.compile(_SHARE.signature)
    made = dispatcher.overloads[_SHARE.signature.args]
    code = _object_code_of(made.library)
    symbols = [made.fndesc.llvm_func_name]
    return pack(Manifest(_SHARE.name, this_process(), host(), symbols, undefined_symbols(code)), code)
