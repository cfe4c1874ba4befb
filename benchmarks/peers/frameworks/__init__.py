"""How each library does each case; a library is imported when it takes part.

Each has a function ``ways_of_…(work, outs, threads)``, which returns ways into the caller's outputs; if ``outs`` is
None, ways with fresh results.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from numpy.typing import NDArray

import fastops
from benchmarks.peers._race import CannotExpressError, Way, prepared
from benchmarks.peers._report import FASTOPS, Row
from benchmarks.peers._work import Work
from benchmarks.peers.frameworks._arrays import ways_of_jax, ways_of_numpy, ways_of_tensorflow
from benchmarks.peers.frameworks._models import ways_of_onnxruntime, ways_of_openvino, ways_of_torch


def _ways_of_fastops(work: Work, outs: list[Any] | None, _threads: int) -> list[Way]:
    """Return the public function, with ``out`` or without."""
    data = () if work.kind == "range" else (work.data,)
    call = partial(getattr(fastops, work.case.operator), *data, **work.attributes)
    if outs is not None:
        call = partial(call, out=outs if work.kind == "split" else outs[0])
    return [prepared(f"fastops.{work.case.operator}", call)]


_WAYS = {
    FASTOPS: _ways_of_fastops,
    "numpy": ways_of_numpy,
    "torch": ways_of_torch,
    "onnxruntime": ways_of_onnxruntime,
    "openvino": ways_of_openvino,
    "tensorflow": ways_of_tensorflow,
    "jax": ways_of_jax,
}

#: The libraries that can write into the caller's output; TensorFlow and JAX always allocate.
OUT_PEERS = ("numpy", "torch", "onnxruntime", "openvino")
ALL_PEERS = (*OUT_PEERS, "tensorflow", "jax")


def ways_of(
    names: tuple[str, ...], work: Work, outs: list[NDArray[Any]] | None, threads: int, row: Row
) -> dict[str, list[Way]]:
    """Return the ways of each library that can do the work; note in the row why others cannot."""
    ways = {}
    for name in names:
        try:
            ways[name] = _WAYS[name](work, outs, threads)
        except CannotExpressError as error:
            row.absent[name] = str(error)
    return ways
