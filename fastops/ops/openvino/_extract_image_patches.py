"""OpenVINO ExtractImagePatches-3."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import one_of
from fastops._lowering._bounds import check_length
from fastops._lowering._layouts import check_images
from fastops._lowering._patches import check_steps, cut_padded, cut_same, lower_patches
from fastops._lowering._windows import Assembly, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind

#: OpenVINO's ways to pad, in any case.
AutoPad: TypeAlias = Literal["valid", "same_upper", "same_lower", "VALID", "SAME_UPPER", "SAME_LOWER"]


@lowering(
    "openvino.extract_image_patches",
    sizes=as_indices,
    strides=as_indices,
    rates=as_indices,
    auto_pad=one_of(("valid", "same_upper", "same_lower"), in_any_case=True),
)
def lower_extract_image_patches(
    shape: Indices, sizes: Indices, strides: Indices, rates: Indices, auto_pad: AutoPad
) -> Assembly:
    """Return the plans of `fastops.openvino.extract_image_patches` on images of this shape, one a piece of the result.

    Patches that lie inside are one piece; along each axis, each patch that reaches beyond it is one.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.openvino.extract_image_patches((1, 3, 5, 5), [3, 3], [2, 2], [1, 1], "valid")]
    [(1, 27, 2, 2)]
    >>> len(fo.plan.openvino.extract_image_patches((1, 3, 5, 5), [3, 3], [1, 1], [1, 1], "same_upper"))
    9
    """
    check_images(shape)
    for name, values in (("sizes", sizes), ("strides", strides), ("rates", rates)):
        check_length(name, values, 2, "axis of images, rows and columns")
    check_steps(sizes=sizes, strides=strides, rates=rates)
    cuts = []
    for k in (0, 1):
        numbers = (k + 2, shape[k + 2], sizes[k], strides[k], rates[k])
        is_same = auto_pad != "valid"
        cuts.append(cut_same(*numbers, more_before=auto_pad == "same_lower") if is_same else cut_padded(*numbers))
    return lower_patches("sizes", shape, cuts, [[0], [4, 5, 1], [2], [3]])


_OPERATOR = Operator(lower_extract_image_patches)


@keeps_kind
def extract_image_patches(
    data: Data,
    sizes: Indices,
    strides: Indices,
    rates: Indices,
    auto_pad: AutoPad,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Cut images into patches, each of which becomes the channels of one pixel: OpenVINO ExtractImagePatches-3.

    With s, t and r for sizes, strides and rates, and p for the pads before an axis, element
    ``[n, (i * s2 + j) * C + c, y, x]`` of the result is element ``[n, c, y * t1 - p1 + i * r1, x * t2 - p2 + j * r2]``
    of data, and 0 where that lies outside.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, H, W), any dtype but object.
    sizes, strides, rates : list of int
        Of rows and columns, each >= 1: elements of a patch, coordinates from one patch to the next, and from one
        element of a patch to the next.
    auto_pad : str
        In any case of letters. valid: patches lie in the image. same_upper, same_lower: there is one for each stride,
        begun or whole, and as few zeros before and behind the image as they need; of an odd number one more behind, or
        before it.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data; of shape (N, ``s1 * s2 * C``, rows of
        patches, patches in a row).

    Raises
    ------
    AttributeValueError
        Data that does not have 4 axes, lists that are not of 2 values >= 1, or another pad.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 3, ExtractImagePatches-3. Sizes of 0, which it allows without a word on how many
    empty patches there are, are refused. There are no patches of valid along an axis that is shorter than one.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> image = np.arange(1, 10).reshape(1, 1, 3, 3)
    >>> openvino.extract_image_patches(image, [2, 2], [2, 2], [1, 1], "same_lower")
    array([[[[0, 0],
             [0, 5]],
    <BLANKLINE>
            [[0, 0],
             [4, 6]],
    <BLANKLINE>
            [[0, 2],
             [0, 8]],
    <BLANKLINE>
            [[1, 3],
             [7, 9]]]])
    """
    return _OPERATOR.run_gather(data, (sizes, strides, rates, auto_pad), out, copy, None, chunks)
