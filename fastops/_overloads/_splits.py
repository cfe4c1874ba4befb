"""Stubs of `fastops.numpy.split` and `array_split` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import intrinsic, overload, register_jitable

from fastops._overloads._arguments import argument_of
from fastops._overloads._calls import check_out, copy_array, is_none, lowered_by, rule_of, write
from fastops._overloads._pointers import may_overlap
from fastops._overloads._statuses import raise_status
from fastops._overloads._stubs import OPTIONS, CallError, stub
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._parts import array_split, lower_array_split, lower_split, split

_SECTIONS = "indices_or_sections"


def read(sections):
    """A number of parts, a tuple of indices between them, or an array of such indices that nobody else writes to."""


@overload(read, jit_options=OPTIONS)
def _read(sections):
    if isinstance(sections, types.Integer | types.BaseTuple):
        return lambda sections: sections

    def impl(sections):
        numbers = np.empty(len(sections), np.int64)
        for i in range(len(sections)):
            numbers[i] = sections[i]
        return numbers

    return impl


def around(sections, i):
    """What says where part i is, and its number among the parts of that: of an array, the indices beside it."""


@overload(around, jit_options=OPTIONS)
def _around(sections, i):
    if isinstance(sections, types.Array):
        return lambda sections, i: (sections[max(i - 1, 0) : i + 1], min(i, 1))
    return lambda sections, i: (sections, i)


def count(sections):
    """The number of parts, which may be one that is wrong."""


@overload(count, jit_options=OPTIONS)
def _count(sections):
    if isinstance(sections, types.Integer):
        return lambda sections: np.int64(sections)
    return lambda sections: len(sections) + 1


@intrinsic(prefer_literal=True)
def as_tuple(typingctx, parts, n):
    """The items of a list, of which a literal says how many there are."""
    result = types.UniTuple(parts.dtype, n.literal_value)

    def codegen(context, builder, signature, args):
        item = parts.dtype(parts, types.intp)
        items = [
            context.compile_internal(builder, lambda parts, i: parts[i], item, [args[0], WORD(i)])
            for i in range(n.literal_value)
        ]
        return context.make_tuple(builder, result, items)

    return result(parts, n), codegen


def _known_parts(name, sections):
    """Return the number of parts, if the type of what splits an axis says it."""
    if argument_of(f"{name}: {_SECTIONS}", sections, None).kind not in (r.INTEGER, r.LIST):
        raise CallError(f"{name}: {_SECTIONS} must be an integer or a list of integers, got {sections}")
    if isinstance(sections, types.BaseTuple):
        return len(sections) + 1
    if not isinstance(sections, types.IntegerLiteral):
        return None
    if not 1 <= sections.literal_value <= r.MOST_PARTS:
        raise CallError(f"{name}: {_SECTIONS} must be in 1..{r.MOST_PARTS}, got {sections.literal_value}")
    return sections.literal_value


def _stub_of(function, lower):
    """Make the stub of a function that splits an array."""
    name = f"fastops.{lower.lowering.op}"
    op, rule, names = rule_of(lower)
    lower_part = lowered_by(op, rule, (*names, "part"), r.PART)

    @register_jitable(**OPTIONS)
    def fresh(ary, indices_or_sections, axis, out):
        sections = read(indices_or_sections)
        near, k = around(sections, 0)
        parts = [write(name, lower_part(ary, None, (near, axis, k)), ary, None)]
        for i in range(1, count(sections)):
            near, k = around(sections, i)
            parts.append(write(name, lower_part(ary, None, (near, axis, k)), ary, None))
        return parts

    @register_jitable(**OPTIONS)
    def into(ary, indices_or_sections, axis, out):
        sections, source = read(indices_or_sections), ary
        n = count(sections)
        for i in range(max(n, 1)):
            near, k = around(sections, i)
            _, status, shape = lower_part(ary, None, (near, axis, k))
            raise_status(name, status)
            if len(out) != n or out[i].shape != shape:
                raise_status(name, a.OTHER_SHAPE)
        for i in range(n):
            if may_overlap(out[i], ary):
                source = np.empty(ary.shape, ary.dtype)
                raise_status(name, copy_array(ary, source))
                break
        for i in range(n):
            near, k = around(sections, i)
            write(name, lower_part(source, None, (near, axis, k)), source, out[i])
        return out

    def body(ary, indices_or_sections, axis=0, out=None):
        n = _known_parts(name, indices_or_sections)
        if is_none(out):
            if n is None:
                return lambda ary, indices_or_sections, axis=0, out=None: fresh(ary, indices_or_sections, axis, out)
            return lambda ary, indices_or_sections, axis=0, out=None: as_tuple(
                fresh(ary, indices_or_sections, axis, out), n
            )
        if not isinstance(out, types.UniTuple | types.List | types.ListType):
            raise CallError(f"{name}: out must be a list of arrays, or a tuple of arrays of one type, got {out}")
        check_out(name, out.dtype, ary, ary.ndim)
        return lambda ary, indices_or_sections, axis=0, out=None: into(ary, indices_or_sections, axis, out)

    stub(function, name, prefer_literal=True)(body)


_stub_of(split, lower_split)
_stub_of(array_split, lower_array_split)
