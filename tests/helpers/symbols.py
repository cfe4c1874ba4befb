"""What code of kernels may call: functions of C that LLVM knows, and of CPython."""

from __future__ import annotations

from fastops.kernels._intrinsics._objects import NEW_ARRAY

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
