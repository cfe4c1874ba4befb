"""Element types: their kinds, which of them can be moved, and what the types of Range are called."""

from __future__ import annotations

from importlib import import_module
from types import NoneType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from fastops._errors import DTypeError
from fastops._geometry._numbers import kind_of as kind_of
from fastops._types import AnyArray as AnyArray

AnyDType: TypeAlias = np.dtype[Any]

# OpenVINO's names of element types, and the names of the NumPy or ml_dtypes types that they are. They come before
# NumPy's type codes, with which they clash: OpenVINO's i8 is int8, NumPy's is int64.
_OPENVINO_NAMES = {
    "boolean": "bool",
    "i4": "int4",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u2": "uint2",
    "u4": "uint4",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn",
}

# NumPy's names of number types, as int32, int and double, and its codes of one letter. Codes of a letter and a number
# of bytes are left out: i8 is int64 for NumPy and int8 for OpenVINO.
_NUMPY_NAMES = frozenset(
    [name for name, kind in np.sctypeDict.items() if issubclass(kind, np.integer | np.floating)]
) | frozenset(np.typecodes["AllInteger"] + np.typecodes["Float"])

_NAME_RULE = "be the name of a number type, as f32 or float32 (NumPy's numbers of bytes need a byte order, as <f4)"


#: The rule of `check_movable`.
NO_REFERENCES = "not have elements of object or StringDType, which are references"


def check_movable(attribute: str, dtype: AnyDType) -> None:
    """Raise unless an element is its own bytes: those of object and StringDType refer to memory elsewhere."""
    if dtype.hasobject:
        raise DTypeError.about(attribute, NO_REFERENCES, dtype)


def is_ml_dtype(dtype: AnyDType) -> bool:
    """True for the types of ml_dtypes, which NumPy knows as kind V only."""
    return dtype.isbuiltin == 2 and dtype.type.__module__ == "ml_dtypes"


def bits_of(dtype: AnyDType) -> int:
    """Return the bits that a number of an integral type has: fewer than its bytes hold for int4 and the like."""
    if is_ml_dtype(dtype):
        return int(dtype.name.removeprefix("u").removeprefix("int"))
    return 8 * dtype.itemsize


def as_output_type(attribute: str, output_type: DTypeLike) -> AnyDType:
    """Return the dtype of Range's ``output_type``: a number, real and not boolean.

    Takes OpenVINO's names ("f32", "bf16", "i64", "f8e4m3"), those of ml_dtypes, and what ``numpy.dtype`` takes ("int",
    "float32", "d", dtypes and scalar types), but for its numbers of bytes, as "f8", without a byte order ("<f8"):
    OpenVINO's names look like them and mean something else.
    """
    is_name = isinstance(output_type, str)
    dtype = _named_dtype(attribute, str(output_type)) if is_name else _plain_dtype(attribute, output_type)
    if dtype.metadata is not None:
        # It equals one without, for which calls are remembered.
        dtype = np.dtype(dtype.type).newbyteorder(dtype.byteorder)
    if kind_of(dtype) not in "iuf" or dtype.itemsize > 8:
        raise DTypeError.about(attribute, "be an integer or float type of at most 64 bits", output_type)
    return dtype


def _named_dtype(attribute: str, name: str) -> AnyDType:
    full_name = _OPENVINO_NAMES.get(name, name)
    if full_name in _NUMPY_NAMES or full_name == "bool" or full_name[:1] in ("<", ">", "=", "|"):
        return _plain_dtype(attribute, full_name)
    scalar_type = getattr(import_module("ml_dtypes"), full_name, None) if full_name.isidentifier() else None
    if not isinstance(scalar_type, type):
        raise DTypeError.about(attribute, _NAME_RULE, name)
    return np.dtype(scalar_type)


def _plain_dtype(attribute: str, output_type: DTypeLike) -> AnyDType:
    # np.dtype(None) is float64, which nobody who writes None means; lists are records.
    if isinstance(output_type, NoneType | list | tuple | dict):
        raise DTypeError.about(attribute, "be a number type", output_type)
    try:
        return np.dtype(output_type)
    except (TypeError, ValueError) as error:
        # What NumPy says of what is no type.
        raise DTypeError.about(attribute, "be a number type", output_type) from error
