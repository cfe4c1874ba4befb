"""torch.narrow and split, slices of tensors, and torch.nn.functional.pad."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, Unpack, get_args

from fastops._arrays._dtypes import is_plain_number
from fastops._errors import AttributeValueError, DTypeError, OutputError, counted
from fastops._lowering import _slices as slices
from fastops._lowering._arguments import MODES, Rule, constant_fill, modes_of, one_of
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._moves import Sides, lower_pads
from fastops._types import TensorOptions
from fastops.ops import Index, Indices, Mode, OneOrMore, Tensor, TensorOperator, Windows, r

__all__ = ["narrow", "pad", "slice", "split", "take_slice"]


def _lower_narrow(shape: Indices, dim: Index, start: Index, length: Index) -> Windows:
    axis = resolve_axis_of(shape, "dim", dim)
    extent = shape[axis]
    if not -extent <= start <= extent:
        raise AttributeValueError.also(IndexError).about("start", f"be in {-extent}..{extent}", start, axis, extent)
    begin = start + extent if start < 0 else start
    if not 0 <= length <= extent - begin:
        raise AttributeValueError.about("length", f"be in 0..{extent - begin}, from {begin} on", length, axis, extent)
    return Windows(shape, [(begin, 1, length) if k == axis else (0, 1, whole) for k, whole in enumerate(shape)])


@TensorOperator(_lower_narrow, Rule(r.WINDOWS, (r.AXES, r.START, r.SIZE), r.ONE_AXIS))
def narrow(input: Tensor, dim: Index, start: Index, length: Index, **rest: Unpack[TensorOptions]) -> Tensor:
    """Take a part of an axis of a tensor: torch.narrow, as a copy.

    Output y of the axis reads index ``start + y`` for ``0 <= y < length``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 1 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    dim : int
        The axis; negative axes count from the end.
    start : int
        The first index of the part; negative indices count from the end.
    length : int
        The length of the part.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or a part that is not inside of the axis.

    Notes
    -----
    Specification: PyTorch 2.13, torch.narrow, which gives a view.

    Examples
    --------
    >>> fot.narrow(torch.arange(5), 0, 1, 3)
    tensor([1, 2, 3])
    """


def _as_places(attribute: str, index: Any) -> tuple[Any, ...]:
    """Return the items of an index, as `slices.as_places` does; refuse uint8 tensors, which PyTorch reads as masks."""
    for place in index if type(index) is tuple else (index,):
        if str(getattr(place, "dtype", None)) == "torch.uint8":
            raise DTypeError.also(IndexError).about(attribute, slices.INDEX_RULE, index)
    return slices.as_places(attribute, index)


@TensorOperator(partial(slices.lower_basic_index, may_reverse=False), index=_as_places)
def take_slice(input: Tensor, index: Any, **rest: Unpack[TensorOptions]) -> Tensor:
    """Return ``input[index]`` for any basic index, as a copy.

    Parameters
    ----------
    index : int, slice, Ellipsis, None, or tuple of these
        A basic index of PyTorch: an integer takes one index and drops the axis, None adds an axis, and an ellipsis
        takes the axes that nothing else names. Steps of slices are positive.

    Raises
    ------
    OutOfBoundsError
        An integer lies outside of its axis.
    AttributeValueError
        More indices than axes, two ellipses, or a step that is not positive.
    DTypeError
        Data that is not a tensor or has a type of less than a byte; or an index of another kind, such as a list, a
        boolean or an array, which are advanced indices.

    Notes
    -----
    Specification: PyTorch 2.13, basic indexing of a tensor, which gives a view. PyTorch accepts a second ellipsis; this
    function refuses it.

    Examples
    --------
    >>> fot.take_slice(torch.arange(12).reshape(3, 4), np.s_[1:, ::2])
    tensor([[ 4,  6],
            [ 8, 10]])
    """


@TensorOperator(slices.lower_windows, Rule(r.WINDOWS, (r.START, r.SIZE, r.STRIDE, r.AXES, r.MODE), constants=MODES))
def slice(
    input: Tensor,
    start: Indices,
    size: Indices,
    stride: Indices | None = None,
    *,
    axes: Indices | None = None,
    mode: Mode = "strict_bounds",
    fill_value: Any = None,
    **rest: Unpack[TensorOptions],
) -> Tensor:
    """Read a tensor on a strided grid, which may reach beyond the tensor: `fastops.slice` for tensors.

    Along each axis, output y reads coordinate ``x = start + y * stride`` for ``0 <= y < size``. If the coordinate lies
    outside ``0..d-1``, where d is the extent of the axis, ``mode`` says what is read:

    - strict_bounds, or default: nothing; the call raises an error;
    - wrap: index ``x mod d``;
    - clamp: index ``min(max(x, 0), d - 1)``;
    - fill: ``fill_value``;
    - reflect: index c with ``c = |x| mod (2d - 2)`` or, where ``c >= d``, ``2d - 2 - c``; 0 for d = 1;
    - symmetric: index c with ``c = x mod 2d`` or, where ``c >= d``, ``2d - 1 - c``.

    Parameters
    ----------
    start : list of int
        The first coordinate along each axis. Coordinates are not counted from the end: -1 lies before the axis.
    size : list of int
        The number of outputs along each axis, >= 0.
    stride : list of int, optional
        The distance from the coordinate of one output to that of the next: positive, negative, or 0, which repeats one
        element; 1 along each axis by default.
    axes : list of int, optional
        The axes that start, size and stride are about; negative axes count from the end. The other axes are taken
        whole. All axes by default.
    mode : SampleMode, int, str or object with a ``name``
        The mode, given as for `fastops.slice`.
    fill_value : number, optional
        The value to fill with, in mode fill only; zero by default. It is converted as in `fastops.torch.pad`.

    Raises
    ------
    OutOfBoundsError
        A coordinate is out of bounds in mode strict_bounds, or an empty axis has outputs and the mode is not fill.
    AttributeValueError
        A list of the wrong length, a negative size, an axis that input does not have or that is named twice, an unknown
        mode, or a fill value that does not fit or is given in another mode.

    Notes
    -----
    Specification: TensorRT 10, ISliceLayer, and mode symmetric. PyTorch has no such function.

    Examples
    --------
    >>> fot.slice(torch.arange(5), [-2], [9], mode="reflect")
    tensor([2, 1, 0, 1, 2, 3, 4, 3, 2])
    """


def _lower_split(shape: Indices, parts: OneOrMore, axis: Index) -> list[Windows]:
    if not isinstance(parts, int):
        return slices.lower_lengths(shape, axis, parts, may_infer=False)
    at = resolve_axis_of(shape, "axis", axis)
    extent = shape[at]
    if parts < 0 or (parts == 0 and extent):
        rule = "be at least 1" if extent else "be at least 0"
        raise AttributeValueError.about("parts", rule, parts, at, extent)
    n = max(-(-extent // parts), 1) if parts else 1
    slices.check_parts("parts", n)
    return slices.lower_splits(shape, at, (*(parts,) * (n - 1), extent - parts * (n - 1)))


_SPLIT = TensorOperator(
    _lower_split, Rule(r.SPLIT, (r.LENGTHS, r.AXIS), r.ARE_LENGTHS, r.LENGTH), split_size_or_sections=slices.as_parts
)


@_SPLIT
def split(
    tensor: Tensor, split_size_or_sections: OneOrMore, dim: Index = 0, *, out: Sequence[Tensor] | None = None
) -> tuple[Tensor, ...]:
    """Split a tensor along an axis, into parts of one size or of given sizes: torch.split, as copies.

    Part k is ``tensor[..., s : s + n, ...]``, where n is its size and s the sum of the sizes before it. All parts are
    written together.

    Parameters
    ----------
    tensor : torch.Tensor
        Dense, on the CPU, of rank 1 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    split_size_or_sections : int or list of int
        One size for all parts, except that the last part may be shorter; or the sizes of the parts, which must sum to
        the axis.
    dim : int
        The axis to split; negative axes count from the end.
    out : list of torch.Tensor, optional
        Where to write: one tensor for each part, with any strides. They may overlap the tensor, but not each other.

    Returns
    -------
    tuple of torch.Tensor
        The elements of ``out``, or fresh contiguous tensors of the dtype of the tensor.

    Raises
    ------
    AttributeValueError
        An axis that the tensor does not have, sizes that do not sum to the axis, or a size of 0 for an axis that is not
        empty.

    Notes
    -----
    Specification: PyTorch 2.13, torch.split, which gives views.

    Examples
    --------
    >>> fot.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if out is not None and not isinstance(out, list | tuple):
        raise OutputError(_SPLIT.name, "out", "be a list of tensors", out)
    outs = None if out is None else tuple(out[: slices.MOST_PARTS])
    return tuple(_SPLIT.run_tensor(tensor, (split_size_or_sections, dim), outs))


#: PyTorch's names of modes.
PadMode: TypeAlias = Literal["constant", "reflect", "replicate", "circular"]


_as_mode = one_of(get_args(PadMode), also=NotImplementedError)


def _lower_pad(shape: Indices, pad: Indices, mode: PadMode) -> Windows:
    rank = len(shape)
    if len(pad) % 2 or len(pad) > 2 * rank:
        raise AttributeValueError.about("pad", f"have two values per axis, for at most {counted(rank, 'axis')}", pad)
    # PyTorch writes the pads of the last axis first.
    rest = [0] * (rank - len(pad) // 2)
    pads = Sides([*rest, *pad[::2][::-1]], [*rest, *pad[1::2][::-1]], "pad", "pad")
    for axis, (extent, low, high) in enumerate(zip(shape, pads.before, pads.after, strict=True)):
        # Only modes that mirror or repeat elements may crop more than an axis has.
        if mode in ("constant", "circular") and extent + min(low, 0) + min(high, 0) < 0:
            raise AttributeValueError.about("pad", "not crop more than there is", pad, axis, extent)
    return lower_pads(shape, pads, mode, crops_first=mode == "circular")


def _read_value(mode: str, value: Any) -> Any:
    if mode != "constant" and (not is_plain_number(value) or value != 0):
        raise AttributeValueError.about("fill_value", f"be None or 0 in mode {mode}", value)
    return constant_fill(mode, value)


@TensorOperator(
    _lower_pad,
    Rule(r.PADS, (r.BEFORE, r.MODE), r.FROM_THE_LAST, constants=modes_of(PadMode)),
    read_fill=_read_value,
    mode=_as_mode,
)
def pad(
    input: Tensor, pad: Indices, mode: PadMode = "constant", value: Any = None, **rest: Unpack[TensorOptions]
) -> Tensor:
    """Pad, or crop, the last axes of a tensor on their two sides: torch.nn.functional.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1``, mode says what is read: constant reads the value, reflect a mirrored index without repeating the
    edge element, replicate the nearest index, and circular index ``x mod d``.

    Parameters
    ----------
    pad : list of int
        The pads before and after each axis, beginning with those of the last axis. A negative pad crops; in mode
        circular, axes are cropped before they are wrapped.
    mode : str
        "constant", "reflect", "replicate" or "circular".
    value : number, optional
        The value to pad with in mode constant; zero by default. As in PyTorch, the value is a float that is converted
        to the dtype of the tensor and must not overflow. Unlike in PyTorch, integers stay exact, and complex tensors
        accept complex values. In other modes, None or zero.

    Raises
    ------
    AttributeValueError
        A list of odd length, or of more than two pads for each axis, pads that crop more than an axis has (in modes
        reflect and replicate: more than it has together with the pad on the other side), an unknown mode, a value that
        does not fit or is given in another mode than constant, or pads of an empty axis in another mode than constant.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.pad. In modes other than constant, PyTorch pads only the last one
    to three axes of tensors of rank 2 to 5, and mirrors or wraps an axis at most once. This function pads any axes, by
    any length.

    Examples
    --------
    >>> fot.pad(torch.arange(4), (2, 3), mode="reflect")
    tensor([2, 1, 0, 1, 2, 3, 2, 1, 0])
    """
