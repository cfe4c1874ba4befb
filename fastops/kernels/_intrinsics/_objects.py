"""Intrinsics for the objects of a call: how kernels find arrays, and what they read of them."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._new_array import NEW_ARRAY
from fastops.kernels._intrinsics._object_layout import NDARRAY_RANK, TUPLE_ITEMS, TUPLE_LENGTH
from fastops.kernels._intrinsics._types import BYTE, WORD, array_addresses, array_object, byte_pointer, load_field

_POINTER = BYTE.as_pointer()


def _call_python(builder, name, result, *args):
    """Emit the call of a function of Python's."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _object(builder, address):
    """An object as functions of Python's take it."""
    return builder.inttoptr(address, _POINTER)


def _renamed(result, of, docstring):
    """Return the intrinsic that takes one kind of address for another."""

    def take(typingctx, address):
        return result(of), lambda _context, _builder, _signature, args: args[0]

    take.__doc__ = docstring
    return intrinsic(take)


object_at = _renamed(array_object, types.intp, "The object at an address, which must be one.")
items_at = _renamed(
    array_addresses, types.intp, "The addresses of objects, which are at an address, as if they were those of a tuple."
)
address_of_object = _renamed(types.intp, array_object, "The address of an object.")


@intrinsic
def object_of(typingctx, addresses, i):
    """Object ``i`` of a tuple passed as ``array_addresses``."""

    def codegen(context, builder, signature, args):
        items = builder.inttoptr(args[0], WORD.as_pointer())
        return builder.load(builder.gep(items, [args[1]]))

    return array_object(array_addresses, types.intp), codegen


@intrinsic
def tuple_of(typingctx, addresses):
    """The tuple that was passed as ``array_addresses``, once more: whoever gets it has a reference to it."""

    def codegen(context, builder, signature, args):
        obj = builder.sub(args[0], WORD(TUPLE_ITEMS))
        _call_python(builder, "Py_IncRef", ir.VoidType(), _object(builder, obj))
        return obj

    return array_object(array_addresses), codegen


@intrinsic
def reference_to(typingctx, obj):
    """An object once more: whoever gets it has a reference to it."""

    def codegen(context, builder, signature, args):
        _call_python(builder, "Py_IncRef", ir.VoidType(), _object(builder, args[0]))
        return args[0]

    return obj(obj), codegen


@intrinsic
def is_none(typingctx, obj):
    """True for None, which entries pass as 0."""

    def codegen(context, builder, signature, args):
        return builder.icmp_signed("==", args[0], WORD(0))

    return types.boolean(obj), codegen


@intrinsic
def half_at(typingctx, address):
    """The signed integer of 4 bytes at an address."""

    def codegen(context, builder, signature, args):
        half = builder.load(builder.inttoptr(args[0], ir.IntType(32).as_pointer()))
        return builder.sext(half, WORD)

    return types.intp(types.intp), codegen


@intrinsic
def are_equal_texts(typingctx, one, other):
    """True if the str objects at two addresses are equal; the GIL must be kept."""

    def codegen(context, builder, signature, args):
        found = _call_python(builder, "PyUnicode_Compare", ir.IntType(32), *[_object(builder, arg) for arg in args])
        return builder.icmp_signed("==", found, found.type(0))

    return types.boolean(types.intp, types.intp), codegen


@intrinsic
def word_at(typingctx, address):
    """The 8 bytes at an address, which must be those of an object's fields."""

    def codegen(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], WORD.as_pointer()))

    return types.intp(types.intp), codegen


@intrinsic
def integer_at(typingctx, address):
    """The value of the int object at an address, or the lowest of 64 bits if it has more; the GIL must be kept."""

    def codegen(context, builder, signature, args):
        overflow = cgutils.alloca_once(builder, ir.IntType(32))
        value = _call_python(builder, "PyLong_AsLongLongAndOverflow", WORD, _object(builder, args[0]), overflow)
        is_exact = builder.icmp_signed("==", builder.load(overflow), ir.IntType(32)(0))
        return builder.select(is_exact, value, WORD(-(2**63)))

    return types.intp(types.intp), codegen


@intrinsic
def new_reference(typingctx, array):
    """The address of a new weak reference to an object; 0 if there can be none. The GIL must be kept."""

    def codegen(context, builder, signature, args):
        made = _call_python(builder, "PyWeakref_NewRef", _POINTER, _object(builder, args[0]), _POINTER(None))
        with builder.if_then(cgutils.is_null(builder, made)):
            _call_python(builder, "PyErr_Clear", ir.VoidType())
        return builder.ptrtoint(made, WORD)

    return types.intp(array_object), codegen


@intrinsic
def new_integer(typingctx, value):
    """A new reference to an int; the GIL must be kept, as for all that is new."""

    def codegen(context, builder, signature, args):
        return builder.ptrtoint(_call_python(builder, "PyLong_FromLongLong", _POINTER, *args), WORD)

    return array_object(types.intp), codegen


@intrinsic
def new_bytes(typingctx, pointer, n):
    """A new bytes object of n bytes at a pointer."""

    def codegen(context, builder, signature, args):
        place = Pointer.of(builder, args[0]).place
        return builder.ptrtoint(_call_python(builder, "PyBytes_FromStringAndSize", _POINTER, place, args[1]), WORD)

    return array_object(byte_pointer, types.intp), codegen


@intrinsic
def new_tuple(typingctx, items, n):
    """A new tuple of n objects, whose addresses are at a pointer, and references to which it takes over."""

    def codegen(context, builder, signature, args):
        items, made = Pointer.of(builder, args[0]), _call_python(builder, "PyTuple_New", _POINTER, args[1])
        with builder.if_then(cgutils.is_not_null(builder, made)), cgutils.for_range(builder, args[1]) as loop:
            item = _object(builder, items.element(WORD, loop.index).load(WORD, align=8))
            _call_python(builder, "PyTuple_SetItem", ir.IntType(32), made, loop.index, item)
        return builder.ptrtoint(made, WORD)

    return array_object(byte_pointer, types.intp), codegen


@intrinsic
def new_array(typingctx, ndarray, dtype, rank, shape):
    """The address of a new C-contiguous array, not filled, of a dtype and a shape; 0 if there can be none.

    References
    ----------
    NumPy C-API, ``PyArray_NewFromDescr``, which takes over a reference to the dtype.
    """

    def codegen(context, builder, signature, args):
        null, zero = _POINTER(None), ir.IntType(32)(0)
        ndarray, dtype = (_object(builder, arg) for arg in args[:2])
        _call_python(builder, "Py_IncRef", ir.VoidType(), dtype)
        rank, shape = builder.trunc(args[2], zero.type), Pointer.of(builder, args[3]).place
        made = _call_python(builder, NEW_ARRAY, _POINTER, ndarray, dtype, rank, shape, null, null, zero, null)
        with builder.if_then(cgutils.is_null(builder, made)):
            _call_python(builder, "PyErr_Clear", ir.VoidType())
        return builder.ptrtoint(made, WORD)

    return types.intp(types.intp, types.intp, types.intp, byte_pointer), codegen


@intrinsic
def drop_reference(typingctx, address):
    """Drop a reference to the object at an address. The GIL must be kept."""

    def codegen(context, builder, signature, args):
        _call_python(builder, "Py_DecRef", ir.VoidType(), _object(builder, args[0]))
        return context.get_dummy_value()

    return types.void(types.intp), codegen


@intrinsic
def release_gil(typingctx, kept):
    """Give the GIL up, but keep an object; return what `take_gil` wants."""

    def codegen(context, builder, signature, args):
        _call_python(builder, "Py_IncRef", ir.VoidType(), _object(builder, args[0]))
        return builder.ptrtoint(_call_python(builder, "PyEval_SaveThread", _POINTER), WORD)

    return types.intp(array_object), codegen


@intrinsic
def take_gil(typingctx, state, kept):
    """Take the GIL back, and keep the object no longer."""

    def codegen(context, builder, signature, args):
        state, kept = (_object(builder, arg) for arg in args)
        _call_python(builder, "PyEval_RestoreThread", ir.VoidType(), state)
        _call_python(builder, "Py_DecRef", ir.VoidType(), kept)
        return context.get_dummy_value()

    return types.void(types.intp, array_object), codegen


@intrinsic
def length_of(typingctx, addresses):
    """The number of objects in a tuple passed as ``array_addresses``."""

    def codegen(context, builder, signature, args):
        items = builder.inttoptr(args[0], BYTE.as_pointer())
        return load_field(builder, items, TUPLE_LENGTH - TUPLE_ITEMS, WORD)

    return types.intp(array_addresses), codegen


@intrinsic
def length_at(typingctx, obj):
    """The number of items of a tuple, or a list, that was passed as ``array_object``."""

    def codegen(context, builder, signature, args):
        return load_field(builder, builder.inttoptr(args[0], BYTE.as_pointer()), TUPLE_LENGTH, WORD)

    return types.intp(array_object), codegen


@intrinsic
def field_of(typingctx, array, offset):
    """The 8 bytes of an array object at ``offset``."""

    def codegen(context, builder, signature, args):
        return load_field(builder, builder.inttoptr(builder.add(*args), BYTE.as_pointer()), 0, WORD)

    return types.intp(array, types.intp), codegen


@intrinsic
def fields_of(typingctx, array, offset):
    """The pointer to as many words as the array has axes, which an array object holds at ``offset``."""

    def codegen(context, builder, signature, args):
        array = builder.inttoptr(args[0], BYTE.as_pointer())
        words = load_field(builder, builder.inttoptr(builder.add(*args), BYTE.as_pointer()), 0, BYTE.as_pointer())
        rank = builder.zext(load_field(builder, array, NDARRAY_RANK, ir.IntType(32)), WORD)
        low = builder.ptrtoint(words, WORD)
        return Pointer.to_buffer(builder, words, low, builder.mul(rank, WORD(8)), is_writable=False).value

    return byte_pointer(array, types.intp), codegen
