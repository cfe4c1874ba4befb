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

    @property
    def symbol(self) -> str:
        """What LLVM's code calls the slot."""
        return f"fastops.{self.function.__name__}"


def emit_call(context, builder, unit, args) -> Any:
    """Emit a call of a unit, which raises nothing: the status that Numba's functions give is always fine."""
    pointer = BYTE.as_pointer()
    slot = builder.module.globals.get(unit.symbol) or ir.GlobalVariable(builder.module, pointer, unit.symbol)
    kind = context.call_conv.get_function_type(unit.signature.return_type, unit.signature.args)
    code = builder.bitcast(builder.load(slot), kind.as_pointer())
    _, result = context.call_conv.call_function(builder, code, unit.signature.return_type, unit.signature.args, args)
    return result


_units: dict[Any, Unit] = {}


def unit_of(call: Any) -> Unit:
    """Return the unit that kernels call by this intrinsic."""
    return _units[call]


def unit(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a unit of a function, and gives the intrinsic that calls it."""

    def decorate(function: Callable[..., Any]) -> Any:
        made = Unit(function, signature, ctypes.c_void_p())
        llvmlite.binding.add_symbol(made.symbol, ctypes.addressof(made.slot))

        def codegen(context, builder, signature, args):
            return emit_call(context, builder, made, args)

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
