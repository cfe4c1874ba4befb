"""How each library does each case: a module for each, imported when it takes part.

Each has ``ways(work, outs, threads)``, which returns ways into the caller's outputs; if ``outs`` is None, ways with
fresh results.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from numpy.typing import NDArray

from benchmarks.peers._race import CannotExpressError, Way
from benchmarks.peers._rows import Row
from benchmarks.peers._work import Work

#: Those that can write into the caller's output.
OUT_PEERS = ("numpy", "torch", "onnxruntime", "openvino")
#: TensorFlow and JAX allocate always.
ALL_PEERS = (*OUT_PEERS, "tensorflow", "jax")


def ways_of(
    names: tuple[str, ...], work: Work, outs: list[NDArray[Any]] | None, threads: int, row: Row
) -> dict[str, list[Way]]:
    """Return the ways of each library that can do the work; note in the row why others cannot."""
    ways = {}
    for name in names:
        try:
            ways[name] = import_module(f"benchmarks.peers.frameworks._{name}").ways(work, outs, threads)
        except CannotExpressError as error:
            row.absent[name] = str(error)
    return ways
