"""What modules define for users, what calls cost, and which symbols compiled code may use."""

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
    """What a call gives, and how many functions of fastops, and of C that these call, have been called for it."""
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
    """What a call gives, and the most bytes that were allocated for it at once."""
    tracemalloc.start()
    try:
        result = call()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


#: Every version of the C library of Linux has these, so that a wheel with objects is for all of them.
ALLOWED_SYMBOLS = frozenset(
    {
        *("memcpy", "memmove", "memset", "malloc", "free"),
        *("PyErr_Clear", "PyErr_Occurred", "PyEval_RestoreThread", "PyEval_SaveThread"),
        *("PyLong_AsLongLong", "PyLong_AsLongLongAndOverflow", "PyLong_FromLongLong"),
        *("PyBytes_FromStringAndSize", "PyTuple_New", "PyTuple_SetItem", "PyUnicode_Compare"),
        *("PyWeakref_NewRef", "Py_DecRef", "Py_IncRef", NEW_ARRAY),
        # What the checked form writes to, and how it ends a process that would run for ever.
        *("abort", "fastops.scratch", "fastops.violations"),
    }
)
