"""From a range plan and a type to a running kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from fastops._attributes import zero_sign
from fastops._dtypes import AnyArray, AnyDType, as_output_type, bits_of, kind_of
from fastops._errors import DTypeError
from fastops._launch import CACHE_SIZE
from fastops._outputs import allocate, check_out
from fastops._plan import RangePlan
from fastops._rounding import rounding_steps
from fastops._runtime import run_kernel
from fastops.kernels import _range_table as t

_FORMULAS = {"float64": t.FLOAT64, "float32": t.FLOAT32, "float16": t.FLOAT16, "bfloat16": t.BFLOAT16}

# Stands in for the rounding table of types that need none.
_NO_ROUNDING = np.zeros((1, 2), np.int64)


@dataclass(frozen=True, slots=True)
class RangeLaunch:
    """What a call needs besides the output: its shape and type, and the tables of the kernel."""

    shape: tuple[int]
    dtype: AnyDType
    table: AnyArray
    rounding: AnyArray


def prepare_range_launch(plan: RangePlan, dtype: AnyDType) -> RangeLaunch:
    """Return the launch that writes a plan's values in a type, contiguously."""
    row = np.zeros(t.COLUMNS, np.int64)
    # A count beyond 64 bits cannot be allocated, so it never reaches the kernel.
    row[t.COUNT] = min(plan.count, 2**63 - 1)
    row[t.WIDTH] = row[t.DST_STEP] = dtype.itemsize
    row[t.SWAP] = int(not dtype.isnative)
    row[t.MASK] = -1
    rounding = _NO_ROUNDING
    if kind_of(dtype) in "iu":
        row[t.KIND] = t.INTEGER
        row[t.START], row[t.STEP] = _low_word(int(plan.start)), _low_word(int(plan.step))
        if bits_of(dtype) < 8 * dtype.itemsize:
            row[t.MASK] = (1 << bits_of(dtype)) - 1
    elif dtype.newbyteorder("=").name == "float64":
        row[t.KIND] = t.FLOAT64
        row[t.START], row[t.STEP] = np.array([float(plan.start), float(plan.step)]).view(np.int64)
    else:
        row[t.KIND] = _FORMULAS.get(dtype.name, t.SMALL_FLOAT)
        numbers = np.array([_nearest_float32(plan.start), _nearest_float32(plan.step)], np.float32)
        row[t.START], row[t.STEP] = numbers.view(np.uint32)
        if row[t.KIND] == t.SMALL_FLOAT:
            rounding = rounding_steps(dtype)
            row[t.STEPS] = len(rounding)
    return RangeLaunch(plan.shape, dtype, row, rounding)


def run_range_launch(op: str, launch: RangeLaunch, out: Any = None) -> Any:
    """Write a range into ``out``, or into a fresh array, and return it."""
    table = launch.table
    if out is None:
        out = target = allocate(op, launch.shape, launch.dtype)
    else:
        target = check_out(op, out, launch.shape, launch.dtype)
        if target.strides[0] != table[t.DST_STEP]:
            table = table.copy()
            table[t.DST_STEP] = target.strides[0]
    if target.nbytes:
        run_kernel("fill_range", target.nbytes, target, table, launch.rounding)
    return out


@lru_cache(CACHE_SIZE, typed=True)
def _prepare(start: int | float, step: int | float, count: int, dtype: AnyDType, _sign: float) -> RangeLaunch:
    return prepare_range_launch(RangePlan(start, step, count), dtype)


def run_range_plan(plan: RangePlan, output_type: DTypeLike, *, out: Any = None) -> Any:
    """Write the values of a plan: what a range plan does when it is called."""
    dtype = as_output_type("plan", output_type)
    if kind_of(dtype) in "iu" and not (isinstance(plan.start, int) and isinstance(plan.step, int)):
        raise DTypeError("plan", "output_type", "be a float type, for a plan of floats", output_type)
    return run_range_launch("plan", _prepare(plan.start, plan.step, plan.count, dtype, zero_sign(plan.start)), out)


RangePlan._run = run_range_plan


def _low_word(value: int) -> int:
    """The low 64 bits of an integer, as a signed number."""
    return ((value + 2**63) & (2**64 - 1)) - 2**63


def _nearest_float32(value: int | float) -> np.float32:
    """The float32 nearest to a number, rounded once; infinity beyond its range."""
    if isinstance(value, int):
        # float() would round a long integer first. Keep 53 bits, the last of which says if any lower one was set.
        excess = max(value.bit_length() - 53, 0)
        kept = value >> excess
        value = float((kept | int(kept << excess != value)) << excess)
    with np.errstate(over="ignore"):
        return np.float32(value)
