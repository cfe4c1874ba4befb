"""Tensors of PyTorch as arrays, and arrays as tensors, without a copy.

PyTorch is never imported here: whoever has a tensor has done so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from math import isinf
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from fastops._arrays._dtypes import span_of
from fastops._arrays._fill_values import Element, is_plain_number
from fastops._errors import AttributeValueError, DTypeError, OutputError
from fastops._geometry._numbers import is_tensor, sign_of_zero
from fastops._settings import CACHE_SIZE

if TYPE_CHECKING:
    # Where PyTorch is not installed, that is Any to checkers.
    from torch import Tensor as Tensor
else:
    Tensor = Any

# NumPy does not know these types; the unsigned type of as many bytes stands for each. ml_dtypes has those of numbers by
# the same names.
_VIEWED_AS = {
    "bfloat16": "uint16",
    "complex32": "uint32",
    "float4_e2m1fn_x2": "uint8",
    "float8_e4m3fn": "uint8",
    "float8_e4m3fnuz": "uint8",
    "float8_e5m2": "uint8",
    "float8_e5m2fnuz": "uint8",
    "float8_e8m0fnu": "uint8",
}


# Those that NumPy has by the same names.
_OF_NUMPY = frozenset(
    [
        "bool",
        "float16",
        "float32",
        "float64",
        *[f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)],
    ]
)


def as_array(attribute: str, tensor: Any) -> tuple[Any, Any]:
    """Return a tensor's memory as an ndarray, of an unsigned type where NumPy does not have the tensor's own, and that.

    Raises
    ------
    DTypeError
        It is no tensor, or NumPy cannot see its type.
    AttributeValueError
        It needs a gradient, or is not plain memory of the CPU, all of which is there.
    """
    torch: Any = sys.modules.get("torch")
    if not is_tensor(tensor):
        raise DTypeError.about(attribute, "be a tensor of PyTorch", tensor)
    dtype = tensor.dtype
    named = f"a tensor of {dtype} on {tensor.device}"
    unsigned = _unsigned_types(torch).get(dtype)
    if unsigned is not None and (tensor.requires_grad or tensor.is_conj()):
        # A view of another type is neither, so that PyTorch would give its memory.
        rule = "not require a gradient, nor have a pending conjugation: pass tensor.detach().resolve_conj()"
        raise AttributeValueError.about(attribute, rule, named)
    try:
        array = (tensor if unsigned is None else tensor.view(unsigned)).numpy()
        last = array.nbytes if array.flags.c_contiguous else span_of(array.shape, array.strides, array.itemsize)[1]
        storage = tensor.untyped_storage()
        # It raises inside of `torch.func.functionalize`, where the array would be of memory that is gone.
        storage.data_ptr()
        # A view without elements may begin beyond the end of its storage.
        is_whole = not array.size or storage.nbytes() >= tensor.storage_offset() * array.itemsize + last
    except (RuntimeError, TypeError) as error:
        # PyTorch says what has to be called before: detach, cpu, to_dense, resolve_conj and so on.
        rule = f"be memory that PyTorch gives as an array ({' '.join(str(error).split())})"
        kind = DTypeError if isinstance(error, TypeError) else AttributeValueError
        raise kind.about(attribute, rule, named) from error
    if has_tangent(tensor):
        rule = "not be a dual tensor of forward-mode differentiation, whose tangent is not computed"
        raise AttributeValueError.about(attribute, rule, named)
    if not is_whole:
        raise AttributeValueError.about(attribute, "have memory, not a storage that was resized to less", named)
    return array, dtype


def has_tangent(tensor: Any) -> bool:
    """True for a dual tensor of `torch.autograd.forward_ad`."""
    forward_ad = sys.modules["torch"].autograd.forward_ad
    # Outside of all levels of differentiation, which is where most calls are, no tensor is dual.
    is_inside = getattr(forward_ad, "_current_level", 0) >= 0
    return is_inside and forward_ad.unpack_dual(tensor).tangent is not None


def as_address(tensor: Any) -> tuple[tuple[Any, ...], Any, Any] | None:
    """Return where a tensor's memory is, as compiled code takes it, its type, and its storage, which keeps it there.

    None for what only `as_array` can judge. Other threads may run between the questions to the tensor, and while memory
    is moved: what is moved is a part of one storage, whatever the tensor becomes. SECURITY.md names what moves its
    memory elsewhere.
    """
    # Another thread may be importing PyTorch.
    if type(tensor) is not getattr(sys.modules.get("torch"), "Tensor", None):
        return None
    try:
        shape, strides, dtype = tensor.shape, tensor.stride(), tensor.dtype
        element = plain_type(dtype)
        storage = tensor.untyped_storage()
        if storage.resizable():
            # PyTorch leaves a storage as long as it is once an array of it was made.
            as_array("data", tensor)
        if not tensor.is_cpu or tensor.requires_grad or tensor.is_neg() or storage.resizable() or has_tangent(tensor):
            return None
        if element is None:
            return None
        # A storage can be shorter than tensors that are views of it.
        offset = tensor.storage_offset() * element.itemsize
        return (storage.data_ptr() + offset, storage.nbytes() - offset, shape, strides, element), dtype, storage
    except RuntimeError:
        # PyTorch's word on a tensor that is not plain memory; `as_array` says it again, in ours.
        return None


def typed_array(array: Any, dtype: Any) -> Any:
    """Return what `as_array` gives for a tensor of a type, viewed as ml_dtypes' type where NumPy has none."""
    own = element_type(dtype)
    return array if own is None else array.view(own)


@cache
def element_type(dtype: Any) -> Any:
    """Return the type of ml_dtypes that is a type of PyTorch, bytes where that has none, and None for NumPy's own."""
    torch: Any = sys.modules["torch"]
    unsigned = _unsigned_types(torch).get(dtype)
    if unsigned is None:
        return None
    scalar_type = getattr(import_module("ml_dtypes"), str(dtype).removeprefix("torch."), None)
    return np.dtype(f"V{dtype.itemsize}") if scalar_type is None else np.dtype(scalar_type)


@cache
def plain_type(dtype: Any) -> Any:
    """Return the dtype of the array of a tensor of a type; None where its elements may need more than to be moved.

    Complex elements may stand for their conjugates, and a type without a zero has to be filled with care.
    """
    if dtype.is_complex or str(dtype) == "torch.float8_e8m0fnu":
        return None
    # By its name: within transforms PyTorch makes no array that could be asked.
    name = str(_unsigned_types(sys.modules["torch"]).get(dtype, dtype)).removeprefix("torch.")
    return np.dtype(name) if name in _OF_NUMPY else None


def mark_written(tensors: Sequence[Any]) -> None:
    """Raise the version counters of tensors that were written, so that no gradient is computed of what they were."""
    increment = sys.modules["torch"].autograd.graph.increment_version
    for tensor in tensors:
        increment(tensor)


@cache
def tensor_maker(dtype: Any) -> Callable[[Any], Any]:
    """Return what makes a tensor of a type of a fresh array, which `as_array` gives for one of that type."""
    torch: Any = sys.modules["torch"]
    from_numpy: Callable[[Any], Any] = torch.from_numpy
    return (lambda array: from_numpy(array).view(dtype)) if dtype in _unsigned_types(torch) else from_numpy


def as_out(out: Any, dtype: Any) -> Any:
    """Return the memory of a caller's ``out``, for a tensor of this type, as `as_array` does."""
    array, own_dtype = as_array("out", out)
    if own_dtype is not dtype:
        raise OutputError.about("out", f"have dtype {dtype}", own_dtype)
    return array


def as_fill(attribute: str, tensor: Any, value: Any) -> Element:
    """Return a value as `torch.nn.functional.pad` converts it to a tensor's type, as an element of its array."""
    dtype = getattr(tensor, "dtype", None)
    # Another thread may be importing PyTorch: then it has no types yet, and this is no tensor.
    if type(dtype) is not getattr(sys.modules.get("torch"), "dtype", None):
        raise DTypeError.about("data", "be a tensor of PyTorch", tensor)
    if is_plain_number(value):
        return _converted(attribute, dtype, value, sign_of_zero(value))
    return _convert(attribute, dtype, value)


def _has_infinity(dtype: Any) -> bool:
    """True for a float type with infinities, which those of PyTorch that are called fn, for finite, do not have."""
    return "fn" not in str(dtype)


def is_plain_zero(value: Any) -> bool:
    """True for a zero of plain types."""
    return is_plain_number(value) and value == 0


def _convert(attribute: str, dtype: Any, value: Any, _sign: float = 0.0) -> Element:
    torch = sys.modules["torch"]
    rule = f"be a number that PyTorch converts to {dtype}"
    if not isinstance(value, Number | np.generic | np.ndarray | torch.Tensor):
        raise AttributeValueError.also(TypeError).about(attribute, rule, value)
    number: Any = value
    if isinstance(value, np.integer):
        number = int(number)
    is_integral = not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool)
    try:
        # A float has no bits for all of them. An overflow is an error for floats, while integers wrap around.
        if not (is_integral and type(number) is int and torch.iinfo(dtype).min <= number <= torch.iinfo(dtype).max):
            number = complex(number) if dtype.is_complex else float(number)
        if (
            dtype.is_floating_point
            and _overflows(torch.finfo(dtype), number)
            and not (isinf(number) and _has_infinity(dtype))
        ):
            raise AttributeValueError.about(attribute, rule, value)
        return Element(typed_array(*as_array(attribute, torch.empty((1,), dtype=dtype).fill_(number))))
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        if isinstance(error, AttributeValueError):
            raise
        raise AttributeValueError.about(attribute, rule, value) from error


def _overflows(info: Any, number: float) -> bool:
    """True for a number that is not between the lowest and the highest of a type, of which one has no zero."""
    return bool(number > info.max or number < info.min)


# The sign tells -0.0 from 0.0, which are equal keys.
_converted = lru_cache(CACHE_SIZE, typed=True)(_convert)


@cache
def _unsigned_types(torch: Any) -> dict[Any, Any]:
    """Return the types of PyTorch that NumPy does not have, and the unsigned type that stands for each."""
    known = {getattr(torch, name, None): getattr(torch, unsigned, None) for name, unsigned in _VIEWED_AS.items()}
    known.pop(None, None)
    return known
