"""Stubs of `fastops.slice` and `fastops.strided_slice` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from fastops._overloads._calls import lowered_by, rule_of, write
from fastops._overloads._stubs import stub
from fastops.ops._slice import lower_slice
from fastops.ops._slice import slice as fastops_slice
from fastops.ops._strided_slice import lower_strided_slice, strided_slice

_lower_slice, _lower_strided_slice = lowered_by(*rule_of(lower_slice)), lowered_by(*rule_of(lower_strided_slice))


@stub(fastops_slice, "fastops.slice")
def _slice(data, start, size, stride=None, axes=None, mode="strict_bounds", fill_value=None, out=None):
    def impl(data, start, size, stride=None, axes=None, mode="strict_bounds", fill_value=None, out=None):
        lowered = _lower_slice(data, fill_value, (start, size, stride, axes, mode))
        return write("fastops.slice", lowered, data, out)

    return impl


@stub(strided_slice, "fastops.strided_slice", prefer_literal=True)
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
        attributes = begin, end, strides, begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask
        return write("fastops.strided_slice", _lower_strided_slice(data, None, attributes), data, out)

    return impl
