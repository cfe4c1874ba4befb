"""Run programs in their own processes, on each of Numba's threading layers, and inspect a process.

Functions here return public names of modules and costs of calls; compiled code may use the symbols listed here.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from types import ModuleType
from typing import Any

import fastops as fo
from fastops.kernels._intrinsics._objects import NEW_ARRAY
from tests.helpers.seeds import scale

#: Where programs run: the directory of the repository.
ROOT = Path(__file__).parents[2]


def _find_tbb() -> Path | None:
    """The directory of the libraries of TBB's wheel, if it is installed."""
    with suppress(PackageNotFoundError):
        for file in files("tbb") or []:
            if file.name.startswith("libtbb."):
                return Path(str(file.locate())).resolve().parent
    return None


_TBB = _find_tbb()

# `tox -e torture` installs the wheel where there is one, and must test it there.
_IS_TBB_EXPECTED = scale(short=False, long=platform.machine().lower() in ("x86_64", "amd64"))

#: Numba's threading layers: tbb where its wheel is installed.
LAYERS = ["workqueue", "omp", *(["tbb"] if _TBB or _IS_TBB_EXPECTED else [])]


def on_layer(layer: str) -> dict[str, str | None]:
    """Return the environment of a process that runs on a layer."""
    return {"NUMBA_THREADING_LAYER": layer} | ({"LD_LIBRARY_PATH": str(_TBB)} if layer == "tbb" and _TBB else {})


def run_program(
    name: str, *arguments: object, seconds: float = 100, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Run a module of `programs` to its end; None takes a variable out of its environment."""
    return run_python("-m", f"tests.safety.programs.{name}", *arguments, seconds=seconds, **environment)


def run_code(code: str, *, seconds: float = 100, **environment: str | None) -> str:
    """Run lines, which may use ``os``, ``sys``, ``np`` and ``fo``, and return what they print; they must not fail."""
    code = f"import os, sys\nimport numpy as np, fastops as fo\n{code}"
    done = run_python("-c", code, seconds=seconds, **environment)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


def run_python(*arguments: object, seconds: float = 100, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Run Python to its end; kill it and its children if it takes too long."""
    variables = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    command, pipe = [sys.executable, *map(str, arguments)], subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=variables, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            printed, errors = process.communicate(timeout=seconds)
        except BaseException:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, printed, errors)


def names_of(module: ModuleType) -> list[str]:
    """The public names of a module."""
    return [name for name in dir(module) if name[0].isalpha()]


_PACKAGE = str(Path(fo.__file__).parent)


def count_functions(call: Callable[[], Any]) -> tuple[Any, int]:
    """Return the result of a call, and how often it called functions of fastops, and these called C functions."""
    made = 0

    def note(frame: Any, event: str, _: Any) -> None:
        nonlocal made
        made += event in ("call", "c_call") and frame.f_code.co_filename.startswith(_PACKAGE)

    sys.setprofile(note)
    try:
        result = call()
    finally:
        sys.setprofile(None)
    return result, made


def peak_of(call: Callable[[], Any]) -> tuple[Any, int]:
    """Return the result of a call, and the peak of the bytes that it allocated."""
    tracemalloc.start()
    try:
        result = call()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


#: Functions that each version of Linux's C library, of CPython or of NumPy has.
ALLOWED_SYMBOLS = frozenset(
    {
        *("memcpy", "memmove", "memset", "malloc", "free"),
        *("PyErr_Clear", "PyErr_Occurred", "PyEval_RestoreThread", "PyEval_SaveThread"),
        *("PyLong_AsLongLong", "PyLong_AsLongLongAndOverflow", "PyLong_FromLongLong"),
        *("PyBytes_FromStringAndSize", "PyTuple_New", "PyTuple_SetItem", "PyUnicode_Compare"),
        *("PyWeakref_NewRef", "Py_DecRef", "Py_IncRef", NEW_ARRAY),
        # The checked form of kernels prints a wrong access and ends the process.
        *("dprintf", "abort"),
    }
)
