"""Public names of modules, costs of calls, and the symbols that compiled code may use."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import fastops as fo
from fastops.kernels._intrinsics._objects import NEW_ARRAY


def names_of(module: ModuleType) -> list[str]:
    """The public names of a module."""
    return [name for name in dir(module) if name[0].isalpha()]


_PACKAGE = str(Path(fo.__file__).parent)


def count_functions(call: Callable[[], Any]) -> tuple[Any, int]:
    """Return the result of a call, and the number of functions of fastops, and of C functions that they called."""
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


#: Functions that each version of the C library of Linux has, and of CPython.
ALLOWED_SYMBOLS = frozenset(
    {
        *("memcpy", "memmove", "memset", "malloc", "free"),
        *("PyErr_Clear", "PyErr_Occurred", "PyEval_RestoreThread", "PyEval_SaveThread"),
        *("PyLong_AsLongLong", "PyLong_AsLongLongAndOverflow", "PyLong_FromLongLong"),
        *("PyBytes_FromStringAndSize", "PyTuple_New", "PyTuple_SetItem", "PyUnicode_Compare"),
        *("PyWeakref_NewRef", "Py_DecRef", "Py_IncRef", NEW_ARRAY),
        # The checked form of kernels writes to these two, and aborts a process that would not end.
        *("abort", "fastops.scratch", "fastops.violations"),
    }
)
