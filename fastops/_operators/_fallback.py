"""NumPy's own functions in place of operators of `fastops.numpy`, for calls that are no movement of elements."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from fastops._arrays._dtypes import NO_REFERENCES, AnyArray
from fastops._arrays._foreign import data_kind, is_far
from fastops._arrays._outputs import as_outputs
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutputError, counted
from fastops._lowering._axis_error import AxisError
from fastops._settings import FALLBACK

#: Arguments of NumPy's function besides the attributes that the operator has in common with it: none.
NO_OTHERS: dict[str, Any] = {}

# Functions that make plain arrays of subclasses, as fastops does. The others keep the class.
_PLAIN = {f"numpy.{name}" for name in ("ascontiguousarray", "broadcast_to", "copy", "pad", "sliding_window_view")}

_NO_CLASS = "be a plain array where elements are moved: NumPy keeps the class of others"

# What callers of NumPy catch: an error of fastops is made one of these too.
_CAUGHT: tuple[type[Exception], ...] = (np.exceptions.AxisError, TypeError, ValueError, IndexError, OverflowError)
_CAUGHT += (ZeroDivisionError, MemoryError, AssertionError, AttributeError, RuntimeError)

# A range, or an array that repeats an element, may be longer than memory: NumPy would make a list of it.
_MOST_NUMBERS = 1 << 24


def check_class(op: str, data: Any, others: dict[str, Any]) -> None:
    """Raise for data of a class that NumPy's function keeps, or that has a function of its own in place of NumPy's."""
    cls = type(data)
    if issubclass(cls, np.memmap) or data_kind(data) is not None:
        return
    has_own = getattr(cls, "__array_function__", None) not in (None, np.ndarray.__array_function__)
    is_kept = hasattr(cls, "__array_ufunc__") and (op not in _PLAIN or others.get("subok"))
    if has_own or is_kept:
        raise DTypeError.about("data", _NO_CLASS, cls)


def fall_back(
    theirs: Callable[..., Any] | None,
    error: FastopsError,
    data: Any,
    arguments: dict[str, Any],
    out: Any,
    copy: Any,
) -> Any:
    """Return what NumPy's function gives for a call that an operator refuses with an error.

    It is written into ``out``, or is fresh, or is a view, as the caller of the operator asks for.

    Raises
    ------
    FastopsError
        The error itself: where NumPy refuses the call too, where the error is about what NumPy does not have, where
        data is not for NumPy to read, or where FASTOPS_FALLBACK says so. Another one, if ``out`` or ``copy`` are wrong.
    Exception
        NumPy's own, for data whose elements or class only NumPy keeps, or one that fastops has no class for.
    """
    if theirs is None or FALLBACK == "error" or _is_ours(error, data, arguments):
        raise error
    try:
        result = theirs(data, **{name: value for name, value in arguments.items() if name != "step"})
    except _CAUGHT as refusal:
        if error.rule in (NO_REFERENCES, _NO_CLASS):
            # The data is none of fastops', and only NumPy knows what is wrong.
            raise
        raise _as_both(error, refusal) from (error.__cause__ or refusal)
    if FALLBACK == "warn":
        warnings.warn(f"{error}: NumPy does this call", RuntimeWarning, stacklevel=_frames_of_fastops())
    try:
        return _as_asked(result, data, out, copy)
    except FastopsError as other:
        other.add_context(error.op, arguments)
        raise


def _frames_of_fastops() -> int:
    """Return the `stacklevel` of a warning of the caller of this that is at the line which has called fastops."""
    frame, n = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("fastops."):
        frame, n = frame.f_back, n + 1
    return n


def _is_ours(error: FastopsError, data: Any, arguments: dict[str, Any]) -> bool:
    """True for a call that is not for NumPy: of arguments that it does not have, or with what it must not read."""
    # NumPy has no such axis either, but may take a number that does not fit into 32 bits for another one.
    if error.attribute in ("copy", "step", "chunks") or isinstance(error, OutputError | AxisError):
        return True
    step = arguments.get("step", 1)
    return type(step) is not int or step != 1 or is_far(data) or any(map(_is_endless, arguments.values()))


def _is_endless(argument: Any) -> bool:
    if type(argument) is range:
        return bool(argument[_MOST_NUMBERS:])
    return isinstance(argument, np.ndarray) and argument.size > _MOST_NUMBERS and 0 in argument.strides


def _as_both(error: FastopsError, refusal: Exception) -> FastopsError:
    """Return an error of fastops as one that is caught by what catches NumPy's, too."""
    other = next(each for each in _CAUGHT if isinstance(refusal, each))
    if isinstance(error, other):
        return error
    both = type(error).also(other)(*error.args)
    both.__dict__.update(error.__dict__)
    return both


def _as_asked(result: Any, data: Any, out: Any, copy: Any) -> Any:
    """Return a result of NumPy's, or a list of them, as ``out`` and ``copy`` ask for it."""
    if copy is not True and copy is not None and copy is not False:
        raise AttributeValueError.about("copy", "be True, False or None", copy)
    if copy is False and out is not None:
        raise AttributeValueError.about("copy", "be True or None for a result written into out", copy)
    results = result if isinstance(result, list) else [result]
    if copy is False and not all([_is_view(each, data) for each in results]):
        raise AttributeValueError.about("copy", "be True or None for a result that NumPy computes", copy)
    if out is None and copy is not True:
        return result
    fresh = [_as_fresh(each, data) for each in results]
    if out is None:
        return fresh if isinstance(result, list) else fresh[0]
    outs = out if isinstance(result, list) else [out]
    if not isinstance(outs, list | tuple) or len(outs) != len(fresh):
        raise OutputError.about("out", f"be a list of {counted(len(fresh), 'array')}", out)
    arrays = [np.asarray(each) for each in fresh]
    targets = as_outputs(outs, [(each.shape, each.dtype) for each in arrays])
    for (target, _pinned), array in zip(targets, arrays, strict=True):
        np.copyto(target, array)
    return out


def _is_view(result: Any, data: Any) -> bool:
    if not isinstance(result, np.ndarray) or not isinstance(data, np.ndarray):
        return False
    return not result.size or np.may_share_memory(result, data)


def _as_fresh(result: Any, data: Any) -> Any:
    """Return a result that shares no memory with anything: what NumPy gives may be a view, or data itself."""
    if not isinstance(result, np.ndarray) or (result.flags.owndata and result is not data):
        return result
    copied: AnyArray = np.array(result, order="C", subok=True)
    return copied
