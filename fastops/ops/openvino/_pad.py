"""OpenVINO Pad-1 and Pad-12."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Rule, one_of
from fastops._lowering._bounds import check_length
from fastops._lowering._moves import check_one_fold, lower_pads
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r

_PADS = ("pads_begin", "pads_end")

#: OpenVINO's modes, in any case.
PadMode: TypeAlias = Literal["constant", "edge", "reflect", "symmetric", "CONSTANT", "EDGE", "REFLECT", "SYMMETRIC"]

_MODES = {
    "constant": SampleMode.FILL,
    "edge": SampleMode.CLAMP,
    "reflect": SampleMode.REFLECT,
    "symmetric": SampleMode.SYMMETRIC,
}


@lowering(
    "openvino.pad",
    Rule(r.PADS, (r.BEFORE, r.AFTER, r.MODE), r.BY_SIDES, r.ONE_FOLD, constants=_MODES),
    pads_begin=as_indices,
    pads_end=as_indices,
    pad_mode=one_of(_MODES, in_any_case=True),
)
def lower_pad(shape: Indices, pads_begin: Indices, pads_end: Indices, pad_mode: PadMode) -> Windows:
    """Return the plan of `fastops.openvino.pad` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.pad((3, 4), [0, 1], [2, -1], "edge").shape
    (5, 4)
    """
    check_length("pads_begin", pads_begin, len(shape), "axis of arg")
    check_length("pads_end", pads_end, len(shape), "axis of arg")
    pads = (pads_begin, pads_end, _MODES[pad_mode], pad_mode)
    check_one_fold(_PADS, shape, *pads)
    return lower_pads(_PADS, shape, *pads)


_OPERATOR = Operator(lower_pad, data_name="arg", fill_name="pad_value")


@keeps_kind
def pad(
    arg: Data,
    pads_begin: Indices,
    pads_end: Indices,
    pad_mode: PadMode,
    pad_value: Any = None,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Pad, or crop, each axis on its two sides: OpenVINO Pad-1 and Pad-12.

    Along each axis of length d, output y reads coordinate ``x = y - pads_begin`` for
    ``0 <= y < pads_begin + d + pads_end``. Outside ``0..d-1`` it reads what pad_mode says: constant pad_value, edge the
    nearest index, reflect the mirrored index without the edge, symmetric the mirrored index with it.

    Parameters
    ----------
    arg : array_like
        Any shape, any dtype but object.
    pads_begin, pads_end : list of int
        One value per axis. Negative ones crop.
    pad_mode : str
        "constant", "edge", "reflect" or "symmetric".
    pad_value : scalar, optional
        What mode constant pads with: what converts to arg's type and keeps its meaning; zero by default. Other modes
        have no use for it.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap arg.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is padded and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of arg's dtype, or a view of arg.

    Raises
    ------
    AttributeValueError
        Lists that do not have one value per axis, more cropped than there is, an unknown mode, a reflect pad beyond
        ``d - 1``, a symmetric pad beyond d, pads of an empty axis in another mode than constant, or a value that does
        not fit.
    DTypeError
        Pads that are no integers, a pad_value of another kind, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, Pad-1; opset 12, Pad-12, which adds negative pads. `fastops.slice` reads any number
    of reflected periods.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.pad(np.arange(1, 5), [2], [-1], "reflect")
    array([3, 2, 1, 2, 3])
    >>> openvino.pad(np.arange(1, 5), [1], [1], "constant", 9)
    array([9, 1, 2, 3, 4, 9])
    """
    if pad_value is not None and _OPERATOR.read("pad_mode", pad_mode) != "constant":
        pad_value = None
    return _OPERATOR.run_gather(arg, (pads_begin, pads_end, pad_mode), out, copy, pad_value, chunks)
