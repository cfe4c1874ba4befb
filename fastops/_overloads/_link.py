"""How users' machine code finds the units that it calls: when it is compiled, and when it is loaded from a cache.

The code of a unit is called through a slot with a name, which LLVM resolves when it links. So whatever machine code has
such a name needs the slot there, and filled, before that: `Link` is called then. Numba keeps it with the code that it
caches (`reload_init`, which it made for its own threads), and calls it before it loads the code again, in whatever
process that is.

Code that was compiled with other kernels would call what no longer is what it was. So what is pickled of a link is a
digest of all that stubs and units are made of, and unpickling another one raises an OSError: for Numba's cache that is
a file that is gone, and the function is compiled anew.
"""

# Numba and llvmlite carry no types.
# mypy: disable-error-code="no-untyped-call, no-untyped-def, misc"

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from pathlib import Path
from typing import Any

from numba.extending import intrinsic

from fastops._runtime._kernel_cache import cache_directory, link_unit
from fastops.kernels import _gather, _range, _user_calls
from fastops.kernels._intrinsics._units import emit_call, unit_of


class StaleCodeError(OSError):
    """Cached machine code calls the units of another version."""


class Link:
    """Makes all units that users' code calls ready; there is one."""

    def __call__(self) -> None:
        link_units()

    def __reduce__(self) -> tuple[Any, ...]:
        return find_link, (_digest(),)


LINK = Link()


def find_link(digest: str) -> Link:
    """Return the link that cached code needs; raise if it was compiled with other kernels."""
    if digest != _digest():
        raise StaleCodeError("cached code calls kernels of another version of fastops")
    return LINK


@cache
def link_units() -> bool:
    """Compile or load all units that users' code calls, and those that these call; return True if all were loaded."""
    always, *groups = _gather.UNITS
    calls = [*always, *[call for group in groups for call in group], *_user_calls.UNITS, _range.write_range]
    return all([link_unit(call) for call in calls])


@cache
def _digest() -> str:
    """Return a digest of all that stubs may be made of: the package, and what names the kernels' directory."""
    digest = hashlib.sha256(cache_directory().name.encode())
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def linked(call: Any) -> Any:
    """Return the intrinsic by which users' code calls a unit: the same, and the code that has it needs the link."""
    unit = unit_of(call)

    def codegen(context, builder, signature, args):
        link_units()
        context.active_code_library._reload_init.add(LINK)
        return emit_call(context, builder, unit, args)

    def typer(typingctx, *args):
        return unit.signature, codegen

    parameters = [inspect.Parameter("typingctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += inspect.signature(unit.function).parameters.values()
    typer.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    typer.__name__ = unit.function.__name__
    return intrinsic(typer)


set_axis = linked(_user_calls.set_axis)
start_axis = linked(_user_calls.start_axis)
shift_axis = linked(_user_calls.shift_axis)
pad_axis = linked(_user_calls.pad_axis)
repeat_axis = linked(_user_calls.repeat_axis)
slice_axis = linked(_user_calls.slice_axis)
shrink_axis = linked(_user_calls.shrink_axis)
check_window = linked(_user_calls.check_window)
run_window = linked(_user_calls.run_window)
write_range = linked(_range.write_range)
