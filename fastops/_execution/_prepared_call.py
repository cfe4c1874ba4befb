"""Prepared calls: all that a call needs besides arrays, made once for all calls that are alike.

A prepared call is for a source of one shape, byte strides and dtype. `_execute` runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable, is_ml_dtype
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import MOST_AXES
from fastops._execution._records import Guard
from fastops._execution._tables import NO_TABLE, create_table
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._map_composition import reads_fill as reads_fill_value
from fastops._geometry._sample_mode import SampleMode
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._pieces import Pieces
from fastops._schedules._schedule import source_pitches
from fastops._settings import CACHE_SIZE, GIL_KEPT_BYTES

_LARGEST_BYTES = 2**63 - 1

# Splits into more parts are checked in Python: the guard compares each output with all others.
_MOST_GUARDED_PARTS = 16

#: Splits into more parts are prepared anew at each call: what is remembered stays small.
MOST_KEPT_PARTS = 64

# What keeps Python's lock reads at most so many pages of the source: the system may have to fetch each from a file.
_MOST_GIL_PAGES = 256
_PAGE_BYTES = 4096

# So many elements lie in no more pages: two each, and those of the bytes that they have at most.
_FEW_ELEMENTS = 120

#: The fill value of calls that read none, and zero for elements of up to 64 bytes.
ZEROS = np.zeros(64, np.uint8)


class CallLayout(NamedTuple):
    """What calls share that differ in nothing but where they read.

    Attributes
    ----------
    source_shape, byte_strides : tuple of int
        The source's.
    span : (int, int)
        Its lowest byte, counted from its element 0, and one beyond the highest.
    width : int
        Bytes of an element.
    shapes : tuple of tuple of int
        The outputs'.
    pieces : Pieces or None
        How the plans make one output, where they do not have one each.
    fill_count : int
        How many fill values a call gives, where it gives any.
    total_bytes : int
        Bytes of all outputs.
    keeps_gil : bool
        True if the guard does all the work, with Python's global lock.
    """

    source_shape: tuple[int, ...]
    byte_strides: tuple[int, ...]
    span: tuple[int, int]
    width: int
    shapes: tuple[tuple[int, ...], ...]
    pieces: Pieces | None
    fill_count: int
    total_bytes: int
    keeps_gil: bool


class PreparedCall:
    """All that a call needs besides arrays.

    Attributes
    ----------
    layout : CallLayout
        What it shares with calls that read elsewhere; `keeps_gil` and `shapes` are among it.
    plans : tuple of Geometry
        What each output, or each piece of one, reads.
    dtype : dtype
        Of the source and the outputs.
    table : ndarray of int64
        What the gather kernel runs, for C-contiguous outputs or those with the byte strides that it was made for.
    fill : ndarray or None
        What axes in mode fill read where the caller gives no fill value; None where that has to be found out.
    guard : Guard or None
        What compiled code compares the arrays of a call with; None if it takes none.
    """

    __slots__ = ("dtype", "fill", "guard", "keeps_gil", "layout", "plans", "shapes", "table")

    def __init__(
        self,
        layout: CallLayout,
        plans: tuple[Geometry, ...],
        dtype: AnyDType,
        table: AnyArray,
        fill: AnyArray | None,
        is_guarded: bool,
    ) -> None:
        self.layout = layout
        # Of the layout: what every call reads.
        self.keeps_gil, self.shapes = layout.keeps_gil, layout.shapes
        self.plans = plans
        self.dtype = dtype
        self.table = table
        self.fill = fill
        self.guard: Guard | None = None
        if is_guarded:
            self._set_guard()

    def _set_guard(self) -> None:
        layout, fill = self.layout, self.fill
        assert fill is not None
        arrays = (layout.source_shape, layout.byte_strides, layout.span, self.dtype, layout.shapes)
        self.guard = Guard(*arrays, self.table, fill, moves=self.keeps_gil)

    def with_outputs(self, out_byte_strides: tuple[tuple[int, ...], ...]) -> PreparedCall:
        """Return this call for outputs of these byte strides."""
        layout = self.layout
        prepare = prepare_plans if len(layout.shapes) <= MOST_KEPT_PARTS else create_call
        return prepare(self.plans, layout.byte_strides, self.dtype, out_byte_strides, layout.pieces)

    def adopt(self, dtype: AnyDType) -> None:
        """Let the guard take arrays of this dtype, which equals the one that it took, from now on.

        Types with a byte order, a unit or a length are often made anew. A thread that reads the guard of one and the
        dtype of another takes the checked path.
        """
        is_new = dtype is not self.dtype
        self.dtype = dtype
        if is_new and self.guard is not None:
            self._set_guard()


def create_call(
    plans: tuple[Geometry, ...],
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
    out_byte_strides: tuple[tuple[int, ...], ...] | None = None,
    pieces: Pieces | None = None,
) -> PreparedCall:
    """Return the call of plans of one source with these byte strides and this dtype.

    ``out_byte_strides`` are those of each output; None stands for C-contiguous ones. The plans have an output each, or
    are pieces of one, whose calls give as many fill values as these read.
    """
    width = dtype.itemsize
    if dtype.hasobject or dtype.names is not None:
        check_movable("data", dtype)
    source_shape = plans[0].source_shape
    span = check_span(source_shape, byte_strides, width)
    size = sum([size_of(plan) for plan in plans])
    total_bytes = size * width
    # Nothing to write, or nothing that can be allocated, which `allocate` will say.
    is_empty = total_bytes == 0 or total_bytes > _LARGEST_BYTES
    shapes = tuple([plan.shape for plan in plans]) if pieces is None else (pieces.shape,)
    table = NO_TABLE
    if not is_empty:
        out_strides = out_byte_strides or [contiguous_byte_strides(shape, width) for shape in shapes]
        table = create_table(plans, byte_strides, width, out_strides, pieces, total_bytes)
    fill_count = max([1, *[plan.fills for plan in plans]])
    fill = _zero_fill(plans, dtype, fill_count)
    is_guarded = (
        not is_empty
        and fill is not None
        and out_byte_strides is None
        and len(shapes) <= _MOST_GUARDED_PARTS
        and max(map(len, shapes)) <= MOST_AXES
    )
    is_small = is_guarded and total_bytes < GIL_KEPT_BYTES and reads_few_pages(plans, byte_strides, width, size)
    layout = CallLayout(
        source_shape,
        byte_strides,
        span,
        width,
        shapes,
        pieces,
        fill_count,
        total_bytes,
        keeps_gil=is_small,
    )
    return PreparedCall(layout, plans, dtype, table, fill, is_guarded)


#: The same, remembered: for plans that exist already.
prepare_plans = lru_cache(CACHE_SIZE)(create_call)


def _zero_fill(plans: tuple[Geometry, ...], dtype: AnyDType, fill_count: int) -> AnyArray | None:
    """Return the fill values of calls that give none; None where they are not known to be made of zero bytes."""
    if dtype.itemsize * fill_count <= ZEROS.nbytes and not is_ml_dtype(dtype):
        return ZEROS
    reads_fill = any([reads_fill_value(axis) for plan in plans for axis in plan.axes])
    if not reads_fill:
        return ZEROS
    return np.zeros(fill_count, dtype) if fill_count > 1 and not is_ml_dtype(dtype) else None


def reads_few_pages(plans: Sequence[Geometry], byte_strides: tuple[int, ...], width: int, size: int) -> bool:
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
