"""The types of kernels' arguments, and out-of-line kernels: functions that are compiled once and called by a symbol.

One signature of a kernel takes arrays of any dtype, rank, byte order and layout: the kernel gets addresses and reads
the fields of the objects itself. Nothing checks the objects here; the callers of kernels do.

- ``intp``: an integer, or the address of an object; 0 for None;
- ``byte_pointer``: the address of a byte of memory.

Numba copies the code of a function into each function that calls it, and optimises each copy: over five levels of
calls, that was most of the time of compiling. Callers of an out-of-line kernel hold its symbol alone. Within the object
of all kernels (`fastops._runtime._compiler`) the call is direct. Users' functions, which Numba compiles later, find the
symbol in the process once the object is loaded. LLVM cannot inline such a call, so only functions that do much work in
each call are out of line.
"""

# Numba and llvmlite carry no types.
# mypy: disable-error-code="no-untyped-call, no-untyped-def, misc"

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, models, register_model

from fastops.kernels._form import IS_CHECKED


def features() -> frozenset[str]:
    """Return LLVM's names of the features of the processor that Numba compiles for, with "neon" for any 64-bit ARM."""
    triple, _, names = cpu_target.target_context.codegen().magic_tuple()
    found = frozenset([name[1:] for name in names.split(",") if name.startswith("+")])
    return found | {"neon"} if triple.startswith(("aarch64", "arm64")) else found


BYTE, INT32, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)


class _BytePointerType(types.Type):
    """The address of a byte of memory."""


byte_pointer = _BytePointerType("fastops.BytePointer")


class _CheckedPointerModel(models.StructModel):
    """A byte pointer as an address, the bounds of its buffer, and 1 if the buffer may be written."""

    def __init__(self, dmm, fe_type) -> None:
        words = [(name, types.intp) for name in ("low", "high", "is_writable")]
        super().__init__(dmm, fe_type, [("place", types.voidptr), *words])


# The other model is an address alone.
register_model(_BytePointerType)(_CheckedPointerModel if IS_CHECKED else models.OpaqueModel)


def numbers_type(record: Any) -> types.Type:
    """Return the type of a NamedTuple class whose fields are integers, for the signatures of out-of-line kernels."""
    return types.NamedUniTuple(types.intp, len(record._fields), record)


#: Options of Numba for all functions of kernels. Python calls none of them, so they get no wrappers for Python, which
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
    signature : Signature
        The types of Numba.
    function : callable or None
        The Python function; None where it is only declared.
    is_parallel : bool
        True if it has a loop that threads share. It may run only once Numba has started its threads.
    """

    name: str
    signature: Any
    function: Callable[..., Any] | None = None
    is_parallel: bool = False

    @property
    def symbol(self) -> str:
        """Return the name in machine code."""
        return f"fastops.{self.name}"


def emit_call(context, builder, outlined, args) -> Any:
    """Emit a call, and ignore the status that Numba's functions return: kernels raise nothing."""
    signature = outlined.signature
    kind = context.call_conv.get_function_type(signature.return_type, signature.args)
    code = cgutils.get_or_insert_function(builder.module, kind, outlined.symbol)
    _, result = context.call_conv.call_function(builder, code, signature.return_type, signature.args, args)
    return result


_outlined: dict[Any, Outlined] = {}


def outlined_by(call: Any) -> Outlined:
    """Return the out-of-line kernel that an intrinsic calls."""
    return _outlined[call]


def all_outlined() -> list[Outlined]:
    """Return all out-of-line kernels of the modules that are imported."""
    return list(_outlined.values())


def outlined(signature: Any, *, is_parallel: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function an out-of-line kernel, and returns the intrinsic that calls it."""

    def decorate(function: Callable[..., Any]) -> Any:
        made = Outlined(function.__name__, signature, function, is_parallel)
        call = _intrinsic_calling(made)
        _outlined[call] = made
        return call

    return decorate


def declared(name: str, signature: Any) -> Any:
    """Return the intrinsic that calls the out-of-line kernel of a name and types, which another module defines."""
    return _intrinsic_calling(Outlined(name, signature))


def _intrinsic_calling(outlined: Outlined) -> Any:
    return intrinsic_of(outlined, lambda context, builder, _, args: emit_call(context, builder, outlined, args))


def intrinsic_of(outlined: Outlined, codegen: Callable[..., Any]) -> Any:
    """Return an intrinsic with the name and types of an out-of-line kernel, and with code of its own."""

    def call(typingctx, *args):
        return outlined.signature, codegen

    # Numba reads the number of arguments from the signature.
    names = ["typingctx", *[f"argument_{i}" for i in range(len(outlined.signature.args))]]
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__name__ = outlined.name
    return intrinsic(call)
