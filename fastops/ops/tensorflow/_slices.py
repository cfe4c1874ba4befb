"""tf.slice, tf.strided_slice and tf.split."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from fastops._lowering._arguments import Rule, as_scalar
from fastops._lowering._bounds import check_length
from fastops._lowering._slices import as_parts, lower_equal_parts, lower_lengths, lower_strided_slices, of_masks
from fastops._types import AnyArray, Data, Options, PartsOptions
from fastops.ops import AttributeValueError, Index, Indices, OneOrMore, Operator, Windows, r

__all__ = ["slice", "split", "strided_slice"]


def _lower_slice(shape: Indices, begin: Indices, size: Indices) -> Windows:
    check_length("begin", begin, len(shape), "axis of input_")
    check_length("size", size, len(shape), "axis of input_")
    bounds = []
    for axis, (extent, start, count) in enumerate(zip(shape, begin, size, strict=True)):
        if not 0 <= start <= extent:
            raise AttributeValueError.about("begin", f"be in 0..{extent}", begin, axis, extent)
        if not -1 <= count <= extent - start:
            rule = f"be in 0..{extent - start}, or -1 for the rest of the axis, from {start} on"
            raise AttributeValueError.about("size", rule, size, axis, extent)
        bounds.append((start, 1, extent - start if count == -1 else count))
    return Windows(shape, bounds)


@Operator(_lower_slice, Rule(r.WINDOWS, (r.START, r.SIZE), r.REST_IF_MINUS_1))
def slice(input_: Data, begin: Indices, size: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Take a window of an array: tf.slice.

    Along each axis, output y reads index ``begin + y`` for ``0 <= y < size``.

    Parameters
    ----------
    begin : list of int
        The first index along each axis, >= 0.
    size : list of int
        The number of outputs along each axis; -1 for the rest of the axis.

    Raises
    ------
    AttributeValueError
        A list that does not have one number for each axis, or a window that is not inside of the input.

    Examples
    --------
    >>> tensorflow.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 2])
    array([[ 6,  7],
           [10, 11]])
    """


_MASK_BITS = 32
# The masks in TensorFlow's order.
_MASKS = (r.BEGIN_MASK, r.END_MASK, r.ELLIPSIS_MASK, r.NEW_AXIS_MASK, r.SHRINK_MASK)


def _as_bits(attribute: str, mask: Index) -> tuple[int, ...]:
    """Return the bits of a mask, the lowest first, up to the last one that is set."""
    number = as_scalar(attribute, mask)
    half = 1 << (_MASK_BITS - 1)
    if not -half <= number < half:
        raise AttributeValueError.about(attribute, f"be an integer of {_MASK_BITS} bits", mask)
    # A negative mask is a two's complement, as in C.
    return tuple([number >> i & 1 for i in range(_MASK_BITS if number < 0 else number.bit_length())])


@Operator(
    partial(lower_strided_slices, clamp=r.NUMPY_CLAMP),
    Rule(r.SLICES, (r.BEGIN, r.END, r.STRIDE, *_MASKS), r.NUMPY_CLAMP, r.BIT_FIELDS),
    **of_masks(_as_bits),
)
def strided_slice(
    input_: Data,
    begin: Indices,
    end: Indices,
    strides: Indices | None = None,
    begin_mask: Index = 0,
    end_mask: Index = 0,
    ellipsis_mask: Index = 0,
    new_axis_mask: Index = 0,
    shrink_axis_mask: Index = 0,
    **rest: Unpack[Options],
) -> AnyArray:
    """Extract a strided slice of an array: tf.strided_slice.

    Position i of begin, end and strides is about one axis of the input, counted from the front, and takes
    ``begin[i] : end[i] : strides[i]`` as in Python slicing: negative bounds count from the end, and bounds out of range
    are clamped. Bit i of a mask gives position i another meaning. Axes that no position names are taken whole.

    Parameters
    ----------
    begin, end : list of int
        The bounds, one for each position.
    strides : list of int, optional
        The steps, one for each position, not 0; all 1 by default.
    begin_mask, end_mask : int
        A set bit leaves the bound out, as the Python slice ``[:]`` does.
    ellipsis_mask : int
        A set bit, at most one, takes all axes that no other position names.
    new_axis_mask : int
        A set bit adds an axis of length 1; the bounds at this position are ignored.
    shrink_axis_mask : int
        A set bit takes index ``begin[i]`` and drops the axis; the stride at this position must be positive. In all
        masks, bits beyond begin are ignored, except that ellipses are counted there too.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a stride of 0, a negative stride where an axis is dropped, more positions than axes,
        two ellipses, or a mask of more than 32 bits.
    OutOfBoundsError
        An index that drops an axis lies outside of the axis.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.strided_slice, without var and name. With a negative stride, a begin before the
    axis gives an empty slice, as in NumPy; OpenVINO clamps it to index 0.

    Examples
    --------
    >>> tensorflow.strided_slice(np.arange(6).reshape(2, 3), [0, 1], [2, 0], shrink_axis_mask=0b10)
    array([1, 4])
    """


def _lower_split(shape: Indices, parts: OneOrMore, axis: Index, num: Index | None) -> list[Windows]:
    if isinstance(parts, int):
        return lower_equal_parts(shape, axis, parts)
    if parts and num is not None and num != len(parts):
        raise AttributeValueError.about("num", f"be the number of sizes, {len(parts)}", num)
    return lower_lengths(shape, axis, parts)


@Operator(_lower_split, Rule(r.SPLIT, (r.LENGTHS, r.AXIS, r.NUMBER), r.MAY_INFER, r.PARTS), num_or_size_splits=as_parts)
def split(
    value: Data, num_or_size_splits: OneOrMore, axis: Index = 0, num: Index | None = None, **rest: Unpack[PartsOptions]
) -> list[AnyArray]:
    """Split an array along an axis, into equal parts or parts of given sizes: tf.split.

    Part k is ``value[..., s : s + n, ...]``, where n is its size and s the sum of the sizes before it. All parts are
    written together.

    Parameters
    ----------
    value : array_like
        Rank 1 or more, any dtype but object.
    num_or_size_splits : int or list of int
        The number of equal parts, which must divide the axis, or the sizes of the parts, which must sum to the axis.
        One size may be -1, which stands for the rest of the axis.
    axis : int
        The axis to split; negative axes count from the end.
    num : int, optional
        The number of sizes, which is checked if it is given.

    Raises
    ------
    AttributeValueError
        An axis that value does not have, a number that does not divide the axis, sizes that do not sum to the axis, or
        a ``num`` that is not the number of sizes.

    Examples
    --------
    >>> tensorflow.split(np.arange(6), [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
