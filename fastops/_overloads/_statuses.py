"""Statuses: what is wrong with a call in users' compiled code, as an error with a constant text."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._tables import _window as t

#: Texts of statuses, as they follow the operator's name.
TEXTS = {
    t.NO_AXIS: "axes must name axes of data",
    t.REPEATED_AXIS: "axes must name each axis once",
    t.ZERO_STRIDE: "strides must not be 0",
    t.NEGATIVE_SIZE: "sizes and pads must be at least 0",
    t.TOO_LARGE: "numbers must keep all sums within 64 bits",
    t.OUT_OF_BOUNDS: "coordinates must lie in bounds",
    t.EMPTY_AXIS: "an empty axis has nothing to read but in mode fill",
    t.OTHER_SHAPE: "out must have the shape of the result",
    t.NO_MODE: "mode must be the name of a mode, in lower case",
    t.FILL_VALUE: "the fill value must be one that the type of data can express",
    t.OTHER_LENGTH: "lists must have as many values as there are axes",
    t.UNUSED_FILL_VALUE: "a fill value must be given in mode fill only",
}


@intrinsic
def raise_status(typingctx, operator, status):
    """Raise a ValueError for a status that is not 0; ``operator`` is a literal, its name."""
    if not isinstance(operator, types.StringLiteral):
        return None
    name = operator.literal_value

    def codegen(context, builder, signature, args):
        is_wrong = builder.icmp_signed("!=", args[1], WORD(0))
        with builder.if_then(is_wrong, likely=False):
            for code, text in TEXTS.items():
                with builder.if_then(builder.icmp_signed("==", args[1], WORD(code))):
                    context.call_conv.return_user_exc(builder, ValueError, (f"{name}: {text}",))
        return context.get_dummy_value()

    return types.void(operator, types.intp), codegen
