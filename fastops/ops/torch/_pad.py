"""torch.nn.functional.pad."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._arrays._tensors import Tensor, as_fill, is_plain_zero
from fastops._errors import AttributeValueError, FastopsError, counted
from fastops._execution._operator import TensorOperator
from fastops._geometry._numbers import Indices, as_indices
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Rule, one_of
from fastops._lowering._moves import crop_first, lower_pads
from fastops._lowering._windows import Windows, lowering
from fastops.kernels._tables import _rules as r

#: PyTorch's modes.
PadMode: TypeAlias = Literal["constant", "reflect", "replicate", "circular"]

_MODES: dict[PadMode, SampleMode] = {
    "constant": SampleMode.FILL,
    "reflect": SampleMode.REFLECT,
    "replicate": SampleMode.CLAMP,
    "circular": SampleMode.WRAP,
}


_as_mode = one_of(_MODES, also=NotImplementedError)


@lowering(
    "torch.pad", Rule(r.PADS, (r.BEFORE, r.MODE), r.FROM_THE_LAST, constants=_MODES), pad=as_indices, mode=_as_mode
)
def lower_pad(shape: Indices, pad: Indices, mode: PadMode = "constant") -> Windows:
    """Return the plan of `fastops.torch.pad` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.pad((3, 4), (1, 2), "reflect").shape
    (3, 7)
    """
    before, after = _sides_of(shape, pad, may_crop_more=mode in ("reflect", "replicate"))
    windows = lower_pads("pad", shape, before, after, _MODES[mode], mode)
    return crop_first("pad", windows, before, after, mode) if mode == "circular" else windows


def _sides_of(shape: Any, pad: Indices, *, may_crop_more: bool) -> tuple[list[int], list[int]]:
    """Return the pads before and behind each axis; PyTorch writes the last axis first.

    Only what is mirrored or repeated can lie beyond the end to which an axis is cropped.
    """
    rank = len(shape)
    if len(pad) % 2 or len(pad) > 2 * rank:
        raise AttributeValueError.about("pad", f"have two values per axis, for at most {counted(rank, 'axis')}", pad)
    rest = [0] * (rank - len(pad) // 2)
    before, after = [*rest, *pad[::2][::-1]], [*rest, *pad[1::2][::-1]]
    if may_crop_more:
        return before, after
    for axis, (extent, low, high) in enumerate(zip(shape, before, after, strict=True)):
        if extent + min(low, 0) + min(high, 0) < 0:
            raise AttributeValueError.about("pad", "not crop more than there is", pad, axis, extent)
    return before, after


_OPERATOR = TensorOperator(lower_pad, fill_name="value")


def pad(
    input: Tensor, pad: Indices, mode: PadMode = "constant", value: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Pad, or crop, the last axes of a tensor on their two sides: torch.nn.functional.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1`` it reads what mode says: constant the value, reflect the mirrored index without the edge,
    replicate the nearest index, circular ``x mod d``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape and strides, and any type of whole bytes. It must not require a gradient.
    pad : list of int
        Two values per axis, those of the last axis first. Negative ones crop; in mode circular before anything is
        wrapped.
    mode : str
        "constant", "reflect", "replicate" or "circular", each for any number of axes and of periods.
    value : number, optional
        In mode constant: what to pad with; zero by default. As for PyTorch it is a float, which becomes the tensor's
        type and must not overflow it; besides, integers stay exact, and complex tensors take complex values. In other
        modes None or zero.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        Pads that are not two per axis, or crop more than there is (in modes reflect and replicate: more than there is
        with the other side's), an unknown mode, a value in another mode than
        constant, or one that does not fit, pads of an empty axis in another mode than constant, or a tensor that
        requires a gradient or is not plain memory.
    DTypeError
        No tensor, pads that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.pad, which takes modes other than constant for the last one to
    three axes of two to five, and for one period.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.pad(torch.arange(4), (2, 3), mode="reflect")
    tensor([2, 1, 0, 1, 2, 3, 2, 1, 0])
    """
    fill = None
    # What callers write may be of any type.
    word: Any = mode
    if value is not None or type(word) is not str:
        word = _OPERATOR.read("mode", mode)
        try:
            if word == "constant":
                fill = None if value is None else as_fill("value", input, value)
            elif value is not None and not is_plain_zero(value):
                raise AttributeValueError.about("value", f"be None or 0 in mode {mode}", value)
        except FastopsError as error:
            _OPERATOR.explain(error, pad=pad)
            raise
    return _OPERATOR.run_tensor(input, (pad, mode), out, fill)
