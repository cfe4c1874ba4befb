"""What all stubs of operators share: options, the check of data, and the errors of calls in users' compiled code.

Numba collects its own errors from the stubs of a function, and prints them after the types of all arguments and many
file names; it does not catch other exceptions. So stubs raise a `CallError`, whose text is the whole message.

The compiled function checks values when it runs: for each status of a kernel it raises a ValueError with a constant
text.
"""

# Numba carries no types.
# mypy: ignore-errors

from __future__ import annotations

from numba import types
from numba.extending import intrinsic, overload

from fastops._geometry._sample_mode import MODE_RULE
from fastops.kernels._intrinsics._outlined import WORD
from fastops.kernels._tables import _arrays as a, _range as t, _rules as r
from fastops.ops.numpy._pad import pad

#: How stubs are compiled.
OPTIONS = {"error_model": "python", "nopython": True, "no_cpython_wrapper": True}


class CallError(TypeError):
    """The types of a call's arguments are wrong."""


def check_data(operator, name, kind):
    """Raise unless data is an array of a dtype that stubs take."""
    if not isinstance(kind, types.Array):
        raise CallError(f"{operator}: {name} must be one array in compiled code, got {kind}")
    numbers = types.Boolean | types.Integer | types.Complex | types.NPDatetime | types.NPTimedelta
    if not isinstance(kind.dtype, numbers) and kind.dtype not in (types.float32, types.float64):
        rule = "be of booleans, integers, floats of 32 or 64 bits, complex numbers or datetimes in compiled code"
        raise CallError(f"{operator}: {name} must {rule}, got {kind.dtype}: pass a view as integers of the same width")


#: The text of each status, which follows the operator's name.
TEXTS = {
    a.OTHER_SHAPE: "out must have the shape of the result",
    a.TOO_FAR: "the elements of an array must span fewer bytes than the address space has",
    a.WRONG_WORDS: "numbers must keep all sums within 64 bits",
    a.NO_MEMORY: "memory must be available for the work",
    r.OTHER_KIND: "arguments must be integers, or have one value for each axis or window",
    r.NO_AXIS: "axes must name axes of data",
    r.REPEATED_AXIS: "axes must name each axis once",
    r.ZERO_STRIDE: "strides must not be 0",
    r.NEGATIVE_SIZE: "sizes and pads must be at least 0",
    r.TOO_LARGE: "numbers must keep all sums within 64 bits",
    r.OUT_OF_BOUNDS: "coordinates must lie in bounds in mode strict_bounds, and items must be indices of data",
    r.EMPTY_AXIS: "an empty axis must be read in mode fill only",
    r.NO_MODE: "mode must {modes}",
    r.FILL_VALUE: "the fill value must be a value that the type of data can express",
    r.UNUSED_FILL_VALUE: "a fill value must be given in mode fill only",
    r.NO_BROADCAST: "shape must equal data's shape along each axis whose length is not 1",
    r.TOO_LONG_WINDOW: "windows must be no longer than their axis",
    r.NO_STEP: "steps must be at least 1, and equal for an axis that is named twice",
    r.UNEQUAL_SPLIT: "the number of parts must be at least 1, and the number of equal parts must divide the axis",
    r.TOO_MANY_PARTS: f"there must be at most {r.MOST_PARTS} parts",
    t.NOT_FINITE: "numbers must be finite",
    t.ZERO_STEP: "step must not be 0, nor truncate to it",
    t.OUT_OF_RANGE: "start, stop, step and count must keep all sums within 64 bits",
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


# Compiled once for each operator: stubs that hold the texts themselves take longer to compile.
@overload(raise_status, jit_options=OPTIONS, prefer_literal=True)
def _raise_status(operator, status):
    def impl(operator, status):
        if status != 0:
            _raise_text(operator, status)

    return impl
