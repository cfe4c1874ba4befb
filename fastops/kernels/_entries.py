"""Entries: the kernels that Python calls; and the share of a launch that a thread does.

An entry is a builtin function of CPython (``METH_FASTCALL``). It converts each argument to a word or an address, 0 for
None, calls the kernel, and returns the kernel's integer or object. It checks only that ints fit a word, so
that a small call costs hardly more than the kernel.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from typing import Any

from llvmlite import ir

from fastops.kernels import _user_calls as _user_calls
from fastops.kernels._execute import execute, execute_at, execute_launch
from fastops.kernels._form import ENTRY_PREFIX
from fastops.kernels._intrinsics._access import call_function
from fastops.kernels._intrinsics._memory import HISTORIES, HISTORY_WORDS
from fastops.kernels._intrinsics._outlined import BYTE, WORD, emit_call, outlined, outlined_by
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

#: The kernel of each entry, how many of its arguments are objects, which come first, and whether it returns an object.
#: An entry without objects releases the GIL; kernels that take objects release it themselves.
ENTRIES = {
    "execute": (execute, 6, True),
    "execute_launch": (execute_launch, 5, False),
    "execute_at": (execute_at, 0, False),
    "move_windows": (move_windows, 7, False),
    "execute_range": (execute_range, 3, True),
    "run_range": (run_range, 0, False),
}


def emit_entries(context: Any) -> ir.Module:
    """Return a module of all entries, with the histories of launches, for a context of Numba's."""
    module = context.create_module("fastops.entries")
    kind = ir.ArrayType(WORD, HISTORY_WORDS)
    ir.GlobalVariable(module, kind, HISTORIES).initializer = ir.Constant(kind, None)
    for name, (call, n_objects, returns_object) in ENTRIES.items():
        _emit_entry(context, module, ENTRY_PREFIX + name, outlined_by(call), n_objects, returns_object)
    return module


def _emit_entry(context, module, symbol, kernel, n_objects, returns_object) -> None:
    function = ir.Function(module, ir.FunctionType(_BYTES, [_BYTES, _BYTES.as_pointer(), WORD]), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    # The builtin function is bound to None.
    none, objects, _ = function.args

    taken = []
    for i in range(len(kernel.signature.args)):
        obj = builder.load(builder.gep(objects, [WORD(i)]))
        if i < n_objects:
            is_none = builder.icmp_unsigned("==", obj, none)
            taken.append(builder.select(is_none, WORD(0), builder.ptrtoint(obj, WORD)))
        else:
            taken.append(call_function(builder, "PyLong_AsLongLong", WORD, obj))
    # The conversion of an int that is too large for a word sets an exception.
    raised = call_function(builder, "PyErr_Occurred", _BYTES)
    with builder.if_then(builder.icmp_unsigned("!=", raised, _BYTES(None)), likely=False):
        builder.ret(_BYTES(None))
    state = None if n_objects else call_function(builder, "PyEval_SaveThread", _BYTES)
    value = emit_call(context, builder, kernel, taken)
    if state is not None:
        call_function(builder, "PyEval_RestoreThread", ir.VoidType(), state)
    if not returns_object:
        value = builder.ptrtoint(call_function(builder, "PyLong_FromLongLong", _BYTES, value), WORD)
    builder.ret(builder.inttoptr(value, _BYTES))
