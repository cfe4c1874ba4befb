"""Code that writes the attributes and the fill value of a call as words for a kernel (`kernels._tables._rules`).

The type of an attribute decides the kind of the argument and, for tuples, the number of its integers. The compiled
function reads the integers themselves when it runs.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable
from numba.np.arrayobj import compute_memory_extents, extents_may_overlap, offset_bounds_from_strides

from fastops._overloads._stubs import CallError
from fastops.kernels._intrinsics._access import call_function
from fastops.kernels._intrinsics._memory import words_at
from fastops.kernels._intrinsics._outlined import INT32, WORD, byte_pointer
from fastops.kernels._rules._words import MOST_RULE_AXES
from fastops.kernels._tables import _rules as r


def _span_of(context, builder, kind, value):
    """Return the addresses of the first byte of an array, and of the byte behind its last one."""
    array = context.make_array(kind)(context, builder, value)
    shape, strides = cgutils.unpack_tuple(builder, array.shape), cgutils.unpack_tuple(builder, array.strides)
    low, high = offset_bounds_from_strides(context, builder, kind, array, shape, strides)
    return compute_memory_extents(context, builder, low, high, array.data)


@intrinsic
def may_overlap(typingctx, one, other):
    """True if the address ranges of two arrays overlap."""

    def codegen(context, builder, signature, args):
        own, others = _span_of(context, builder, one, args[0]), _span_of(context, builder, other, args[1])
        return extents_may_overlap(context, builder, *own, *others)

    return types.boolean(one, other), codegen


#: The rule of `is_index`, for errors.
OF_INTEGERS = "of integers, signed or of less than 64 bits"


def is_index(kind) -> bool:
    """True for a type of integers that int64 can hold."""
    return isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 64)


class Argument(NamedTuple):
    """The part of an argument that its type decides."""

    kind: int
    count: int = 0
    row_length: int = 1
    #: The path to each integer in nested tuples, and its type; None for arrays and lists: their types have no lengths.
    integers: Sequence[tuple[tuple[int, ...], Any]] | None = ()

    @property
    def room(self) -> int:
        """The number of words that the values need."""
        if self.integers is not None:
            return len(self.integers)
        # Rows may be pads: two integers for each axis.
        return 2 * MOST_RULE_AXES if self.kind == r.ROWS else MOST_RULE_AXES


def argument_of(attribute, kind, names) -> Argument:
    """Return the argument of an attribute of type ``kind``; ``names`` are a mode's numbers by name, otherwise None."""
    if kind is None or isinstance(kind, types.NoneType):
        return Argument(r.ABSENT)
    if names is not None:
        may_be_number = not all(isinstance(name, str) for name in names)
        if isinstance(kind, types.UnicodeType | types.StringLiteral):
            return Argument(r.CONSTANT, 1, 1, [((), kind)])
        if not may_be_number or not isinstance(kind, types.IntEnumMember | types.Integer):
            raise CallError(f"{attribute} must be a string" + ", an integer or a SampleMode" * may_be_number)
        return Argument(r.CONSTANT, 1, 1, [((), getattr(kind, "dtype", kind))])
    if is_index(kind):
        return Argument(r.INTEGER, 1, 1, [((), kind)])
    if isinstance(kind, types.BaseTuple):
        items = list(kind.types)
        if all(is_index(item) for item in items):
            return Argument(r.LIST, len(items), 1, [((i,), item) for i, item in enumerate(items)])
        lengths = {len(item) if isinstance(item, types.BaseTuple) else -1 for item in items}
        if len(lengths) == 1 and min(lengths) > 0 and all(is_index(each) for item in items for each in item.types):
            leaves = [((i, j), each) for i, item in enumerate(items) for j, each in enumerate(item.types)]
            return Argument(r.ROWS, len(items), min(lengths), leaves)
    if isinstance(kind, types.Array) and kind.ndim in (1, 2) and is_index(kind.dtype):
        return Argument(r.LIST if kind.ndim == 1 else r.ROWS, integers=None)
    if isinstance(kind, types.List | types.ListType):
        if is_index(kind.dtype):
            return Argument(r.LIST, integers=None)
        if isinstance(kind.dtype, types.UniTuple | types.List | types.ListType) and is_index(kind.dtype.dtype):
            return Argument(r.ROWS, integers=None)
    raise CallError(f"{attribute} must be an integer, or tuples, lists or arrays {OF_INTEGERS}, got {kind}")


def _read_list(arguments, parameter, first, values):
    """Read a list of integers, or an array of one dimension."""
    row, n = words_at(arguments, parameter * r.ARGUMENT_COLUMNS), len(values)
    # No operator takes longer lists. For longer ones, kind CONSTANT makes the rules return a status.
    row[r.KIND], row[r.COUNT] = (r.LIST, n) if n <= MOST_RULE_AXES else (r.CONSTANT, 0)
    for i in range(row[r.COUNT]):
        arguments[first + i] = values[i]


def _reader_of_rows(length_of):
    """Return the function that reads rows; ``length_of``, a compiled function, returns the length of the first row."""

    def read(arguments, parameter, first, values):
        row, n, length = words_at(arguments, parameter * r.ARGUMENT_COLUMNS), len(values), length_of(values)
        fits = n <= MOST_RULE_AXES and length <= MOST_RULE_AXES and n * length <= 2 * MOST_RULE_AXES
        for i in range(n):
            fits = fits and len(values[i]) == length
        row[r.KIND], row[r.COUNT], row[r.ROW_LENGTH] = (r.ROWS, n, length) if fits else (r.CONSTANT, 0, 1)
        for i in range(row[r.COUNT]):
            for j in range(length):
                arguments[first + i * length + j] = values[i][j]

    return read


# The shape of an array has the length of its rows even if there are no rows.
_read_array = _reader_of_rows(register_jitable(lambda values: values.shape[1]))
_read_lists = _reader_of_rows(register_jitable(lambda values: len(values[0]) if len(values) else 0))


def store_words(pointer, first, numbers) -> None:
    """Emit code that writes words from number ``first`` on."""
    for i, number in enumerate(numbers):
        word = WORD(number) if isinstance(number, int) else number
        pointer.element(WORD, WORD(first + i)).store(word, align=8)


def emit_argument(context, builder, arguments, parameter, first, argument, kind, value, names):
    """Emit code that writes an argument; its values begin at word ``first``."""
    row = (argument.kind, argument.count, first, argument.row_length)
    store_words(arguments, parameter * r.ARGUMENT_COLUMNS, row)
    if argument.integers is None:
        of_rows = _read_array if isinstance(kind, types.Array) else _read_lists
        read = _read_list if argument.kind == r.LIST else of_rows
        signature = types.void(byte_pointer, types.intp, types.intp, kind)
        context.compile_internal(builder, read, signature, [arguments.value, WORD(parameter), WORD(first), value])
        return
    for i, (path, own) in enumerate(argument.integers):
        if isinstance(own, types.UnicodeType | types.StringLiteral):
            word = _emit_mode(context, builder, own, value, names)
        else:
            word = context.cast(builder, builder.extract_value(value, path) if path else value, own, types.intp)
        store_words(arguments, first + i, [word])


def _emit_mode(context, builder, kind, value, names):
    """Emit code that finds the number of a mode by its name: -1 for an unknown name."""
    names = {name: int(number) for name, number in names.items() if isinstance(name, str)}
    if isinstance(kind, types.StringLiteral):
        return WORD(names.get(kind.literal_value, -1))
    text = cgutils.create_struct_proxy(types.unicode_type)(context, builder, value)
    found = cgutils.alloca_once_value(builder, WORD(-1))
    is_ascii = builder.icmp_unsigned("==", text.is_ascii, text.is_ascii.type(1))
    for name, number in names.items():
        has_length = builder.icmp_signed("==", text.length, WORD(len(name)))
        with builder.if_then(builder.and_(is_ascii, has_length)):
            own = context.insert_const_string(builder.module, name)
            order = call_function(builder, "memcmp", INT32, text.data, own, WORD(len(name)))
            is_same = builder.icmp_signed("==", order, order.type(0))
            builder.store(builder.select(is_same, WORD(number), builder.load(found)), found)
    return builder.load(found)


def check_fill_value(operator, dtype, kind) -> None:
    """Raise if data's dtype cannot hold numbers of the fill value's type."""
    numbers = [types.Boolean, types.Integer, types.Float, types.Complex]
    n = next((i for i, each in enumerate(numbers) if isinstance(dtype, each)), -1)
    if kind != dtype and not isinstance(kind, (types.NoneType, *numbers[: n + 1])):
        raise CallError(f"{operator}: the fill value must be a number that data of type {dtype} can hold, got {kind}")


def emit_fill_value(context, builder, dtype, place, kind, value):
    """Emit code that writes a fill value as an element of a dtype, or zero bytes for None; return a status."""
    model, is_zero = context.data_model_manager[dtype], isinstance(kind, types.NoneType)
    cast = None if is_zero else context.cast(builder, value, kind, dtype)
    element = ir.Constant(model.get_data_type(), None) if is_zero else model.as_data(builder, cast)
    # Cast the pointer to the element's type, which is a structure for a complex number.
    builder.store(element, builder.bitcast(place.place, element.type.as_pointer()), align=1)
    number = types.Integer if isinstance(dtype, types.Integer) else types.Float | types.Complex
    if kind == dtype or not isinstance(dtype, number) or not isinstance(kind, number):
        return WORD(0)
    is_held = lambda cast, number: np.isfinite(cast) or not np.isfinite(number)  # noqa: E731
    if number is types.Integer:
        is_held = lambda cast, number: cast == number  # noqa: E731
    held = context.compile_internal(builder, is_held, types.boolean(dtype, types.unliteral(kind)), [cast, value])
    return builder.select(held, WORD(0), WORD(r.FILL_VALUE))
