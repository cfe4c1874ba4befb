"""Data in files, as h5py and zarr open them: a call reads the parts of chunks that it needs, and gives an array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._inputs import data_kind
from fastops._arrays._outputs import allocate, as_output, as_outputs
from fastops._errors import AttributeValueError, OutputError, counted
from fastops._execution._execute import convert_whole
from fastops._execution._planned_kind import DataCall, check_chunk, plan_outputs, region_of, write_pieces
from fastops._geometry._blocks import ChunkPart, Range, regular_lengths
from fastops._geometry._planned_output import OutputCutter, PlannedOutput

# The bytes that are read at once of data that is not stored in chunks.
_MOST_BYTES = 1 << 24


class StoredKind:
    """The `Kind` of data that is read by a basic index and whose attribute ``chunks`` is its chunks, or None."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], AnyDType]:
        """Return the shape and the dtype of data; a dataset of h5py may be closed, or have no shape."""
        if not getattr(getattr(data, "id", None), "valid", True):
            raise AttributeValueError.about("data", "be open", type(data))
        if not hasattr(data, "shape"):
            raise AttributeValueError.about("data", "be an array of the group: pass group[name]", type(data))
        if data.shape is None:
            raise AttributeValueError.about("data", "have a shape, which empty datasets have not", type(data))
        return tuple([int(n) for n in data.shape]), np.dtype(data.dtype)

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the result of a call as arrays, or write it into the caller's."""
        if call.wanted is not None:
            return convert_whole(self.run(call._replace(wanted=None), data, None), call.wanted, out)
        for each in data if call.is_list else ():
            if data_kind(each) != "stored" and not isinstance(each, np.ndarray):
                # Anything else would be read as a whole, or computed.
                raise AttributeValueError.about("data", "be arrays in files or in memory", type(each))
        outputs, fill, dtype = plan_outputs(self, call, data)
        if call.is_flat:
            # All of data is needed.
            return call.run(_read_box(data, [(0, n) for n in data.shape], dtype), out)
        if call.is_list:
            shape = (len(outputs), *outputs[0].shape)
            whole: AnyArray = allocate(shape, dtype) if out is None else as_output(out, shape, dtype)[0]
            for n, (output, each) in enumerate(zip(outputs, data, strict=True)):
                gather(output, each, whole[n, ...], fill)
            return whole if out is None else out
        outs = (out if isinstance(out, list | tuple) else ()) if call.has_parts else (out,)
        results = [(output.shape, dtype) for output in outputs]
        if out is None:
            targets = [allocate(*each) for each in results]
        elif len(outs) != len(outputs):
            raise OutputError.about("out", f"be a list of {counted(len(outputs), 'array')}", out)
        else:
            targets = [target for target, _ in as_outputs(outs, results)]
        for output, target in zip(outputs, targets, strict=True):
            gather(output, data, target, fill)
        return out if out is not None else targets if call.has_parts else targets[0]


def gather(output: PlannedOutput, data: Any, target: AnyArray, fill: Element) -> None:
    """Write one output, block after block."""
    dtype = target.dtype
    # A file that is mapped into memory is one chunk: the system reads the pages that are touched.
    chunks = output.source_shape if isinstance(data, np.ndarray) else getattr(data, "chunks", None)
    lengths = _chunks_of(output.source_shape, dtype.itemsize, chunks)
    starts = [tuple(accumulate(each, initial=0)) for each in lengths]

    def read(sides: tuple[tuple[ChunkPart, ...], ...]) -> AnyArray:
        pairs = zip(starts, sides, strict=True)
        box = [(firsts[own[0].chunk] + own[0].start, firsts[own[-1].chunk] + own[-1].stop) for firsts, own in pairs]
        return _read_box(data, box, dtype)

    cutter = OutputCutter(output, lengths)
    # The result is in memory as a whole: larger blocks read a chunk less often.
    chunks = output.default_chunks(lengths, max(target.size, 1))
    for region in product(*[pairwise(accumulate(each, initial=0)) for each in chunks]):
        write_pieces(cutter.cut(region), target[region_of(region)], fill, read)


def _read_box(data: Any, box: Sequence[Range], dtype: AnyDType) -> AnyArray:
    """Return a box of data as an array, of the shape and dtype that data has promised."""
    array: AnyArray = np.asarray(data[tuple([slice(*bounds) for bounds in box])])
    if not box and array.dtype.newbyteorder("=") == dtype.newbyteorder("="):
        # Libraries give a scalar for data without axes, whose bytes are in the machine's order.
        array = array.astype(dtype)
    check_chunk(array, tuple([stop - start for start, stop in box]), dtype)
    return array


def _chunks_of(shape: tuple[int, ...], width: int, chunks: tuple[int, ...] | None) -> tuple[tuple[int, ...], ...]:
    """Return the lengths of the chunks in which data is stored; of data without chunks, of rows that lie together."""
    if chunks is None:
        own = list(shape)
        for k in range(len(shape)):
            row = prod(own[k + 1 :]) * width
            own[k] = min(own[k], max(_MOST_BYTES // max(row, 1), 1))
            if own[k] * row <= _MOST_BYTES:
                break
        chunks = tuple(own)
    return tuple([regular_lengths(n, length) for n, length in zip(shape, chunks, strict=True)])


STORED = StoredKind()
