"""Stubs of `fastops.slice` and `fastops.strided_slice` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

from fastops._errors import FastopsError
from fastops._lowering._bounds import ClampRule
from fastops._lowering._strided_slice import Use, positions_of
from fastops._overloads._arguments import as_integers
from fastops._overloads._link import set_axis, set_mode, shrink_axis, slice_axis
from fastops._overloads._statuses import MODES, OPTIONS
from fastops._overloads._words import new_words
from fastops._overloads._writing import (
    as_list,
    entry,
    is_none,
    length_of,
    mode_number,
    unused_fill_value,
    write,
)
from fastops.kernels._tables._window import OTHER_LENGTH
from fastops.ops._slice import slice as fastops_slice
from fastops.ops._strided_slice import strided_slice


@overload(fastops_slice, jit_options=OPTIONS)
def _slice(data, start, size, stride=None, axes=None, mode="strict_bounds", fill_value=None, out=None):
    if not isinstance(data, types.Array):
        return None
    rank, whole, is_named = data.ndim, tuple(range(data.ndim)), not is_none(axes)

    def impl(data, start, size, stride=None, axes=None, mode="strict_bounds", fill_value=None, out=None):
        words = new_words(data, rank, 0)
        number = mode_number(mode, MODES)
        status = set_mode(words, number)
        if status == 0:
            status = unused_fill_value(fill_value, number)
        starts, sizes = as_list(start), as_list(size)
        n = len(starts)
        fits = len(sizes) == n and length_of(stride, n) == n and length_of(axes, n) == n
        if not fits or (not is_named and n != rank):
            status = OTHER_LENGTH
        for j in range(n):
            if status == 0:
                status = set_axis(words, entry(axes, j, j), starts[j], entry(stride, j, 1), sizes[j])
        return write("fastops.slice", words, status, data, out, fill_value, whole, whole)

    return impl


@overload(strided_slice, jit_options=OPTIONS, prefer_literal=True)
def _strided_slice(
    data,
    begin,
    end,
    strides=None,
    begin_mask=(),
    end_mask=(),
    new_axis_mask=(),
    shrink_axis_mask=(),
    ellipsis_mask=(),
    out=None,
):
    if not isinstance(data, types.Array):
        return None
    if not isinstance(begin, types.BaseTuple) or not isinstance(end, types.BaseTuple) or len(begin) != len(end):
        raise TypingError("fastops.strided_slice: begin and end must be tuples of one length")
    n, rank = len(begin), data.ndim
    if not is_none(strides) and not (isinstance(strides, types.BaseTuple) and len(strides) == n):
        raise TypingError("fastops.strided_slice: strides must be a tuple as long as begin")
    masks = [_bits_of(mask, n) for mask in (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)]
    begin_bits, end_bits, *uses = masks
    if sum(uses[2]) > 1:
        raise TypingError("fastops.strided_slice: ellipsis_mask must have at most one bit set")
    try:
        positions = positions_of(rank, (0,) * n, *uses)
    except FastopsError as error:
        raise TypingError(f"fastops.strided_slice: {error.attribute} must {error.rule}") from None
    lowest = ClampRule.OPENVINO.value
    # What is sliced, and what is shrunk: the number of the position, and of the axis.
    sliced = tuple([(p.i, p.axis, begin_bits[p.i], end_bits[p.i]) for p in positions if p.use is Use.SLICE])
    shrunk = tuple([(p.i, p.axis) for p in positions if p.use is Use.SHRINK])
    # Axes of the result: new ones are axes in front of the window's.
    n_new = sum(p.use is Use.NEW_AXIS for p in positions)
    order, new = [], 0
    for p in positions:
        if p.use is Use.NEW_AXIS:
            order.append(new)
            new += 1
        elif p.use is not Use.SHRINK:
            order += [n_new + axis for axis in range(p.axis, p.axis + p.rank)]
    order = tuple(order)
    whole, all_axes = tuple(range(len(order))), n_new + rank
    none_sliced, none_shrunk = not sliced, not shrunk
    sliced, shrunk = sliced or ((0, 0, 0, 0),), shrunk or ((0, 0),)

    def impl(
        data,
        begin,
        end,
        strides=None,
        begin_mask=(),
        end_mask=(),
        new_axis_mask=(),
        shrink_axis_mask=(),
        ellipsis_mask=(),
        out=None,
    ):
        words = new_words(data, all_axes, 0)
        begins, ends = as_integers(begin), as_integers(end)
        status = 0
        if not none_sliced:
            for i, axis, begin_masked, end_masked in sliced:
                if status == 0:
                    step = entry(strides, i, 1)
                    at = n_new + axis
                    status = slice_axis(words, at, begins[i], ends[i], step, lowest, begin_masked, end_masked)
        if not none_shrunk:
            for i, axis in shrunk:
                if status == 0:
                    status = shrink_axis(words, n_new + axis, begins[i])
        return write("fastops.strided_slice", words, status, data, out, None, order, whole)

    return impl


def _bits_of(mask, n) -> tuple[int, ...]:
    """The bits of a mask, of which the values must be known when compiling."""
    if isinstance(mask, types.Omitted):
        values = mask.value
    elif is_none(mask):
        values = ()
    elif isinstance(mask, types.BaseTuple):
        values = [getattr(kind, "literal_value", None) for kind in mask.types]
    else:
        values = None if not isinstance(mask, tuple) else mask
    if values is None or any(value not in (0, 1) for value in values):
        raise TypingError("fastops.strided_slice: masks must be tuples of literal zeros and ones")
    return tuple([int(value) for value in values[:n]]) + (0,) * (n - len(values))
