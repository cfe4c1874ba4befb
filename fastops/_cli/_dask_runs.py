"""From an array to others where one of them is of zarr: chunk by chunk, by threads of dask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element
from fastops._cli._progress import ProgressBar
from fastops._cli._signals import ENDING_SIGNALS
from fastops._cli._zarr_files import ZarrSource
from fastops._geometry._planned_output import PlannedOutput
from fastops._interop._extras import import_extra
from fastops._process._signals import signals_held_back


def as_dask(op: str, source: AnyArray | ZarrSource) -> Any:
    """Return an array of dask that reads a file."""
    da = import_extra(op, "dask.array", "dask")
    meta = np.empty((0,) * source.ndim, source.dtype)
    # Without a name, dask would read all of a file to make one of its bytes. Elements without bytes are one chunk.
    chunks = source.chunks if isinstance(source, ZarrSource) else "auto" if source.dtype.itemsize else -1
    return da.from_array(source, chunks=chunks, name=False, meta=meta, asarray=False)


def apply_outputs(op: str, outputs: Sequence[PlannedOutput], array: Any, fill: Element) -> list[Any]:
    """Return the outputs of an array of dask, whose chunks are regular: each in regular chunks too."""
    apply_output = import_extra(op, "fastops._execution._dask_kind", "dask").apply_output
    return [apply_output(output, array, fill, None) for output in outputs]


def store_all(op: str, results: Sequence[Any], targets: Sequence[Any], label: str) -> None:
    """Compute arrays of dask into arrays that take their chunks; a bar shows the tasks that are done, and a label."""
    # There is nothing to store of the others, whatever their shapes are.
    pairs = [(each, target) for each, target in zip(results, targets, strict=True) if each.nbytes]
    if not pairs:
        return
    dask_array = import_extra(op, "dask.array", "dask")
    callbacks = import_extra(op, "dask.callbacks", "dask")
    with ProgressBar(1) as bar, _threads(op) as pool:

        def begin(_graph: Any, state: Any) -> None:
            bar.total = max(len(state["ready"]) + len(state["waiting"]), 1)
            bar.show(label)

        def advance(*_: Any) -> None:
            bar.advance()
            bar.show(label)

        with callbacks.Callback(start_state=begin, posttask=advance):
            # Each task has a chunk of a target for itself.
            dask_array.store(*zip(*pairs, strict=True), lock=False, scheduler="threads", pool=pool)


@contextmanager
def _threads(op: str) -> Iterator[ThreadPoolExecutor]:
    """Give threads, which have come to an end behind the block, whatever ends it."""
    pool = ThreadPoolExecutor(import_extra(op, "dask.system", "dask").CPU_COUNT)
    try:
        yield pool
    finally:
        # One that still writes would write into what is being removed.
        with signals_held_back(ENDING_SIGNALS):
            pool.shutdown(wait=True, cancel_futures=True)
