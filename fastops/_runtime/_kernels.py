"""When kernels are compiled, and how they are run.

Importing this module loads neither Numba nor a thread; the first call of a kernel does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fastops._errors import KernelError
from fastops._process._signals import signals_held_back
from fastops._runtime._launches import count_workers
from fastops._runtime._threading_layers import start_threads
from fastops._settings import LAUNCH_BYTES, PARALLEL_BYTES
from fastops.kernels._tables._trace import ONE_IF_SMALL

#: Kernels: the module that holds the function of this name, its SIGNATURE, its OPTIONS and its UNITS: those that it
#: always calls, and groups of others.
KERNELS = {
    "gather": "fastops.kernels._gather",
    "gather_traced": "fastops.kernels._traced",
    "fill_range": "fastops.kernels._range",
}

#: All groups of units that a kernel has.
ALL_UNITS = -1


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """A kernel ready to run.

    Attributes
    ----------
    run : callable
        The compiled entry point. It takes the kernel's arguments by position and checks none of them.
    dispatcher : object
        Numba's dispatcher, for inspection.
    from_cache : bool
        True if the machine code came from the cache on disk.
    """

    run: Callable[..., Any]
    dispatcher: Any
    from_cache: bool


_compiled: dict[tuple[str, int], CompiledKernel] = {}

# True once compiled code can call the kernel `gather`.
_has_launches = False


def run_kernel(name: str, needs: int, total_bytes: int, *args: Any) -> None:
    """Run a kernel that writes ``total_bytes``, with threads where they pay and where they are safe.

    ``needs`` is what `compile_kernel` takes. ``args`` are the kernel's arguments but for the last three: the number of
    workers, and which launch it is of how many. Handlers of signals run between launches; what they raise leaves the
    output unfinished.
    """
    kernel = _compiled.get((name, needs)) or compile_kernel(name, needs)
    if total_bytes < PARALLEL_BYTES:
        kernel.run(*args, 1, 0, 1)
        return
    workers, launches = count_workers(), -(-total_bytes // LAUNCH_BYTES)
    for launch in range(launches):
        kernel.run(*args, workers, launch, launches)


def workers_in_compiled_code(likely_bytes: int) -> int:
    """Return by how many threads the kernel `gather_traced` moves what most likely writes so many bytes.

    Where that might want a launch for which nothing is compiled yet, it is one for what is small, and none otherwise.
    """
    if likely_bytes < PARALLEL_BYTES:
        return ONE_IF_SMALL
    return count_workers() if _has_launches else ONE_IF_SMALL


def compile_kernel(name: str, needs: int = ALL_UNITS) -> CompiledKernel:
    """Return a kernel, compiled now, or loaded from the cache on disk, if this process has not got it yet.

    What it calls is compiled with it: what it always does, and group i of the others if ``needs`` has 2**i.
    """
    kernel = _compiled.get((name, needs))
    if kernel is not None:
        return kernel
    with _compiling():
        lock = import_module("fastops._runtime._compile_lock").COMPILER_LOCK
    with lock:
        if (name, needs) not in _compiled:
            _compiled[name, needs] = _compile(name, needs)
        return _compiled[name, needs]


def _compile(name: str, needs: int) -> CompiledKernel:
    global _has_launches
    with _compiling():
        if import_module("numba").config.DISABLE_JIT:
            raise KernelError("fastops: NUMBA_DISABLE_JIT is set, but kernels exist as compiled code only")
        module = import_module(KERNELS[name])
        if module.OPTIONS.get("parallel"):
            # Numba starts them when it compiles a parallel function. Here it is found out how before that.
            start_threads()
        cache = import_module("fastops._runtime._kernel_cache")
    from_cache = True
    always, *groups = module.UNITS
    for call in [*always, *[call for i, group in enumerate(groups) if needs >> i & 1 for call in group]]:
        with _compiling():
            from_cache = cache.link_unit(call) and from_cache
    with _compiling():
        dispatcher, is_loaded = cache.link_kernel(module, name)
        entry_point = import_module("fastops._runtime._numba_internals").entry_point_of(dispatcher, module.SIGNATURE)
    _has_launches = _has_launches or name == "gather"
    if cache.IS_CHECKED:
        entry_point = _asserted(entry_point)
    return CompiledKernel(entry_point, dispatcher, from_cache and is_loaded)


def _asserted(entry_point: Callable[..., Any]) -> Callable[..., Any]:
    """Return the entry point of a kernel in the checked form, raising an AssertionError for what it has caught."""
    take_violation = import_module("fastops.kernels._intrinsics._violations").take_violation

    def run(*args: Any) -> Any:
        result = entry_point(*args)
        violation = take_violation()
        if violation is not None:
            raise AssertionError(f"fastops: {violation}. This is a bug of fastops; please report the call")
        return result

    return run


def kernels_are_checked() -> bool:
    """True if kernels are in their checked form, which cannot run on addresses, as those have no bounds."""
    return bool(import_module("fastops.kernels._intrinsics._types").IS_CHECKED)


def thread_count() -> int:
    """Return the number of threads that large work of this thread uses, after starting them."""
    with _compiling():
        start_threads()
    return count_workers()


@contextmanager
def _compiling() -> Iterator[None]:
    """Hold signals back, and say in one line what Numba raises when it cannot work here.

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
            raise KernelError(f"fastops: Numba cannot compile kernels or start threads here: {reason}") from error
