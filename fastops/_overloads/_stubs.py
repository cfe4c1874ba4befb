"""Stubs of operators, and the errors of calls in users' compiled code.

Numba collects the errors that the stubs of a function raise, and prints them behind the types of all arguments and many
file names. It passes on any exception that is not its own. So stubs raise `CallError`, and `Operator`, the type of an
operator, turns that into a TypingError of Numba whose text begins with the error of fastops.

Values are checked when the compiled function runs: each status of the kernels is a ValueError with a constant text.
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
from fastops.kernels._intrinsics._outlined import WORD
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _range as t
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._pad import pad

#: How stubs are compiled.
OPTIONS = {"error_model": "python", "nopython": True, "no_cpython_wrapper": True}


class CallError(TypeError):
    """A call is wrong by the types of its arguments."""


def check_data(operator, name, kind):
    """Raise unless data is an array of a dtype that Numba supports."""
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
        """Raise for arguments that the stub does not have, and for data that is not an array."""
        name = self.name_of_operator
        try:
            given = self.signature.bind(*args, **kws).arguments
        except TypeError as error:
            raise CallError(f"{name}: {error}; in compiled code it takes {self.signature}") from None
        first = next(iter(self.signature.parameters))
        if name != "fastops.range":
            check_data(name, first, given[first])


# A function has no data: values of its type are empty.
register_model(Operator)(models.OpaqueModel)


def stub(function, name, *, prefer_literal=False):
    """Return the decorator of an operator's stub: Numba's ``overload`` with the errors of fastops."""

    def decorate(body):
        template = make_overload_template(function, body, OPTIONS, True, "never", prefer_literal)
        infer(template)
        infer_global(function, Operator(template, name, inspect.signature(body)))
        return body

    return decorate


#: The text of each status, which follows the operator's name.
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
    t.NOT_FINITE: "numbers must be finite",
    t.ZERO_STEP: "step must not be 0, nor truncate to it",
    t.OUT_OF_RANGE: "numbers, and how many there are, must keep all sums within 64 bits",
}


_PAD_MODES = pad.lowering.rule.constants


@intrinsic
def _raise_text(typingctx, operator, status):
    """Raise a ValueError with the text of a status other than 0."""
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
    """Raise a ValueError for a status other than 0; ``operator`` is the operator's name, a literal."""


# One function for each operator: with the texts in each stub, a stub took a tenth of a second longer to compile.
@overload(raise_status, jit_options=OPTIONS, prefer_literal=True)
def _raise_status(operator, status):
    def impl(operator, status):
        if status != 0:
            _raise_text(operator, status)

    return impl
