"""What all stubs do once the words of a window are set: check them, and write the result, fresh or into ``out``."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload, register_jitable

from fastops._overloads._arguments import OF_INTEGERS, as_integers, fill_at, is_index, mode_of
from fastops._overloads._link import check_window, run_window
from fastops._overloads._pointers import may_overlap, output_at, source_at
from fastops._overloads._statuses import MODES, OPTIONS, raise_status
from fastops._overloads._words import new_words, set_output, shape_of
from fastops.kernels._tables import _window as t
from fastops.kernels._tables._words import FILL


def is_none(kind) -> bool:
    """True for the type of an argument that is None, or left out where that is the default."""
    if isinstance(kind, types.Omitted):
        return kind.value is None
    return kind is None or isinstance(kind, types.NoneType)


def mode_number(mode, names):
    """The number of a mode that is a name, a number or a SampleMode; -1 for none."""


@overload(mode_number, jit_options=OPTIONS, prefer_literal=True)
def _mode_number(mode, names):
    if isinstance(mode, types.UnicodeType | types.StringLiteral):
        return lambda mode, names: mode_of(mode, names)
    if not isinstance(names, types.StringLiteral) or names.literal_value != MODES:
        raise TypingError("fastops: mode must be a string")
    if isinstance(mode, types.IntEnumMember):
        return lambda mode, names: mode.value
    if isinstance(mode, types.Integer):
        return lambda mode, names: mode
    raise TypingError("fastops: mode must be a string, an integer or a SampleMode")


def as_list(values):
    """A list of indices as something with integers at 0, 1 and so on."""


@overload(as_list, jit_options=OPTIONS)
def _as_list(values):
    if isinstance(values, types.BaseTuple):
        return lambda values: as_integers(values)
    if isinstance(values, types.Integer):
        return lambda values: as_integers((values,))
    is_array = isinstance(values, types.Array) and values.ndim == 1
    if (is_array or isinstance(values, types.List | types.ListType)) and is_index(values.dtype):
        return lambda values: values
    raise TypingError(f"fastops: indices must be tuples, lists or one-dimensional arrays {OF_INTEGERS}, got {values}")


def entry(values, j, default):
    """Number j of a list, or the default if the list is None."""


@overload(entry, jit_options=OPTIONS)
def _entry(values, j, default):
    if is_none(values):
        return lambda values, j, default: default
    return lambda values, j, default: as_list(values)[j]


def length_of(values, default):
    """How many values a list has, or the default if it is None."""


@overload(length_of, jit_options=OPTIONS)
def _length_of(values, default):
    if is_none(values):
        return lambda values, default: default
    return lambda values, default: len(as_list(values))


@register_jitable(**OPTIONS)
def copy_array(source, target, order):
    """Write an array into another one of its shape."""
    words = new_words(source, source.ndim, 0)
    set_output(words, target, order, 0)
    fill, _ = fill_at(source, None)
    run_window(output_at(target), source_at(source), words, fill)


def write(operator, words, status, data, out, fill_value, order, whole):
    """Write the window of data that words say, or raise for a status; return ``out``, or a fresh array.

    Axis i of the result is axis order[i] of the window; ``whole`` is the tuple of the numbers of axes in their order.
    """


# Without literals there is no code: Numba would compile for other integers first, and drop it.
@overload(write, jit_options=OPTIONS, prefer_literal=True)
def _write(operator, words, status, data, out, fill_value, order, whole):
    rank = len(order)
    if is_none(out):

        def write_fresh(operator, words, status, data, out, fill_value, order, whole):
            status = status or check_window(words)
            fill, fill_status = fill_at(data, fill_value)
            raise_status(operator, status or fill_status)
            result = np.empty(shape_of(words, order), data.dtype)
            set_output(words, result, order, 0)
            run_window(output_at(result), source_at(data), words, fill)
            return result

        return write_fresh
    check_out(out, data, rank)

    def write_into(operator, words, status, data, out, fill_value, order, whole):
        status = status or check_window(words)
        fill, fill_status = fill_at(data, fill_value)
        raise_status(operator, status or fill_status or set_output(words, out, order, 0))
        if may_overlap(out, data):
            result = np.empty(shape_of(words, order), data.dtype)
            set_output(words, result, order, 0)
            run_window(output_at(result), source_at(data), words, fill)
            copy_array(result, out, whole)
        else:
            run_window(output_at(out), source_at(data), words, fill)
        return out

    return write_into


def check_out(out, data, rank) -> None:
    """Raise for the type of an output that cannot be one of so many axes."""
    if not isinstance(out, types.Array) or out.dtype != data.dtype or out.ndim != rank or not out.mutable:
        raise TypingError(f"fastops: out must be a writeable array of {rank} dimensions and dtype {data.dtype}")


def unused_fill_value(fill_value, mode):
    """The status of a fill value in a mode."""


@overload(unused_fill_value, jit_options=OPTIONS)
def _unused_fill_value(fill_value, mode):
    if is_none(fill_value):
        return lambda fill_value, mode: 0
    return lambda fill_value, mode: 0 if mode == FILL else t.UNUSED_FILL_VALUE
