"""Packages that models are read with, which are extras."""

from __future__ import annotations

from typing import Any

from fastops._process._forks import import_whole


def import_extra(op: str, module: str, extra: str) -> Any:
    """Return a module of an extra; raise an ImportError that says which extra it is."""
    try:
        return import_whole(module)
    except ModuleNotFoundError as error:
        raise ImportError(f"{op}: {error.name} is not installed; the extra {extra} of fastops has it") from error
