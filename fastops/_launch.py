"""From a plan and arrays to a running kernel: checks or allocates outputs, then runs the schedule.

Everything is checked here, before the kernel is called: the kernel checks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._dtypes import AnyArray, AnyDType, check_movable, is_ml_dtype
from fastops._errors import AttributeValueError, DTypeError, OutputError
from fastops._fill import encode_fill
from fastops._modes import SampleMode
from fastops._plan import AxisMap, SlicePlan
from fastops._runtime import STREAM_BYTES, run_kernel
from fastops._schedule import contiguous_byte_strides, create_schedule

#: Calls with other attributes, shapes, strides or widths that each public function remembers.
CACHE_SIZE = 1024

# Up to as many arrays are compared in pairs; the spans of more are sorted first.
_FEW_ARRAYS = 8

_LARGEST_BYTES = 2**63 - 1

# Candidates that an exact search for shared bytes may look at before the answer is "they overlap".
_OVERLAP_WORK = 10_000

# The fill value of launches that read none, and zero for elements of up to 64 bytes.
_ZEROS = np.zeros(64, np.uint8)


@dataclass(frozen=True, slots=True)
class Launch:
    """What a call needs besides arrays: the plans of its outputs, and the table that writes them all."""

    plans: tuple[SlicePlan, ...]
    table: AnyArray
    total_bytes: int
    reads_fill: bool


@lru_cache(CACHE_SIZE)
def prepare_launch(
    plans: tuple[SlicePlan, ...],
    byte_strides: tuple[int, ...],
    width: int,
    out_byte_strides: tuple[tuple[int, ...], ...] | None = None,
) -> Launch:
    """Return the launch of plans of one source with these byte strides and this width.

    ``out_byte_strides`` are those of each output; None stands for C-contiguous ones.
    """
    total_bytes = sum(plan.size for plan in plans) * width
    if total_bytes == 0 or total_bytes > _LARGEST_BYTES:
        # Nothing to write, or nothing that can be allocated, which `allocate` will say.
        return Launch(plans, _ZEROS, total_bytes, reads_fill=False)
    if out_byte_strides is None:
        out_byte_strides = tuple(contiguous_byte_strides(plan.shape, width) for plan in plans)
    streams = total_bytes >= STREAM_BYTES
    schedule = create_schedule(plans, byte_strides, width, out_byte_strides, streams=streams)
    reads_fill = any(axis.mode is SampleMode.FILL for plan in plans for axis in plan.axes)
    return Launch(plans, np.array(schedule.table, np.int64), total_bytes, reads_fill)


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
    if data.dtype.hasobject:
        check_movable(op, "data", data.dtype)
    return data


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
    fill = _ZEROS
    if fill_value is not None or (launch.reads_fill and (source.itemsize > _ZEROS.nbytes or is_ml_dtype(source.dtype))):
        fill = encode_fill(op, source.dtype, fill_value)
    if outs is None:
        results = [allocate(op, plan.shape, source.dtype) for plan in launch.plans]
        _run(launch, tuple(results), source, fill)
        return results
    if len(outs) == 1:
        # The usual call is spared the loops over one element.
        targets: tuple[AnyArray, ...] = (check_out(op, outs[0], launch.plans[0].shape, source.dtype),)
    else:
        pairs = zip(outs, launch.plans, strict=True)
        targets = tuple([check_out(op, out, plan.shape, source.dtype) for out, plan in pairs])
    if len(targets) > 1 and _overlap_each_other(targets):
        raise OutputError(op, "out", "hold arrays that do not overlap each other", outs)
    is_contiguous = True
    for target in targets:
        if _share_memory(target, source):
            _run_apart(op, launch, source, targets, fill)
            return list(outs)
        is_contiguous = is_contiguous and target.flags.c_contiguous
    if not is_contiguous:
        out_byte_strides = tuple([target.strides for target in targets])
        launch = prepare_launch(launch.plans, source.strides, source.itemsize, out_byte_strides)
    _run(launch, targets, source, fill)
    return list(outs)


def _run_apart(op: str, launch: Launch, source: AnyArray, targets: tuple[AnyArray, ...], fill: AnyArray) -> None:
    """Write fresh arrays, then copy them: for targets that share memory with the source."""
    results = tuple([allocate(op, target.shape, target.dtype) for target in targets])
    _run(launch, results, source, fill)
    for target, result in zip(targets, results, strict=True):
        whole = SlicePlan.create([AxisMap.whole(extent) for extent in result.shape])
        _run(prepare_launch((whole,), result.strides, result.itemsize, (target.strides,)), (target,), result, _ZEROS)


def run_slice_plan(plan: SlicePlan, data: ArrayLike, *, out: Any = None, fill_value: object = None) -> AnyArray:
    """Run one plan on an array: what a plan does when it is called."""
    source = as_source("plan", data)
    if source.shape != plan.source_shape:
        raise AttributeValueError("plan", "data", f"have shape {plan.source_shape}", source.shape)
    launch = prepare_launch((plan,), source.strides, source.itemsize)
    result: AnyArray = run_launch("plan", launch, source, None if out is None else (out,), fill_value)[0]
    return result


SlicePlan._run = run_slice_plan


def allocate(op: str, shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    """Return an uninitialised C-contiguous array; whatever the system says against it is an OutputError."""
    try:
        # np.empty makes elements of no bytes one byte long.
        return np.empty(shape, dtype) if dtype.itemsize else np.ndarray(shape, dtype)
    except (ValueError, MemoryError, OverflowError) as error:
        raise OutputError(op, "the output", f"fit in memory as elements of {dtype.itemsize} bytes", shape) from error


def check_out(op: str, out: Any, shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    """Return ``out`` as a plain ndarray of this shape and dtype, each element of which can be written once."""
    if type(out) is not np.ndarray and (not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray)):
        raise OutputError(op, "out", "be an array of NumPy, without a mask", type(out))
    if out.shape != shape:
        raise OutputError(op, "out", f"have shape {shape}", out.shape)
    if out.dtype != dtype:
        raise OutputError(op, "out", f"have dtype {dtype}", out.dtype)
    flags = out.flags
    if not flags.writeable:
        raise OutputError(op, "out", "be writeable", "a read-only array")
    if not flags.c_contiguous and _overlaps_itself(out):
        raise OutputError(op, "out", "hold each element at bytes of its own", f"byte strides {out.strides}")
    return out if type(out) is np.ndarray else np.asarray(out)


def _run(launch: Launch, targets: tuple[AnyArray, ...], source: AnyArray, fill: AnyArray) -> None:
    if launch.total_bytes:
        run_kernel("gather", launch.total_bytes, targets, source, launch.table, fill)


def _share_memory(one: AnyArray, other: AnyArray) -> bool:
    """True if the arrays share a byte, or if that is too hard to tell."""
    if one.flags.owndata and other.flags.owndata and one is not other:
        return False
    if not np.may_share_memory(one, other):
        return False
    try:
        # NumPy's stubs know two of the values that it takes.
        return np.shares_memory(one, other, max_work=_OVERLAP_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def _overlap_each_other(arrays: Sequence[AnyArray]) -> bool:
    """True if any two arrays share a byte. Only those whose spans of memory meet are compared."""
    if len(arrays) <= _FEW_ARRAYS:
        return any(_share_memory(one, other) for one, other in combinations(arrays, 2))
    spans = sorted((*np.lib.array_utils.byte_bounds(array), k) for k, array in enumerate(arrays) if array.size)
    open_spans: list[tuple[int, int, int]] = []
    for low, high, k in spans:
        open_spans = [span for span in open_spans if span[1] > low]
        if any(_share_memory(arrays[k], arrays[j]) for _, _, j in open_spans):
            return True
        open_spans.append((low, high, k))
    return False


def _overlaps_itself(array: AnyArray) -> bool:
    """True if two elements share a byte, or if that is too hard to tell.

    None do if each axis, taken by rising byte strides, steps over all that the ones before it span. Interleaved axes
    can miss each other too: the elements of small arrays are compared one by one.
    """
    axes = sorted((abs(stride), n) for stride, n in zip(array.strides, array.shape, strict=True) if n > 1)
    span = array.itemsize
    for stride, n in axes:
        if stride < span:
            break
        span += stride * (n - 1)
    else:
        return False
    if array.size > _OVERLAP_WORK:
        return True
    offsets = np.zeros(1, np.int64)
    for stride, n in axes:
        offsets = np.add.outer(offsets, stride * np.arange(n)).ravel()
    return bool((np.diff(np.sort(offsets)) < array.itemsize).any())
