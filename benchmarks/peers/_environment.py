"""Where a run takes place."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import numpy as np

import fastops
from benchmarks.measure.machine import core_count, cpu_model
from benchmarks.peers._setup import Setup
from benchmarks.peers.frameworks import PEERS, installed_version

_HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def start_threads(wanted: int | None) -> int:
    """Start Numba's threads, by calls of each kernel, and return how many take part: two, if no number is wanted.

    Before any framework is imported: Numba would take the TBB that OpenVINO brings.
    """
    threads = min(wanted or 2, int(numba.get_num_threads()))
    numba.set_num_threads(threads)
    fastops.strided_slice(np.zeros((1024, 1024), np.float32), [0, 0], [0, 0], end_mask=[1, 1])
    fastops.range(0, 1 << 20, 1, "f32")
    return threads


def environment_of(setup: Setup) -> dict[str, Any]:
    """Return the date, versions, machine and threads of a run."""
    versions = {name: installed_version(name) for name in setup.peers}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": cpu_model(),
        "machine": platform.machine(),
        "cores": core_count(),
        "system": f"{platform.system()} {platform.release()}",
        "transparent_huge_pages": _chosen(_HUGE_PAGES),
        "threads": setup.threads,
        "threading_layer": numba.threading_layer(),
        "python": platform.python_version(),
        "versions": {"fastops": fastops.__version__, "numba": version("numba"), "numpy": np.__version__} | versions,
        "missing": [name for name in PEERS if name not in setup.peers],
        "rounds": setup.effort.rounds,
        "is_small": setup.is_small,
    }


def _chosen(path: Path) -> str:
    """Return the word in brackets in a file of the kernel's settings."""
    try:
        return path.read_text().partition("[")[2].partition("]")[0]
    except OSError:
        return "unknown"
