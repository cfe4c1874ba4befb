"""The layout of the objects of CPython and NumPy whose fields kernels read, and whether this process has it.

No other module knows the layout. Offsets are bytes from the object's address, which `id` returns. Kernels read each
field as a word of eight bytes; the low half is the value of a field of four bytes.

- CPython, ``Include/object.h``: ``struct _object``, the header of each object, ends with ``ob_type``. Its length
  differs between builds (a free-threaded one has a longer header), so it is taken from the running interpreter.
- CPython, ``Include/cpython/tupleobject.h``: ``PyTupleObject`` has ``ob_size`` after the header, and ``ob_item`` last.
- CPython, ``Include/cpython/listobject.h``: ``PyListObject`` has ``ob_size`` and ``ob_item`` after the header.
- CPython, ``Include/cpython/sliceobject.h``: ``PySliceObject`` has ``start``, ``stop`` and ``step`` after the header.
- NumPy, ``numpy/core/include/numpy/arrayscalars.h``: a scalar has its value after the header.
- NumPy, ``numpy/core/include/numpy/ndarraytypes.h``: ``PyArrayObject_fields`` has ``data``, ``nd``, ``dimensions``,
  ``strides``, ``base``, ``descr`` and ``flags`` after the header, ``nd`` and ``flags`` of four bytes each.
- NumPy, ``numpy/_core/include/numpy/__multiarray_api.h``: a table has the addresses of NumPy's functions; the first one
  returns the version of the binary interface, in its highest byte.
- ``ndarraytypes.h`` again: ``PyArray_Descr`` has ``typeobj``, four characters, ``type_num``, ``flags`` and ``elsize``.
  This is the layout of NumPy 2; before, ``elsize`` was an int at another place.

No project promises any of this, and fastops allows every later version of NumPy. So `is_as_expected` tries the layout
once in each process. Where the layout differs, only the entries ``execute_at`` and ``run_range`` may be called: all
others read these fields.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

_HEADER = object.__basicsize__

#: ``_object.ob_type``: the type of any object.
OBJECT_TYPE = _HEADER - 8

#: ``PyTupleObject.ob_item``: the addresses of a tuple's items.
TUPLE_ITEMS = tuple.__basicsize__

#: ``PyTupleObject.ob_size``: how many items a tuple has.
TUPLE_LENGTH = _HEADER

#: ``PyListObject.ob_item``: the address of the addresses of a list's items; ``ob_size`` is where a tuple has it.
LIST_ITEMS = _HEADER + 8

#: ``PySliceObject.start``: the addresses of three items.
SLICE_ITEMS = _HEADER

#: ``PyInt64ScalarObject.obval``, ``obval`` of shorter integers and of floats, and ``PyFloatObject.ob_fval``.
SCALAR_VALUE = _HEADER

#: ``PyArrayObject_fields.data``: the address of element 0.
NDARRAY_DATA = _HEADER

#: ``PyArrayObject_fields.nd``: the rank, an int.
NDARRAY_RANK = _HEADER + 8

#: ``PyArrayObject_fields.dimensions``: the address of the shape, a word for each axis.
NDARRAY_DIMENSIONS = _HEADER + 16

#: ``PyArrayObject_fields.strides``: the address of the byte strides, a word for each axis.
NDARRAY_STRIDES = _HEADER + 24

#: ``PyArrayObject_fields.base``: the address of the object that an array is a view of, or 0.
NDARRAY_BASE = _HEADER + 32

#: ``PyArrayObject_fields.descr``: the address of the dtype object.
NDARRAY_DTYPE = _HEADER + 40

#: ``PyArrayObject_fields.flags``, an int.
NDARRAY_FLAGS = _HEADER + 48

#: ``PyArray_Descr.type_num``, an int, which is the high half of the word that is read here.
DTYPE_KIND = _HEADER + 8

#: Numbers of types: ``NPY_UBYTE``, and the last one of NumPy's own.
TYPE_UINT8, TYPE_LAST = 2, 24

#: ``PyArray_Descr.flags``, eight bytes from NumPy 2 on.
DTYPE_FLAGS = _HEADER + 16

#: ``PyArray_Descr.elsize``: the item size.
DTYPE_ITEMSIZE = _HEADER + 24

#: ``NPY_ARRAY_OWNDATA`` and ``NPY_ARRAY_WRITEABLE``, bits of an array's flags.
OWNS_DATA, WRITEABLE = 0x0004, 0x0400

#: ``NPY_ITEM_REFCOUNT``, a bit of a dtype's flags: elements are references, or have some.
HAS_REFERENCES = 0x01

_BINARY_INTERFACE = 2

#: The low half of a word, which holds a field of four bytes.
INT32_MASK = 0xFFFFFFFF


class _UnexpectedError(Exception):
    """A field would lie outside of its object."""


@cache
def is_as_expected() -> bool:
    """Return whether objects of this process have the layout above, by trying it on a few of them.

    It reads nothing outside of these objects: `_word` checks that a field lies within its object. The addresses of
    shape and strides are followed only if the strides lie directly behind the shape, as NumPy places them.
    """
    array: Any = np.zeros((7, 5, 6), np.float32)[:, 1:, ::-2]
    frozen: Any = np.zeros((4, 3), "V11")[1:]
    frozen.flags.writeable = False
    scalar: Any = np.zeros((), object)
    if ctypes.CFUNCTYPE(ctypes.c_uint)(numpy_function(0))() >> 24 != _BINARY_INTERFACE:
        return False
    arrays, items, bounds = (array, array.copy(), frozen, scalar), (array, frozen, scalar), slice(5, 7)
    fields = [
        (items, TUPLE_LENGTH, len(items), 64),
        *[(items, TUPLE_ITEMS + 8 * i, id(item), 64) for i, item in enumerate(items)],
        *[(bounds, SLICE_ITEMS + 8 * i, id(each), 64) for i, each in enumerate((5, 7, None))],
        *[field for number in (np.int64(-7), np.int32(-7), np.float64(-0.1), -0.1) for field in _field_of(number)],
        *[field for each in arrays for field in _fields_of(each)],
    ]
    try:
        are_right = [_word(owner, offset) % (1 << bits) == value for owner, offset, value, bits in fields]
        return all(are_right) and _is_list([*items]) and all(map(_has_flags, arrays)) and all(map(_has_shape, arrays))
    except _UnexpectedError:
        return False


def numpy_function(number: int) -> int:
    """Return the address of a function of NumPy's C API, by its number in the table."""
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get_pointer(import_module("numpy._core._multiarray_umath")._ARRAY_API, None)
    return ctypes.c_size_t.from_address(table + 8 * number).value


# The owner of a field, the offset of the field, its value, and how many bits it has.
_Field: TypeAlias = tuple[Any, int, int, int]


def _field_of(number: Any) -> list[_Field]:
    value = np.asarray(number).tobytes()
    return [(number, SCALAR_VALUE, int.from_bytes(value, "little"), 8 * len(value))]


def _fields_of(array: Any) -> list[_Field]:
    dtype = array.dtype
    return [
        (array, OBJECT_TYPE, id(type(array)), 64),
        (array, NDARRAY_DATA, array.ctypes.data, 64),
        (array, NDARRAY_RANK, array.ndim, 32),
        (array, NDARRAY_BASE, 0 if array.base is None else id(array.base), 64),
        (array, NDARRAY_DTYPE, id(dtype), 64),
        (array, NDARRAY_FLAGS, array.flags.num, 32),
        (dtype, OBJECT_TYPE, id(type(dtype)), 64),
        (dtype, DTYPE_KIND + 4, dtype.num, 32),
        (dtype, DTYPE_FLAGS, dtype.flags, 64),
        (dtype, DTYPE_ITEMSIZE, dtype.itemsize, 64),
    ]


def _has_flags(array: Any) -> bool:
    """True if the bits above tell an array's ownership, writeability and references."""
    flags, dtype = array.flags, array.dtype
    found = [bool(flags.num & bit) for bit in (OWNS_DATA, WRITEABLE)] + [bool(dtype.flags & HAS_REFERENCES)]
    return found == [flags.owndata, flags.writeable, dtype.hasobject]


def _has_shape(array: Any) -> bool:
    rank, dimensions, strides = array.ndim, _word(array, NDARRAY_DIMENSIONS), _word(array, NDARRAY_STRIDES)
    if rank == 0:
        return True
    # Words that are no addresses must not be followed. No other two words of an array differ by this distance.
    if dimensions <= 0 or dimensions % 8 or strides != dimensions + 8 * rank:
        return False
    words = (ctypes.c_int64 * (2 * rank)).from_address(dimensions)
    return tuple(words) == (*array.shape, *array.strides)


def _is_list(items: list[Any]) -> bool:
    # Words that are no addresses must not be followed. The items lie in a block of memory of their own. The last field
    # of a list is no address, but the number of items for which the block has room.
    first, room = _word(items, LIST_ITEMS), _word(items, list.__basicsize__ - 8)
    if _word(items, TUPLE_LENGTH) != len(items) or first <= 0 or first % 8 or room < 3:
        return False
    return tuple((ctypes.c_int64 * len(items)).from_address(first)) == tuple([id(item) for item in items])


def _word(owner: Any, offset: int) -> int:
    """Return the eight bytes at an offset of an object."""
    if offset < 0 or offset + 8 > object.__sizeof__(owner):
        raise _UnexpectedError
    return ctypes.c_int64.from_address(id(owner) + offset).value
