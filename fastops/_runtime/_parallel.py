"""The parallel kernels: compiled by Numba when the first large work comes, and kept in the user's cache. Loads Numba.

They share work among Numba's threads, and call the object of this process for all of it, so that they are small.
Numba's own cache finds code by the bytecode of one function; here the file's name holds a digest of all that the code
depends on, and a file is whole or not there.
"""

# Numba is typed in part only.
# mypy: disable-error-code="misc, no-untyped-call"

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import config

from fastops._process._warnings import warn_once
from fastops._runtime._code_files import cache_directory, read_code, warn_not_kept, write_code
from fastops._runtime._locks import let_forks_wait
from fastops._runtime._numba_internals import (
    COMPILER_LOCK as COMPILER_LOCK,
)
from fastops._runtime._numba_internals import (
    CompileResult,
    address_of,
    cpu_target,
    dumps,
    rtsys,
)
from fastops._runtime._object_files import this_process
from fastops._runtime._objects import Object
from fastops._runtime._threading_layers import start_threads
from fastops.kernels._intrinsics._outlined import outlined_by
from fastops.kernels._parallel import KERNELS

_OPTIONS: dict[str, Any] = {"parallel": True, "nogil": True, "error_model": "numpy"}

# How those of Numba's flags begin that change no machine code, or are in the key by themselves. Any other is in the
# key, so that one which a later version brings is too. Those that begin with _HAVE_ say what else is installed.
_OTHER_FLAGS = (
    *("CACHE_", "COLOR_", "CPU_", "CUDA_", "DEBUG_", "DUMP_", "HIGHLIGHT_", "NUMBA_", "SHOW_", "THREADING_"),
    "_HAVE_",
)

let_forks_wait(COMPILER_LOCK)


# The code of kernels goes when these do.
_kept: list[Any] = []


def compile_parallel(loaded: Object, name: str) -> Callable[..., Any]:
    """Return a parallel kernel that calls a loaded object, compiled now or loaded from the cache, and link it to that.

    It takes the kernel's arguments by position and checks none of them. The caller has `COMPILER_LOCK`.
    """
    # What is compiled calls them. Numba would start them too, when it compiles, but not when it loads.
    start_threads()
    path = path_of(name)
    result = _loaded(path) or _compiled(path, name)
    _kept.append(result)
    loaded.link(outlined_by(KERNELS[name]).symbol, address_of(result))
    run: Callable[..., Any] = result.entry_point
    return run


def _compiled(path: Path, name: str) -> Any:
    kernel = outlined_by(KERNELS[name])
    dispatcher = njit(**_OPTIONS)(kernel.function)
    dispatcher.compile(kernel.signature)
    compiled = dispatcher.overloads[kernel.signature.args]
    try:
        write_code(path, dumps(compiled._reduce()))
    except OSError as error:
        warn_not_kept(error)
    return compiled


def _loaded(path: Path) -> Any:
    """Return what was kept of a kernel, or None; a file that cannot be used costs a warning and a compilation."""
    try:
        content = read_code(path)
        if content is None:
            return None
        rtsys.initialize(cpu_target.target_context)
        return CompileResult._rebuild(cpu_target.target_context, *pickle.loads(content))  # noqa: S301
    except Exception as error:
        # Unpickling may raise anything.
        warn_once(f"{path} is not used: {' '.join(str(error).split())}. It is compiled anew")
        return None


def path_of(name: str) -> Path:
    """Return where the code of a kernel is kept."""
    flags = [(name, str(value)) for name, value in sorted(vars(config).items()) if name.isupper()]
    key = json.dumps(
        [
            this_process(),
            [version(package) for package in ("numba", "llvmlite", "numpy")],
            [flag for flag in flags if not flag[0].startswith(_OTHER_FLAGS)],
            cpu_target.target_context.codegen().magic_tuple(),
        ],
        sort_keys=True,
    )
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return cache_directory() / f"{name}-{digest}.code"
