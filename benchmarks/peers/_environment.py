"""The libraries that take part, and the machine."""

from __future__ import annotations

import platform
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numba
import numpy as np
from asv_gate.tables import core_count, cpu_model

import fastops
from benchmarks.peers._race import Setup

#: The other libraries, in the order in which they are shown, with what has to be importable, and the distributions that
#: each may come from. OpenCV takes part only in the groups chains, windows, normalize and front, which call its
#: functions directly.
PEERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "numpy": (("numpy",), ("numpy",)),
    "torch": (("torch",), ("torch",)),
    "opencv": (("cv2",), ("opencv-python-headless", "opencv-python")),
    "onnxruntime": (("onnxruntime", "onnx"), ("onnxruntime",)),
    "openvino": (("openvino",), ("openvino",)),
    "tensorflow": (("tensorflow",), ("tensorflow", "tensorflow-cpu")),
    "jax": (("jax",), ("jax",)),
    "dask": (("dask",), ("dask",)),
}


def is_installed(name: str) -> bool:
    """Return whether the modules of a library can be imported."""
    return all(find_spec(module) is not None for module in PEERS[name][0])


def installed_version(name: str) -> str | None:
    """Return the version of a library, without importing it; None if no known distribution has it."""
    for distribution in PEERS[name][1]:
        with suppress(PackageNotFoundError):
            return version(distribution)
    return None


def start_threads(wanted: int | None, peers: tuple[str, ...]) -> int:
    """Start Numba's threads by a call of each kernel, and return their number: at most ``wanted``, two for None.

    Then import PyTorch and OpenCV, whose number of threads is set for the whole process. Other libraries come later:
    after an import of OpenVINO, Numba would take the TBB that OpenVINO brings.
    """
    threads = min(wanted or 2, int(numba.get_num_threads()))
    numba.set_num_threads(threads)
    fastops.strided_slice(np.zeros((1024, 1024), np.float32), [0, 0], [0, 0], end_mask=[1, 1])
    fastops.range(0, 1 << 20, 1, "f32")
    for name, module in (("torch", "torch"), ("opencv", "cv2")):
        if name in peers:
            import_module(module)
    return threads


def environment_of(setup: Setup) -> dict[str, Any]:
    """Return the date, versions, machine and threads of a run."""
    versions = {name: installed_version(name) for name in setup.peers}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": cpu_model(),
        "cores": core_count(),
        "system": f"{platform.system()} {platform.release()}",
        "threads": setup.threads,
        "threading_layer": numba.threading_layer(),
        "python": platform.python_version(),
        "versions": {"fastops": fastops.__version__, "numba": version("numba"), "numpy": np.__version__} | versions,
        "missing": [name for name in PEERS if name not in setup.peers],
        "is_small": setup.is_small,
    }
