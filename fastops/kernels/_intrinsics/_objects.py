"""Intrinsics for the objects of a call: the fields that kernels read of them, and CPython's functions."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer, emitted
from fastops.kernels._intrinsics._object_layout import NDARRAY_RANK, TUPLE_ITEMS, TUPLE_LENGTH
from fastops.kernels._intrinsics._outlined import BYTE, INT32, WORD, array_addresses, array_object, byte_pointer
from fastops.kernels._intrinsics._symbols import NEW_ARRAY

_POINTER, _VOID = BYTE.as_pointer(), ir.VoidType()


def _call_python(builder, name, result, *args):
    """Emit the call of a function of Python's."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _object(builder, address):
    """An object as functions of Python's take it."""
    return builder.inttoptr(address, _POINTER)


def _load_field(builder, address, offset, kind):
    """Return the field of an LLVM type at an offset from the address of an object."""
    offset = WORD(offset) if isinstance(offset, int) else offset
    return builder.load(builder.inttoptr(builder.add(address, offset), kind.as_pointer()))


def _renamed(result, of, docstring):
    """Return the intrinsic that makes one kind of address of another."""

    def take(typingctx, address):
        return result(of), lambda _context, _builder, _signature, args: args[0]

    take.__doc__ = docstring
    return intrinsic(take)


object_at = _renamed(array_object, types.intp, "The object at an address, which must be one.")
items_at = _renamed(
    array_addresses, types.intp, "The addresses of objects, which are at an address, as if they were those of a tuple."
)
address_of_object = _renamed(types.intp, array_object, "The address of an object.")


@emitted(array_object(array_addresses, types.intp))
def object_of(builder, addresses, i):
    """Object ``i`` of a tuple passed as ``array_addresses``."""
    return builder.load(builder.gep(builder.inttoptr(addresses, WORD.as_pointer()), [i]))


@emitted(array_object(array_addresses))
def tuple_of(builder, addresses):
    """A new reference to the tuple that was passed as ``array_addresses``."""
    obj = builder.sub(addresses, WORD(TUPLE_ITEMS))
    _call_python(builder, "Py_IncRef", _VOID, _object(builder, obj))
    return obj


@emitted(array_object(array_object))
def reference_to(builder, obj):
    """A new reference to an object."""
    _call_python(builder, "Py_IncRef", _VOID, _object(builder, obj))
    return obj


@intrinsic
def is_none(typingctx, obj):
    """True for None, which entries pass as 0, of either type."""
    return types.boolean(obj), lambda _context, builder, _signature, args: builder.icmp_signed("==", args[0], WORD(0))


@emitted(types.intp(types.intp))
def half_at(builder, address):
    """The signed integer of 4 bytes at an address."""
    return builder.sext(builder.load(builder.inttoptr(address, INT32.as_pointer())), WORD)


@emitted(types.intp(types.intp))
def word_at(builder, address):
    """The 8 bytes at an address, which must lie in an object's fields."""
    return builder.load(builder.inttoptr(address, WORD.as_pointer()))


@emitted(types.intp(types.intp))
def integer_at(builder, address):
    """The value of the int object at an address, or the lowest of 64 bits if it has more; the GIL must be held."""
    overflow = cgutils.alloca_once(builder, INT32)
    value = _call_python(builder, "PyLong_AsLongLongAndOverflow", WORD, _object(builder, address), overflow)
    is_exact = builder.icmp_signed("==", builder.load(overflow), INT32(0))
    return builder.select(is_exact, value, WORD(-(2**63)))


@emitted(types.boolean(types.intp, types.intp))
def are_equal_texts(builder, one, other):
    """True if the str objects at two addresses are equal; the GIL must be held."""
    found = _call_python(builder, "PyUnicode_Compare", INT32, *[_object(builder, arg) for arg in (one, other)])
    return builder.icmp_signed("==", found, INT32(0))


@emitted(types.intp(array_object))
def new_reference(builder, array):
    """The address of a new weak reference to an object; 0 if there can be none. The GIL must be held."""
    made = _call_python(builder, "PyWeakref_NewRef", _POINTER, _object(builder, array), _POINTER(None))
    return _address_or_0(builder, made)


@emitted(array_object(types.intp))
def new_integer(builder, value):
    """A new int object; the GIL must be held, as for all new objects."""
    return builder.ptrtoint(_call_python(builder, "PyLong_FromLongLong", _POINTER, value), WORD)


@emitted(array_object(byte_pointer, types.intp))
def new_bytes(builder, pointer, n):
    """A new bytes object of n bytes at a pointer."""
    return builder.ptrtoint(_call_python(builder, "PyBytes_FromStringAndSize", _POINTER, pointer.place, n), WORD)


@emitted(array_object(byte_pointer, types.intp))
def new_tuple(builder, items, n):
    """A new tuple of n objects, whose addresses are at a pointer; it takes over the references to them."""
    made = _call_python(builder, "PyTuple_New", _POINTER, n)
    with builder.if_then(cgutils.is_not_null(builder, made)), cgutils.for_range(builder, n) as loop:
        item = _object(builder, items.element(WORD, loop.index).load(WORD, align=8))
        _call_python(builder, "PyTuple_SetItem", INT32, made, loop.index, item)
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
    _call_python(builder, "Py_IncRef", _VOID, dtype)
    rank = builder.trunc(rank, INT32)
    made = _call_python(builder, NEW_ARRAY, _POINTER, ndarray, dtype, rank, shape.place, null, null, zero, null)
    return _address_or_0(builder, made)


def _address_or_0(builder, made):
    """Return the address of a new object; 0 where there is none, without the exception that was raised."""
    with builder.if_then(cgutils.is_null(builder, made)):
        _call_python(builder, "PyErr_Clear", _VOID)
    return builder.ptrtoint(made, WORD)


@emitted(types.void(types.intp))
def drop_reference(builder, address):
    """Drop a reference to the object at an address; the GIL must be held."""
    _call_python(builder, "Py_DecRef", _VOID, _object(builder, address))


@emitted(types.intp(array_object))
def release_gil(builder, kept):
    """Release the GIL, but keep an object; return the state for `take_gil`."""
    _call_python(builder, "Py_IncRef", _VOID, _object(builder, kept))
    return builder.ptrtoint(_call_python(builder, "PyEval_SaveThread", _POINTER), WORD)


@emitted(types.void(types.intp, array_object))
def take_gil(builder, state, kept):
    """Take the GIL back, and keep the object no longer."""
    _call_python(builder, "PyEval_RestoreThread", _VOID, _object(builder, state))
    _call_python(builder, "Py_DecRef", _VOID, _object(builder, kept))


@emitted(types.intp(array_addresses))
def length_of(builder, addresses):
    """The number of objects in a tuple passed as ``array_addresses``."""
    return _load_field(builder, addresses, TUPLE_LENGTH - TUPLE_ITEMS, WORD)


@emitted(types.intp(array_object, types.intp))
def field_of(builder, array, offset):
    """The 8 bytes of an array object at ``offset``."""
    return _load_field(builder, array, offset, WORD)


@emitted(byte_pointer(array_object, types.intp))
def fields_of(builder, array, offset):
    """The pointer that an array object holds at ``offset``, to a word for each axis."""
    words = _load_field(builder, array, offset, _POINTER)
    n = builder.mul(builder.zext(_load_field(builder, array, NDARRAY_RANK, INT32), WORD), WORD(8))
    return Pointer.to_buffer(builder, words, 0, n, is_writable=False)
