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

from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.typing.templates import builtin_registry
from numba.core.typing.typeof import Purpose, typeof_impl

_STUBS = "fastops.numba"


def init() -> None:
    """Let Numba ask this module first for the types of functions."""
    typeof_impl.register(FunctionType)(_typeof_function)


def _typeof_function(value: FunctionType, context: Any) -> Any:
    """Import the stubs if a function belongs to fastops, and return Numba's own type of the function.

    Raises
    ------
    TypingError
        Compiled code names a function of fastops that has no stub. Numba's own error would say that the function does
        not exist.
    """
    # The module of a function may be None.
    module = str(value.__module__)
    if module.startswith("fastops.ops.") and _STUBS not in sys.modules:
        import_module(_STUBS)
        # The current compilation has listed all stubs before this import, so let it list them again.
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
    """Return the public name of a function of fastops, or None."""
    # Iterate over a copy, because other threads may import modules meanwhile.
    modules = [name for name in tuple(sys.modules) if name.partition(".")[0] == "fastops" and "._" not in name]
    for name in sorted(modules, key=len):
        if vars(sys.modules[name]).get(function.__name__) is function:
            return f"{name}.{function.__name__}"
    return None
