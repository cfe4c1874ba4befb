"""From plans and arrays to a running kernel: the tables of a launch, made once, and the ways to run it.

Everything is checked here, before the kernel is called: the kernel checks nothing.

What a caller's array says of itself can change at any time, by another thread or by a hook of an argument. So its
shape, byte strides and dtype are read once, together, with no call between them that could let others run: from there
on, only the launch counts that was made for them. Its memory stays where it is: `hold` keeps NumPy from resizing it,
from before it is read until the call is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._byte_strides import span_of
from fastops._dtypes import AnyArray, AnyDType, check_movable, is_ml_dtype
from fastops._errors import AttributeValueError, DTypeError, OutputError
from fastops._fill import encode_fill
from fastops._hold import hold
from fastops._limits import PARALLEL_BYTES
from fastops._look_up import CACHE_SIZE
from fastops._modes import SampleMode
from fastops._outputs import allocate, check_out, is_array, overlap_each_other, share_memory
from fastops._plan import AxisMap, SlicePlan
from fastops._runtime import compile_kernel, run_kernel
from fastops._tables import as_table, create_table, moved_table
from fastops.kernels._gather_table import HEADER_COLUMNS, NEEDS

_LARGEST_BYTES = 2**63 - 1

# The fill value of launches that read none, and zero for elements of up to 64 bytes.
_ZEROS = np.zeros(64, np.uint8)

#: The table of launches that write nothing.
NO_TABLE = np.zeros(HEADER_COLUMNS, np.int64)


class Launch:
    """What a call needs besides arrays.

    Attributes
    ----------
    dtype : dtype
        Of the source and the outputs.
    byte_strides : tuple of int
        The source's.
    table : ndarray of int64
        What the gather kernel runs, for C-contiguous outputs or those with the byte strides that it was made for.
    needs : int
        What has to be compiled for it.
    total_bytes : int
        Bytes of all outputs.
    fill : ndarray or None
        What axes in mode fill read where the caller gives no fill value; None where that has to be found out.
    is_single : bool
        True if there is one output, which is not empty, and its fill value is known.
    is_small : bool
        True if, besides, one thread writes it.
    run_small : callable or None
        The compiled gather kernel, once it is loaded, for small launches.
    guard : ndarray of int64
        What the arrays of a call must be like for the kernel to take them unchecked.
    fits : callable or None
        The compiled guard, once there is one to check.
    """

    __slots__ = (
        "_plans",
        "byte_strides",
        "dtype",
        "fill",
        "fits",
        "guard",
        "is_single",
        "is_small",
        "needs",
        "run_small",
        "shape",
        "table",
        "total_bytes",
    )

    def __init__(
        self,
        plans: tuple[SlicePlan, ...],
        byte_strides: tuple[int, ...],
        dtype: AnyDType,
        table: AnyArray,
        total_bytes: int,
    ) -> None:
        self._plans: tuple[SlicePlan, ...] | Callable[[], tuple[SlicePlan, ...]] = plans
        self.byte_strides = byte_strides
        self.dtype = dtype
        self.table = table
        self.total_bytes = total_bytes
        self.shape = plans[0].shape
        self.fill: AnyArray | None = _ZEROS
        if dtype.itemsize > _ZEROS.nbytes or is_ml_dtype(dtype):
            reads_fill = any(axis.mode is SampleMode.FILL for plan in plans for axis in plan.axes)
            self.fill = None if reads_fill else _ZEROS
        self.is_single = table is not NO_TABLE and len(plans) == 1 and self.fill is not None
        self.is_small = self.is_single and total_bytes < PARALLEL_BYTES
        self.guard = NO_TABLE
        self.needs = int(table[NEEDS])
        self.run_small: Callable[..., Any] | None = _loaded.get(self.needs) if self.is_small else None
        self.fits: Callable[..., bool] | None = None

    @property
    def plans(self) -> tuple[SlicePlan, ...]:
        """What each output reads; made when it is first asked for."""
        plans = self._plans
        if callable(plans):
            # Threads may do so at once; their plans are equal.
            plans = self._plans = plans()
        return plans

    def moved(self, dtype: AnyDType, offset: int, create_plans: Callable[[], tuple[SlicePlan, ...]]) -> Launch:
        """Return this launch of one output, reading `offset` bytes further on, for an equal dtype."""
        launch = _new(Launch)
        launch._plans = create_plans
        launch.byte_strides = self.byte_strides
        launch.dtype = dtype
        launch.table = moved_table(self.table, offset)
        launch.needs = self.needs
        launch.total_bytes = self.total_bytes
        launch.shape = self.shape
        launch.fill = self.fill
        launch.is_single = self.is_single
        launch.is_small = self.is_small
        launch.guard = NO_TABLE
        launch.run_small = _loaded.get(self.needs) if self.is_small else None
        launch.fits = None
        return launch


_new = object.__new__

# Gather kernels that small launches have loaded, by what those need.
_loaded: dict[int, Callable[..., Any]] = {}


def create_launch(
    plans: tuple[SlicePlan, ...],
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
    out_byte_strides: tuple[tuple[int, ...], ...] | None = None,
) -> Launch:
    """Return the launch of plans of one source with these byte strides and this dtype.

    ``out_byte_strides`` are those of each output; None stands for C-contiguous ones.
    """
    width = dtype.itemsize
    if dtype.hasobject or dtype.names is not None:
        check_movable("launch", "data", dtype)
    total_bytes = sum([plan.size for plan in plans]) * width
    if total_bytes == 0 or total_bytes > _LARGEST_BYTES:
        # Nothing to write, or nothing that can be allocated, which `allocate` will say.
        return Launch(plans, byte_strides, dtype, NO_TABLE, total_bytes)
    table = create_table(plans, byte_strides, width, out_byte_strides)
    return Launch(plans, byte_strides, dtype, table, total_bytes)


#: The same, remembered: for launches whose plans exist already.
prepare_launch = lru_cache(CACHE_SIZE)(create_launch)


def as_source(op: str, data: ArrayLike, *, may_copy: bool = True) -> AnyArray:
    """Return data as a plain ndarray whose elements can be moved: subclasses and masks are dropped."""
    if type(data) is not np.ndarray:
        try:
            data = np.asarray(data) if may_copy else np.asarray(data, copy=False)
        except MemoryError:
            raise
        except Exception as error:
            # __array__ and the like are the caller's code, and may raise anything.
            if not may_copy:
                rule = "be True or None for data that is no array in memory"
                raise AttributeValueError(op, "copy", rule, False) from error
            raise DTypeError(op, "data", "be an array, or nested lists of one shape", data) from error
    if data.dtype.hasobject or data.dtype.names is not None:
        check_movable(op, "data", data.dtype)
    return data


def run_fresh(op: str, launch: Launch, source: AnyArray, fill_value: object = None) -> Any:
    """Write the one output of a launch into a fresh C-contiguous array, and return it."""
    run = launch.run_small
    if run is None:
        return run_launch(op, launch, source, None, fill_value)[0]
    fill = launch.fill if fill_value is None else encode_fill(op, launch.dtype, fill_value)
    dtype = source.dtype
    if dtype is not launch.dtype:
        dtype = _result_dtype(launch, dtype)
    try:
        out = np.empty(launch.shape, dtype)
    except Exception:
        # Of any kind: the same fails once more there, or gets the memory that was kept, and is told in our words.
        out = allocate(op, launch.shape, dtype)
    run((out,), source, launch.table, fill, 1)
    return out


def run_into(op: str, launch: Launch, source: AnyArray, out: Any, fill_value: object = None) -> Any:
    """Write the one output of a launch into ``out``, and return it."""
    fits = launch.fits
    if fits is not None and type(out) is np.ndarray:
        _held = hold(out)
        if fits(out, source, launch.guard):
            run = launch.run_small
            fill = launch.fill if fill_value is None else encode_fill(op, launch.dtype, fill_value)
            if run is None:
                run_kernel("gather", launch.needs, launch.total_bytes, (out,), source, launch.table, fill)
            else:
                run((out,), source, launch.table, fill, 1)
            return out
    result = run_launch(op, launch, source, (out,), fill_value)[0]
    if fits is None and launch.is_single:
        prepare_guard(launch)
    return result


def run_launch(
    op: str, launch: Launch, source: AnyArray, outs: Sequence[Any] | None = None, fill_value: object = None
) -> list[Any]:
    """Write every output of a launch into ``outs``, or into fresh C-contiguous arrays, and return them.

    Raises
    ------
    OutputError
        An output cannot be allocated, or an array of ``outs`` cannot take it.
    DTypeError, AttributeValueError
        The fill value does not fit the source's type.
    """
    fill = launch.fill
    if fill is None or fill_value is not None:
        fill = encode_fill(op, launch.dtype, fill_value)
    dtype = _result_dtype(launch, source.dtype)
    if outs is None:
        results = [allocate(op, plan.shape, dtype) for plan in launch.plans]
        _run(launch, tuple(results), source, fill)
        return results
    _held = [hold(out) for out in outs if is_array(out)]
    pairs = zip(outs, launch.plans, strict=True)
    targets = tuple([check_out(op, out, plan.shape, dtype) for out, plan in pairs])
    if len(targets) > 1 and overlap_each_other(targets):
        raise OutputError(op, "out", "hold arrays that do not overlap each other", outs)
    is_contiguous = True
    for target in targets:
        if share_memory(target, source):
            _run_apart(op, launch, source, targets, fill)
            return list(outs)
        is_contiguous = is_contiguous and target.flags.c_contiguous
    if not is_contiguous:
        out_byte_strides = tuple([target.strides for target in targets])
        launch = prepare_launch(launch.plans, launch.byte_strides, launch.dtype, out_byte_strides)
    _run(launch, targets, source, fill)
    return list(outs)


def _result_dtype(launch: Launch, dtype: AnyDType) -> AnyDType:
    """Return the dtype of a source for its results, because one with metadata equals one without.

    The launch's own one, if the source has become something else meanwhile.
    """
    return dtype if dtype == launch.dtype else launch.dtype


def _run_apart(op: str, launch: Launch, source: AnyArray, targets: tuple[AnyArray, ...], fill: AnyArray) -> None:
    """Write fresh arrays, then copy them: for targets that share memory with the source."""
    results = tuple([allocate(op, target.shape, target.dtype) for target in targets])
    _run(launch, results, source, fill)
    for target, result in zip(targets, results, strict=True):
        whole = SlicePlan.create([AxisMap.whole(extent) for extent in result.shape])
        _run(prepare_launch((whole,), result.strides, result.dtype, (target.strides,)), (target,), result, _ZEROS)


def _run(launch: Launch, targets: tuple[AnyArray, ...], source: AnyArray, fill: AnyArray) -> None:
    if launch.total_bytes:
        run_kernel("gather", launch.needs, launch.total_bytes, targets, source, launch.table, fill)
        if launch.is_small and launch.run_small is None:
            launch.run_small = _loaded[launch.needs] = compile_kernel("gather", launch.needs).run


def prepare_guard(launch: Launch) -> None:
    """Let calls with arrays like this launch's, and outputs of the caller's, be taken without any check in Python."""
    shape, byte_strides = launch.plans[0].source_shape, launch.byte_strides
    spans = (*span_of(shape, byte_strides, launch.dtype.itemsize), launch.total_bytes)
    ranks = (len(shape), len(launch.shape))
    launch.guard = as_table((id(launch.dtype), *ranks, *spans, *shape, *byte_strides, *launch.shape))
    launch.fits = compile_kernel("fits").run
