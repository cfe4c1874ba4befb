"""Statuses: what is wrong with a call in users' compiled code, as an error with a constant text."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic, overload

from fastops._geometry._sample_mode import MODE_RULE
from fastops._overloads._stubs import OPTIONS
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._pad import lower_pad

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


_PAD_MODES = lower_pad.lowering.rule.constants


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
