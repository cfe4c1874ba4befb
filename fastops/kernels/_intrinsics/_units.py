"""Units: functions that are compiled each alone, and called through pointers.

Numba copies the code of a function into each function that calls it, and optimises and compiles it there once more:
over five levels of calls, that was most of the time of a first call. The callers of a unit know only the address of a
slot, in which the address of its code is put (`fastops._runtime._kernel_cache.link_unit`) before anything runs that
calls it. So what a call does not need, it does not wait for. It costs a call that LLVM cannot inline: a unit is a
function whose calls do much work each.
"""

# Numba and llvmlite carry no types.
# mypy: disable-error-code="no-untyped-call, no-untyped-def, misc"

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba.extending import intrinsic

from fastops.kernels._intrinsics._types import BYTE

#: How the functions that kernels are made of are compiled. No Python calls them, so that they need no wrappers, which
#: took a third of the time of compiling.
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_rewrites": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


@dataclass(frozen=True, eq=False, slots=True)
class Unit:
    """A function behind a slot.

    Attributes
    ----------
    function : callable
        Its source.
    signature : Signature
        Its types.
    slot : c_void_p
        Where the address of its code is put.
    """

    function: Callable[..., Any]
    signature: Any
    slot: ctypes.c_void_p


_units: dict[Any, Unit] = {}


def unit_of(call: Any) -> Unit:
    """Return the unit that kernels call by this intrinsic."""
    return _units[call]


def unit(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a unit of a function, and gives the intrinsic that calls it."""

    def decorate(function: Callable[..., Any]) -> Any:
        made = Unit(function, signature, ctypes.c_void_p())
        symbol = f"fastops.{function.__name__}"
        llvmlite.binding.add_symbol(symbol, ctypes.addressof(made.slot))

        def codegen(context, builder, signature, args):
            pointer = BYTE.as_pointer()
            slot = builder.module.globals.get(symbol) or ir.GlobalVariable(builder.module, pointer, symbol)
            kind = context.call_conv.get_function_type(signature.return_type, signature.args)
            code = builder.bitcast(builder.load(slot), kind.as_pointer())
            # Units raise nothing, so the status is always fine.
            _, result = context.call_conv.call_function(builder, code, signature.return_type, signature.args, args)
            return result

        def call(typingctx, *args):
            return signature, codegen

        # The number of its arguments, as Numba wants to know it.
        parameters = [inspect.Parameter("typingctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        parameters += inspect.signature(function).parameters.values()
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__name__ = function.__name__
        _units[intrinsic_call := intrinsic(call)] = made
        return intrinsic_call

    return decorate
