"""tf.nn.depth_to_space and tf.nn.space_to_depth."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._errors import AttributeValueError, counted
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar, one_of
from fastops._lowering._layouts import Blocks, lower_blocks_of_channels, lower_blocks_of_space
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind

#: TensorFlow's layouts of images.
Format: TypeAlias = Literal["NHWC", "NCHW", "NCHW_VECT_C"]

# The axes of each: N the batch, C the channels, H the rows, W the columns and V a vector of four channels.
_FORMATS: dict[Format, str] = {"NHWC": "NHWC", "NCHW": "NCHW", "NCHW_VECT_C": "NCHWV"}

_LENGTH_OF_V = 4

# TensorFlow refuses blocks of one element.
_LEAST_SIZE = 2


def _blocks_of(shape: Indices, size: Index, data_format: Format) -> Blocks:
    """Return the blocks of rows and columns of images, which data must be."""
    axes = _FORMATS[data_format]
    if len(shape) != len(axes):
        rule = f"have {counted(len(axes), 'axis')} in format {data_format}"
        raise AttributeValueError.about("data", rule, tuple(shape))
    if axes[-1] == "V" and shape[-1] != _LENGTH_OF_V:
        rule = f"have a last axis of {_LENGTH_OF_V} in format {data_format}"
        raise AttributeValueError.about("data", rule, tuple(shape))
    return Blocks("block_size", size, axes.index("C"), (axes.index("H"), axes.index("W")), least=_LEAST_SIZE)


@lowering("tensorflow.depth_to_space", block_size=as_scalar, data_format=one_of(_FORMATS))
def lower_depth_to_space(shape: Indices, block_size: Index, data_format: Format = "NHWC") -> Windows:
    """Return the plan of `fastops.tensorflow.depth_to_space` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.tensorflow.depth_to_space((1, 2, 3, 8), 2).shape
    (1, 4, 6, 2)
    """
    return lower_blocks_of_channels(shape, _blocks_of(shape, block_size, data_format))


_DEPTH_TO_SPACE = Operator(lower_depth_to_space, data_name="input")


@keeps_kind
def depth_to_space(
    input: Data,
    block_size: Index,
    data_format: Format = "NHWC",
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of channels into rows and columns: tf.nn.depth_to_space.

    With b, the size of blocks, and C' = C / (b * b), element ``[n, y * b + i, x * b + j, c]`` of the result is element
    ``[n, y, x, (i * b + j) * C' + c]`` of input; in formats NCHW and NCHW_VECT_C, element
    ``[n, c, y * b + i, x * b + j]`` of the result is element ``[n, (i * b + j) * C' + c, y, x]``.

    Parameters
    ----------
    input : array_like
        Of shape (N, H, W, C), (N, C, H, W) or (N, C, H, W, 4), as data_format has it, any dtype but object.
    block_size : int
        Rows and columns of a block, >= 2; its square divides C.
    data_format : str
        "NHWC", "NCHW" or "NCHW_VECT_C": which axis is which. A last axis of 4 stays as it is.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Input is not of its format's rank, a size below 2 or one whose square does not divide the channels, or another
        format.
    DTypeError
        A size that is no integer, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.nn.depth_to_space, without name. Every format takes every dtype here.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.depth_to_space(np.arange(8).reshape(1, 1, 2, 4), 2).squeeze()
    array([[0, 1, 4, 5],
           [2, 3, 6, 7]])
    """
    return _DEPTH_TO_SPACE.run_gather(input, (block_size, data_format), out, copy, None, chunks)


@lowering("tensorflow.space_to_depth", block_size=as_scalar, data_format=one_of(_FORMATS))
def lower_space_to_depth(shape: Indices, block_size: Index, data_format: Format = "NHWC") -> Windows:
    """Return the plan of `fastops.tensorflow.space_to_depth` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.tensorflow.space_to_depth((1, 4, 6, 2), 2).shape
    (1, 2, 3, 8)
    """
    return lower_blocks_of_space(shape, _blocks_of(shape, block_size, data_format))


_SPACE_TO_DEPTH = Operator(lower_space_to_depth, data_name="input")


@keeps_kind
def space_to_depth(
    input: Data,
    block_size: Index,
    data_format: Format = "NHWC",
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of rows and columns into channels: tf.nn.space_to_depth.

    With b, the size of blocks, element ``[n, y * b + i, x * b + j, c]`` of input is element
    ``[n, y, x, (i * b + j) * C + c]`` of the result; in formats NCHW and NCHW_VECT_C, element
    ``[n, c, y * b + i, x * b + j]`` of input is element ``[n, (i * b + j) * C + c, y, x]``.

    Parameters
    ----------
    input : array_like
        Of shape (N, H, W, C), (N, C, H, W) or (N, C, H, W, 4), as data_format has it, any dtype but object.
    block_size : int
        Rows and columns of a block, >= 2; it divides H and W.
    data_format : str
        "NHWC", "NCHW" or "NCHW_VECT_C": which axis is which. A last axis of 4 stays as it is.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Input is not of its format's rank, a size below 2 or one that does not divide the rows and the columns, or
        another format.
    DTypeError
        A size that is no integer, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.nn.space_to_depth, without name. Every format takes every dtype here.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.space_to_depth(np.arange(8).reshape(1, 2, 4, 1), 2)
    array([[[[0, 1, 4, 5],
             [2, 3, 6, 7]]]])
    """
    return _SPACE_TO_DEPTH.run_gather(input, (block_size, data_format), out, copy, None, chunks)
