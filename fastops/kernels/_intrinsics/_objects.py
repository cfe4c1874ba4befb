"""Intrinsics for the objects of a call: how kernels find arrays, and what they read of them."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._new_array import NEW_ARRAY
from fastops.kernels._intrinsics._object_layout import NDARRAY_RANK, TUPLE_ITEMS, TUPLE_LENGTH
from fastops.kernels._intrinsics._types import BYTE, WORD, array_addresses, array_object, byte_pointer, load_field


@intrinsic
def object_at(typingctx, address):
    """The object at an address, which must be one."""

    def codegen(context, builder, signature, args):
        return args[0]

    return array_object(types.intp), codegen


@intrinsic
def object_of(typingctx, addresses, i):
    """Object ``i`` of a tuple passed as ``array_addresses``."""

    def codegen(context, builder, signature, args):
        items = builder.inttoptr(args[0], WORD.as_pointer())
        return builder.load(builder.gep(items, [args[1]]))

    return array_object(array_addresses, types.intp), codegen


@intrinsic
def items_at(typingctx, address):
    """The addresses of objects at an address, as if they were those of a tuple."""

    def codegen(context, builder, signature, args):
        return args[0]

    return array_addresses(types.intp), codegen


@intrinsic
def tuple_of(typingctx, addresses):
    """The tuple that was passed as ``array_addresses``, once more: whoever gets it has a reference to it."""

    def codegen(context, builder, signature, args):
        obj = builder.sub(args[0], WORD(TUPLE_ITEMS))
        _call_python(builder, "Py_IncRef", ir.VoidType(), builder.inttoptr(obj, BYTE.as_pointer()))
        return obj

    return array_object(array_addresses), codegen


@intrinsic
def reference_to(typingctx, obj):
    """An object once more: whoever gets it has a reference to it."""

    def codegen(context, builder, signature, args):
        _call_python(builder, "Py_IncRef", ir.VoidType(), builder.inttoptr(args[0], BYTE.as_pointer()))
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
        pointer, int32 = BYTE.as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(int32, [pointer, pointer])
        compare = cgutils.get_or_insert_function(builder.module, kind, "PyUnicode_Compare")
        found = builder.call(compare, [builder.inttoptr(arg, pointer) for arg in args])
        return builder.icmp_signed("==", found, int32(0))

    return types.boolean(types.intp, types.intp), codegen


@intrinsic
def word_at(typingctx, address):
    """The 8 bytes at an address, which must be those of an object's fields."""

    def codegen(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], WORD.as_pointer()))

    return types.intp(types.intp), codegen


@intrinsic
def address_of_object(typingctx, array):
    """The address of an object."""

    def codegen(context, builder, signature, args):
        return args[0]

    return types.intp(array_object), codegen


@intrinsic
def integer_at(typingctx, address):
    """The value of the int object at an address, or the lowest of 64 bits if it has more; the GIL must be kept."""

    def codegen(context, builder, signature, args):
        int32 = ir.IntType(32)
        kind = ir.FunctionType(WORD, [BYTE.as_pointer(), int32.as_pointer()])
        convert = cgutils.get_or_insert_function(builder.module, kind, "PyLong_AsLongLongAndOverflow")
        overflow = cgutils.alloca_once(builder, int32)
        value = builder.call(convert, [builder.inttoptr(args[0], BYTE.as_pointer()), overflow])
        is_exact = builder.icmp_signed("==", builder.load(overflow), int32(0))
        return builder.select(is_exact, value, WORD(-(2**63)))

    return types.intp(types.intp), codegen


@intrinsic
def new_reference(typingctx, array):
    """The address of a new weak reference to an object; 0 if there can be none. The GIL must be kept."""

    def codegen(context, builder, signature, args):
        array, pointer = builder.inttoptr(args[0], BYTE.as_pointer()), BYTE.as_pointer()
        made = _call_python(builder, "PyWeakref_NewRef", pointer, array, ir.Constant(pointer, None))
        with builder.if_then(cgutils.is_null(builder, made)):
            _call_python(builder, "PyErr_Clear", ir.VoidType())
        return builder.ptrtoint(made, WORD)

    return types.intp(array_object), codegen


@intrinsic
def new_integer(typingctx, value):
    """A new reference to an int; the GIL must be kept, as for all that is new."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(BYTE.as_pointer(), [WORD])
        create = cgutils.get_or_insert_function(builder.module, kind, "PyLong_FromLongLong")
        return builder.ptrtoint(builder.call(create, args), WORD)

    return array_object(types.intp), codegen


@intrinsic
def new_bytes(typingctx, pointer, n):
    """A new bytes object of n bytes at a pointer."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(BYTE.as_pointer(), [BYTE.as_pointer(), WORD])
        create = cgutils.get_or_insert_function(builder.module, kind, "PyBytes_FromStringAndSize")
        return builder.ptrtoint(builder.call(create, [Pointer.of(builder, args[0]).place, args[1]]), WORD)

    return array_object(byte_pointer, types.intp), codegen


@intrinsic
def new_tuple(typingctx, items, n):
    """A new tuple of n objects, whose addresses are at a pointer, and references to which it takes over."""

    def codegen(context, builder, signature, args):
        pointer, items = BYTE.as_pointer(), Pointer.of(builder, args[0])
        create = cgutils.get_or_insert_function(builder.module, ir.FunctionType(pointer, [WORD]), "PyTuple_New")
        made = builder.call(create, [args[1]])
        with builder.if_then(cgutils.is_not_null(builder, made)), cgutils.for_range(builder, args[1]) as loop:
            item = builder.inttoptr(items.element(WORD, loop.index).load(WORD, align=8), pointer)
            kind = ir.FunctionType(ir.IntType(32), [pointer, WORD, pointer])
            put = cgutils.get_or_insert_function(builder.module, kind, "PyTuple_SetItem")
            builder.call(put, [made, loop.index, item])
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
        pointer, int32 = BYTE.as_pointer(), ir.IntType(32)
        ndarray, dtype = (builder.inttoptr(arg, pointer) for arg in args[:2])
        _call_python(builder, "Py_IncRef", ir.VoidType(), dtype)
        kind = ir.FunctionType(pointer, [pointer, pointer, int32, pointer, pointer, pointer, int32, pointer])
        create = cgutils.get_or_insert_function(builder.module, kind, NEW_ARRAY)
        null, shape = ir.Constant(pointer, None), Pointer.of(builder, args[3]).place
        rank = builder.trunc(args[2], int32)
        made = builder.call(create, [ndarray, dtype, rank, shape, null, null, int32(0), null])
        with builder.if_then(cgutils.is_null(builder, made)):
            _call_python(builder, "PyErr_Clear", ir.VoidType())
        return builder.ptrtoint(made, WORD)

    return types.intp(types.intp, types.intp, types.intp, byte_pointer), codegen


@intrinsic
def drop_reference(typingctx, address):
    """Drop a reference to the object at an address. The GIL must be kept."""

    def codegen(context, builder, signature, args):
        _call_python(builder, "Py_DecRef", ir.VoidType(), builder.inttoptr(args[0], BYTE.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.intp), codegen


@intrinsic
def release_gil(typingctx, kept):
    """Give the GIL up, but keep an object; return what `take_gil` wants."""

    def codegen(context, builder, signature, args):
        _call_python(builder, "Py_IncRef", ir.VoidType(), builder.inttoptr(args[0], BYTE.as_pointer()))
        return builder.ptrtoint(_call_python(builder, "PyEval_SaveThread", BYTE.as_pointer()), WORD)

    return types.intp(array_object), codegen


@intrinsic
def take_gil(typingctx, state, kept):
    """Take the GIL back, and keep the object no longer."""

    def codegen(context, builder, signature, args):
        state, kept = (builder.inttoptr(arg, BYTE.as_pointer()) for arg in args)
        _call_python(builder, "PyEval_RestoreThread", ir.VoidType(), state)
        _call_python(builder, "Py_DecRef", ir.VoidType(), kept)
        return context.get_dummy_value()

    return types.void(types.intp, array_object), codegen


def _call_python(builder, name, result, *args):
    """Emit the call of a function of Python's that takes pointers."""
    kind = ir.FunctionType(result, [BYTE.as_pointer()] * len(args))
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


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


@intrinsic(prefer_literal=True)
def field_of(typingctx, array, offset):
    """The 8 bytes of an array object at ``offset``, a literal."""

    def codegen(context, builder, signature, args):
        return load_field(builder, builder.inttoptr(args[0], BYTE.as_pointer()), offset.literal_value, WORD)

    return types.intp(array, offset), codegen


@intrinsic(prefer_literal=True)
def fields_of(typingctx, array, offset):
    """The pointer to as many words as the array has axes, which an array object holds at ``offset``, a literal."""

    def codegen(context, builder, signature, args):
        array = builder.inttoptr(args[0], BYTE.as_pointer())
        words = load_field(builder, array, offset.literal_value, BYTE.as_pointer())
        rank = builder.zext(load_field(builder, array, NDARRAY_RANK, ir.IntType(32)), WORD)
        low = builder.ptrtoint(words, WORD)
        return Pointer.to_buffer(builder, words, low, builder.mul(rank, WORD(8)), is_writable=False).value

    return byte_pointer(array, offset), codegen
