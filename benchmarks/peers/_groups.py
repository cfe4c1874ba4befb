"""All groups, in the order in which they are measured."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.peers._arguments_group import arguments
from benchmarks.peers._case_groups import cache, fresh, large, layouts, ranges
from benchmarks.peers._chain_group import chains
from benchmarks.peers._chunks_group import chunks
from benchmarks.peers._front_group import front
from benchmarks.peers._image_group import images
from benchmarks.peers._latency_group import latency
from benchmarks.peers._normalize_group import normalize
from benchmarks.peers._pads_group import pads
from benchmarks.peers._process_groups import memory, start
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._shared_group import shared
from benchmarks.peers._thread_group import threads
from benchmarks.peers._windows_group import windows

GROUPS: dict[str, Callable[[Setup], list[Job]]] = {
    "front": front,
    "pads": pads,
    "large": large,
    "fresh": fresh,
    "layouts": layouts,
    "cache": cache,
    "shared": shared,
    "arguments": arguments,
    "images": images,
    "chains": chains,
    "windows": windows,
    "normalize": normalize,
    "chunks": chunks,
    "ranges": ranges,
    "threads": threads,
    "latency": latency,
    "start": start,
    "memory": memory,
}
