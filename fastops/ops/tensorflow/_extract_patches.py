"""tf.image.extract_patches."""

from __future__ import annotations

from typing import Any, Literal

from fastops._errors import AttributeValueError, counted
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import one_of
from fastops._lowering._layouts import check_images
from fastops._lowering._patches import check_steps, cut_padded, cut_same, lower_patches
from fastops._lowering._windows import Assembly, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind


@lowering(
    "tensorflow.extract_patches",
    sizes=as_indices,
    strides=as_indices,
    rates=as_indices,
    padding=one_of(("VALID", "SAME")),
)
def lower_extract_patches(
    shape: Indices, sizes: Indices, strides: Indices, rates: Indices, padding: Literal["VALID", "SAME"]
) -> Assembly:
    """Return the plans of `fastops.tensorflow.extract_patches` on images of this shape, one a piece of the result.

    Patches that lie inside are one piece; along each axis, each patch that reaches beyond it is one.

    Examples
    --------
    >>> import fastops as fo
    >>> plans = fo.plan.tensorflow.extract_patches((1, 5, 5, 3), [1, 3, 3, 1], [1, 2, 2, 1], [1] * 4, "VALID")
    >>> [plan.shape for plan in plans]
    [(1, 2, 2, 27)]
    >>> len(fo.plan.tensorflow.extract_patches((1, 5, 5, 3), [1, 3, 3, 1], [1, 1, 1, 1], [1] * 4, "SAME"))
    9
    """
    check_images(shape)
    for name, values in (("sizes", sizes), ("strides", strides), ("rates", rates)):
        if len(values) != 4 or values[0] != 1 or values[3] != 1:
            raise AttributeValueError.about(name, "be 4 values, of which the first and the last are 1", tuple(values))
    check_steps(sizes=sizes, strides=strides, rates=rates)
    cuts = []
    for axis in (1, 2):
        numbers = (axis, shape[axis], sizes[axis], strides[axis], rates[axis])
        # TensorFlow rounds negative counts of patches up: of patches that are not much too long, there are none.
        longest = shape[axis] + 2 * strides[axis] - 1
        if padding == "VALID" and (sizes[axis] - 1) * rates[axis] >= longest:
            rule = f"reach over less than two strides more than the axis has, {counted(longest, 'element')}, with VALID"
            raise AttributeValueError.about("sizes", rule, tuple(sizes), axis, shape[axis])
        cuts.append(cut_same(*numbers) if padding == "SAME" else cut_padded(*numbers))
    return lower_patches("sizes", shape, cuts, [[0], [1], [2], [4, 5, 3]])


_OPERATOR = Operator(lower_extract_patches, data_name="images")


@keeps_kind
def extract_patches(
    images: Data,
    sizes: Indices,
    strides: Indices,
    rates: Indices,
    padding: Literal["VALID", "SAME"],
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Cut images into patches, each of which becomes the channels of one pixel: tf.image.extract_patches.

    With s, t and r for sizes, strides and rates, and p for the pads before an axis, element
    ``[n, y, x, (i * s2 + j) * C + c]`` of the result is element ``[n, y * t1 - p1 + i * r1, x * t2 - p2 + j * r2, c]``
    of images, and 0 where that lies outside.

    Parameters
    ----------
    images : array_like
        Of shape (N, H, W, C), any dtype but object.
    sizes, strides, rates : list of int
        ``[1, rows, columns, 1]``, each >= 1: elements of a patch, coordinates from one patch to the next, and from one
        element of a patch to the next.
    padding : str
        VALID: patches lie in the image. SAME: there is one for each stride, begun or whole, and as few zeros before and
        behind the image as they need; of an odd number one more behind.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap images.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of images' dtype, or a view of images; of shape (N, rows of patches,
        patches in a row, ``s1 * s2 * C``).

    Raises
    ------
    AttributeValueError
        Images that do not have 4 axes, lists that are not of this form, another padding, or patches that are longer
        than the image by two strides with VALID.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.image.extract_patches, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> image = np.arange(1, 10).reshape(1, 3, 3, 1)
    >>> tensorflow.extract_patches(image, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME")
    array([[[[1, 2, 4, 5],
             [3, 0, 6, 0]],
    <BLANKLINE>
            [[7, 8, 0, 0],
             [9, 0, 0, 0]]]])
    """
    return _OPERATOR.run_gather(images, (sizes, strides, rates, padding), out, copy, None, chunks)
