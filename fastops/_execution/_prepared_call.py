"""Launches: what a call needs besides arrays, made once for all calls that are alike.

A launch is made for a source of one shape, byte strides and dtype. Running one is the matter of `_running`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable, is_ml_dtype
from fastops._errors import AttributeValueError
from fastops._execution._tables import NO_TABLE, create_guard, create_table, moved_table
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan
from fastops._schedules._byte_strides import LARGEST_SPAN, is_spannable, span_of, strides_of_axes
from fastops._schedules._pieces import Mosaic
from fastops._settings import CACHE_SIZE, HELD_BYTES
from fastops.kernels._tables._gather import NEEDS

_LARGEST_BYTES = 2**63 - 1

# Splits into more parts are checked in Python: the guard compares each output with all others.
_MOST_GUARDED_PARTS = 16

#: Splits into more parts are prepared anew at each call: what is remembered stays small.
MOST_KEPT_PARTS = 64

# The guarded kernel reads at most so many pages of the source: the system may have to fetch each from a file.
_MOST_HELD_PAGES = 256
_PAGE_BYTES = 4096

# So many elements lie in no more pages: two each, and those of the 64 KiB that they have at most. Elements of tensors,
# of which there may be more bytes, have 16 each at most.
_FEW_ELEMENTS = 120

#: The fill value of launches that read none, and zero for elements of up to 64 bytes.
ZEROS = np.zeros(64, np.uint8)

#: Guarded kernels that are loaded, by what launches need.
guarded_kernels: dict[int, Callable[..., bool]] = {}


class Launch:
    """What a call needs besides arrays.

    Attributes
    ----------
    source_shape, byte_strides : tuple of int
        The source's.
    dtype : dtype
        Of the source and the outputs.
    width : int
        Its item size when the launch was made: `dtype.__setstate__` can change it, or let it have objects.
    shapes : tuple of tuple of int
        The outputs'.
    shape : tuple of int
        The first output's.
    table : ndarray of int64
        What the gather kernel runs, for C-contiguous outputs or those with the byte strides that it was made for.
    needs : int
        What has to be compiled for it.
    total_bytes : int
        Bytes of all outputs.
    fill : ndarray or None
        What axes in mode fill read where the caller gives no fill value; None where that has to be found out.
    fills : int
        How many fill values a call gives, where it gives any.
    guard : ndarray of int64
        What the arrays of a call must be like for the guarded kernel to take them; `NO_TABLE` if it takes none.
    is_held : bool
        True if the guarded kernel does all the work, with Python's global lock.
    run_guarded : callable or None
        The guarded kernel, once it is loaded.
    """

    __slots__ = (
        "_mosaic",
        "_plans",
        "byte_strides",
        "dtype",
        "fill",
        "fills",
        "guard",
        "is_held",
        "needs",
        "run_guarded",
        "shape",
        "shapes",
        "source_shape",
        "table",
        "total_bytes",
        "width",
    )

    def __init__(
        self,
        plans: tuple[SlicePlan, ...],
        byte_strides: tuple[int, ...],
        dtype: AnyDType,
        table: AnyArray,
        guard: AnyArray,
        total_bytes: int,
        mosaic: Mosaic | None = None,
    ) -> None:
        self._mosaic = mosaic
        self._plans: tuple[SlicePlan, ...] | Callable[[], tuple[SlicePlan, ...]] = plans
        self.byte_strides = byte_strides
        self.dtype = dtype
        self.width = dtype.itemsize
        self.table = table
        self.total_bytes = total_bytes
        self.source_shape = plans[0].source_shape
        self.shapes = tuple([plan.shape for plan in plans]) if mosaic is None else (mosaic.shape,)
        self.shape = self.shapes[0]
        self.fill: AnyArray | None = ZEROS
        self.fills = 1 if mosaic is None else 1 + max(mosaic.fills)
        if mosaic is not None:
            self.fill = np.zeros(self.fills, dtype)
        elif dtype.itemsize > ZEROS.nbytes or is_ml_dtype(dtype):
            reads_fill = any(axis.mode is SampleMode.FILL for plan in plans for axis in plan.axes)
            self.fill = None if reads_fill else ZEROS
        self.needs = int(table[NEEDS])
        self.guard = NO_TABLE if self.fill is None else guard
        self.is_held = self.guard is not NO_TABLE and self.is_quick(HELD_BYTES)
        self.run_guarded = None if self.guard is NO_TABLE else guarded_kernels.get(self.needs)

    @property
    def plans(self) -> tuple[SlicePlan, ...]:
        """What each output reads; made when it is first asked for."""
        plans = self._plans
        if callable(plans):
            # Threads may do so at once; their plans are equal.
            plans = self._plans = plans()
        return plans

    def is_quick(self, limit: int) -> bool:
        """True if less than so many bytes are written, and few pages of memory are read."""
        if self.total_bytes >= limit or self.total_bytes <= _FEW_ELEMENTS * self.width:
            return self.total_bytes < limit
        pages = [_pages_read(plan, self.byte_strides, self.width) for plan in self.plans]
        return sum(pages) <= _MOST_HELD_PAGES

    def moved(self, dtype: AnyDType, offset: int, create_plans: Callable[[], tuple[SlicePlan, ...]]) -> Launch:
        """Return this launch of one output, reading `offset` bytes further on, for an equal dtype."""
        launch = _new(Launch)
        launch._mosaic = None
        launch._plans = create_plans
        launch.source_shape = self.source_shape
        launch.byte_strides = self.byte_strides
        launch.dtype = dtype
        launch.width = self.width
        launch.table = moved_table(self.table, offset)
        launch.needs = self.needs
        launch.total_bytes = self.total_bytes
        launch.shapes = self.shapes
        launch.shape = self.shape
        launch.fill = self.fill
        launch.fills = self.fills
        launch.guard = self.guard
        if dtype is not self.dtype and self.guard is not NO_TABLE:
            launch.guard = _create_guard_for(self, dtype)
        launch.is_held = self.is_held
        launch.run_guarded = None if launch.guard is NO_TABLE else guarded_kernels.get(self.needs)
        return launch

    def with_outputs(self, out_byte_strides: tuple[tuple[int, ...], ...]) -> Launch:
        """Return this launch for outputs of these byte strides."""
        if self._mosaic is not None or len(self.shapes) > MOST_KEPT_PARTS:
            return create_launch(self.plans, self.byte_strides, self.dtype, out_byte_strides, self._mosaic)
        return prepare_launch(self.plans, self.byte_strides, self.dtype, out_byte_strides)

    def adopt(self, dtype: AnyDType) -> None:
        """Let the guard take arrays of this dtype, which equals the one that it took, from now on.

        Types with a byte order, a unit or a length are often made anew. A thread that reads the guard of one and the
        dtype of another takes the checked path.
        """
        if self.guard is not NO_TABLE:
            self.guard = _create_guard_for(self, dtype)
        self.dtype = dtype

    def takes(self, source: AnyArray) -> bool:
        """True if an ndarray, which is held, is what the launch was made for, down to its dtype object."""
        # As in `check_source`, no other thread runs between these.
        dtype = source.dtype
        return (
            dtype is self.dtype
            and source.shape == self.source_shape
            and source.strides == self.byte_strides
            and dtype.itemsize == self.width
            and not dtype.hasobject
        )

    def check_source(self, op: str, source: AnyArray) -> AnyDType:
        """Return the dtype of a source, which is held; raise if it is not what the launch was made for any more."""
        # No call lies between these, so that no other thread runs.
        shape, byte_strides, dtype, width = source.shape, source.strides, source.dtype, source.itemsize
        is_same = shape == self.source_shape and byte_strides == self.byte_strides and dtype == self.dtype
        if not is_same or width != self.width or dtype.hasobject:
            raise AttributeValueError(op, "data", "keep its shape, strides and type during a call", shape)
        # Not the launch's own: one with metadata equals one without.
        return dtype


_new = object.__new__


def _create_guard_for(launch: Launch, dtype: AnyDType) -> AnyArray:
    """Return the guard of a launch for another dtype, which equals its own."""
    span = span_of(launch.source_shape, launch.byte_strides, launch.width)
    return create_guard(launch.source_shape, launch.byte_strides, span, dtype, launch.shapes)


def _pages_read(plan: SlicePlan, byte_strides: tuple[int, ...], width: int) -> int:
    """Return a bound of the pages of memory that a plan reads."""
    for axis in plan.axes:
        end = axis.start + (axis.count - 1) * axis.stride
        if axis.mode is SampleMode.FILL and (min(axis.start, end) >= axis.extent or max(axis.start, end) < 0):
            return 0
    rows, span = 1, width
    for axis, byte_stride in zip(
        plan.axes, strides_of_axes(plan.extents, plan.source_shape, byte_strides), strict=True
    ):
        step, n = abs(axis.stride * byte_stride), min(axis.count, axis.extent)
        if step < _PAGE_BYTES:
            span += step * n
        else:
            rows *= n
    return rows * (span // _PAGE_BYTES + 2)


def check_span(op: str, shape: tuple[int, ...], byte_strides: tuple[int, ...], width: int) -> tuple[int, int]:
    """Return the `span_of` a source; raise if elements lie further from each other than memory is long."""
    span = span_of(shape, byte_strides, width)
    if not is_spannable(span):
        raise AttributeValueError(op, "data", f"span at most {LARGEST_SPAN} bytes", f"byte strides {byte_strides}")
    return span


def create_launch(
    plans: tuple[SlicePlan, ...],
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
    out_byte_strides: tuple[tuple[int, ...], ...] | None = None,
    mosaic: Mosaic | None = None,
) -> Launch:
    """Return the launch of plans of one source with these byte strides and this dtype.

    ``out_byte_strides`` are those of each output; None stands for C-contiguous ones. The plans have an output each, or
    are the pieces of a mosaic, whose calls give as many fill values as it reads.
    """
    width = dtype.itemsize
    if dtype.hasobject or dtype.names is not None:
        check_movable("launch", "data", dtype)
    span = check_span("launch", plans[0].source_shape, byte_strides, width)
    total_bytes = sum([plan.size for plan in plans]) * width
    if total_bytes == 0 or total_bytes > _LARGEST_BYTES:
        # Nothing to write, or nothing that can be allocated, which `allocate` will say.
        return Launch(plans, byte_strides, dtype, NO_TABLE, NO_TABLE, total_bytes, mosaic)
    table = create_table(plans, byte_strides, width, out_byte_strides, mosaic)
    guard = NO_TABLE
    shapes = [plan.shape for plan in plans] if mosaic is None else [mosaic.shape]
    if out_byte_strides is None and len(shapes) <= _MOST_GUARDED_PARTS:
        guard = create_guard(plans[0].source_shape, byte_strides, span, dtype, shapes)
    return Launch(plans, byte_strides, dtype, table, guard, total_bytes, mosaic)


#: The same, remembered: for launches whose plans exist already.
prepare_launch = lru_cache(CACHE_SIZE)(create_launch)
