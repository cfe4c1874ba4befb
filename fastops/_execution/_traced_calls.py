"""Traced calls: what calls of one operator have in common whose arguments differ, as records that compiled code runs.

A random crop has other arguments at each call, and every photograph another shape. What Python does with them, from the
attributes to the table, is traced once (`fastops._geometry._traces`); compiled code does it again for all calls that
fulfil the same conditions. So a call costs the same whether its arguments were seen before or not, and nothing is kept
for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from fastops._arrays._buffer_pool import SMALLEST_BYTES
from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._outputs import allocate
from fastops._arrays._pins import pin
from fastops._arrays._plain_types import is_plain_number
from fastops._errors import FastopsError
from fastops._execution._attributes import Attributes
from fastops._execution._records import Record
from fastops._execution._tracing import create_record
from fastops._lowering._decorator import Lowering
from fastops._runtime._kernels import load_entry, run_kernel, workers_in_compiled_code
from fastops._settings import PARALLEL_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables import _trace as t

# Records of one operator; of more, those go first that were of no use for longest.
_MOST_RECORDS = 128

# Calls that are made alike are traced so often, and then every so many calls only: they have other conditions each
# time, or were forgotten meanwhile, because others came between them. Random crops in mode reflect have 40 records.
_MOST_TRACES = 48
_CALLS_A_TRACE = 64

# What an operator remembers of calls that it has not traced.
_MOST_SEEN = 256

# What compiled code writes, and has done with when it returns, or gives the GIL up: all threads share it.
_scratch = np.empty(t.MOST_VALUES, np.int64)
_table = np.empty(t.MOST_OUTPUTS, np.int64)


class TracedCalls:
    """The traced calls of one operator.

    Parameters
    ----------
    lowering : Lowering
        The operator's.
    """

    __slots__ = (
        "_adding",
        "_last",
        "_lowering",
        "_number",
        "_order",
        "_records",
        "_run",
        "_seen",
    )

    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        # By numbers that are never used again, so that what compiled code returns is about one record.
        self._records: dict[int, Record] = {}
        self._number = 0
        # How many there are, and the addresses of their words, the last one that was of use first.
        self._order = np.zeros(1 + _MOST_RECORDS, np.int64)
        self._last: Record | None = None
        self._seen: dict[Any, int] = {}
        # Who adds a record just now. Nobody waits, so that a fork meanwhile leaves a child that learns nothing more.
        self._adding: set[object] = set()
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
        if outs is None and record.total_bytes >= PARALLEL_BYTES:
            # Memory of large ones is not taken on a guess.
            return self._execute_pinned(record, data, attributes, outs, fill)
        results = record.create_outputs() if outs is None else outs
        if record.keeps_gil:
            done = self._run(
                results, data, attributes, fill, self._order, _scratch, _table, outs is None, t.ONLY_WITH_GIL
            )
        else:
            table, workers = record.take_table(), workers_in_compiled_code(record.total_bytes)
            done = self._run(results, data, attributes, fill, self._order, _scratch, table, outs is None, workers)
            record.tables.append(table)
        if done == record.done:
            return results
        outcome, found = self._find(done)
        if outcome == t.DONE:
            return results
        return None if found is None else self._execute_pinned(found, data, attributes, outs, fill)

    def _execute_pinned(
        self,
        record: Record,
        data: Any,
        attributes: Sequence[Any],
        outs: tuple[Any, ...] | None,
        fill: AnyArray | None,
    ) -> tuple[Any, ...] | None:
        """Do the same for what compiled code cannot pin or launch, and for fresh outputs of other shapes than before.

        The table is made with the GIL kept, in an array of this call's own, and run without it.
        """
        _pinned = [pin(each) for each in (data, *(outs or ()))]
        results = outs or ()
        outcome = t.NO_ROOM
        while outcome == t.NO_ROOM:
            table = record.take_table()
            outcome, found = self._find(
                self._run(results, data, attributes, fill, self._order, _scratch, table, outs is None, t.ONLY_WITH_GIL)
            )
            if outcome == t.DONE:
                return results
            if found is None:
                return None
            record = found
        behind = table[record.table_words :]
        if outcome == t.OTHER_OUTPUTS:
            # The table is for fresh arrays of these shapes, wherever they are.
            results = tuple([allocate(shape, record.dtype) for shape in record.take_shapes(behind)])
        own_fill = record.fill if fill is None else fill
        record.total_bytes = int(behind[t.TOTAL_BYTES])
        run_kernel("gather", record.total_bytes, results, data, table, own_fill)
        return results

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
        """Return fresh outputs of a call on memory at an address that ends ``room`` bytes behind it.

        Other threads may run meanwhile, so the caller keeps that memory until this returns. None is returned where no
        record fits, and an empty tuple where one does, but the call has to be made on arrays: it takes several
        launches, or the first launch of this process, for which nothing is compiled yet.
        """
        record = self._last
        if record is None:
            return None
        results: tuple[AnyArray, ...] = ()
        table, workers, taken = _table, t.ONLY_WITH_GIL, None
        if not record.keeps_gil:
            table = taken = record.take_table()
            workers = workers_in_compiled_code(record.total_bytes)
        if record.total_bytes < SMALLEST_BYTES:
            # Those of more bytes are taken from the pool, once it is known how many they are.
            results = record.create_outputs()
        while True:
            done = self._run(results, (address, room), attributes, fill, self._order, _scratch, table, True, workers)
            outcome, found = self._find(done)
            if outcome == t.DONE:
                if taken is not None:
                    record.tables.append(taken)
                return results
            if found is None:
                return None
            if table is _table or outcome == t.NO_ROOM:
                # Other threads write into the table that all share, so that its shapes may not be those of this call.
                table, workers = np.empty(t.MOST_OUTPUTS, np.int64), workers_in_compiled_code(found.total_bytes)
            elif outcome == t.OTHER_OUTPUTS:
                behind = table[found.table_words :]
                # What is kept, another thread may replace at once.
                total_bytes = found.total_bytes = int(behind[t.TOTAL_BYTES])
                workers = workers_in_compiled_code(total_bytes)
                if total_bytes > t.LAUNCH_BYTES or (workers == t.ONE_IF_SMALL and total_bytes >= PARALLEL_BYTES):
                    return ()
                # What was allocated on a guess goes first: it is the memory of the last result, which is in the cache.
                results = ()
                results = tuple([allocate(shape, found.dtype) for shape in found.take_shapes(behind)])
            else:
                return ()

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
        """True if a call of this kind is to be traced: it came before, and was not traced too often meanwhile."""
        if not attributes.is_known or not _has_known_layout():
            return False
        seen = self._seen.get(kind, 0)
        if len(self._seen) >= _MOST_SEEN and not seen:
            self._seen.clear()
        self._seen[kind] = seen + 1
        return 0 < seen < _MOST_TRACES or (seen > 0 and seen % _CALLS_A_TRACE == 0)

    def learn(self, data: AnyArray, attributes: Sequence[Any], outs: tuple[Any, ...] | None) -> None:
        """Trace a call that was made, on an array and into arrays, if such calls have no record yet and come again."""
        if type(attributes) is not tuple:
            return
        taken = Attributes(attributes)
        if not taken.is_known:
            return
        strides = None
        if outs is not None and not all([out.flags.c_contiguous for out in outs]):
            strides = [out.strides for out in outs]
        ranks = None if strides is None else tuple(map(len, strides))
        if self._comes_again((len(data.shape), data.dtype, ranks, *taken.tokens), taken):
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
            record = create_record(
                self._lowering, known, taken, self._lowering.read(own), strides, is_addressed=is_addressed
            )
        except FastopsError:
            # Another thread has changed data or a list since the call was made.
            return
        if record is not None:
            self._add(record)

    def _add(self, record: Record) -> None:
        """Make a record the first one, and forget the last one of too many; unless another thread is at it."""
        run = load_entry("gather_traced")
        # No lock: what a signal's handler raises right behind its acquire would leave it held for good.
        me = object()
        try:
            self._adding.add(me)
            if len(self._adding) == 1:
                self._insert(record)
                self._run, self._last = run, record
        finally:
            self._adding.discard(me)

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
