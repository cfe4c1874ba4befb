"""What fastops takes of Numba beyond its documentation, in one place: any release may change it.

Loads Numba, so it is imported only to compile. `tests/runtime/test_numba_internals.py` names each of them. Intrinsics
use what Numba gives to those that extend it (`numba.extending`), and the contexts that it passes to them.
"""

# Numba's cache is typed in part only.
# mypy: disable-error-code="no-untyped-call, attr-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# By itself, before anything of it: where another thread is amid its import, Python waits for it here, but not for the
# package of a module that it is asked for.
import numba  # noqa: F401
from numba.core.caching import CompileResultCacheImpl as CompileResultCacheImpl
from numba.core.caching import FunctionCache as FunctionCache
from numba.core.caching import UserProvidedCacheLocator as UserProvidedCacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys as rtsys
from numba.core.serialize import dumps as dumps
from numba.misc.appdirs import AppDirs as AppDirs
from numba.np.ufunc import parallel

#: The lock that Numba compiles under: of one thread at a time, which may take it again.
COMPILER_LOCK: Any = global_compiler_lock._lock


def entry_point_of(dispatcher: Any, signature: Any) -> Any:
    """Return the compiled entry point of a function, which takes arguments by position and checks none of them."""
    return dispatcher.overloads[signature.args].entry_point


def code_of(dispatcher: Any, signature: Any) -> tuple[Any, int]:
    """Return what keeps the machine code of a function, and the address of that."""
    compiled = dispatcher.overloads[signature.args]
    return compiled, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def thread_counter() -> Callable[[], int]:
    """Return what returns how many threads a region of the calling thread has, after starting them.

    Numba's own `get_num_threads` takes two locks first. A child that was forked while another thread had one of them
    would wait for it for ever.
    """
    if not hasattr(parallel, "_get_num_threads"):
        parallel.get_num_threads()
    counter: Callable[[], int] = parallel._get_num_threads
    return counter
