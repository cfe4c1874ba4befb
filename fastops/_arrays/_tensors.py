"""Tensors of PyTorch as arrays, and arrays as tensors, without a copy.

PyTorch is never imported here: a caller who has a tensor has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from numbers import Number
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, is_plain_number, span_of
from fastops._arrays._fill_values import Element
from fastops._errors import AttributeValueError, DTypeError
from fastops._geometry._numbers import is_tensor, sign_of_zero
from fastops._settings import CACHE_SIZE

if TYPE_CHECKING:
    # Where PyTorch is not installed, type checkers read this as Any.
    from torch import Tensor as Tensor
else:
    Tensor = Any

# Beginnings of the names of types that NumPy does not have; arrays of these types are of unsigned integers.
_NOT_OF_NUMPY = ("bfloat16", "complex32", "float4_", "float8_")


@cache
def _views_of(dtype: Any) -> tuple[Any, AnyDType | None, bool]:
    """Return how NumPy reads a type of PyTorch that NumPy does not have; None and None for other types.

    Returns
    -------
    torch.dtype or None
        PyTorch's unsigned integer type of as many bytes.
    dtype or None
        The type of ml_dtypes with this name, or a type of bytes if ml_dtypes has none.
    bool
        True if zero bytes are not zero in that type.
    """
    name = str(dtype).removeprefix("torch.")
    if not name.startswith(_NOT_OF_NUMPY):
        return None, None, False
    element = np.dtype(getattr(ml_dtypes, name, f"V{dtype.itemsize}"))
    return getattr(sys.modules["torch"], f"uint{8 * dtype.itemsize}"), element, name == "float8_e8m0fnu"


def as_array(attribute: str, tensor: Any, *, is_typed: bool = False) -> tuple[AnyArray, Any, Any]:
    """Return a tensor's memory as an ndarray, the tensor's type, and its storage, which keeps the memory.

    Elements of a type that NumPy does not have are unsigned integers, which compiled code takes. They are of ml_dtypes'
    type if ``is_typed`` asks for it, so that fill values are converted to it, or if zero bytes are not zero in it.

    Raises
    ------
    DTypeError
        The argument is no tensor, or NumPy cannot read its type.
    AttributeValueError
        The tensor requires a gradient, is dual, is not plain memory of the CPU, or is longer than its storage.
    """
    if not is_tensor(tensor):
        raise DTypeError.about(attribute, "be a tensor of PyTorch", tensor)
    dtype = tensor.dtype
    unsigned, element, has_no_zero = _views_of(dtype)
    try:
        # Sparse tensors have no storage; the error of `numpy` says which method to call.
        storage: Any = None if tensor.is_sparse else tensor.untyped_storage()
        if unsigned is None:
            array = tensor.numpy()
        elif tensor.requires_grad or tensor.is_conj():
            # A view of an unsigned type has neither gradient nor conjugation, so PyTorch would give its memory.
            raise RuntimeError("with a gradient or a pending conjugation: call tensor.detach().resolve_conj() before")
        else:
            array = tensor.view(unsigned).numpy()
            array = array.view(element) if is_typed or has_no_zero else array
        last = array.nbytes if array.flags.c_contiguous else span_of(array)[1]
        # `data_ptr` raises inside of `torch.func.functionalize`, where the array's memory would be freed too early.
        # Another thread may give the tensor another storage meanwhile.
        is_same = tensor.untyped_storage().data_ptr() == storage.data_ptr()
        is_whole = is_same and storage.nbytes() >= tensor.storage_offset() * array.itemsize + last
    except (RuntimeError, TypeError) as error:
        # PyTorch says what has to be called before: detach, cpu, to_dense, resolve_conj and so on.
        rule = f"be memory that PyTorch gives as an array ({' '.join(str(error).split())})"
        kind = DTypeError if isinstance(error, TypeError) else AttributeValueError
        raise kind.about(attribute, rule, f"a tensor of {dtype} on {tensor.device}") from error
    # A view without elements may begin beyond the end of its storage.
    if not is_whole and array.size:
        raise AttributeValueError.about(attribute, "have memory, not a storage that was resized to less", dtype)
    forward_ad: Any = sys.modules["torch"].autograd.forward_ad
    # Outside of all levels of differentiation, where most calls are, no tensor is dual.
    if forward_ad._current_level >= 0 and forward_ad.unpack_dual(tensor).tangent is not None:
        rule = "not be a dual tensor of forward-mode differentiation, whose tangent is not computed"
        raise AttributeValueError.about(attribute, rule, dtype)
    return array, dtype, storage


def as_tensor(array: AnyArray, dtype: Any) -> Any:
    """Return a fresh array as a tensor of a type; its elements are as `as_array` gives them for this type."""
    unsigned, _, _ = _views_of(dtype)
    from_numpy = sys.modules["torch"].from_numpy
    return from_numpy(array) if unsigned is None else from_numpy(array.view(f"u{array.itemsize}")).view(dtype)


def mark_written(tensors: Sequence[Any]) -> None:
    """Raise the version counters of tensors that were written, so that no gradient comes from their old values."""
    for tensor in tensors:
        sys.modules["torch"].autograd.graph.increment_version(tensor)


def as_fill(attribute: str, tensor: Any, value: Any) -> Element:
    """Return a value as `torch.nn.functional.pad` converts it to a tensor's type, as an element of its array."""
    if not is_tensor(tensor):
        raise DTypeError.about("data", "be a tensor of PyTorch", tensor)
    convert = _converted if is_plain_number(value) else _converted.__wrapped__
    return convert(attribute, tensor.dtype, value, sign_of_zero(value) if is_plain_number(value) else 0.0)


# The sign tells -0.0 from 0.0, which are equal keys.
@lru_cache(CACHE_SIZE, typed=True)
def _converted(attribute: str, dtype: Any, value: Any, _sign: float) -> Element:
    torch: Any = sys.modules["torch"]
    rule = f"be a number that PyTorch converts to {dtype}"
    if not isinstance(value, Number | np.generic | np.ndarray | torch.Tensor):
        raise AttributeValueError.also(TypeError).about(attribute, rule, value)
    number: Any = int(value) if isinstance(value, np.integer) else value
    is_integral = not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool)
    try:
        # A float cannot express all integers. An overflow is an error for floats, while integers wrap around.
        if not (is_integral and type(number) is int and torch.iinfo(dtype).min <= number <= torch.iinfo(dtype).max):
            number = complex(number) if dtype.is_complex else float(number)
        # PyTorch checks the number only if it fills more than one element.
        two = torch.constant_pad_nd(torch.empty((0,), dtype=dtype, device="cpu"), (2, 0), number)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise AttributeValueError.about(attribute, rule, value) from error
    return Element(as_array(attribute, two)[0][:1])
