"""Calls of operators in users' compiled code: their arguments lowered to words, and words moved, by the kernels."""


# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

from fastops._overloads._arguments import argument_of, check_fill_value, emit_argument, emit_fill_value, may_overlap
from fastops._overloads._link import emit_linked
from fastops._overloads._stubs import OPTIONS, CallError, check_data, raise_status
from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer
from fastops.kernels._rules._rule import rank_of_result
from fastops.kernels._rules._words import MOST_RULE_AXES
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _user_calls as u
from fastops.kernels._tables import _words as w
from fastops.kernels._user_calls import lower_call, move_call
from fastops.ops._slices import strided_slice


def is_none(kind) -> bool:
    """True for the type of an argument that is None, or left out where that is the default."""
    if isinstance(kind, types.Omitted):
        return kind.value is None
    return kind is None or isinstance(kind, types.NoneType)


#: The parameters of families whose lengths say the rank of the result.
_OF_RANK = {
    *((r.SLICES, parameter) for parameter in range(r.MOST_PARAMETERS)),
    *((r.TILE, r.REPEATS), (r.BROADCAST, r.SHAPE), (r.SLIDE, r.SIZE)),
}

#: What there is to say of arguments that leave a result no rank.
_NO_RANK = {
    r.SLICES: "masks must be tuples of literal zeros and ones, with one ellipsis at most, and positions no more than "
    "data has axes",
    r.BROADCAST: "shape must have a length for each axis of data",
}


def _rank_of(operator, rule, names, parameters, rank, read, kinds) -> int:
    """Return the rank of the result, which numbers and literals among the types of arguments say."""
    words = np.zeros(r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS + sum([each.room for each in read]), np.int64)
    first = r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS
    for name, argument, parameter, kind in zip(names, read, parameters, kinds, strict=False):
        row = parameter * r.ARGUMENT_COLUMNS
        words[row : row + r.ARGUMENT_COLUMNS] = (argument.kind, argument.count, first, argument.row_length)
        is_mask = rule[r.FAMILY] == r.SLICES and parameter >= r.BEGIN_MASK
        if argument.integers is None and argument.kind != r.INTEGER and (rule[r.FAMILY], parameter) in _OF_RANK:
            raise CallError(f"{operator}: {name} must be a tuple, whose length is known when compiling, got {kind}")
        for i, (_, kind) in enumerate(argument.integers or ()):
            words[first + i] = kind.literal_value if isinstance(kind, types.IntegerLiteral) else -is_mask
        first += argument.room
    result = int(rank_of_result(rule, rank, words))
    if result < 0:
        raise CallError(f"{operator}: {_NO_RANK[rule[r.FAMILY]]}")
    # A repeat has one axis more in its words.
    most = MOST_RULE_AXES - (rule[r.FAMILY] == r.REPEAT)
    if max(rank, result) > most:
        raise CallError(f"{operator}: data and results must have at most {most} axes in compiled code")
    return result


def rule_of(lower):
    """Return the name of an operator, its rule, and the names of its attributes."""
    return lower.lowering.op, lower.lowering.rule, lower.lowering.names


def lowered_by(op, rule, names, *more):
    """Return the intrinsic that lowers calls of an operator: of data, its fill value and a tuple of its attributes.

    Behind those that the rule has, the tuple may have ``more`` parameters of its family.
    It gives a pointer to the words of the call (`kernels._tables._user_calls`), a status, and the shape of the result.
    """
    operator, numbers, constants = f"fastops.{op}", rule.words.tolist(), rule.constants
    known = [each % r.OPTIONAL for each in numbers[r.HEADER_COLUMNS :][: numbers[r.ATTRIBUTES]]] + [*more]

    @intrinsic(prefer_literal=True)
    def lower(typingctx, data, fill_value, attributes):
        # The type of an operator has done so, but NumPy's functions are none.
        check_data(operator, "data", data)
        check_fill_value(operator, data.dtype, fill_value)
        parameters = known[: len(attributes)]
        modes = [constants if parameter == r.MODE and constants else None for parameter in parameters]
        read = [
            argument_of(f"{operator}: {name}", kind, mode)
            for name, kind, mode in zip(names, attributes, modes, strict=False)
        ]
        rank, dst_rank = data.ndim, _rank_of(operator, numbers, names, parameters, data.ndim, read, attributes)
        values = r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS
        arrays = u.ARGUMENTS + values + sum([argument.room for argument in read])
        arrays_words = a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS + 2 * (rank + dst_rank)
        words = arrays + arrays_words
        shape = words + w.HEADER_COLUMNS + rank + 1
        # A repeat has an axis more than data and result.
        room = shape + dst_rank + w.PIECE_COLUMNS + (max(rank, dst_rank) + 1) * w.AXIS_COLUMNS

        def codegen(context, builder, signature, args):
            value, fill, given = args
            place = builder.bitcast(cgutils.alloca_once(builder, WORD, size=room), BYTE.as_pointer())
            call = Pointer.to_buffer(builder, place, builder.ptrtoint(place, WORD), WORD(8 * room), is_writable=True)
            struct = context.make_array(data)(context, builder, value)
            header = [*numbers[: r.SECOND_OPTION + 1], rank, struct.itemsize, int(not is_none(fill_value))]
            _store(call, u.RULE, [*header, arrays, arrays_words, words])
            lengths = cgutils.unpack_tuple(builder, struct.shape, rank)
            _store(call, arrays + a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS, lengths)
            _store(call, u.ARGUMENTS, [0, 0, 0, 1] * r.MOST_PARAMETERS)
            arguments, first = call.at(WORD(8 * u.ARGUMENTS)), values
            for i, (argument, parameter, mode) in enumerate(zip(read, parameters, modes, strict=True)):
                own = builder.extract_value(given, i)
                emit_argument(context, builder, arguments, parameter, first, argument, attributes[i], own, mode)
                first += argument.room
            of_fill = emit_fill_value(context, builder, data.dtype, call, fill_value, fill)
            status = emit_linked(context, builder, lower_call, [call.value])
            status = builder.select(builder.icmp_signed("==", status, WORD(0)), of_fill, status)
            lengths = [call.element(WORD, WORD(shape + k)).load(WORD, align=8) for k in range(dst_rank)]
            lengths = context.make_tuple(builder, signature.return_type[2], lengths)
            return context.make_tuple(builder, signature.return_type, [call.value, status, lengths])

        result = types.Tuple((byte_pointer, types.intp, types.UniTuple(types.intp, dst_rank)))
        return result(data, fill_value, attributes), codegen

    return lower


def _store(pointer, first, numbers) -> None:
    for i, number in enumerate(numbers):
        word = WORD(number) if isinstance(number, int) else number
        pointer.element(WORD, WORD(first + i)).store(word, align=8)


def describe(context, builder, call, kinds, values) -> None:
    """Emit what describes the source and the output of a call."""
    rows, shapes, strides = [], [], []
    for kind, value in zip(kinds, values, strict=True):
        struct = context.make_array(kind)(context, builder, value)
        rows += [builder.ptrtoint(struct.data, WORD), 0, 0, kind.ndim]
        shapes += cgutils.unpack_tuple(builder, struct.shape, kind.ndim)
        strides += cgutils.unpack_tuple(builder, struct.strides, kind.ndim)
    arrays = call.at(builder.mul(call.element(WORD, WORD(u.ARRAYS)).load(WORD, align=8), WORD(8)))
    width, fill = struct.itemsize, call.at(WORD(8 * u.FILL)).address
    # No conversion follows the number of axes.
    _store(arrays, 0, [width, fill, width, len(strides), 0, 0, *rows, *shapes, *strides])


@intrinsic
def move(typingctx, call, source, out):
    """Move the words of a call from an array into another one that shares no memory with it; return a status."""

    def codegen(context, builder, signature, args):
        describe(context, builder, Pointer.of(builder, args[0]), (source, out), args[1:])
        return emit_linked(context, builder, move_call, args[:1])

    return types.intp(byte_pointer, source, out), codegen


#: Of all that an array has.
lower_copy = lowered_by(*rule_of(strided_slice))


@register_jitable(**OPTIONS)
def copy_array(source, target):
    """Write an array into another one of its shape; return a status."""
    call, status, _ = lower_copy(source, None, ((), ()))
    return status or move(call, source, target)


def write(operator, lowered, data, out):
    """Write what was lowered, or raise for a status; return ``out``, or a fresh array. ``operator`` is a literal."""


# Without literals there is no code: Numba would compile for other integers first, and drop it.
@overload(write, jit_options=OPTIONS, prefer_literal=True)
def _write(operator, lowered, data, out):
    if is_none(out):

        def write_fresh(operator, lowered, data, out):
            call, status, shape = lowered
            raise_status(operator, status)
            result = np.empty(shape, data.dtype)
            raise_status(operator, move(call, data, result))
            return result

        return write_fresh
    check_out(operator.literal_value, out, data, len(lowered[2]))

    def write_into(operator, lowered, data, out):
        call, status, shape = lowered
        raise_status(operator, status or (0 if out.shape == shape else a.OTHER_SHAPE))
        if may_overlap(out, data):
            result = np.empty(shape, data.dtype)
            raise_status(operator, move(call, data, result))
            raise_status(operator, copy_array(result, out))
        else:
            raise_status(operator, move(call, data, out))
        return out

    return write_into


def check_out(operator, out, data, rank) -> None:
    """Raise for the type of an output that cannot be one of so many axes."""
    if not isinstance(out, types.Array) or out.dtype != data.dtype or out.ndim != rank or not out.mutable:
        raise CallError(
            f"{operator}: out must be a writeable array of {rank} dimensions and dtype {data.dtype}, got {out}"
        )
