"""Images in TensorFlow's data formats: blocks of rows and columns that become channels, and the reverse.

Letters are axes: N the batch, C the channels, H the rows, W the columns and V a vector of four channels. Small letters
are the rows and the columns of a block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from fastops._errors import AttributeValueError, counted
from fastops._lowering._depths import check_size
from fastops._lowering._layouts import lower_layout, split_of, split_of_square
from fastops._lowering._windows import Windows

#: TensorFlow's layouts of images.
Format: TypeAlias = Literal["NHWC", "NCHW", "NCHW_VECT_C"]

#: The axes of each data format.
FORMATS: dict[Format, str] = {"NHWC": "NHWC", "NCHW": "NCHW", "NCHW_VECT_C": "NCHWV"}

_LENGTH_OF_V = 4

# TensorFlow refuses blocks of one element.
_LEAST_SIZE = 2

# What axes of space, and those of depth, are made of.
_SPACE = {"H": "Hh", "W": "Ww"}
_DEPTH = {"C": "hwC"}


def lower_image_to_depth(attribute: str, shape: Sequence[int], size: int, data_format: Format) -> Windows:
    """Return the windows of blocks of rows and columns that become channels, before those that there were."""
    axes = _check_axes(shape, data_format)
    check_size(attribute, size, _LEAST_SIZE)
    lengths = dict(zip(axes, shape, strict=True)) | {"h": size, "w": size}
    for letter in _SPACE:
        lengths[letter] = split_of(attribute, shape, axes.index(letter), size, size)
    return _lower(shape, axes, lengths, _SPACE, _DEPTH)


def lower_depth_to_image(attribute: str, shape: Sequence[int], size: int, data_format: Format) -> Windows:
    """Return the windows of channels that become blocks of rows and columns, which stand first in the channels."""
    axes = _check_axes(shape, data_format)
    check_size(attribute, size, _LEAST_SIZE)
    lengths = dict(zip(axes, shape, strict=True)) | {"h": size, "w": size}
    lengths["C"] = split_of_square(attribute, shape, axes.index("C"), size)
    return _lower(shape, axes, lengths, _DEPTH, _SPACE)


def _lower(
    shape: Sequence[int], axes: str, lengths: Mapping[str, int], splits: Mapping[str, str], merges: Mapping[str, str]
) -> Windows:
    """Return the windows of axes that are split into letters, and merged of letters."""
    letters = "".join([splits.get(axis, axis) for axis in axes])
    split = [[lengths[letter] for letter in splits.get(axis, axis)] for axis in axes]
    return lower_layout(shape, split, [[letters.index(letter) for letter in merges.get(axis, axis)] for axis in axes])


def _check_axes(shape: Sequence[int], data_format: Format) -> str:
    """Return the letters of the axes, which data must have."""
    axes = FORMATS[data_format]
    if len(shape) != len(axes):
        raise AttributeValueError.about(
            "data", f"have {counted(len(axes), 'axis')} in format {data_format}", tuple(shape)
        )
    if axes[-1] == "V" and shape[-1] != _LENGTH_OF_V:
        rule = f"have a last axis of {_LENGTH_OF_V} in format {data_format}"
        raise AttributeValueError.about("data", rule, tuple(shape))
    return axes
