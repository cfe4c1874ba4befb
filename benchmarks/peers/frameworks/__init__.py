"""How each library does each case: one module for each, imported when it takes part."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import cast

from benchmarks.peers.frameworks._base import CannotExpressError, Framework, Recipe

__all__ = [
    "PEERS",
    "CannotExpressError",
    "Framework",
    "Recipe",
    "create_framework",
    "installed_version",
    "is_installed",
]


@dataclass(frozen=True)
class Place:
    """Where a framework's class is, what has to be installed for it, and the distributions that it may come from."""

    module: str
    attribute: str
    needs: tuple[str, ...]
    distributions: tuple[str, ...]


#: fastops and its peers, in the order in which they are shown and imported: OpenVINO late, because Numba takes the TBB
#: that OpenVINO has loaded, and TensorFlow and JAX last, which take part where they allocate only.
PEERS: dict[str, Place] = {
    "numpy": Place("_numpy", "NumPy", (), ("numpy",)),
    "torch": Place("_torch", "Torch", ("torch",), ("torch",)),
    "onnxruntime": Place("_onnxruntime", "OnnxRuntime", ("onnxruntime", "onnx"), ("onnxruntime",)),
    "openvino": Place("_openvino", "OpenVino", ("openvino",), ("openvino",)),
    "tensorflow": Place("_tensorflow", "TensorFlow", ("tensorflow",), ("tensorflow", "tensorflow-cpu")),
    "jax": Place("_jax", "Jax", ("jax",), ("jax",)),
}

_FASTOPS = Place("_fastops", "Fastops", (), ("fastops-numba",))


def is_installed(name: str) -> bool:
    """Return whether what a peer needs can be imported."""
    return all(find_spec(module) is not None for module in PEERS[name].needs)


def installed_version(name: str) -> str | None:
    """Return the version of a peer, without importing it; None if it comes from nowhere known."""
    for distribution in PEERS[name].distributions:
        with suppress(PackageNotFoundError):
            return version(distribution)
    return None


def create_framework(name: str, threads: int) -> Framework:
    """Import a framework and return it, ready for so many threads."""
    place = _FASTOPS if name == "fastops" else PEERS[name]
    module = import_module(f"benchmarks.peers.frameworks.{place.module}")
    return cast("Framework", getattr(module, place.attribute)(threads))
