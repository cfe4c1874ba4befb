"""Stubs of `fastops.slice`, `strided_slice` and functions of `fastops.numpy`; on demand, of NumPy's own functions."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from fastops._overloads._arguments import argument_of
from fastops._overloads._calls import is_none, lower_copy, lowered_by, make_stub, rule_of, write
from fastops._overloads._stubs import OPTIONS, CallError, check_data, raise_status
from fastops.kernels._arithmetic import part_of
from fastops.kernels._intrinsics._outlined import WORD
from fastops.kernels._tables import _rules as r
from fastops.ops import _slices, numpy, openvino

make_stub(_slices.slice, "fill_value")
make_stub(_slices.strided_slice)
_pad_body = make_stub(numpy.pad, "constant_values")
_tile_body = make_stub(numpy.tile)
_flip_body = make_stub(numpy.flip)
for _function in (numpy.broadcast_to, numpy.moveaxis, numpy.repeat, numpy.rot90, numpy.swapaxes, numpy.transpose):
    make_stub(_function)
make_stub(numpy.sliding_window_view)

_ROLL = "fastops.numpy.roll"
_lower_roll = lowered_by(*rule_of(numpy.roll), data_name="a")


@overload(numpy.roll, jit_options=OPTIONS)
def _roll_body(a, shift, axis=None, out=None):
    check_data(_ROLL, "a", a)
    if not is_none(axis):
        return lambda a, shift, axis=None, out=None: write(_ROLL, _lower_roll(a, None, (shift, axis)), a, out)

    has_out = not is_none(out)

    def flattened(a, shift, axis=None, out=None):
        flat = np.ascontiguousarray(a).reshape(a.size)
        rolled = write(_ROLL, _lower_roll(flat, None, (shift, 0)), flat, None).reshape(a.shape)
        return write(_ROLL, lower_copy(rolled, None, ((), ())), rolled, out) if has_out else rolled

    return flattened


# Each part of a split is a slice along one axis.
_lower_part = lowered_by("numpy.split", openvino.slice.lowering.rule, ("start", "stop", "step", "axes"))
_SECTIONS = "indices_or_sections"


def edges_of(operator, sections, extent, is_equal):
    """Return the index at which each part of an axis begins, and the end of the last part.

    ``operator`` and ``is_equal`` are literals.
    """


@overload(edges_of, jit_options=OPTIONS, prefer_literal=True)
def _edges_of(operator, sections, extent, is_equal):
    if isinstance(sections, types.Integer):

        def of_number(operator, sections, extent, is_equal):
            n = np.int64(sections)
            if n < 1 or (is_equal and extent % n):
                raise_status(operator, r.UNEQUAL_SPLIT)
            raise_status(operator, 0 if n <= r.MOST_PARTS else r.TOO_MANY_PARTS)
            edges = np.empty(n + 1, np.int64)
            for i in range(n + 1):
                edges[i] = part_of(extent, n, i)[0]
            return edges

        return of_number

    def of_indices(operator, sections, extent, is_equal):
        edges = np.empty(len(sections) + 2, np.int64)
        edges[0], edges[-1] = 0, extent
        for i in range(len(sections)):
            edges[i + 1] = sections[i]
        return edges

    return of_indices


@intrinsic(prefer_literal=True)
def as_tuple(typingctx, parts, n):
    """Return the items of a list as a tuple; their number is a literal."""
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
    """Return the number of parts if the type of ``indices_or_sections`` decides it, otherwise None."""
    if argument_of(f"{name}: {_SECTIONS}", sections, None).kind not in (r.INTEGER, r.LIST):
        raise CallError(f"{name}: {_SECTIONS} must be an integer or a list of integers, got {sections}")
    if isinstance(sections, types.BaseTuple):
        return len(sections) + 1
    if not isinstance(sections, types.IntegerLiteral):
        return None
    if not 1 <= sections.literal_value <= r.MOST_PARTS:
        raise CallError(f"{name}: {_SECTIONS} must be in 1..{r.MOST_PARTS}, got {sections.literal_value}")
    return sections.literal_value


def _make_split(function):
    """Make the stub of a function that splits an array."""
    op, rule, _ = rule_of(function)
    name, is_equal = f"fastops.{op}", bool(rule.words[r.SECOND_OPTION] == r.PARTS)

    @register_jitable(**OPTIONS)
    def part(ary, edges, axis, i):
        return write(name, _lower_part(ary, None, ((edges[i],), (edges[i + 1],), None, (axis,))), ary, None)

    @register_jitable(**OPTIONS)
    def split(ary, sections, axis):
        raise_status(name, 0 if -ary.ndim <= axis < ary.ndim else r.NO_AXIS)
        edges = edges_of(name, sections, ary.shape[axis], is_equal)
        parts = [part(ary, edges, axis, 0)]
        for i in range(1, len(edges) - 1):
            parts.append(part(ary, edges, axis, i))  # noqa: PERF401 - Numba infers the type of a list from its first item.
        return parts

    def body(ary, indices_or_sections, axis=0):
        check_data(name, "ary", ary)
        n = _known_parts(name, indices_or_sections)
        if n is None:
            return lambda ary, indices_or_sections, axis=0: split(ary, indices_or_sections, axis)
        return lambda ary, indices_or_sections, axis=0: as_tuple(split(ary, indices_or_sections, axis), n)

    overload(function, jit_options=OPTIONS, prefer_literal=True)(body)


_make_split(numpy.split)
_make_split(numpy.array_split)


@cache
def overload_numpy() -> None:
    """Let compiled code use the stubs of `fastops.numpy` for np.pad, np.tile, and np.roll and np.flip with an axis.

    Numba tries its own stubs first: it compiles np.roll and np.flip without an axis.
    """
    bodies = {np.pad: _pad_body, np.tile: _tile_body, np.roll: _roll_body, np.flip: _flip_body}
    for function, body in bodies.items():
        overload(function, jit_options=OPTIONS)(body)
