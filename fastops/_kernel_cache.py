"""Where the machine code of kernels is kept. Loads Numba, so it is imported only to compile.

Numba finds cached code by the signature, the CPU and the bytecode of one function. Its key leaves out the files that
the function calls into and most of Numba's flags, so that code of another version could be taken for this one's.
Here the directory's name holds a hash of all of them.
"""

# Numba's cache and its configuration are typed in part only.
# mypy: disable-error-code="misc, no-untyped-call, attr-defined, assignment"

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import caching, config
from numba.misc.appdirs import AppDirs

from fastops.kernels._types import IS_CHECKED
from fastops.kernels._units import OPTIONS, unit_of

_PACKAGES = ("fastops-numba", "numba", "llvmlite", "numpy")
_FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "FULL_TRACEBACKS", "DEBUGINFO_DEFAULT")


def cache_directory() -> Path:
    """Return the directory of this version's kernels, in ``NUMBA_CACHE_DIR`` or else the user's cache directory."""
    base = config.CACHE_DIR or AppDirs("fastops", appauthor=False).user_cache_dir
    return Path(base) / f"fastops-kernels-{_digest()}"


def enable_cache(dispatcher: Any) -> None:
    """Keep a dispatcher's code in `cache_directory`; where that cannot be, warn and compile in every process."""
    try:
        dispatcher._cache = _KernelCache(dispatcher.__wrapped__)
    except OSError as error:
        _warn(error)


def compile_entry(function: Callable[..., Any], signature: Any, options: Any) -> tuple[Any, bool]:
    """Compile a function or load it; return its dispatcher, and True if it was loaded."""
    dispatcher = njit(**options)(function)
    enable_cache(dispatcher)
    dispatcher.compile(signature)
    return dispatcher, sum(dispatcher.stats.cache_hits.values()) > 0


@cache
def link_kernel(module: Any, name: str) -> tuple[Any, bool]:
    """Compile a kernel's function or load it, once; return what `compile_entry` does."""
    return compile_entry(getattr(module, name), module.SIGNATURE, module.OPTIONS)


@cache
def link_unit(call: Any) -> bool:
    """Compile a unit or load it, and put its address into its slot; return True if it was loaded."""
    unit = unit_of(call)
    dispatcher, is_loaded = compile_entry(unit.function, unit.signature, OPTIONS)
    compiled = dispatcher.overloads[unit.signature.args]
    _linked.append(compiled)
    unit.slot.value = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return is_loaded


# The machine code of units goes when these do.
_linked: list[Any] = []


def _digest() -> str:
    digest = hashlib.sha256()
    for package in _PACKAGES:
        digest.update(version(package).encode())
    for source in sorted(Path(__file__).with_name("kernels").glob("*.py")):
        digest.update(source.read_bytes())
    digest.update(repr(IS_CHECKED).encode())
    digest.update(repr([(flag, getattr(config, flag, None)) for flag in _FLAGS]).encode())
    return digest.hexdigest()[:16]


def _warn(error: Exception) -> None:
    _warn_once(
        f"fastops: compiled kernels cannot be kept in {cache_directory()}, so each process compiles them: {error}. "
        "NUMBA_CACHE_DIR names another directory"
    )


@cache
def _warn_once(message: str) -> None:
    """Warn of what holds for every function of a kernel when the first one meets it."""
    warnings.warn(message, RuntimeWarning, stacklevel=3)


class _Locator(caching.UserProvidedCacheLocator):
    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(cache_directory())

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator


class _KernelCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _KernelCache(caching.FunctionCache):
    _impl_class = _KernelCacheImpl

    @contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        # Numba wraps each reading and writing in this. A damaged or full cache costs a compilation, not a call.
        try:
            yield
        except Exception as error:
            _warn(error)
