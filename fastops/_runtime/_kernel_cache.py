"""Where the machine code of kernels is kept. Loads Numba, so it is imported only to compile.

Numba finds cached code by the signature, the CPU and the bytecode of one function. Its key leaves out the files that
the function calls into and most of Numba's flags, so that code of another version could be taken for this one's.
Here the directory's name holds a hash of all of them.

Numba keeps an index for each function and the code in another file. Two processes that write them at once can leave an
index that names the other one's code, and a damaged file is machine code that runs. Here each function is one file
(`fastops._runtime._code_files`), whole or not there, with a checksum.
"""

# Numba's cache and its configuration are typed in part only.
# mypy: disable-error-code="misc, no-untyped-call, attr-defined, assignment"

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import config

from fastops import kernels
from fastops._errors import KernelError
from fastops._process._warnings import warn_once
from fastops._runtime._code_files import (
    DamagedFileError,
    UntrustedFileError,
    check_directory,
    is_trusted,
    read_code,
    write_code,
)
from fastops._runtime._numba_internals import (
    AppDirs,
    CompileResultCacheImpl,
    FunctionCache,
    UserProvidedCacheLocator,
    code_of,
    dumps,
    rtsys,
)
from fastops.kernels._intrinsics._types import IS_CHECKED
from fastops.kernels._intrinsics._units import OPTIONS, Unit, unit_of

_PACKAGES = ("numba", "llvmlite", "numpy")

# How those of Numba's flags begin that change no machine code, or are in its own key. Any other is in the directory's
# name, so that one which a later version brings is too. Those that begin with _HAVE_ say what else is installed, such
# as a parser of YAML.
_OTHER_FLAGS = (
    *("CACHE_", "COLOR_", "CPU_", "CUDA_", "DEBUG_", "DUMP_", "HIGHLIGHT_", "NUMBA_", "SHOW_", "THREADING_"),
    "_HAVE_",
)


def cache_directory() -> Path:
    """Return the directory of this version's kernels, in ``NUMBA_CACHE_DIR`` or else the user's cache directory.

    The variable is read from the environment, not from Numba: Numba also takes it from a file ``.numba_config.yaml`` in
    the current directory, so that whoever wrote that file could have other code loaded.
    """
    base = os.environ.get("NUMBA_CACHE_DIR") or AppDirs("fastops", appauthor=False).user_cache_dir
    return Path(base) / f"fastops-kernels-{_digest()}"


def why_not_used() -> str | None:
    """Return why kernels are not kept in their directory, or None if they are."""
    try:
        check_directory(cache_directory())
    except PermissionError as error:
        return error.strerror
    return None


def files_kept() -> list[Path]:
    """Return the files of this version's kernels that may be loaded."""
    if why_not_used() is not None:
        return []
    return [path for path in cache_directory().glob("*") if path.is_file() and is_trusted(path)]


def is_free_threaded() -> bool:
    """True if this build of Python can run without the global lock, which kernels need: threads share scratch memory.

    Such a build may still use the lock. That cannot be relied on: an import enables it for a moment, and disables it
    again if the module that is imported does without.
    """
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def compile_entry(function: Callable[..., Any], signature: Any, options: Any) -> tuple[Any, bool]:
    """Compile a function or load it; return its dispatcher, and True if it was loaded.

    All machine code comes from here, that which compiled code of the user's own calls too.
    """
    if is_free_threaded():
        raise KernelError("fastops: this Python is a free-threaded build, but kernels need the global lock")
    dispatcher = njit(**options)(function)
    dispatcher._cache = _KernelCache(dispatcher.__wrapped__)
    dispatcher.compile(signature)
    return dispatcher, sum(dispatcher.stats.cache_hits.values()) > 0


@cache
def link_kernel(module: Any, name: str) -> tuple[Any, bool]:
    """Compile a kernel's function or load it, once; return what `compile_entry` does.

    Where compiled code calls it too, its address is put into its slot.
    """
    dispatcher, is_loaded = compile_entry(getattr(module, name), module.SIGNATURE, module.OPTIONS)
    call = getattr(module, f"call_{name}", None)
    if call is not None:
        _fill_slot(unit_of(call), dispatcher)
    return dispatcher, is_loaded


@cache
def link_unit(call: Any) -> bool:
    """Compile a unit or load it, and put its address into its slot; return True if it was loaded."""
    unit = unit_of(call)
    dispatcher, is_loaded = compile_entry(unit.function, unit.signature, OPTIONS)
    _fill_slot(unit, dispatcher)
    return is_loaded


def _fill_slot(unit: Unit, dispatcher: Any) -> None:
    code, unit.slot.value = code_of(dispatcher, unit.signature)
    _linked.append(code)


# The machine code of units goes when these do.
_linked: list[Any] = []


def _digest() -> str:
    flags = [(name, value) for name, value in sorted(vars(config).items()) if name.isupper()]
    return _digest_of(repr([flag for flag in flags if not flag[0].startswith(_OTHER_FLAGS)]))


@cache
def _digest_of(flags: str) -> str:
    digest = hashlib.sha256()
    for package in _PACKAGES:
        digest.update(version(package).encode())
    # What kernels are made of and by, whatever its version: a source tree that is not installed has none.
    for source in (Path(__file__), *_kernel_sources()):
        digest.update(source.read_bytes())
    # Builds of one version may lay out objects in different ways, which is in the code that reads them.
    layout = (sys.implementation.cache_tag, object.__basicsize__)
    digest.update(repr((layout, IS_CHECKED, flags)).encode())
    return digest.hexdigest()[:16]


def _kernel_sources() -> list[Path]:
    """Return the files that kernels are made of."""
    sources = sorted(Path(kernels.__file__).parent.rglob("*.py"))
    # Without them, a digest would not change with the kernels, and stale machine code would be loaded.
    assert sources
    return sources


class _Locator(UserProvidedCacheLocator):
    """The place of a function's code, which may be read where it cannot be written."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(cache_directory())

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        """Numba would try if files can be made here; that is found out when one is."""


class _Files:
    """What Numba takes for an index and its data: files of a function, found by Numba's key."""

    def __init__(self, name: str) -> None:
        self._directory = cache_directory()
        self._name = name

    def path_of(self, key: Any) -> Path:
        """Return the path of the file of a key."""
        return self._directory / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"

    def load(self, key: Any) -> Any:
        """Return what was saved under a key, or None."""
        code = read_code(self.path_of(key))
        return None if code is None else pickle.loads(code)  # noqa: S301

    def save(self, key: Any, data: Any) -> None:
        """Save what Numba keeps of a compiled function."""
        write_code(self.path_of(key), dumps(data))


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _KernelCache(FunctionCache):
    """Numba's cache of a function, on one file for each signature and CPU."""

    _impl_class = _KernelCacheImpl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = _Files(py_func.__qualname__)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load without what Numba does first: look up all that it could compile, of which loading needs nothing."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    @contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        # Numba wraps each reading and writing in this. A damaged or full cache costs a compilation, not a call.
        try:
            yield
        except Warning:
            raise
        except DamagedFileError as error:
            warn_once(f"{error}, so it is compiled anew")
        except UntrustedFileError:
            # One warning for all of them: who may write one may most often write the others.
            warn_once(
                f"files in {cache_directory()} that belong to another user, or that others than their owner may write, "
                "are not used: their kernels are compiled anew, and written in their place"
            )
        except Exception as error:
            # Unpickling may raise anything.
            reason = getattr(error, "strerror", None) or " ".join(str(error).split())
            warn_once(
                f"compiled kernels cannot be kept in {cache_directory()}, so each process compiles them: {reason}. "
                "NUMBA_CACHE_DIR names another directory"
            )
