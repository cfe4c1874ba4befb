"""Stubs of splits, which run a slice for each part, and of `fastops.frame`, which pads a centered signal first."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from fastops._overloads._arguments import argument_of, is_index
from fastops._overloads._calls import lowered_by, rule_of, write
from fastops._overloads._stubs import OPTIONS, CallError, check_data, raise_status
from fastops.kernels._arithmetic import part_of
from fastops.kernels._intrinsics._outlined import WORD
from fastops.kernels._tables import _rules as r
from fastops.ops import numpy, openvino
from fastops.ops._patches import frame
from fastops.ops._slices import slice as fastops_slice

# Each part of a split is a slice along one axis.
_names_of_part = "start", "stop", "step", "axes"
_lower_part = lowered_by("numpy.split", openvino.slice.lowering.rule, _names_of_part, data_name="ary")
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
        read, kind = context.compile_internal, parts.dtype(parts, types.intp)
        items = [read(builder, lambda parts, i: parts[i], kind, [args[0], WORD(i)]) for i in range(n.literal_value)]
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

    @overload(function, jit_options=OPTIONS, prefer_literal=True)
    def _split_stub(ary, indices_or_sections, axis=0):
        check_data(name, "ary", ary)
        n = _known_parts(name, indices_or_sections)
        if n is None:
            return lambda ary, indices_or_sections, axis=0: split(ary, indices_or_sections, axis)
        return lambda ary, indices_or_sections, axis=0: as_tuple(split(ary, indices_or_sections, axis), n)


_make_split(numpy.split)
_make_split(numpy.array_split)


_FRAME = "fastops.frame"
_op, _rule, _names = rule_of(frame)
_lower_frame = lowered_by(_op, _rule, (*_names[:3], "mode"), r.MODE, data_name="x")
_lower_pads = lowered_by(_op, *rule_of(fastops_slice)[1:])


@register_jitable(**OPTIONS)
def _padded(x, frame_length, axis, center, mode, fill_value):
    """Return the signal, padded on both sides by half a frame if frames are centered."""
    if not center or frame_length < 2:
        return x
    raise_status(_FRAME, 0 if -x.ndim <= axis < x.ndim else r.NO_AXIS)
    pad = np.int64(frame_length) // 2
    raise_status(_FRAME, 0 if pad < 2**60 else r.TOO_LARGE)
    lowered = _lower_pads(x, fill_value, ((-pad,), (x.shape[axis] + 2 * pad,), None, (axis,), mode))
    return write(_FRAME, lowered, x, None)


@overload(frame, jit_options=OPTIONS)
def _frame_stub(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
    check_data(_FRAME, "x", x)
    for name, kind in (("frame_length", frame_length), ("hop_length", hop_length)):
        if not is_index(kind):
            raise CallError(f"{_FRAME}: {name} must be an integer, signed or of less than 64 bits, got {kind}")
    is_centered = center is not False and not isinstance(center, types.Omitted)

    def impl(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
        signal = _padded(x, frame_length, axis, center, mode, fill_value) if is_centered else x
        lowered = _lower_frame(signal, fill_value, (frame_length, hop_length, axis, mode))
        return write(_FRAME, lowered, signal, out)

    return impl
