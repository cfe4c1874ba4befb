"""Entries: the kernels that Python calls; and the share of a launch that a thread does.

An entry is a builtin function of CPython (``METH_FASTCALL``). It converts each argument to a word or an address, 0 for
None, calls the kernel, and returns the kernel's integer or object, or None. It checks only that ints fit a word, so
that a small call costs hardly more than the kernel.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from fastops.kernels import _user_calls as _user_calls
from fastops.kernels._execute import execute, execute_at, execute_launch
from fastops.kernels._form import ENTRY_PREFIX
from fastops.kernels._intrinsics._object_layout import TUPLE_ITEMS
from fastops.kernels._intrinsics._outlined import BYTE, WORD, array_object, emit_call, outlined, outlined_by
from fastops.kernels._move import convert_chunk, move_chunk
from fastops.kernels._parallel import OF_CONVERSION, OF_TABLE, OF_WINDOWS, SHARE
from fastops.kernels._range import execute_range, range_chunk, run_range
from fastops.kernels._windows import move_windows, windows_chunk


@outlined(SHARE)
def run_share(work, first, second, third, fourth, chunk, chunks):
    """Do one of `chunks` equal shares of work, which four numbers describe.

    The numbers are addresses, and lengths in words. For a table: address and length of the arrays, then of the table.
    For windows: address and length of the arrays, then the addresses of the windows and of scratch memory. For a
    conversion: address and length of the arrays, then the addresses of the words and of scratch memory. For a range:
    the addresses of its first element and of its row.
    """
    if work == OF_TABLE:
        move_chunk(first, second, third, fourth, chunk, chunks)
    elif work == OF_WINDOWS:
        windows_chunk(first, second, third, fourth, chunk, chunks)
    elif work == OF_CONVERSION:
        convert_chunk(first, second, third, fourth, chunk, chunks)
    else:
        range_chunk(first, second, chunk, chunks)


_BYTES = BYTE.as_pointer()

#: The kernel of each entry, and whether the entry releases the GIL. Kernels that take objects release it themselves.
ENTRIES = {
    "execute": (execute, False),
    "execute_launch": (execute_launch, False),
    "execute_at": (execute_at, True),
    "move_windows": (move_windows, False),
    "execute_range": (execute_range, False),
    "run_range": (run_range, True),
}


def emit_entries(context: Any) -> ir.Module:
    """Return a module of all entries, for a context of Numba's."""
    module = context.create_module("fastops.entries")
    for name, (call, releases_lock) in ENTRIES.items():
        _emit_entry(context, module, ENTRY_PREFIX + name, outlined_by(call), releases_lock)
    return module


def _emit_entry(context, module, symbol, kernel, releases_lock) -> None:
    function = ir.Function(module, ir.FunctionType(_BYTES, [_BYTES, _BYTES.as_pointer(), WORD]), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    # The builtin function is bound to None.
    none, objects, _ = function.args

    def call_python(name, result, *args):
        kind = ir.FunctionType(result, [arg.type for arg in args])
        return builder.call(module.globals.get(name) or ir.Function(module, kind, name), args)

    taken = []
    for i, kind in enumerate(kernel.signature.args):
        obj = builder.load(builder.gep(objects, [WORD(i)]))
        if kind == types.intp:
            taken.append(call_python("PyLong_AsLongLong", WORD, obj))
        else:
            is_none = builder.icmp_unsigned("==", obj, none)
            at = obj if kind == array_object else builder.gep(obj, [WORD(TUPLE_ITEMS)])
            taken.append(builder.select(is_none, WORD(0), builder.ptrtoint(at, WORD)))
    _return_if_raised(builder, call_python, taken)
    state = call_python("PyEval_SaveThread", _BYTES) if releases_lock else None
    value = emit_call(context, builder, kernel, taken)
    if state is not None:
        call_python("PyEval_RestoreThread", ir.VoidType(), state)
    if kernel.signature.return_type == types.void:
        call_python("Py_IncRef", ir.VoidType(), none)
        builder.ret(none)
    elif kernel.signature.return_type == array_object:
        builder.ret(builder.inttoptr(value, _BYTES))
    else:
        builder.ret(call_python("PyLong_FromLongLong", _BYTES, value))


def _return_if_raised(builder, call_python, taken) -> None:
    """Return null if an int was too large for a word: its conversion has given -1 and set an exception."""
    is_unlike = ir.Constant(ir.IntType(1), 0)
    for value in taken:
        if value.type == WORD:
            is_unlike = builder.or_(is_unlike, builder.icmp_signed("==", value, WORD(-1)))
    with builder.if_then(is_unlike, likely=False):
        raised = call_python("PyErr_Occurred", _BYTES)
        with builder.if_then(builder.icmp_unsigned("!=", raised, _BYTES(None))):
            builder.ret(_BYTES(None))
