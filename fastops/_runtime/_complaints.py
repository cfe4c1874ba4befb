"""What Numba and LLVM raise when they cannot work here, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastops._errors import KernelError
from fastops._process._signals import signals_held_back


@contextmanager
def saying_why(task: str) -> Iterator[None]:
    """Hold signals back, and say in one line what Numba or LLVM raises when it cannot work here.

    Ctrl-C waits for one function, of which neither Python nor Numba could finish half. What a handler of a signal
    raises comes out as it is, when the block is done.
    """
    with signals_held_back():
        try:
            yield
        except (Warning, KernelError):
            # Where warnings are errors.
            raise
        except Exception as error:
            reason = " ".join(str(error).split())
            raise KernelError(f"fastops: this process cannot {task}: {reason}") from error
