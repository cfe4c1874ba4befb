"""Intrinsics for the objects of a call: the fields that kernels read of them, and functions of CPython and NumPy.

References
----------
NumPy C-API, ``numpy/_core/include/numpy/__multiarray_api.h``: ``PyArray_NewFromDescr`` has number 94 in the table.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from llvmlite import ir
from numba import types
from numba.core import cgutils

from fastops.kernels._intrinsics._access import Pointer, call_function, emitted
from fastops.kernels._intrinsics._object_layout import NDARRAY_RANK, NEW_ARRAY
from fastops.kernels._intrinsics._outlined import BYTE, INT32, WORD, byte_pointer

_POINTER, _VOID = BYTE.as_pointer(), ir.VoidType()


def _object(builder, address):
    """Return the pointer to an object that CPython's functions take."""
    return builder.inttoptr(address, _POINTER)


def _load_field(builder, address, kind):
    """Return the value of an LLVM type at an address, in the fields of an object."""
    return builder.load(builder.inttoptr(address, kind.as_pointer()))


@emitted(types.intp(types.intp))
def reference_to(builder, obj):
    """A new reference to an object."""
    call_function(builder, "Py_IncRef", _VOID, _object(builder, obj))
    return obj


@emitted(types.intp(types.intp))
def half_at(builder, address):
    """The signed integer of 4 bytes at an address."""
    return builder.sext(_load_field(builder, address, INT32), WORD)


@emitted(types.intp(types.intp))
def word_at(builder, address):
    """The 8 bytes at an address, which must lie in an object's fields."""
    return _load_field(builder, address, WORD)


@emitted(types.intp(types.intp))
def integer_at(builder, address):
    """The value of the int object at an address, or -2**63 if it exceeds 64 bits; the GIL must be held."""
    overflow = cgutils.alloca_once(builder, INT32)
    value = call_function(builder, "PyLong_AsLongLongAndOverflow", WORD, _object(builder, address), overflow)
    is_exact = builder.icmp_signed("==", builder.load(overflow), INT32(0))
    return builder.select(is_exact, value, WORD(-(2**63)))


@emitted(types.boolean(types.intp, types.intp))
def are_equal_texts(builder, one, other):
    """True if the str objects at two addresses are equal; the GIL must be held."""
    found = call_function(builder, "PyUnicode_Compare", INT32, *[_object(builder, arg) for arg in (one, other)])
    return builder.icmp_signed("==", found, INT32(0))


@emitted(types.intp(types.intp))
def new_reference(builder, array):
    """The address of a new weak reference to an object; 0 if there can be none. The GIL must be held."""
    made = call_function(builder, "PyWeakref_NewRef", _POINTER, _object(builder, array), _POINTER(None))
    return _address_or_0(builder, made)


@emitted(types.intp(types.intp))
def new_integer(builder, value):
    """A new int object; the GIL must be held, as for all new objects."""
    return builder.ptrtoint(call_function(builder, "PyLong_FromLongLong", _POINTER, value), WORD)


@emitted(types.intp(byte_pointer, types.intp))
def new_bytes(builder, pointer, n):
    """A new bytes object of n bytes at a pointer."""
    return builder.ptrtoint(call_function(builder, "PyBytes_FromStringAndSize", _POINTER, pointer.place, n), WORD)


@emitted(types.intp(byte_pointer, types.intp))
def new_tuple(builder, items, n):
    """A new tuple of n objects, whose addresses are at a pointer; it takes over the references to them."""
    made = call_function(builder, "PyTuple_New", _POINTER, n)
    with builder.if_then(cgutils.is_not_null(builder, made)), cgutils.for_range(builder, n) as loop:
        item = _object(builder, items.element(WORD, loop.index).load(WORD, align=8))
        call_function(builder, "PyTuple_SetItem", INT32, made, loop.index, item)
    return builder.ptrtoint(made, WORD)


@emitted(types.intp(types.intp, types.intp, types.intp, byte_pointer))
def new_array(builder, ndarray, dtype, rank, shape):
    """The address of a new C-contiguous array, not filled, of a dtype and a shape; 0 if there can be none.

    References
    ----------
    NumPy C-API, ``PyArray_NewFromDescr``, which takes over a reference to the dtype.
    """
    null, zero = _POINTER(None), INT32(0)
    ndarray, dtype = _object(builder, ndarray), _object(builder, dtype)
    call_function(builder, "Py_IncRef", _VOID, dtype)
    rank = builder.trunc(rank, INT32)
    made = call_function(builder, NEW_ARRAY, _POINTER, ndarray, dtype, rank, shape.place, null, null, zero, null)
    return _address_or_0(builder, made)


def _address_or_0(builder, made):
    """Return the address of a new object; if there is none, clear the exception and return 0."""
    with builder.if_then(cgutils.is_null(builder, made)):
        call_function(builder, "PyErr_Clear", _VOID)
    return builder.ptrtoint(made, WORD)


@emitted(types.void(types.intp))
def drop_reference(builder, address):
    """Drop a reference to the object at an address; the GIL must be held."""
    call_function(builder, "Py_DecRef", _VOID, _object(builder, address))


@emitted(types.intp())
def release_gil(builder):
    """Release the GIL, and return the state for `take_gil`; the entry's caller keeps its arguments alive meanwhile."""
    return builder.ptrtoint(call_function(builder, "PyEval_SaveThread", _POINTER), WORD)


@emitted(types.void(types.intp))
def take_gil(builder, state):
    """Take the GIL back."""
    call_function(builder, "PyEval_RestoreThread", _VOID, _object(builder, state))


@emitted(byte_pointer(types.intp, types.intp))
def fields_of(builder, array, offset):
    """The pointer that an array object holds at ``offset``, to a word for each axis."""
    words = _load_field(builder, builder.add(array, offset), _POINTER)
    rank = _load_field(builder, builder.add(array, WORD(NDARRAY_RANK)), INT32)
    n = builder.mul(builder.zext(rank, WORD), WORD(8))
    return Pointer.to_buffer(builder, words, 0, n, is_writable=False)
