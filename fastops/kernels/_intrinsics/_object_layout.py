"""The layout of the objects of CPython and NumPy whose fields kernels read, and whether this process has it.

No other module knows the layout. Offsets are bytes from the object's address, which `id` returns. Kernels read each
field as a word of eight bytes; a field of four bytes is the low half, except ``type_num``.

- CPython, ``Include/object.h``: ``struct _object``, the header of each object, ends with ``ob_type``. Its length
  differs between builds (a free-threaded one has a longer header), so it is taken from the running interpreter.
- CPython, ``Include/cpython/tupleobject.h``: ``PyTupleObject`` has ``ob_size`` after the header, and ``ob_item`` last.
- CPython, ``Include/cpython/listobject.h``: ``PyListObject`` has ``ob_size`` and ``ob_item`` after the header.
- CPython, ``Include/cpython/sliceobject.h``: ``PySliceObject`` has ``start``, ``stop`` and ``step`` after the header.
- NumPy, ``numpy/_core/include/numpy/arrayscalars.h``: a scalar has its value after the header.
- NumPy, ``numpy/_core/include/numpy/ndarraytypes.h``: ``PyArrayObject_fields`` has ``data``, ``nd``, ``dimensions``,
  ``strides``, ``base``, ``descr`` and ``flags`` after the header, ``nd`` and ``flags`` of four bytes each.
- NumPy, ``numpy/_core/include/numpy/__multiarray_api.h``: a table has the addresses of NumPy's functions; the first one
  returns the version of the binary interface, in its highest byte.
- ``ndarraytypes.h`` again: ``PyArray_Descr`` has ``typeobj``, four characters, ``type_num``, ``flags`` and ``elsize``.
  This is the layout of NumPy 2; before, ``elsize`` was an int at another place.

NumPy keeps its part as long as the version of its binary interface is the same: compiled packages read these fields by
macros. CPython promises nothing. So `is_as_expected` asks for that version and tries CPython's part, once in each
process. Where the layout differs, only the entries ``execute_at`` and ``run_range`` may be called: all others read
these fields.
"""

import ctypes
import struct
from functools import cache
from importlib import import_module
from typing import Any

_HEADER = object.__basicsize__

#: ``_object.ob_type``: the type of any object.
OBJECT_TYPE = _HEADER - 8

#: ``PyTupleObject.ob_item``: the addresses of a tuple's items.
TUPLE_ITEMS = tuple.__basicsize__

#: ``PyTupleObject.ob_size``: how many items a tuple has.
TUPLE_LENGTH = _HEADER

#: ``PyListObject.ob_item``: the address of the addresses of a list's items; ``ob_size`` is at TUPLE_LENGTH.
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

#: Numbers of types: ``NPY_UBYTE``, and ``NPY_NTYPES_LEGACY``, above all of NumPy's legacy types.
TYPE_UINT8, TYPE_LAST = 2, 24

#: ``PyArray_Descr.flags``, eight bytes from NumPy 2 on.
DTYPE_FLAGS = _HEADER + 16

#: ``PyArray_Descr.elsize``: the item size.
DTYPE_ITEMSIZE = _HEADER + 24

#: ``NPY_ARRAY_OWNDATA`` and ``NPY_ARRAY_WRITEABLE``, bits of an array's flags.
OWNS_DATA, WRITEABLE = 0x0004, 0x0400

#: ``NPY_ITEM_REFCOUNT``, a bit of a dtype's flags: elements are or contain references.
HAS_REFERENCES = 0x01

_BINARY_INTERFACE = 2

#: The low half of a word, which holds a field of four bytes.
INT32_MASK = 0xFFFFFFFF


#: The symbol that kernels call for ``PyArray_NewFromDescr``, which has number 94 in NumPy's table.
NEW_ARRAY, NEW_ARRAY_NUMBER = "fastops.new_array", 94


@cache
def is_as_expected() -> bool:
    """Return whether objects of this process have the layout above.

    Apart from NumPy's table, it reads nothing outside of the objects that it makes.
    """
    interface = ctypes.CFUNCTYPE(ctypes.c_uint)(numpy_function(0))() >> 24
    items, bounds, number = [5, 7, None], slice(5, 7), -0.1
    both, ids = (items, bounds), [id(item) for item in items]
    fields = [
        *[(both, TUPLE_LENGTH, 2), (both, OBJECT_TYPE, id(tuple)), (items, TUPLE_LENGTH, 3)],
        *[(both, TUPLE_ITEMS + 8 * i, id(item)) for i, item in enumerate(both)],
        *[(bounds, SLICE_ITEMS + 8 * i, each) for i, each in enumerate(ids)],
        (number, SCALAR_VALUE, struct.unpack("q", struct.pack("d", number))[0]),
    ]
    if interface != _BINARY_INTERFACE or not all([_word(owner, offset) == value for owner, offset, value in fields]):
        return False
    # The items of a list lie in memory of their own. Before following the word, check that it can be an address: the
    # last field of a list is the number of items that this memory has room for.
    first, room = _word(items, LIST_ITEMS), _word(items, list.__basicsize__ - 8)
    if not first or first < 0 or first % 8 or not room or room < len(items):
        return False
    return [*(ctypes.c_int64 * len(items)).from_address(first)] == ids


def _word(owner: Any, offset: int) -> int | None:
    """Return the eight bytes at an offset of an object, or None if they are not within the object."""
    is_inside = 0 <= offset <= object.__sizeof__(owner) - 8
    return ctypes.c_int64.from_address(id(owner) + offset).value if is_inside else None


def numpy_function(number: int) -> int:
    """Return the address of a function of NumPy's C API, by its number in the table."""
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get_pointer(import_module("numpy._core._multiarray_umath")._ARRAY_API, None)
    return ctypes.c_size_t.from_address(table + 8 * number).value
