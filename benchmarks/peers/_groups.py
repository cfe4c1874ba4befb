"""All groups, in the order in which they are measured."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.peers import _case_groups, _front_group
from benchmarks.peers._chain_group import chains
from benchmarks.peers._pads_groups import chunks, pads
from benchmarks.peers._process_groups import memory, start
from benchmarks.peers._race import Job, Setup
from benchmarks.peers._report import Writer
from benchmarks.peers._windows_group import normalize, windows

GROUPS: dict[str, Callable[[Setup], list[Job]]] = {
    "front": _front_group.front,
    "pads": pads,
    "large": _case_groups.large,
    "fresh": _case_groups.fresh,
    "layouts": _case_groups.layouts,
    "cache": _case_groups.cache,
    "images": _case_groups.images,
    "chains": chains,
    "windows": windows,
    "normalize": normalize,
    "chunks": chunks,
    "ranges": _case_groups.ranges,
    "latency": _case_groups.latency,
    "start": start,
    "memory": memory,
}

#: Groups whose tables are not like those of the others.
WRITERS: dict[str, Writer] = {"front": _front_group.lines_of}
