"""How users' machine code finds the kernels that it calls: when it is compiled, and when it is loaded from a cache.

It calls an out-of-line kernel by its symbol, which LLVM resolves when it links. So the object of all kernels must be
loaded before whatever machine code has such a symbol: `Link` is called then. Numba keeps it with the code that it
caches (`reload_init`, which it made for its own threads), and calls it before it loads the code again, in whatever
process that is, and whichever object that process has.

Code that was compiled with other kernels would call what no longer is what it was. So what is pickled of a link is a
digest of all that stubs and kernels are made of, and unpickling another one raises an OSError: for Numba's cache that
is a file that is gone, and the function is compiled anew.
"""

# Numba and llvmlite carry no types.
# mypy: disable-error-code="no-untyped-call, no-untyped-def, misc"

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from fastops._runtime._kernels import check_unchanged, load_object
from fastops._runtime._object_files import this_process
from fastops.kernels import _range
from fastops.kernels._intrinsics._outlined import emit_call, intrinsic_of, outlined_by


class StaleCodeError(OSError):
    """Cached machine code calls the kernels of another version."""


class Link:
    """Loads what users' code calls; there is one."""

    def __call__(self) -> None:
        load_object()

    def __reduce__(self) -> tuple[Any, ...]:
        return find_link, (_DIGEST,)


LINK = Link()


def find_link(digest: str) -> Link:
    """Return the link that cached code needs; raise if it was compiled with other kernels."""
    if digest != _DIGEST:
        raise StaleCodeError("cached code calls kernels of another version of fastops")
    return LINK


def _digest_now() -> str:
    """Return a digest of all that stubs and kernels may be made of: the package, and what this process is."""
    digest = hashlib.sha256(json.dumps(this_process(), sort_keys=True).encode())
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


check_unchanged()
# Now: the files may be others when code is pickled that has been compiled with these.
_DIGEST = _digest_now()


def emit_linked(context, builder, call, args) -> Any:
    """Emit the call of a kernel in users' code, which needs the link."""
    load_object()
    context.active_code_library._reload_init.add(LINK)
    return emit_call(context, builder, outlined_by(call), args)


def linked(call: Any) -> Any:
    """Return the intrinsic by which users' code calls a kernel: the same, and the code that has it needs the link."""

    def codegen(context, builder, signature, args):
        return emit_linked(context, builder, call, args)

    return intrinsic_of(outlined_by(call), codegen)


lower_range = linked(_range.lower_range)
write_range = linked(_range.write_range)
