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

from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.typing.templates import builtin_registry
from numba.core.typing.typeof import Purpose, typeof_impl

_STUBS = "fastops.numba"


def init() -> None:
    """Let Numba ask here for the types of functions, before it looks up which of them it knows."""
    typeof_impl.register(FunctionType)(_typeof_function)


def _typeof_function(value: FunctionType, context: Any) -> Any:
    """Return what Numba returns for a function by itself, once it knows the stub of it.

    Raises
    ------
    TypingError
        It is a function of fastops that code which is being compiled names, and that has no stub. Numba would say that
        it does not exist.
    """
    # Functions that are made by hand may have no module.
    module = str(value.__module__)
    if module.startswith("fastops.ops.") and _STUBS not in sys.modules:
        import_module(_STUBS)
        # What is being compiled took stock of all stubs before.
        cpu_target.typing_context.refresh()
    if module.startswith("fastops.") and context.purpose is Purpose.constant and not _has_stub(value):
        name = _public_name(value)
        if name is not None:
            raise TypingError(
                f"{name} has no compiled form: functions that @njit compiles cannot call it. "
                "help('fastops.numba') names the functions of fastops that they can call"
            )
    return typeof_impl.dispatch(object)(value, context)


def _has_stub(function: FunctionType) -> bool:
    return any([value is function for value, _ in builtin_registry.globals])


def _public_name(function: FunctionType) -> str | None:
    """Return what users call a function of fastops; None for one that is not public."""
    # Other threads may import modules meanwhile.
    modules = [name for name in tuple(sys.modules) if name.partition(".")[0] == "fastops" and "._" not in name]
    for name in sorted(modules, key=len):
        if vars(sys.modules[name]).get(function.__name__) is function:
            return f"{name}.{function.__name__}"
    return None
