"""All groups, in the order in which they are measured."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.peers import _front_group
from benchmarks.peers._race import Job, Setup
from benchmarks.peers._report import Writer
from benchmarks.peers._windows_group import normalize, windows

GROUPS: dict[str, Callable[[Setup], list[Job]]] = {
    "front": _front_group.front,
    "windows": windows,
    "normalize": normalize,
}

#: Groups whose tables are not like those of the others.
WRITERS: dict[str, Writer] = {"front": _front_group.lines_of}
