"""Out-of-line kernels: functions that are compiled once, and called by a symbol.

Numba copies the code of a function into each function that calls it, and optimises it there once more: over five levels
of calls, that was most of the time of compiling. Callers of an out-of-line kernel hold its symbol alone. Within the
object of all kernels (`fastops._runtime._compiler`) that is a direct call. Code that Numba compiles later, which is the
parallel kernels and users' functions, finds the symbol in the process, once the object is loaded.

It costs a call that LLVM cannot inline: an out-of-line kernel does much work in each call.
"""

# Numba and llvmlite carry no types.
# mypy: disable-error-code="no-untyped-call, no-untyped-def, misc"

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import cgutils
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
class Outlined:
    """A function that is called by a symbol.

    Attributes
    ----------
    name : str
        Its name.
    signature : Signature
        Its types.
    function : callable or None
        Its source; None where it is only declared.
    is_late : bool
        True if it is compiled when it is first wanted: the symbol is then a word of the object that holds the address
        of its code, and callers must know that it is there.
    """

    name: str
    signature: Any
    function: Callable[..., Any] | None = None
    is_late: bool = False

    @property
    def symbol(self) -> str:
        """The name in machine code, of the function or of the word."""
        return f"fastops.{self.name}"


def emit_call(context, builder, outlined, args) -> Any:
    """Emit a call, which raises nothing: the status that Numba's functions give is always fine."""
    kind = context.call_conv.get_function_type(outlined.signature.return_type, outlined.signature.args)
    if outlined.is_late:
        pointer = BYTE.as_pointer()
        word = builder.module.globals.get(outlined.symbol)
        word = word or ir.GlobalVariable(builder.module, pointer, outlined.symbol)
        code = builder.bitcast(builder.load(word), kind.as_pointer())
    else:
        code = cgutils.get_or_insert_function(builder.module, kind, outlined.symbol)
    signature = outlined.signature
    _, result = context.call_conv.call_function(builder, code, signature.return_type, signature.args, args)
    return result


_outlined: dict[Any, Outlined] = {}
_declared: list[Outlined] = []


def outlined_by(call: Any) -> Outlined:
    """Return what kernels call by this intrinsic."""
    return _outlined[call]


def all_outlined() -> list[Outlined]:
    """Return all out-of-line kernels of the modules that are imported."""
    return list(_outlined.values())


def outlined(signature: Any, *, is_late: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function an out-of-line kernel, and gives the intrinsic that calls it."""

    def decorate(function: Callable[..., Any]) -> Any:
        made = Outlined(function.__name__, signature, function, is_late)
        call = intrinsic_of(made, functools.partial(_emit, made))
        _outlined[call] = made
        return call

    return decorate


def declared(name: str, signature: Any) -> Any:
    """Return the intrinsic that calls the out-of-line kernel of a name, which another module defines."""
    made = Outlined(name, signature)
    _declared.append(made)
    return intrinsic_of(made, functools.partial(_emit, made))


def check_declared() -> None:
    """Raise unless what is declared is defined with the same types, by the modules that are imported."""
    types = {made.name: made.signature for made in _outlined.values()}
    wrong = [made.name for made in _declared if types.get(made.name) != made.signature]
    if wrong:
        raise TypeError(f"declared with other types than defined: {', '.join(wrong)}")


def _emit(outlined, context, builder, signature, args):
    return emit_call(context, builder, outlined, args)


def intrinsic_of(outlined: Outlined, codegen: Callable[..., Any]) -> Any:
    """Return an intrinsic with the types of an out-of-line kernel, and code of its own."""

    def call(typingctx, *args):
        return outlined.signature, codegen

    # The number of its arguments, as Numba wants to know it.
    names = ["typingctx", *[f"argument_{i}" for i in range(len(outlined.signature.args))]]
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__name__ = outlined.name
    return intrinsic(call)
