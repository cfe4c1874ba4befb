"""The stub of `fastops.frame` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from fastops._overloads._arguments import is_index
from fastops._overloads._calls import lowered_by, rule_of, write
from fastops._overloads._statuses import raise_status
from fastops._overloads._stubs import OPTIONS, CallError, stub
from fastops.kernels._tables import _rules as r
from fastops.ops._frame import frame, lower_frame
from fastops.ops._slice import lower_slice

_NAME = "fastops.frame"
_op, _rule, _names = rule_of(lower_frame)
_lower_frame = lowered_by(_op, _rule, (*_names[:3], "mode"), r.MODE)
_lower_pads = lowered_by(_op, *rule_of(lower_slice)[1:])


@register_jitable(**OPTIONS)
def _whole(x, frame_length, axis, center, mode, fill_value):
    return x


@register_jitable(**OPTIONS)
def _padded(x, frame_length, axis, center, mode, fill_value):
    """The signal, with what centered frames read beyond it."""
    if not center or frame_length < 2:
        return x
    raise_status(_NAME, 0 if -x.ndim <= axis < x.ndim else r.NO_AXIS)
    pad = np.int64(frame_length) // 2
    raise_status(_NAME, 0 if pad < 2**60 else r.TOO_LARGE)
    lowered = _lower_pads(x, fill_value, ((-pad,), (x.shape[axis] + 2 * pad,), None, (axis,), mode))
    return write(_NAME, lowered, x, None)


@stub(frame, _NAME)
def _stub(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
    for name, kind in (("frame_length", frame_length), ("hop_length", hop_length)):
        if not is_index(kind):
            raise CallError(f"{_NAME}: {name} must be an integer, signed or of less than 64 bits, got {kind}")
    signal_of = _whole if center is False or isinstance(center, types.Omitted) else _padded

    def impl(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
        signal = signal_of(x, frame_length, axis, center, mode, fill_value)
        lowered = _lower_frame(signal, fill_value, (frame_length, hop_length, axis, mode))
        return write(_NAME, lowered, signal, out)

    return impl
