"""The internals of Numba that sharing work among threads uses; Numba does not document them, and may change them.

If this version of Numba lacks one of them, importing this module fails, and one thread does large work
(`fastops._runtime._threads`). Importing it loads Numba, so only work on threads imports it.

Two other places depend on Numba: intrinsics use its interface for extensions (`numba.extending`) and the contexts that
it passes to them, and `fastops._runtime._compiler` derives from its code generator. Where these fail, kernels cannot
be compiled, and the error says why.
"""

# Numba is typed in part only.
# mypy: disable-error-code="no-untyped-call, attr-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# First of all: while another thread imports Numba, this line waits for it. Importing a submodule would not.
import numba  # noqa: F401
from numba import _helperlib
from numba.core.codegen import CodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.np.ufunc import parallel

#: The reentrant lock that a thread holds while Numba compiles for it.
COMPILER_LOCK: Any = global_compiler_lock._lock

#: The addresses of functions that parallel code calls, by their symbols. Numba tells LLVM the functions of its
#: threading layer when it starts threads, but these only when it compiles.
HELPERS = {f"numba_{name}": _helperlib.c_helpers[name] for name in ("gil_ensure", "gil_release")}


_object_of = CodeLibrary._get_compiled_object


def object_code_of(compiled: Any) -> tuple[str, bytes]:
    """Return the symbol of a compiled function and its object file."""
    return compiled.fndesc.llvm_func_name, _object_of(compiled.library)


def thread_counter() -> Callable[[], int]:
    """Start Numba's threads, and return a function that returns how many of them a region of its caller has.

    Numba's own `get_num_threads` takes two locks. In a child that was forked while another thread held one of them, it
    would never return.
    """
    if not hasattr(parallel, "_get_num_threads"):
        parallel.get_num_threads()
    counter: Callable[[], int] = getattr(parallel, "_get_num_threads", parallel.get_num_threads)
    return counter
