"""What Numba calls in every process before it compiles anything, as an entry point of the group ``numba_extensions``.

The stubs take as long to import as a few functions to compile, and most programs with Numba call nothing of fastops. So
they are loaded when code that is being compiled names an operator for the first time.
"""

# Numba carries no types.
# mypy: disable-error-code="no-untyped-call, no-untyped-def"

from __future__ import annotations

import sys
from importlib import import_module
from types import FunctionType
from typing import Any

from numba.core.registry import cpu_target
from numba.core.typing.typeof import typeof_impl

_STUBS = "fastops.numba"


def init() -> None:
    """Let Numba ask here for the types of functions, before it looks up which of them it knows."""
    typeof_impl.register(FunctionType)(_typeof_function)


def _typeof_function(value: FunctionType, context: Any) -> Any:
    """Return what Numba returns for a function by itself, once it knows the stub of it."""
    # Functions that are made by hand may have no module.
    if str(value.__module__).startswith("fastops.ops.") and _STUBS not in sys.modules:
        import_module(_STUBS)
        # What is being compiled took stock of all stubs before.
        cpu_target.typing_context.refresh()
    return typeof_impl.dispatch(object)(value, context)
