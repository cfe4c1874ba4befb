"""Conversions: kernels cast elements to a float type, or normalize them, while moving them.

An element x becomes ``T(x) * a + b``, with ``a = T(1 / std)`` and ``b = T(-mean / std)``, where T is float64 for
results of float64, and float32 for others. Both numbers are computed in float64 and rounded to T once. Then the product
is rounded to T, then the sum, and then the result to its own type. A cast has ``a = 1`` and ``b = -0.0``, which change
no number.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from math import copysign, isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from ml_dtypes import bfloat16

from fastops._arrays._dtypes import AnyArray, AnyDType, as_output_type, plain_values
from fastops._errors import AttributeValueError, DTypeError, OutputError, counted
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import NO_AXIS, Geometry, digits_of, size_of, windows_of
from fastops._geometry._numbers import as_index
from fastops._settings import CACHE_SIZE
from fastops.kernels._tables import _conversion as c

# The types of elements, in the order of the numbers that stand for them in compiled code. Compiled code compares
# identities, so each type has one dtype, in the machine's order of bytes.
_SOURCES = {t: np.dtype(t) for t in (np.uint8, np.int8, np.uint16, np.int16, np.float16, bfloat16, np.float32)}
_RESULTS = {t: np.dtype(t) for t in (np.float32, np.float16, bfloat16, np.float64)}
_FLOAT32 = np.dtype(np.float32)
_RESULT_NAMES = "float32, float16, bfloat16 or float64"


#: One number for all channels, or one for each channel.
Numbers: TypeAlias = tuple[float, ...]


class Conversion(NamedTuple):
    """A conversion of elements, for compiled code.

    Attributes
    ----------
    source, result : dtype
        The types of the elements that are read, and of those that are written.
    words : ndarray of int64
        The types, and a and b of each channel, as numbers for compiled code (`kernels._tables._conversion`).
    axis : int
        The axis of the result along which channels lie; -1 for none.
    channels : int
        The number of channels.
    """

    source: AnyDType
    result: AnyDType
    words: AnyArray
    axis: int
    channels: int


class Normalization(NamedTuple):
    """The conversion of elements that a caller asks for.

    Attributes
    ----------
    mean, std : Numbers
    axis : int or None
        The axis of the result along which channels lie.
    dtype : dtype or None
        The type of the result; None for the dtype of ``out``, or float32.
    """

    mean: Numbers
    std: Numbers
    axis: int | None
    dtype: AnyDType | None


def read_normalization(normalize: Any, dtype: Any, default_axis: int | None = None) -> Normalization | None:
    """Return the conversion that ``normalize=`` and ``dtype=`` ask for; None if both are None.

    Raises
    ------
    DTypeError
        Numbers are not real, or results cannot have this type.
    AttributeValueError
        ``normalize`` is not ``(mean, std)`` or ``(mean, std, axis)``; the numbers of means and of standard deviations
        differ, and neither is 1; a number is infinite or NaN; or a standard deviation is zero.
    """
    if normalize is None and dtype is None:
        return None
    own_dtype = None if dtype is None else as_result_type("dtype", dtype)
    if normalize is None:
        return Normalization((0.0,), (1.0,), None, own_dtype)
    n = len(normalize) if isinstance(normalize, tuple | list) else 0
    # Three floats may be meant as the means of three channels.
    if n not in (2, 3) or (n == 3 and isinstance(normalize[2], float)):
        raise AttributeValueError.about("normalize", "be (mean, std) or (mean, std, axis)", normalize)
    axis = default_axis if n == 2 or normalize[2] is None else as_index("normalize", normalize[2])
    return Normalization(*read_numbers("normalize", normalize[0], normalize[1]), axis, own_dtype)


def read_numbers(attribute: str, mean: Any, std: Any) -> tuple[Numbers, Numbers]:
    """Return the caller's means and standard deviations: one of each, or one for each channel."""
    means, stds = _as_numbers(attribute, mean), _as_numbers(attribute, std)
    if len(means) != len(stds) and 1 not in (len(means), len(stds)):
        rule = "have a mean and a standard deviation for each channel"
        raise AttributeValueError.about(attribute, rule, (means, stds))
    if not all(map(isfinite, means + stds)) or 0.0 in stds:
        rule = "have finite means, and finite standard deviations that are not 0"
        raise AttributeValueError.about(attribute, rule, (means, stds))
    return means, stds


def _as_numbers(attribute: str, value: Any) -> Numbers:
    kind = type(value)
    if kind is float:
        return (value,)
    if kind in (list, tuple) and {*map(type, value)} == {float}:
        return tuple(value)
    try:
        numbers = np.asarray(plain_values(attribute, value))
    except (TypeError, ValueError, OverflowError) as error:
        raise DTypeError.about(attribute, "have real numbers, or lists of them", value) from error
    if numbers.dtype.kind not in "iuf" and numbers.dtype.type is not bfloat16:
        raise DTypeError.about(attribute, "have real numbers, or lists of them", value)
    if numbers.ndim > 1 or not numbers.size:
        raise AttributeValueError.about(attribute, "have numbers, or lists of one for each channel", value)
    return tuple(numbers.astype(np.float64).ravel().tolist())


def as_result_type(attribute: str, dtype: Any) -> AnyDType:
    """Return the dtype of converted results, from a type of NumPy, ml_dtypes or PyTorch, or its name."""
    return _result_type(attribute, dtype) if type(dtype) in (str, type) else _result_type.__wrapped__(attribute, dtype)


@lru_cache(CACHE_SIZE)
def _result_type(attribute: str, dtype: Any) -> AnyDType:
    # PyTorch's float types have the same names as those of NumPy and ml_dtypes.
    is_theirs = type(dtype) is getattr(sys.modules.get("torch"), "dtype", None)
    found = as_output_type(attribute, str(dtype).removeprefix("torch.") if is_theirs else dtype)
    if found.type not in _RESULTS:
        raise DTypeError.about(attribute, f"be {_RESULT_NAMES}", dtype)
    return _RESULTS[found.type]


def find_conversion(wanted: Normalization, source: AnyDType, out: Any, rank: int) -> Conversion:
    """Return the conversion of elements of a type into a result of a rank, or into ``out`` if it is an array.

    Raises
    ------
    DTypeError, AttributeValueError, OutputError
        There is no conversion between these types, or the result has no such axis.
    """
    if source.type not in _SOURCES:
        rule = "have elements of uint8, int8, uint16, int16, float16, bfloat16 or float32, to be cast or normalized"
        raise DTypeError.about("data", rule, source)
    result = wanted.dtype
    if isinstance(out, np.ndarray):
        if out.dtype.type not in _RESULTS or (result is not None and result.type is not out.dtype.type):
            rule = f"have dtype {result or _RESULT_NAMES}, for results that are cast or normalized"
            raise OutputError.about("out", rule, out.dtype)
        result = _RESULTS[out.dtype.type]
    channels, axis = max(len(wanted.mean), len(wanted.std)), wanted.axis
    if axis is not None and not -rank <= axis < rank:
        raise AttributeValueError.about("normalize", f"name one of the {rank} axes of the result", axis)
    own_axis = -1 if axis is None or channels == 1 else axis % rank
    # The keys 0.0 and -0.0 are equal, but their results differ.
    signs = tuple([copysign(1.0, mean) for mean in wanted.mean]) if 0.0 in wanted.mean else ()
    return _create(_SOURCES[source.type], result or _FLOAT32, wanted.mean, wanted.std, own_axis, channels, signs)


def check_channels(conversion: Conversion | None, shape: tuple[int, ...]) -> None:
    """Raise unless the result has as many channels as there are numbers."""
    axis = -1 if conversion is None else conversion.axis
    if conversion is not None and axis >= 0 and 0 not in shape and shape[axis] != conversion.channels:
        rule = f"have one number, or one for each of {counted(shape[axis], 'channel')} along axis {axis} of the result"
        raise AttributeValueError.about("normalize", rule, conversion.channels)


@lru_cache(CACHE_SIZE)
def _create(
    source: AnyDType, result: AnyDType, mean: Numbers, std: Numbers, axis: int, channels: int, _signs: Numbers
) -> Conversion:
    kind, n = result if result.type is np.float64 else _FLOAT32, c.numbers_of(channels)
    with np.errstate(all="ignore"):
        scales, shifts = (1.0 / np.array(std)).astype(kind), (-np.array(mean) / np.array(std)).astype(kind)
    # One mean, or one standard deviation, stands for those of all channels.
    scales, shifts = np.resize(scales, channels), np.resize(shifts, channels)
    header = np.array([list(_SOURCES).index(source.type), list(_RESULTS).index(result.type), axis, channels])
    numbers = np.concatenate([np.resize(scales, n), np.resize(shifts, n)])
    words = np.concatenate([header, np.resize(numbers, numbers.size + numbers.size % 2).view(np.int64)])
    words.flags.writeable = False
    return Conversion(source, result, words, axis, channels)


def channel_axis_of(geometry: Geometry) -> int | None:
    """Return the axis of a plan's result that reads the last axis of the source, and no other axis; None for none.

    If the plan reads only one index of the last axis of the source, no axis of the result reads that axis. The answer
    is then the axis of the result that reads no axis of the source. If there are several, it is the only one of them
    that is longer than 1, if the plan adds no new axis; or the first, if none is longer. For a result without elements,
    it is the last axis.
    """
    shape, last = geometry.shape, len(geometry.source_shape) - 1
    if not size_of(geometry):
        return len(shape) - 1
    pairs = zip(geometry.axes, windows_of(geometry), strict=True)
    sources = [NO_AXIS if type(axis) is AxisMap and not axis.stride else window.axis for axis, window in pairs]
    read = [{sources[k] for k in own} - {NO_AXIS} for own in digits_of(geometry)]
    found = [k for k, axes in enumerate(read) if last in axes]
    if not found:
        found = [k for k, axes in enumerate(read) if not axes]
        longer = [k for k in found if shape[k] > 1]
        has_new = len(found) > len(geometry.source_shape) - len(set().union(*read))
        return found[0] if found and not longer else longer[0] if len(longer) == 1 and not has_new else None
    return found[0] if len(found) == 1 and read[found[0]] == {last} else None


def with_axis(wanted: Normalization, axis: int | None) -> Normalization:
    """Return a normalization, with ``axis`` as the axis of channels if it has several channels and names no axis."""
    if wanted.axis is not None or len(wanted.mean) + len(wanted.std) == 2:
        return wanted
    if axis is None:
        rule = "name the axis of the result along which channels lie, as (mean, std, axis)"
        raise AttributeValueError.about("normalize", rule, (wanted.mean, wanted.std))
    return Normalization(wanted.mean, wanted.std, axis, wanted.dtype)
