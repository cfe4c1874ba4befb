"""Units: functions that are compiled once, each alone, and called through their symbols.

Numba copies the code of a function into each function that calls it, and optimises and compiles it there once more:
over five levels of calls, that was most of the time of a first call. The callers of a unit know its symbol only.
It costs a call that LLVM cannot inline, so a unit is a function whose calls do much work each.
"""

# Numba's types carry none themselves.
# mypy: disable-error-code="no-untyped-call, misc"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import models, register_model


class Unit(types.ExternalFunction):
    """A function under its symbol: what kernels call.

    Attributes
    ----------
    symbol : str
        The name by which compiled code finds it.
    function : callable
        Its source.
    signature : Signature
        Its types.
    """

    def __init__(self, function: Callable[..., None], signature: Any) -> None:
        super().__init__(f"fastops.{function.__name__}", signature)
        self.function = function
        self.signature = signature


register_model(Unit)(models.OpaqueModel)


def unit(signature: Any) -> Callable[[Callable[..., None]], Unit]:
    """Return a decorator that makes a unit with this signature of a function."""
    return lambda function: Unit(function, signature)
