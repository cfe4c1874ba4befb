"""The processor of this machine."""

from __future__ import annotations

import os
import platform
from pathlib import Path

_CPU_INFO = Path("/proc/cpuinfo")


def cpu_model() -> str:
    """Return the name of the processor, as far as the system tells it."""
    try:
        lines = _CPU_INFO.read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def core_count() -> int:
    """Return how many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
