"""tf.pad."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._lowering._family import check_at_least_0, check_one_fold, pad_axes
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import as_pairs, as_word
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan

OP = "tensorflow.pad"

_MODES = {"constant": SampleMode.FILL, "reflect": SampleMode.REFLECT, "symmetric": SampleMode.SYMMETRIC}


@lowering(OP)
def plan_pad(shape: Any, paddings: Any, mode: str = "CONSTANT") -> SlicePlan:
    """Return the plan of `fastops.tensorflow.pad` on data of this shape.

    Examples
    --------
    >>> plan_pad((2, 3), [[1, 1], [2, 0]], "REFLECT").shape
    (4, 5)
    """
    own = as_word(OP, "mode", mode, _MODES, in_any_case=True)
    pairs = as_pairs(OP, "paddings", paddings, len(shape))
    before, after = [low for low, _ in pairs], [high for _, high in pairs]
    check_at_least_0(OP, "paddings", (*before, *after))
    check_one_fold(OP, "paddings", shape, before, after, own)
    return pad_axes(OP, "paddings", shape, before, after, own)


_run = Operator(OP, plan_pad, data_name="tensor", fill_name="constant_values").run


def pad(
    tensor: ArrayLike,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    *,
    out: AnyArray | None = None,
    copy: bool | None = True,
) -> Any:
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

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the tensor's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        Paddings that are not one pair an axis, or negative, an unknown mode, a REFLECT pad beyond ``d - 1``, a
        SYMMETRIC pad beyond d, or a value that does not fit.
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
    elif as_word(OP, "mode", mode, _MODES, in_any_case=True) is not SampleMode.FILL:
        fill_value = None
    return _run(tensor, (paddings, mode), out, copy, fill_value)
