"""Traced calls: what calls of one operator have in common whose arguments differ, as records that compiled code runs.

A random crop has other arguments at each call, and every photograph another shape. What Python does with them, from the
attributes to the table, is traced once (`fastops._plans._traces`); compiled code does it again for all calls that
fulfil the same conditions. So a call costs the same whether its arguments were seen before or not, and nothing is kept
for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from sys import intern
from threading import Lock
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np
from numpy import empty

from fastops._arrays._dtypes import AnyArray, AnyDType, is_ml_dtype
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate
from fastops._arrays._pins import pin
from fastops._arrays._plain_types import is_plain_number
from fastops._errors import FastopsError
from fastops._execution._prepared_call import ZEROS, reads_few_pages
from fastops._execution._records import Token, lay_record
from fastops._lowering._decorator import Lowering
from fastops._lowering._windows import Windows
from fastops._plans._axis_map import AxisMap
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import differ_in_ones
from fastops._plans._traces import Program, Trace, plain
from fastops._runtime._kernels import compile_kernel, kernels_are_checked, run_kernel
from fastops._schedules._byte_strides import contiguous_byte_strides, is_nested, is_spannable, span_of
from fastops._schedules._schedule import create_schedule
from fastops._settings import GIL_KEPT_BYTES, GIL_KEPT_TENSOR_BYTES, STREAM_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables import _trace as t
from fastops.kernels._tables._gather import NEEDS

# Records of one operator; of more, those go first that were of no use for longest.
_MOST_RECORDS = 32

# Calls that are made alike are traced so often. They have other conditions each time, or were forgotten meanwhile.
_MOST_TRACES = 48

# Outputs of a call that is traced: each is compared with all others.
_MOST_PARTS = 16

# Objects that stay what they are, by which calls are told from each other.
_CONSTANTS = (bool, str, type(None), SampleMode, EllipsisType)

# Tokens of a call's attributes.
_MOST_ITEMS = 256

# What an operator remembers of calls that it has not traced.
_MOST_SEEN = 256


class _Reading(NamedTuple):
    """What one output reads, as a plan has it; the numbers may be traced."""

    axes: tuple[AxisMap, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple([axis.extent for axis in self.axes])

    @property
    def size(self) -> int:
        return prod(self.shape)


class Record:
    """A traced call.

    Attributes
    ----------
    words : ndarray of int64
        What compiled code reads, as `fastops.kernels._tables._trace` lays it out.
    dtype : dtype
        Of the source and the outputs.
    shapes : tuple of tuple of int
        Of the outputs of the last call, which those of the next one most often have.
    keeps_gil : bool
        True if the guard does all the work.
    needs : int
        What has to be compiled for it.
    fill : ndarray or None
        What axes in mode fill read where the caller gives no fill value; None where that is not known.
    table_words : int
        Words of the table.
    done : int
        What compiled code returns when it has moved the data as this record says.
    """

    __slots__ = ("_kept", "done", "dtype", "fill", "keeps_gil", "needs", "shapes", "table_words", "words")

    def __init__(
        self,
        words: AnyArray,
        dtype: AnyDType,
        shapes: tuple[tuple[int, ...], ...],
        needs: int,
        fill: AnyArray | None,
        kept: Sequence[Any],
    ) -> None:
        self.words = words
        self.dtype = dtype
        self.shapes = shapes
        self.keeps_gil = bool(words[t.KEEPS_GIL])
        self.needs = needs
        self.fill = fill
        self.table_words = int(words[t.TABLE_WORDS])
        self.done = t.DONE
        # The words have their addresses among them.
        self._kept = kept

    def set_number(self, number: int) -> None:
        """Set which record of its operator it is."""
        self.words[t.ID] = number
        self.done = number * t.OUTCOMES + t.DONE

    def create_outputs(self) -> tuple[AnyArray, ...]:
        """Return fresh arrays of the shapes that the outputs of the last call had, which are small."""
        shapes, dtype = self.shapes, self.dtype
        # Most calls have one, and a list takes longer than an array.
        return (empty(shapes[0], dtype),) if len(shapes) == 1 else tuple([empty(shape, dtype) for shape in shapes])

    def take_shapes(self, behind: AnyArray) -> tuple[tuple[int, ...], ...]:
        """Return the outputs' shapes, from what the program gives behind the table, and keep them for the next call."""
        shapes, at = [], t.FIRST_OUT + 2
        for shape in self.shapes:
            shapes.append(tuple(behind[at : at + len(shape)].tolist()))
            at += len(shape) + 2
        # What is kept, another thread may replace at once.
        taken = self.shapes = tuple(shapes)
        return taken


class Attributes:
    """What a caller has written, taken apart.

    Attributes
    ----------
    tokens : list of Token
        How it is made.
    integers : list of list of int
        The integers in each attribute, in order.
    kept : list
        The objects whose addresses are in the tokens.
    is_known : bool
        True if it has nothing in it that could be something else at another time, and no integer that compiled code
        does not compute with.
    """

    __slots__ = ("_constants", "integers", "is_known", "kept", "tokens")

    def __init__(self, attributes: Sequence[Any], constants: tuple[type, ...] = ()) -> None:
        self._constants = (*_CONSTANTS, *constants)
        self.tokens = [Token(t.TUPLE, id(tuple), len(attributes))]
        self.integers: list[list[int]] = []
        self.kept: list[Any] = []
        self.is_known = len(attributes) <= _MOST_ITEMS
        for attribute in attributes[:_MOST_ITEMS]:
            self.integers.append([])
            self._add(attribute, 1)

    def _add(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is int:
            self.tokens.append(Token(t.INTEGER, id(int)))
            self.integers[-1].append(value)
            self.is_known = self.is_known and -t.LARGEST <= value <= t.LARGEST
        elif kind in (list, tuple, slice) or (kind in self._constants and issubclass(kind, tuple)):
            # Another thread may change a list.
            items = (value.start, value.stop, value.step) if kind is slice else tuple(value[:_MOST_ITEMS])
            token = t.SLICE if kind is slice else t.LIST if kind is list else t.TUPLE
            self.tokens.append(Token(token, id(kind), len(items)))
            self.is_known = self.is_known and depth < t.DEEPEST and len(self.tokens) + len(items) < _MOST_ITEMS
            if self.is_known:
                for each in items:
                    self._add(each, depth + 1)
        else:
            self.tokens.append(Token(t.OBJECT, id(value)))
            self.kept.append(value)
            # Equal strings that are made at each call are not the same object.
            is_own = kind is not str or intern(value) is value
            self.is_known = self.is_known and is_own and kind in self._constants


def _with_integers(value: Any, integers: Iterator[Any]) -> Any:
    """Return a plain value with other integers in place of its own."""
    kind = type(value)
    if kind is int:
        return next(integers)
    if kind is tuple:
        return tuple([_with_integers(each, integers) for each in value])
    if kind is slice:
        return slice(*[_with_integers(each, integers) for each in (value.start, value.stop, value.step)])
    return value


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
    shape, byte_strides, dtype = known
    width = dtype.itemsize
    if not width or dtype.hasobject:
        return None
    trace = Trace()
    # They stand for integers, which is what functions of integers say that they take.
    traced_shape: tuple[Any, ...]
    traced_strides: tuple[Any, ...]
    own = attributes.integers
    if is_addressed:
        own = own[3:]
        traced_shape = tuple(map(trace.new_input, attributes.integers[0]))
        strides: list[Any] = list(map(trace.new_input, attributes.integers[1]))
        traced_strides = tuple([stride * width for stride in strides])
    else:
        traced_shape = tuple(map(trace.new_input, shape))
        traced_strides = tuple(map(trace.new_input, byte_strides))
    out_strides: Sequence[tuple[Any, ...]] | None = None
    if out_byte_strides is not None:
        out_strides = [tuple(map(trace.new_input, strides)) for strides in out_byte_strides]
    lowered = lowering.lower(traced_shape, _trace_values(trace, lowering, own, values))
    windows = lowered if isinstance(lowered, list) else [lowered]
    if len(windows) > _MOST_PARTS:
        return None
    parts = list(map(_as_reading, windows))
    if out_strides is None:
        out_strides = [contiguous_byte_strides(part.shape, width) for part in parts]
    elif not all([is_nested(part.shape, strides, width) for part, strides in zip(parts, out_strides, strict=True)]):
        return None
    spans = [span_of(part.shape, strides, width) for part, strides in zip(parts, out_strides, strict=True)]
    size = sum([part.size for part in parts])
    total_bytes = size * width
    if not all(map(is_spannable, spans)):
        return None
    table = create_schedule(parts, traced_strides, width, out_strides, streams=total_bytes >= STREAM_BYTES).table
    outputs: list[Any] = [*table, *check_span(traced_shape, traced_strides, width), total_bytes]
    for part, span in zip(parts, spans, strict=True):
        outputs += (*span, *part.shape)
    is_small = total_bytes < (GIL_KEPT_TENSOR_BYTES if is_addressed else GIL_KEPT_BYTES) and reads_few_pages(
        parts, traced_strides, width, size
    )
    if trace.is_too_large:
        return None
    program = trace.program(outputs)
    if len(outputs) > t.MOST_OUTPUTS or _count_values(program) > t.MOST_VALUES:
        return None
    reads_fill = any([axis.mode is SampleMode.FILL for part in parts for axis in part.axes])
    fill = None if reads_fill and (width > ZEROS.nbytes or is_ml_dtype(dtype)) else ZEROS
    shapes = tuple([tuple(map(plain, part.shape)) for part in parts])
    words = lay_record(program, attributes.tokens, dtype, len(shape), shapes)
    words[t.ADDRESSED] = is_addressed
    words[t.TABLE_WORDS], words[t.STRIDED] = len(table), out_byte_strides is not None
    # The checked form wants to know where a table ends.
    words[t.KEEPS_GIL] = is_small and not kernels_are_checked()
    words[t.FILL] = 0 if fill is None else id(fill)
    return Record(words, dtype, shapes, int(plain(table[NEEDS])), fill, attributes.kept)


def _trace_values(trace: Trace, lowering: Lowering, integers: Sequence[list[int]], values: Sequence[Any]) -> list[Any]:
    """Return plain values with inputs for the integers that the caller wrote in each attribute."""
    traced_values = []
    inputs = [list(map(trace.new_input, own)) for own in integers]
    for value, own, traced, is_transparent in zip(values, integers, inputs, lowering.are_transparent, strict=False):
        found = Attributes((value,))
        if is_transparent and found.is_known and found.integers == [own]:
            traced_values.append(_with_integers(value, iter(traced)))
        else:
            # Its reader may want more of them than to be integers.
            for each in traced:
                each.__index__()
            traced_values.append(value)
    return traced_values


def _as_reading(windows: Windows) -> _Reading:
    """Return what windows read; the numbers may be traced."""
    # Where nothing is written, it does not matter what is read.
    axes = () if 0 in windows.counts else windows.axes()
    counts, extents = windows.counts, tuple(windows.extents)
    shape = counts if windows.shape is None else tuple(windows.shape)
    source_shape = extents if windows.source_shape is None else tuple(windows.source_shape)
    # What the constructor of a plan makes sure of.
    assert differ_in_ones(counts, shape)
    assert differ_in_ones(extents, source_shape)
    return _Reading(axes, shape, source_shape)


def _count_values(program: Program) -> int:
    operations = [row for row in program.rows if row[0] < t.IS_LESS]
    return program.n_inputs + len(program.constants) + len(operations)


# What compiled code writes, and has done with when it returns, as the GIL is kept.
_scratch = np.empty(t.MOST_VALUES, np.int64)
_table = np.empty(t.MOST_OUTPUTS, np.int64)


class TracedCalls:
    """The traced calls of one operator.

    Parameters
    ----------
    lowering : Lowering
        The operator's.
    is_read : bool
        True if attributes are what readers have made of those that callers write.
    """

    __slots__ = (
        "_last",
        "_lock",
        "_lowering",
        "_needs",
        "_number",
        "_order",
        "_read",
        "_records",
        "_run",
        "_seen",
    )

    def __init__(self, lowering: Lowering, *, is_read: bool) -> None:
        self._lowering = lowering
        self._read = tuple if is_read else lowering.read
        # By numbers that are never used again, so that what compiled code returns is about one record.
        self._records: dict[int, Record] = {}
        self._number = 0
        # How many there are, and the addresses of their words, the last one that was of use first.
        self._order = np.zeros(1 + _MOST_RECORDS, np.int64)
        self._last: Record | None = None
        self._seen: dict[Any, int] = {}
        self._needs = 0
        # Nobody waits for it, so that a fork while it is held leaves a child that learns nothing more.
        self._lock = Lock()
        self._run: Any = None

    @property
    def has_records(self) -> bool:
        """True if any call was traced."""
        return self._last is not None

    def execute(
        self, data: Any, attributes: Sequence[Any], outs: tuple[Any, ...] | None, fill_value: object
    ) -> tuple[Any, ...] | None:
        """Write the outputs of a call on an array into ``outs``, or into fresh ones, and return them.

        None is returned, and nothing is written, where no record fits; all arguments may be anything.
        """
        record = self._last
        if record is None:
            return None
        fill = None
        if fill_value is not None:
            if type(fill_value) is not Element and not is_plain_number(fill_value):
                # What converts it may be code of the caller's.
                return None
            try:
                fill = encode_fill(data.dtype, fill_value)
            except FastopsError:
                # Attributes are looked at first, elsewhere.
                return None
        found: Record | None = record
        if record.keeps_gil:
            results = record.create_outputs() if outs is None else outs
            done = self._enter(results, data, attributes, fill, _table, outs is None)
            if done == record.done:
                return results
            outcome, found = self._find(done)
            if outcome == t.DONE:
                return results
        return None if found is None else self._execute_prepared(found, data, attributes, outs, fill)

    def _execute_prepared(
        self,
        record: Record,
        data: Any,
        attributes: Sequence[Any],
        outs: tuple[Any, ...] | None,
        fill: AnyArray | None,
    ) -> tuple[Any, ...] | None:
        """Do the same for large outputs, or fresh ones of other shapes than the last ones had.

        The table is made with the GIL kept, in an array of this call's own, and run without it.
        """
        _pinned = [pin(each) for each in (data, *(outs or ())) if type(each) is np.ndarray]
        results = outs or ()
        outcome = t.NO_ROOM
        while outcome == t.NO_ROOM:
            table = np.empty(record.words[t.OUTPUTS], np.int64)
            outcome, found = self._find(self._enter(results, data, attributes, fill, table, outs is None))
            if outcome == t.DONE:
                return results
            if found is None:
                return None
            record = found
        behind = table[record.table_words :]
        if outs is None:
            # The table is for fresh arrays of these shapes, wherever they are.
            results = tuple([allocate(shape, record.dtype) for shape in record.take_shapes(behind)])
        own_fill = record.fill if fill is None else fill
        run_kernel("gather", record.needs, int(behind[t.TOTAL_BYTES]), results, data, table, own_fill)
        return results

    def _enter(
        self,
        results: tuple[Any, ...],
        data: Any,
        attributes: Sequence[Any],
        fill: AnyArray | None,
        table: AnyArray,
        are_fresh: bool,
    ) -> int:
        """Look for a record of a call on an array, and return what `gather_traced` does."""
        done: int = self._run(results, data, attributes, fill, self._order, _scratch, table, are_fresh)
        return done

    def _find(self, done: int) -> tuple[int, Record | None]:
        """Return what compiled code has done, and by which record; None if by none, or one that is dropped meanwhile.

        The record is the last one from now on.
        """
        which, outcome = divmod(done, t.OUTCOMES)
        record = self._records.get(which)
        if record is not None:
            self._last = record
        return outcome, record

    def execute_at(
        self, address: int, room: int, attributes: Sequence[Any], fill: AnyArray | None
    ) -> tuple[Any, ...] | None:
        """Return fresh outputs of a call on memory at an address that ends ``room`` bytes behind it, or None."""
        record = self._last
        if record is None:
            return None
        results = record.create_outputs() if record.keeps_gil else ()
        table = _table
        while True:
            done = self._run(results, (address, room), attributes, fill, self._order, _scratch, table, True)
            outcome, found = self._find(done)
            if outcome == t.DONE:
                return results
            if found is None or not found.keeps_gil:
                return None
            if table is not _table:
                found.take_shapes(table[found.table_words :])
                results = found.create_outputs()
            # What others write into the common one are not the shapes of this call.
            table = np.empty(t.MOST_OUTPUTS, np.int64)

    def learn_at(self, array: AnyArray, attributes: tuple[Any, ...], constants: tuple[type, ...]) -> None:
        """Trace a call on the memory of an array, if such calls have no record yet and come again.

        The first attributes are its shape, its strides in elements and its type, as the caller has them.
        """
        taken = Attributes(attributes, constants)
        if not self._comes_again((array.dtype, *taken.tokens), taken):
            return
        known = (array.shape, array.strides, array.dtype)
        self._trace(known, taken, attributes[3:], None, is_addressed=True)

    def _comes_again(self, kind: Any, attributes: Attributes) -> bool:
        """True if a call of this kind is to be traced: it comes for the second time, and not for the hundredth."""
        if not attributes.is_known or not _has_known_layout():
            return False
        seen = self._seen.get(kind, 0)
        if len(self._seen) >= _MOST_SEEN and not seen:
            self._seen.clear()
        self._seen[kind] = min(seen + 1, _MOST_TRACES)
        return 0 < seen < _MOST_TRACES

    def learn(self, data: AnyArray, attributes: Sequence[Any], outs: tuple[Any, ...] | None) -> None:
        """Trace a call that was made, on an array and into arrays, if such calls have no record yet and come again."""
        if type(attributes) is not tuple:
            return
        taken = Attributes(attributes)
        strides = None
        if outs is not None and not all([out.flags.c_contiguous for out in outs]):
            strides = [out.strides for out in outs]
        ranks = None if strides is None else tuple(map(len, strides))
        if not self._comes_again((len(data.shape), data.dtype, ranks, *taken.tokens), taken):
            return
        self._trace((data.shape, data.strides, data.dtype), taken, attributes, strides, is_addressed=False)

    def _trace(
        self,
        known: tuple[tuple[int, ...], tuple[int, ...], AnyDType],
        taken: Attributes,
        own: tuple[Any, ...],
        strides: list[tuple[int, ...]] | None,
        *,
        is_addressed: bool,
    ) -> None:
        """Make a record of a call, of which ``own`` are the operator's own attributes."""
        try:
            record = create_record(self._lowering, known, taken, self._read(own), strides, is_addressed=is_addressed)
        except FastopsError:
            # Another thread has changed data or a list since the call was made.
            return
        if record is not None:
            self._add(record)

    def _add(self, record: Record) -> None:
        """Make a record the first one, and forget the last one of too many; unless another thread is at it."""
        run = compile_kernel("gather_traced", self._needs | record.needs).run
        if self._lock.acquire(blocking=False):
            try:
                self._insert(record)
                self._needs |= record.needs
                self._run, self._last = run, record
            finally:
                self._lock.release()

    def _insert(self, record: Record) -> None:
        order = self._order
        n = int(order[0])
        # An exception of a signal's handler, after any of these lines, leaves what compiled code may read.
        self._number += 1
        record.set_number(self._number)
        self._records[self._number] = record
        kept = min(n, _MOST_RECORDS - 1)
        order[2 : kept + 2] = order[1 : kept + 1].copy()
        order[1] = id(record.words)
        order[0] = kept + 1
        listed = set(order[1 : kept + 2].tolist())
        for number in [number for number, each in self._records.items() if id(each.words) not in listed]:
            del self._records[number]


_has_known_layout = cache(is_as_expected)
