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

# By itself, before anything of it: where another thread is amid its import, Python waits for it here, but not for the
# package of a module that it is asked for.
import numba  # noqa: F401
from numba import _helperlib
from numba.core.codegen import CodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.np.ufunc import parallel

#: The lock that Numba compiles under: of one thread at a time, which may take it again.
COMPILER_LOCK: Any = global_compiler_lock._lock

#: The addresses of functions that parallel code calls, by their symbols. Those of the threading layer Numba tells LLVM
#: when it starts threads, and these when it compiles.
HELPERS = {f"numba_{name}": _helperlib.c_helpers[name] for name in ("gil_ensure", "gil_release")}


_object_of = CodeLibrary._get_compiled_object


def object_code_of(compiled: Any) -> tuple[str, bytes]:
    """Return the symbol of a compiled function, and the object file that has it."""
    return compiled.fndesc.llvm_func_name, _object_of(compiled.library)


def thread_counter() -> Callable[[], int]:
    """Return what returns how many threads a region of the calling thread has, after starting them.

    Numba's own `get_num_threads` takes two locks first. A child that was forked while another thread had one of them
    would wait for it for ever.
    """
    if not hasattr(parallel, "_get_num_threads"):
        parallel.get_num_threads()
    counter: Callable[[], int] = getattr(parallel, "_get_num_threads", parallel.get_num_threads)
    return counter
