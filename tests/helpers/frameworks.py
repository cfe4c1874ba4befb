"""The functions of frameworks that those of fastops are named after."""

from __future__ import annotations

import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from tests.helpers.contract import Subject


def theirs_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return NumPy's or PyTorch's function of a function of `fastops.numpy` or `fastops.torch`."""
    subject = Subject(function)
    if subject.name == "take_slice":
        return lambda data, index: operator.getitem(data, index)
    if subject.dialect == "numpy":
        homes: list[Any] = [np, np.lib.stride_tricks]
    else:
        torch = import_module("torch")
        homes = [torch.nn.functional, torch]
    return next(getattr(home, subject.name) for home in homes if hasattr(home, subject.name))
