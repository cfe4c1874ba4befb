"""tf.pad."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Rule, as_nested, one_of
from fastops._lowering._bounds import check_at_least_0
from fastops._lowering._moves import check_one_fold, lower_pads, split_pairs
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r

#: TensorFlow's modes, in any case.
PadMode: TypeAlias = Literal["CONSTANT", "REFLECT", "SYMMETRIC", "constant", "reflect", "symmetric"]

_MODES = {"constant": SampleMode.FILL, "reflect": SampleMode.REFLECT, "symmetric": SampleMode.SYMMETRIC}


@lowering(
    "tensorflow.pad",
    Rule(
        r.PADS,
        (r.BEFORE, r.MODE),
        r.BY_PAIRS,
        r.ONE_FOLD,
        constants={**_MODES, **{word.upper(): mode for word, mode in _MODES.items()}},
    ),
    paddings=as_nested,
    mode=one_of(_MODES, in_any_case=True),
)
def lower_pad(shape: Any, paddings: Any, mode: PadMode = "CONSTANT") -> Windows:
    """Return the plan of `fastops.tensorflow.pad` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.tensorflow.pad((2, 3), [[1, 1], [2, 0]], "REFLECT").shape
    (4, 5)
    """
    before, after = split_pairs("paddings", paddings, len(shape))
    check_at_least_0("paddings", (*before, *after))
    if mode == "reflect" and 0 in shape:
        # A pad is less than the axis is long, and no pad is.
        raise AttributeValueError.about("data", "have no empty axis in mode reflect", tuple(shape))
    check_one_fold("paddings", shape, before, after, _MODES[mode], mode)
    return lower_pads("paddings", shape, before, after, _MODES[mode], mode)


_OPERATOR = Operator(lower_pad, data_name="tensor", fill_name="constant_values")


@keeps_kind
def pad(
    tensor: Data,
    paddings: Any,
    mode: PadMode = "CONSTANT",
    constant_values: Any = 0,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Pad each axis on its two sides: tf.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1`` it reads what mode says: CONSTANT the value, REFLECT the mirrored index without the edge,
    SYMMETRIC the mirrored index with it.

    Parameters
    ----------
    tensor : array_like
        Any shape, any dtype but object.
    paddings : list of pairs of int, or array of shape [rank, 2]
        The pads before and behind each axis, >= 0.
    mode : str
        "CONSTANT", "REFLECT" or "SYMMETRIC", in any case.
    constant_values : scalar
        What mode CONSTANT pads with: what converts to the tensor's type and keeps its meaning. Other modes have no use
        for it.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap the tensor.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is padded and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the tensor's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        Paddings that are not one pair per axis, or negative, an unknown mode, a REFLECT pad beyond ``d - 1``,
        which leaves out empty axes, a SYMMETRIC pad beyond d, or a value that does not fit.
    DTypeError
        Paddings that are no integers, a value of another kind, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.pad, without name. `fastops.slice` reads any number of reflected periods.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.pad(np.arange(1, 4), [[2, 1]], "SYMMETRIC")
    array([2, 1, 1, 2, 3, 3])
    """
    fill_value = constant_values
    if type(constant_values) is int and constant_values == 0:
        # The default stands for the zero of every type.
        fill_value = None
    elif _OPERATOR.read("mode", mode) != "constant":
        fill_value = None
    return _OPERATOR.run_gather(tensor, (paddings, mode), out, copy, fill_value, chunks)
