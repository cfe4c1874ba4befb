"""The link from users' machine code to the kernels, for code just compiled and for code from Numba's cache.

The code calls an out-of-line kernel by its symbol, which LLVM resolves when it links the code. So the object of all
kernels must be loaded before any code with such a symbol: a call of the `Link` loads it. Numba stores the `Link` with
the code in its cache (`_reload_init`), and calls the `Link` in each process before it loads the code.

Cached code must not call the kernels of another version. So a `Link` is pickled as a digest of all sources of the
package, and unpickling a digest that is not the current one raises an OSError. Numba treats the OSError as a missing
file, and compiles the function again.
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


class Link:
    """Loads the kernels; there is one instance."""

    def __call__(self) -> None:
        load_object()

    def __reduce__(self) -> tuple[Any, ...]:
        return find_link, (_DIGEST,)


LINK = Link()


def find_link(digest: str) -> Link:
    """Return the link for a digest; raise if it is not the digest of this version."""
    if digest != _DIGEST:
        raise OSError("cached code calls kernels of another version of fastops")
    return LINK


def _digest_now() -> str:
    """Return a digest of all sources of the package, and of the machine that this process compiles for."""
    digest = hashlib.sha256(json.dumps(this_process(), sort_keys=True).encode())
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


check_unchanged()
# Computed at import: the files may change before code is pickled.
_DIGEST = _digest_now()


def emit_linked(context, builder, call, args) -> Any:
    """Emit the call of a kernel in users' code, and store the link with the code."""
    load_object()
    context.active_code_library._reload_init.add(LINK)
    return emit_call(context, builder, outlined_by(call), args)


def linked(call: Any) -> Any:
    """Return the intrinsic by which users' code calls a kernel."""
    return intrinsic_of(outlined_by(call), lambda context, builder, _, args: emit_linked(context, builder, call, args))


lower_range = linked(_range.lower_range)
write_range = linked(_range.write_range)
