"""Tracing: from a call to the record of all calls that are treated as it is.

What Python does with the integers of a call, from the attributes to the table, is traced (`fastops._geometry._traces`),
and laid out for compiled code (`_records`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastops._arrays._dtypes import AnyDType, is_ml_dtype
from fastops._arrays._inputs import check_span
from fastops._execution._attributes import Attributes, with_integers
from fastops._execution._execute import ZEROS
from fastops._execution._records import Record, lay_record
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import makes_shape
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._map_composition import reads_fill as reads_fill_value
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._traces import Program, Trace, plain
from fastops._lowering._decorator import Lowering
from fastops._lowering._windows import Assembly, Windows
from fastops._schedules._byte_strides import contiguous_byte_strides, is_nested, is_spannable, span_of
from fastops._schedules._schedule import create_schedule, source_pitches
from fastops._settings import GIL_KEPT_BYTES, STREAM_BYTES
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._tables import _trace as t

# What keeps Python's lock reads at most so many pages of the source: the system may have to fetch each from a file.
_MOST_GIL_PAGES = 256
_PAGE_BYTES = 4096

# So many elements lie in no more pages: two each, and those of the bytes that they have at most.
_FEW_ELEMENTS = 120

# Outputs of a call that is traced: each is compared with all others.
_MOST_PARTS = 16


def create_record(
    lowering: Lowering,
    known: tuple[tuple[int, ...], tuple[int, ...], AnyDType],
    attributes: Attributes,
    values: Sequence[Any],
    out_byte_strides: Sequence[tuple[int, ...]] | None = None,
    *,
    is_addressed: bool = False,
) -> Record | None:
    """Return the record of a call, or None if it has none.

    Parameters
    ----------
    lowering : Lowering
        The operator's.
    known : tuple
        The shape, byte strides and dtype of the source.
    attributes : Attributes
        What the caller has written.
    values : sequence
        What readers make of it, which is valid for this source.
    out_byte_strides : sequence of tuple of int, or None
        Those of outputs that are not C-contiguous, which become inputs.
    is_addressed : bool
        True for a source at an address: its shape and its strides, in elements, are the first two attributes, its type
        is the third, and the operator's own are behind them.
    """
    rank, dtype = len(known[0]), known[2]
    width = dtype.itemsize
    if not width or dtype.hasobject:
        return None
    if len(known[1]) != rank:
        # Another thread has changed the array between two questions to it.
        return None
    trace = Trace()
    traced_shape, traced_strides, own = _trace_source(trace, known, attributes, is_addressed=is_addressed)
    out_strides: Sequence[tuple[Any, ...]] | None = None
    if out_byte_strides is not None:
        out_strides = [tuple(map(trace.new_input, strides)) for strides in out_byte_strides]
    lowered = lowering.lower(traced_shape, _trace_values(trace, lowering, own, values))
    assert not isinstance(lowered, Assembly)
    windows = lowered if isinstance(lowered, list) else [lowered]
    if len(windows) > _MOST_PARTS or any([each.source_windows is not None for each in windows]):
        return None
    parts = list(map(_geometry_of, windows))
    if out_strides is not None and list(map(len, out_strides)) != [len(part.shape) for part in parts]:
        # The same of an output.
        return None
    if out_strides is None:
        out_strides = [contiguous_byte_strides(part.shape, width) for part in parts]
    elif not all([is_nested(part.shape, strides, width) for part, strides in zip(parts, out_strides, strict=True)]):
        return None
    spans = [span_of(part.shape, strides, width) for part, strides in zip(parts, out_strides, strict=True)]
    size = sum([size_of(part) for part in parts])
    total_bytes = size * width
    if not all(map(is_spannable, spans)):
        return None
    table = create_schedule(parts, traced_strides, width, out_strides, streams=total_bytes >= STREAM_BYTES).table
    outputs: list[Any] = [*table, *check_span(traced_shape, traced_strides, width), total_bytes]
    for part, span in zip(parts, spans, strict=True):
        outputs += (*span, *part.shape)
    is_small = total_bytes < GIL_KEPT_BYTES and _reads_few_pages(parts, traced_strides, width, size)
    if trace.is_too_large:
        return None
    program = trace.program(outputs)
    if len(outputs) > t.MOST_OUTPUTS or _count_values(program) > t.MOST_VALUES:
        return None
    reads_fill = any([reads_fill_value(axis) for part in parts for axis in part.axes])
    fill = None if reads_fill and (width > ZEROS.nbytes or is_ml_dtype(dtype)) else ZEROS
    shapes = tuple([tuple(map(plain, part.shape)) for part in parts])
    words = lay_record(program, attributes.tokens, dtype, rank, shapes)
    words[t.ADDRESSED] = is_addressed
    words[t.TABLE_WORDS], words[t.STRIDED] = len(table), out_byte_strides is not None
    # The checked form wants to know where a table ends.
    words[t.KEEPS_GIL] = is_small and not IS_CHECKED
    words[t.FILL] = 0 if fill is None else id(fill)
    return Record(words, dtype, shapes, fill, attributes.kept)


def _trace_source(
    trace: Trace,
    known: tuple[tuple[int, ...], tuple[int, ...], AnyDType],
    attributes: Attributes,
    *,
    is_addressed: bool,
) -> tuple[tuple[Any, ...], tuple[Any, ...], list[list[int]]]:
    """Return the shape and the byte strides of a source as inputs, and the integers of the operator's attributes.

    The inputs stand for integers, which is what functions of integers say that they take.
    """
    shape, byte_strides, dtype = known
    if not is_addressed:
        return tuple(map(trace.new_input, shape)), tuple(map(trace.new_input, byte_strides)), attributes.integers
    of_shape, of_strides, _, *own = attributes.integers
    lengths = tuple(map(trace.new_input, of_shape))
    strides: list[Any] = list(map(trace.new_input, of_strides))
    return lengths, tuple([stride * dtype.itemsize for stride in strides]), own


def _trace_values(trace: Trace, lowering: Lowering, integers: Sequence[list[int]], values: Sequence[Any]) -> list[Any]:
    """Return plain values with inputs for the integers that the caller wrote in each attribute."""
    traced_values = []
    inputs = [list(map(trace.new_input, own)) for own in integers]
    for value, own, traced, is_transparent in zip(values, integers, inputs, lowering.are_transparent, strict=False):
        found = Attributes((value,))
        if is_transparent and found.is_known and found.integers == [own]:
            traced_values.append(with_integers(value, iter(traced)))
        else:
            # Its reader may want more of them than to be integers.
            for each in traced:
                each.__index__()
            traced_values.append(value)
    return traced_values


def _geometry_of(windows: Windows) -> Geometry:
    """Return the geometry of windows; the numbers may be traced."""
    geometry, counts = windows.geometry(), windows.counts
    if 0 not in counts:
        # Conditions of the trace: for other numbers these may not hold.
        assert makes_shape(counts, geometry.shape)
        assert makes_shape(windows.extents, geometry.source_shape)
    return geometry


def _count_values(program: Program) -> int:
    operations = [row for row in program.rows if row[0] < t.IS_LESS]
    return program.n_inputs + len(program.constants) + len(operations)


def _reads_few_pages(plans: Sequence[Geometry], byte_strides: tuple[int, ...], width: int, size: int) -> bool:
    """True if so many elements, which plans read, lie in few pages of memory."""
    if size <= _FEW_ELEMENTS:
        return True
    return sum([_pages_read(plan, byte_strides, width) for plan in plans]) <= _MOST_GIL_PAGES


def _pages_read(plan: Geometry, byte_strides: tuple[int, ...], width: int) -> int:
    """Return a bound of the pages of memory that a plan reads."""
    for axis in plan.axes:
        if type(axis) is not AxisMap or axis.mode is not SampleMode.FILL:
            continue
        end = axis.start + (axis.count - 1) * axis.stride
        if min(axis.start, end) >= axis.extent or max(axis.start, end) < 0:
            return 0
    rows, span = 1, width
    # Plans without outputs have no axes.
    pitches = source_pitches(plan, byte_strides) if plan.axes else ()
    for axis, byte_stride in zip(plan.axes, pitches, strict=True):
        stride = axis.stride if type(axis) is AxisMap else 1
        distance, n = abs(stride * byte_stride), min(axis.count, axis.extent)
        if distance < _PAGE_BYTES:
            span += distance * n
        else:
            rows *= n
    return rows * (span // _PAGE_BYTES + 2)
