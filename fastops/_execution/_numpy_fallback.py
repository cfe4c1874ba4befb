"""Calls of `fastops.numpy` that fastops does not run itself: NumPy's own functions run them."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from fastops._arrays._dtypes import NO_REFERENCES
from fastops._arrays._inputs import data_kind, is_far
from fastops._arrays._outputs import as_outputs
from fastops._errors import DTypeError, FastopsError, OutputError, errors_of
from fastops._execution._execute import check_copy
from fastops._lowering._bounds import AxisError
from fastops._settings import FALLBACK

# NumPy's functions that return plain arrays for subclasses, as fastops does. The others keep the class.
_PLAIN = {f"numpy.{name}" for name in ("ascontiguousarray", "broadcast_to", "copy", "pad", "sliding_window_view")}

_NO_CLASS = "be a plain array where elements are moved: NumPy's function keeps or handles other classes"

# The exceptions that callers of NumPy catch: if NumPy raises one, the error of fastops is of its class too.
_CAUGHT: tuple[type[Exception], ...] = (np.exceptions.AxisError, TypeError, ValueError, IndexError, OverflowError)
_CAUGHT += (ZeroDivisionError, MemoryError, AssertionError, AttributeError, RuntimeError)

# A range, or an array of byte stride 0, may have more items than memory holds, and NumPy would make a list of them.
_MOST_NUMBERS = 1 << 24


def check_class(op: str, data: Any, others: dict[str, Any]) -> None:
    """Raise for data whose class NumPy's function keeps, or whose class has its own function in place of NumPy's."""
    cls = type(data)
    if issubclass(cls, np.memmap) or data_kind(data) is not None:
        return
    has_own = getattr(cls, "__array_function__", None) not in (None, np.ndarray.__array_function__)
    is_kept = hasattr(cls, "__array_ufunc__") and (op not in _PLAIN or others.get("subok"))
    if has_own or is_kept:
        raise DTypeError.about("data", _NO_CLASS, cls)


def fall_back(
    theirs: Callable[..., Any] | None, error: FastopsError, data: Any, arguments: dict[str, Any], out: Any, copy: Any
) -> Any:
    """Return the result of NumPy's function for a call that an operator refuses with an error.

    The result is written into ``out``, or is fresh, or is a view, as the caller asks for.

    Raises
    ------
    FastopsError
        The error itself: if the error is about an argument that NumPy does not have, if NumPy must not read the data,
        or if FASTOPS_FALLBACK is "error". If NumPy refuses the call too, an error of this text that is also of the
        class of NumPy's error. Another error if ``out`` or ``copy`` are wrong.
    Exception
        NumPy's own error, for data whose elements or class only NumPy keeps.
    """
    if theirs is None or FALLBACK == "error" or _is_ours(error, data, arguments):
        raise error
    try:
        result = theirs(data, **{name: value for name, value in arguments.items() if name != "step"})
    except _CAUGHT as refusal:
        if error.rule in (NO_REFERENCES, _NO_CLASS):
            # fastops cannot read the data, so only NumPy's error names the mistake.
            raise
        raise _as_both(error, refusal) from (error.__cause__ or refusal)
    if FALLBACK == "warn":
        warnings.warn(f"{error}: NumPy does this call", RuntimeWarning, stacklevel=_frames_of_fastops())
    with errors_of(error.op, arguments):
        return _as_asked(result, data, out, copy)


def _frames_of_fastops() -> int:
    """Return the `stacklevel` that puts a warning at the line which has called fastops."""
    frame, n = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("fastops."):
        frame, n = frame.f_back, n + 1
    return n


def _is_ours(error: FastopsError, data: Any, arguments: dict[str, Any]) -> bool:
    """True for a call that NumPy is not asked for, because of its error, its arguments or its data."""
    # For an AxisError, NumPy is not asked: it may read a number of more than 32 bits as another axis.
    if error.attribute in ("copy", "step", "chunks") or isinstance(error, OutputError | AxisError):
        return True
    step = arguments.get("step", 1)
    return type(step) is not int or step != 1 or is_far(data) or any(map(_is_endless, arguments.values()))


def _is_endless(argument: Any) -> bool:
    if type(argument) is range:
        return bool(argument[_MOST_NUMBERS:])
    return isinstance(argument, np.ndarray) and argument.size > _MOST_NUMBERS and 0 in argument.strides


def _as_both(error: FastopsError, refusal: Exception) -> FastopsError:
    """Return an error of fastops that is also of the class of NumPy's refusal."""
    other = next(each for each in _CAUGHT if isinstance(refusal, each))
    if isinstance(error, other):
        return error
    both = type(error).also(other)(*error.args)
    both.__dict__.update(error.__dict__)
    return both


def _as_asked(result: Any, data: Any, out: Any, copy: Any) -> Any:
    """Return a result of NumPy's, or a list of results, as ``out`` and ``copy`` ask for it."""
    # `numpy.unstack` returns a tuple; fastops returns a list of parts.
    has_parts = isinstance(result, list | tuple)
    results = list(result) if has_parts else [result]
    are_views = all([not np.size(each) or np.may_share_memory(each, data) for each in results])
    if copy is not False or out is not None or not are_views:
        check_copy(copy, "a result that NumPy computes" if out is None else "a result written into out")
    if out is None:
        fresh = results if copy is not True else [_as_fresh(each, data) for each in results]
        return fresh if has_parts else fresh[0]
    # Copy the results, because they may be views of an array of ``out``.
    arrays = [np.array(each) for each in results]
    targets = as_outputs(out if has_parts else [out], [(each.shape, each.dtype) for each in arrays])
    for (target, _pinned), array in zip(targets, arrays, strict=True):
        np.copyto(target, array)
    return out


def _as_fresh(result: Any, data: Any) -> Any:
    """Return a result, or a copy of it if it is a view or is data itself."""
    is_fresh = not isinstance(result, np.ndarray) or (result.flags.owndata and result is not data)
    return result if is_fresh else np.array(result, order="C", subok=True)
