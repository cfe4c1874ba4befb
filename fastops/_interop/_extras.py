"""Packages that models are read with, which are extras."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(op: str, module: str, extra: str) -> Any:
    """Return a module of an extra; raise an ImportError that says which extra it is."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        message = f"{op}: {package} is not installed: python -m pip install {package}, or the extra {extra} of fastops"
        raise ImportError(message) from error
