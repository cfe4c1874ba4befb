"""Programs: what a trace says is done with the integers of a call, done again.

Computes: the values of a record's program, from its inputs; False if they do not fulfil its conditions, or are so large
that sums might leave 64 bits.
Memory: reads a record, writes values behind the inputs.
Fast because a call has some hundred rows, of a few instructions each: less than Python takes for one of its lists.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._memory import copy_bytes, load_int, loops, shift, store_int
from fastops.kernels._tables._trace import (
    ADD,
    CONSTANTS,
    DIVIDE,
    FIRST_CONSTANT,
    FIRST_ROW,
    INPUTS,
    IS_AT_MOST,
    IS_EQUAL,
    IS_LESS,
    LARGER,
    LARGEST,
    MULTIPLY,
    ONE,
    OPERATION,
    OTHER,
    ROW_COLUMNS,
    ROWS,
    SMALLER,
    SUBTRACT,
)

_LARGEST_PRODUCT = float(LARGEST)


@loops
def _holds(condition, one, other):
    """True if two values compare so."""
    if condition == IS_LESS:
        return one < other
    if condition == IS_AT_MOST:
        return one <= other
    if condition == IS_EQUAL:
        return one == other
    return one != other


@loops
def run_program(record, values):
    """Write the values of a record's program behind its inputs; False if a condition does not hold."""
    n = load_int(record, INPUTS)
    constants = load_int(record, CONSTANTS)
    copy_bytes(shift(values, 8 * n), shift(record, 8 * load_int(record, FIRST_CONSTANT)), 8 * constants)
    n += constants
    row = shift(record, 8 * load_int(record, FIRST_ROW))
    for _ in range(load_int(record, ROWS)):
        operation = load_int(row, OPERATION)
        one = load_int(values, load_int(row, ONE))
        other = load_int(values, load_int(row, OTHER))
        row = shift(row, 8 * ROW_COLUMNS)
        if operation >= IS_LESS:
            if not _holds(operation, one, other):
                return False
            continue
        if operation == ADD:
            value = one + other
        elif operation == SUBTRACT:
            value = one - other
        elif operation == MULTIPLY:
            if abs(float(one) * float(other)) > _LARGEST_PRODUCT:
                return False
            value = one * other
        elif operation == SMALLER:
            value = min(one, other)
        elif operation == LARGER:
            value = max(one, other)
        elif other == 0:
            return False
        elif operation == DIVIDE:
            value = one // other
        else:
            value = one % other
        if value > LARGEST or value < -LARGEST:
            return False
        store_int(values, n, value)
        n += 1
    return True
