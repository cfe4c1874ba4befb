"""Calls of operators in users' compiled code: one kernel lowers the arguments to words, and another moves the data.

`make_stub` makes most stubs. A stub takes some of the operator's parameters, lowers a call with the intrinsic that
`lowered_by` returns, and moves the data with `write`.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: ignore-errors

from __future__ import annotations

import inspect

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from fastops._overloads import _arguments
from fastops._overloads._arguments import may_overlap, store_words
from fastops._overloads._link import emit_linked
from fastops._overloads._stubs import OPTIONS, CallError, check_data, raise_status
from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._outlined import BYTE, WORD, byte_pointer
from fastops.kernels._rules._rule import rank_of_result
from fastops.kernels._rules._words import MOST_RULE_AXES
from fastops.kernels._tables import _arrays as a, _calls as u, _rules as r, _words as w
from fastops.kernels._user_calls import lower_call, move_call, move_windows_of_call


def is_none(kind) -> bool:
    """True for the type of an argument that is None, or that is left out and has the default None."""
    if isinstance(kind, types.Omitted):
        return kind.value is None
    return kind is None or isinstance(kind, types.NoneType)


# The parameters whose lengths decide the rank of the result.
_OF_RANK = {(r.SLICES, parameter) for parameter in range(r.MOST_PARAMETERS)}
_OF_RANK |= {(r.TILE, r.REPEATS), (r.BROADCAST, r.REPEATS), (r.SLIDE, r.SIZE)}

# Errors by family, for calls whose arguments do not tell the rank of the result.
_NO_RANK = {
    r.SLICES: "masks must be tuples of literal zeros and ones, with at most one ellipsis, and at most one position "
    "for each axis of data",
    r.BROADCAST: "shape must have a length for each axis of data",
}


def _rank_of(operator, rule, names, parameters, rank, read, kinds) -> int:
    """Return the rank of the result, which depends on the lengths of tuples and the bits of literal masks."""
    words = np.zeros(r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS + sum([each.room for each in read]), np.int64)
    first = r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS
    for name, argument, parameter, kind in zip(names, read, parameters, kinds, strict=False):
        row = parameter * r.ARGUMENT_COLUMNS
        words[row : row + r.ARGUMENT_COLUMNS] = (argument.kind, argument.count, first, argument.row_length)
        is_mask = rule[r.FAMILY] == r.SLICES and parameter >= r.BEGIN_MASK
        if argument.integers is None and (rule[r.FAMILY], parameter) in _OF_RANK:
            raise CallError(f"{operator}: {name} must be a tuple, whose length is known when compiling, got {kind}")
        for i, (_, kind) in enumerate(argument.integers or ()):
            words[first + i] = kind.literal_value if isinstance(kind, types.IntegerLiteral) else -is_mask
        first += argument.room
    result = int(rank_of_result(rule, rank, words))
    if result < 0:
        raise CallError(f"{operator}: {_NO_RANK[rule[r.FAMILY]]}")
    # The words of a repeat have one axis more than its data.
    most = MOST_RULE_AXES - (rule[r.FAMILY] == r.REPEAT)
    if max(rank, result) > most:
        raise CallError(f"{operator}: data and results must have at most {most} axes in compiled code")
    return result


def rule_of(function):
    """Return the name of an operator, its rule, and the names of its attributes."""
    lowering = function.lowering
    return lowering.op, lowering.rule, lowering.names


def lowered_by(op, rule, names, *more, data_name="data"):
    """Return the intrinsic that lowers calls of an operator, from data, a fill value and a tuple of attributes.

    ``more`` are parameters of the family that are no attributes of the rule; their values come last in the tuple.
    The intrinsic returns a pointer to the words of the call (`kernels._tables._calls`), a status, and the shape of
    the result.
    """
    operator, numbers, constants = f"fastops.{op}", rule.words.tolist(), rule.constants
    known = [each % r.OPTIONAL for each in numbers[r.HEADER_COLUMNS :][: numbers[r.ATTRIBUTES]]] + [*more]

    @intrinsic(prefer_literal=True)
    def lower(typingctx, data, fill_value, attributes):
        check_data(operator, data_name, data)
        _arguments.check_fill_value(operator, data.dtype, fill_value)
        parameters = known[: len(attributes)]
        modes = [constants if parameter == r.MODE and constants else None for parameter in parameters]
        given = zip(names, attributes, modes, strict=False)
        read = [_arguments.argument_of(f"{operator}: {name}", kind, mode) for name, kind, mode in given]
        rank, dst_rank = data.ndim, _rank_of(operator, numbers, names, parameters, data.ndim, read, attributes)
        values = r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS
        arrays = u.ARGUMENTS + values + sum([argument.room for argument in read])
        arrays_words = a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS + 2 * (rank + dst_rank)
        words = arrays + arrays_words
        shape = words + w.HEADER_COLUMNS + rank + 1
        # The words of a repeat have one axis more than data and result.
        room = shape + dst_rank + w.PIECE_COLUMNS + (max(rank, dst_rank) + 1) * w.AXIS_COLUMNS

        def codegen(context, builder, signature, args):
            value, fill, given = args
            place = builder.bitcast(cgutils.alloca_once(builder, WORD, size=room), BYTE.as_pointer())
            call = Pointer.to_buffer(builder, place, 0, 8 * room, is_writable=True)
            struct = context.make_array(data)(context, builder, value)
            header = [*numbers[: r.SECOND_OPTION + 1], rank, struct.itemsize, int(not is_none(fill_value))]
            store_words(call, u.RULE, [*header, arrays, arrays_words, words])
            lengths = cgutils.unpack_tuple(builder, struct.shape, rank)
            store_words(call, arrays + a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS, lengths)
            store_words(call, u.ARGUMENTS, [0, 0, 0, 1] * r.MOST_PARAMETERS)
            arguments, first = call.at(WORD(8 * u.ARGUMENTS)), values
            for i, (argument, parameter, mode) in enumerate(zip(read, parameters, modes, strict=True)):
                own = builder.extract_value(given, i)
                _arguments.emit_argument(
                    context, builder, arguments, parameter, first, argument, attributes[i], own, mode
                )
                first += argument.room
            of_fill = _arguments.emit_fill_value(context, builder, data.dtype, call, fill_value, fill)
            status = emit_linked(context, builder, lower_call, [call.value])
            status = builder.select(builder.icmp_signed("==", status, WORD(0)), of_fill, status)
            lengths = [call.element(WORD, WORD(shape + k)).load(WORD, align=8) for k in range(dst_rank)]
            lengths = context.make_tuple(builder, signature.return_type[2], lengths)
            return context.make_tuple(builder, signature.return_type, [call.value, status, lengths])

        result = types.Tuple((byte_pointer, types.intp, types.UniTuple(types.intp, dst_rank)))
        return result(data, fill_value, attributes), codegen

    return lower


@intrinsic
def move(typingctx, call, source, out, windows):
    """Run a lowered call from an array into another one, which shares no memory with it; return a status.

    For a call of windows, ``windows`` are the starts, strides and items, which the lowered call lacks; otherwise None.
    """

    def codegen(context, builder, signature, args):
        call, rows, shapes, strides = Pointer.of(builder, args[0]), [], [], []
        for kind, value in zip((source, out), args[1:3], strict=True):
            struct = context.make_array(kind)(context, builder, value)
            rows += [builder.ptrtoint(struct.data, WORD), 0, 0, kind.ndim]
            shapes += cgutils.unpack_tuple(builder, struct.shape, kind.ndim)
            strides += cgutils.unpack_tuple(builder, struct.strides, kind.ndim)
        arrays = call.at(builder.mul(call.element(WORD, WORD(u.ARRAYS)).load(WORD, align=8), WORD(8)))
        width, fill = struct.itemsize, call.at(WORD(8 * u.FILL)).address
        # The two zeros stand for no conversion.
        store_words(arrays, 0, [width, fill, width, len(strides), 0, 0, *rows, *shapes, *strides])
        if is_none(windows):
            return emit_linked(context, builder, move_call, args[:1])
        values = [args[0], cgutils.unpack_tuple(builder, context.make_array(out)(context, builder, args[2]).shape)[0]]
        for kind, numbers in zip(windows, cgutils.unpack_tuple(builder, args[3]), strict=True):
            is_given = not is_none(kind)
            data = context.make_array(kind)(context, builder, numbers).data if is_given else None
            values.append(builder.ptrtoint(data, WORD) if is_given else WORD(0))
        return emit_linked(context, builder, move_windows_of_call, values)

    return types.intp(byte_pointer, source, out, windows), codegen


def write(operator, lowered, data, out, windows=None):
    """Run a lowered call on data, and return ``out`` or a fresh array; raise for a status other than 0.

    ``operator`` is a literal string; ``windows`` is passed to `move`.
    """


# Without `prefer_literal`, Numba would first compile the function below for strings of any value, in vain.
@overload(write, jit_options=OPTIONS, prefer_literal=True)
def _write(operator, lowered, data, out, windows=None):
    has_out = not is_none(out)
    if has_out:
        check_out(operator.literal_value, out, data, len(lowered[2]))

    def impl(operator, lowered, data, out, windows=None):
        call, status, shape = lowered
        raise_status(operator, status)
        if has_out:
            raise_status(operator, 0 if out.shape == shape else a.OTHER_SHAPE)
        result = out if has_out else np.empty(shape, data.dtype)
        source = data.copy() if has_out and may_overlap(out, data) else data
        raise_status(operator, move(call, source, result, windows))
        return result

    return impl


def check_out(operator, out, data, rank) -> None:
    """Raise unless ``out`` has the type of a writeable array of data's dtype and of this rank."""
    if not isinstance(out, types.Array) or out.dtype != data.dtype or out.ndim != rank or not out.mutable:
        rule = f"be a writeable array of {rank} dimensions and dtype {data.dtype}"
        raise CallError(f"{operator}: out must {rule}, got {out}")


def make_stub(function, fill_name=None):
    """Make the stub of an operator that has a rule.

    The stub has these parameters of the operator: data, the attributes of the rule, ``fill_name`` and ``out``.
    """
    op, rule, names = rule_of(function)
    data, *others = inspect.signature(function).parameters.values()
    taken = [each for each in others if each.name in (*names, fill_name, "out")]
    defaults = ["" if each.default is each.empty else f"={each.default!r}" for each in taken]
    parameters = [data.name, *[each.name + default for each, default in zip(taken, defaults, strict=True)]]
    attributes = "".join([f"{each.name}, " for each in taken if each.name in names])
    # Numba takes the signature of a function from its code, so the code is written as text and evaluated.
    signature = ", ".join(parameters).replace("<no value>", "None")
    has_none = not fill_name or inspect.signature(function).parameters[fill_name].default is None

    def check(fill):
        """Return the code of a call; raise unless the fill value is one number, or None where that is the default."""
        numbers = types.BaseTuple | types.Array | types.List
        if isinstance(fill, numbers) or (isinstance(fill, types.NoneType) and not has_none):
            raise CallError(f"fastops.{op}: {fill_name} must be one number in compiled code")
        return known["impl"]

    known = {"write": write, "lower": lowered_by(op, rule, names, data_name=data.name), "check": check}
    lowered = f"lower({data.name}, {fill_name}, ({attributes}))"
    known["impl"] = eval(f"lambda {signature}: write('fastops.{op}', {lowered}, {data.name}, out)", known)  # noqa: S307
    body = eval(f"lambda {signature}: check({fill_name})", known)  # noqa: S307
    overload(function, jit_options=OPTIONS, prefer_literal=rule.words[r.FAMILY] == r.SLICES)(body)
