"""The entry point in the group ``numba_extensions``, which Numba calls before it compiles anything.

Importing the stubs takes as long as compiling a few functions, and most programs with Numba do not call fastops. So
stubs are imported when compiled code first names an operator.
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
    """Let Numba ask this module first for the types of functions."""
    typeof_impl.register(FunctionType)(_typeof_function)


def _typeof_function(value: FunctionType, context: Any) -> Any:
    """Import the stubs if a function is an operator, and return Numba's own type of the function."""
    # The module of a function may be None.
    if str(value.__module__).startswith("fastops.ops.") and _STUBS not in sys.modules:
        import_module(_STUBS)
        # The current compilation has listed all stubs before this import, so let it list them again.
        cpu_target.typing_context.refresh()
    return typeof_impl.dispatch(object)(value, context)
