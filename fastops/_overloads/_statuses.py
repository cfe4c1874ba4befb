"""Statuses: what is wrong with a call in users' compiled code, as an error with a constant text."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic, overload

from fastops._geometry._sample_mode import MODE_RULE, MODE_WORDS
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._tables import _window as t

#: The options of all stubs.
OPTIONS = {"error_model": "python", "no_cpython_wrapper": True}

#: Texts of statuses, as they follow the operator's name.
TEXTS = {
    t.NO_AXIS: "axes must name axes of data",
    t.REPEATED_AXIS: "axes must name each axis once",
    t.ZERO_STRIDE: "strides must not be 0",
    t.NEGATIVE_SIZE: "sizes and pads must be at least 0",
    t.TOO_LARGE: "numbers must keep all sums within 64 bits",
    t.OUT_OF_BOUNDS: "coordinates must lie in bounds in mode strict_bounds, and items in data",
    t.EMPTY_AXIS: "an empty axis has nothing to read but in mode fill",
    t.OTHER_SHAPE: "out must have the shape of the result",
    t.NO_MODE: "mode must {modes}",
    t.FILL_VALUE: "the fill value must be one that the type of data can express",
    t.OTHER_LENGTH: "starts, sizes, strides and axes must have a value for each axis, and items one for each window",
    t.UNUSED_FILL_VALUE: "a fill value must be given in mode fill only",
}


#: The names of the modes of `fastops.slice` and of NumPy's pad, and their numbers, as compiled code reads them.
MODES = " ".join(f"{word} {mode.value}" for word, mode in MODE_WORDS.items())
PAD_MODES = "constant 3 edge 2 reflect 4 symmetric 5 wrap 1"


@intrinsic
def _raise_text(typingctx, operator, status):
    """Raise a ValueError with the text of a status that is not 0."""
    if not isinstance(operator, types.StringLiteral):
        return None
    name = operator.literal_value
    modes = f"be one of {', '.join(PAD_MODES.split()[::2])}" if name == "fastops.numpy.pad" else MODE_RULE

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
