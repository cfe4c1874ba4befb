"""Arrays of dask: calls on them give arrays of dask, of a task for each chunk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from fastops._arrays._dtypes import AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._errors import AttributeValueError, DTypeError, shown
from fastops._execution._dask_layer import PlanLayer
from fastops._execution._planned_kind import PlannedKind
from fastops._geometry._geometry import Geometry
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._result_chunks import ChunkLimits


class DaskKind(PlannedKind):
    """The kind of dask's arrays."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], AnyDType]:
        """Return the shape and the dtype of an array of which both are known."""
        check_chunks(data)
        return tuple([int(n) for n in data.shape]), data.dtype

    def targets(
        self,
        outputs: Sequence[PlannedOutput],
        dtype: AnyDType,  # noqa: ARG002
        out: Any,
        *,
        has_parts: bool,  # noqa: ARG002
    ) -> Sequence[None]:
        """Return None for each output: it is written when it is computed."""
        if out is not None:
            raise AttributeValueError.about("out", "be None for arrays of dask, which are not in memory", type(out))
        return [None] * len(outputs)

    def gather(self, output: PlannedOutput, data: Any, target: Any, fill: Element) -> Any:  # noqa: ARG002
        """Return one output, in chunks like those of data."""
        return apply_output(output, data, fill, None)


DASK_ARRAYS = DaskKind()


def check_chunks(array: Any) -> None:
    """Raise for an array whose chunks are not of NumPy, or of unknown sizes, and for one that is an expression."""
    if hasattr(array, "expr"):
        rule = "be an array of a graph, not an expression: set dask's array.query-planning to False"
        raise AttributeValueError.about("data", rule, type(array))
    if any([math.isnan(n) for n in array.shape]):
        rule = "have chunks of known sizes: call its compute_chunk_sizes() before"
        raise AttributeValueError.about("data", rule, array.chunks)
    meta = array._meta
    if not hasattr(meta, "__array_interface__"):
        raise DTypeError.about("data", "have chunks that are arrays of NumPy", type(meta))


def apply_geometry(geometry: Geometry, array: Any, fill_value: Any, chunks: Any) -> Any:
    """Return what `fastops.dask.apply` returns."""
    if not isinstance(array, da.Array):
        raise DTypeError.about("array", "be an array of dask", array)
    shape, dtype = DASK_ARRAYS.describe(array)
    check_movable("data", dtype)
    if shape != geometry.source_shape:
        raise AttributeValueError.about("data", f"have shape {shown(geometry.source_shape)}", shape)
    fill = Element(encode_fills(dtype, geometry.fills, fill_value))
    return apply_output(PlannedOutput.of_geometry(geometry), array, fill, chunks)


def apply_output(output: PlannedOutput, array: Any, fill: Element, chunks: Any) -> Any:
    """Return a planned output of an array of dask."""
    if chunks is None:
        own = output.default_chunks(array.chunks, ChunkLimits.of_source(array.chunks, array.dtype.itemsize))
    else:
        own = _as_chunks(chunks, output.shape, array.dtype)
    # Of NumPy itself, whatever subclass the chunks that are read are of.
    meta = np.empty((0,) * len(output.shape), array.dtype)
    is_plain = type(array._meta) is np.ndarray
    if is_plain and own == array.chunks and output.is_identity:
        # An array of its own: others may be assigned to.
        return da.Array(array.dask, array.name, chunks=own, meta=meta)
    token = tokenize(array.name, output.shape, list(output.boxes.describe()), fill.array.tobytes(), own)
    name = f"fastops-{token}"
    layer = PlanLayer(name, array.name, output, array.chunks, own, array.dtype, fill, is_plain)
    # A dependency that no task has makes a graph invalid.
    graph = HighLevelGraph.from_collections(name, layer, dependencies=[array] if output.reads else [])
    return da.Array(graph, name, chunks=own, meta=meta)


def _as_chunks(chunks: Any, shape: tuple[int, ...], dtype: AnyDType) -> tuple[tuple[int, ...], ...]:
    """Return the lengths of chunks that a caller writes in one of dask's ways."""
    rule = f"be what dask takes as chunks of an array of shape {shown(shape)}"
    try:
        found = da.core.normalize_chunks(chunks, shape, dtype=dtype)
        own = tuple([tuple([int(n) for n in lengths]) for lengths in found])
    except (ValueError, TypeError, ArithmeticError) as error:
        raise AttributeValueError.about("chunks", rule, chunks) from error
    if own != found or tuple(map(sum, own)) != shape or any([n < 0 for lengths in own for n in lengths]):
        raise AttributeValueError.about("chunks", rule, chunks)
    return own
