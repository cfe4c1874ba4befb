"""Stubs of operators, and what Numba says of calls that they do not take: our own text first.

Numba collects what stubs of a function raise, and prints it behind the function, the types of the arguments, and places
in its own files and ours. An exception that is none of Numba's comes through: the type of an operator makes of it the
error of Numba that follows it, with the place in the user's file behind the text.

Statuses: what is wrong with a call in users' compiled code, as an error with a constant text.
"""

# Numba carries no types.
# mypy: ignore-errors

from __future__ import annotations

import inspect

from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import intrinsic, models, overload, register_model

from fastops._geometry._sample_mode import MODE_RULE
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._pad import pad

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


#: Texts of statuses, as they follow the operator's name.
TEXTS = {
    a.OTHER_SHAPE: "out must have the shape of the result",
    a.TOO_FAR: "elements of an array must not lie further apart than memory is long",
    a.WRONG_WORDS: "numbers must keep all sums within 64 bits",
    a.NO_MEMORY: "there must be memory for the work",
    r.OTHER_KIND: "arguments must be integers, or have a value for each axis, or window, as the operator says",
    r.NO_AXIS: "axes must name axes of data",
    r.REPEATED_AXIS: "axes must name each axis once",
    r.ZERO_STRIDE: "strides must not be 0",
    r.NEGATIVE_SIZE: "sizes and pads must be at least 0",
    r.TOO_LARGE: "numbers must keep all sums within 64 bits",
    r.OUT_OF_BOUNDS: "coordinates must lie in bounds in mode strict_bounds, and items in data",
    r.EMPTY_AXIS: "an empty axis has nothing to read but in mode fill",
    r.NO_MODE: "mode must {modes}",
    r.FILL_VALUE: "the fill value must be one that the type of data can express",
    r.UNUSED_FILL_VALUE: "a fill value must be given in mode fill only",
    r.UNEQUAL_SPLIT: "a number of parts must be at least 1, and that of equal parts must divide the axis",
    r.TOO_MANY_PARTS: f"there must be at most {r.MOST_PARTS} parts",
    r.NO_BROADCAST: "shape must be that of data where data's is not 1",
    r.TOO_LONG_WINDOW: "windows must be no longer than their axis",
    r.NO_STEP: "steps must be at least 1, and one number for an axis that is named twice",
}


_PAD_MODES = pad.lowering.rule.constants


@intrinsic
def _raise_text(typingctx, operator, status):
    """Raise a ValueError with the text of a status that is not 0."""
    if not isinstance(operator, types.StringLiteral):
        return None
    name = operator.literal_value
    modes = f"be one of {', '.join(_PAD_MODES)}" if name == "fastops.numpy.pad" else MODE_RULE

    def codegen(context, builder, signature, args):
        for code, text in TEXTS.items():
            with builder.if_then(builder.icmp_signed("==", args[1], WORD(code))):
                context.call_conv.return_user_exc(builder, ValueError, (f"{name}: {text.format(modes=modes)}",))
        return context.get_dummy_value()

    return types.void(operator, types.intp), codegen


def raise_status(operator, status):
    """Raise a ValueError for a status that is not 0; ``operator`` is a literal, its name."""


# A function of its own for each operator: its texts in each stub took a tenth of a second to compile.
@overload(raise_status, jit_options=OPTIONS, prefer_literal=True)
def _raise_status(operator, status):
    def impl(operator, status):
        if status != 0:
            _raise_text(operator, status)

    return impl
