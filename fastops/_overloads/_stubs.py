"""Stubs of operators, and what Numba says of calls that they do not take: our own text first.

Numba collects what stubs of a function raise, and prints it behind the function, the types of the arguments, and places
in its own files and ours. An exception that is none of Numba's comes through: the type of an operator makes of it the
error of Numba that follows it, with the place in the user's file behind the text.
"""

# Numba carries no types.
# mypy: ignore-errors

from __future__ import annotations

import inspect

from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import models, register_model

#: How stubs are compiled.
OPTIONS = {"error_model": "python", "nopython": True, "no_cpython_wrapper": True}


class CallError(TypeError):
    """The types of arguments say that a call is wrong."""


def check_data(operator, name, kind):
    """Raise for data that is no array, or whose elements Numba does not compute with."""
    if not isinstance(kind, types.Array):
        raise CallError(f"{operator}: {name} must be one array in compiled code, got {kind}")
    numbers = types.Boolean | types.Integer | types.Complex | types.NPDatetime | types.NPTimedelta
    if not isinstance(kind.dtype, numbers) and kind.dtype not in (types.float32, types.float64):
        raise CallError(
            f"{operator}: {name} must be of booleans, integers, floats of 32 or 64 bits, complex numbers or datetimes "
            f"in compiled code, got {kind.dtype}: pass a view as integers of the same width"
        )


class Operator(types.Function):
    """The type of an operator in users' code."""

    def __init__(self, template, name, signature):
        self.name_of_operator, self.signature = name, signature
        super().__init__(template)

    def get_call_type(self, context, args, kws):
        try:
            self._check(args, kws)
            return super().get_call_type(context, args, kws)
        except CallError as error:
            raise TypingError(str(error)) from None

    def _check(self, args, kws):
        """Raise for arguments that the stub has not, and for data that it does not take."""
        name = self.name_of_operator
        try:
            given = self.signature.bind(*args, **kws).arguments
        except TypeError as error:
            raise CallError(f"{name}: {error}; in compiled code it takes {self.signature}") from None
        first = next(iter(self.signature.parameters))
        if name != "fastops.range":
            check_data(name, first, given[first])


# Functions are no data: the type has no value.
register_model(Operator)(models.OpaqueModel)


def stub(function, name, *, prefer_literal=False):
    """Return the decorator of the stub of an operator: as Numba's ``overload``, but for errors."""

    def decorate(body):
        template = make_overload_template(function, body, OPTIONS, True, "never", prefer_literal)
        infer(template)
        infer_global(function, Operator(template, name, inspect.signature(body)))
        return body

    return decorate
