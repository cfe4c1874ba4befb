"""The operators of fo.torch: blocks and patches, moves, slices, splits and pads."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch

import fastops as fo
from tests.helpers.oracle import Cut, depth_to_space, patches, shuffle_channels, space_to_depth
from tests.ops._tables import Call, Refusal, alike, contract, refuse, tiles, transposes


def of_images(function):
    """Return a function that calls an oracle of four axes on images with any number of axes before the channels."""

    def moved(x, size):
        *before, channels, rows, columns = x.shape
        result = function(x.reshape(math.prod(before), channels, rows, columns), size, depth_first=True)
        return result.reshape(*before, *result.shape[1:])

    return moved


ROWS = [((8, 3, 5), 2), ((2, 2, 9, 1, 4), 3), ((4, 3, 2), 1), ((4, 0, 2), 2)]
test_pixel_shuffle = contract(fo.torch.pixel_shuffle, (4, 2, 2), upscale_factor=2)(
    *alike(of_images(depth_to_space), "upscale_factor", *ROWS),
    refuse("upscale_factor must divide the channels, to the power of 2", ValueError, (6, 2, 2)),
    refuse("input must have at least 3 axes", ValueError, (4, 2)),
)


ROWS = [((2, 4, 6), 2), ((2, 1, 3, 9), 3), ((4, 3, 2), 1), ((2, 0, 4), 2)]
test_pixel_unshuffle = contract(fo.torch.pixel_unshuffle, (1, 4, 5), downscale_factor=2)(
    *alike(of_images(space_to_depth), "downscale_factor", *ROWS),
    refuse("downscale_factor must divide the axis"),
    refuse("input must have at least 3 axes", ValueError, (4, 2)),
)

ROWS = [((2, 6, 3), 2), ((2, 6, 3, 2), 3), ((1, 4, 2), 1), ((1, 4, 2), 4)]
test_channel_shuffle = contract(fo.torch.channel_shuffle)(
    *alike(lambda x, groups: shuffle_channels(x, 1, groups), "groups", *ROWS),
    Refusal((2, 6, 3), {"groups": 4}, ValueError, "groups must divide the axis"),
    Refusal((2, 6), {"groups": 2}, ValueError, "input must have at least 3 axes"),
)


def unfold(shape, kernel_size, pieces=1, **options):
    """Return a call that gives patches of images as columns."""

    def columns(x):
        images = x if x.ndim == 4 else x[None]
        numbers = [kernel_size, *[options.get(name, n) for name, n in (("stride", 1), ("dilation", 1), ("padding", 0))]]
        pairs = [np.broadcast_to(each, 2) for each in numbers]
        found = patches(images, *[Cut(2 + k, *[pair[k] for pair in pairs], pairs[-1][k]) for k in (0, 1)])
        found = found.transpose(0, 1, 4, 5, 2, 3)
        result = found.reshape(len(images), int(np.prod(found.shape[1:4])), int(np.prod(found.shape[4:])))
        return result if x.ndim == 4 else result[0]

    return Call(shape, {"kernel_size": kernel_size, **options}, columns, pieces=pieces)


test_unfold = contract(fo.torch.unfold, (1, 1, 4, 4), kernel_size=2)(
    unfold((2, 3, 5, 6), 3),
    unfold((3, 4, 5), [2, 1]),
    unfold((2, 2, 4, 5), 3, 9, padding=1),
    unfold((2, 6, 7), [2, 3], 3, dilation=[2, 1], padding=[0, 2], stride=[1, 2]),
    # Along an axis, all blocks before the image, which hold zeros alone, are one piece, and so are all blocks behind
    # it.
    unfold((1, 2, 2, 3), [1, 2], 15, padding=[4, 5]),
    unfold((1, 1, 8, 8), 4, stride=4),
    unfold((0, 1, 4, 4), 2, padding=1),
    refuse("input must have 3 or 4 axes", ValueError, (4, 4)),
    refuse("input must have no empty axis but the batch", ValueError, (1, 0, 4, 4)),
    refuse("kernel_size must be at most 5 long.*got 6", ValueError, (1, 1, 3, 9), kernel_size=6, padding=1),
    refuse("kernel_size must have 2 values", kernel_size=[2]),
)

test_flip = contract(fo.torch.flip)(
    *alike(np.flip, "dims", ((3, 4), [0, -1]), ((3, 4), [])),
    Call((), {"dims": [0]}, lambda x: x),
    Refusal((3,), {"dims": 0}, ValueError, "dims must be a list of integers"),
)

test_roll = contract(fo.torch.roll, (3, 4), shifts=[])(
    *alike(np.roll, "shifts", ((3, 4), 1), ((), 1), is_flat=True),
    *alike(np.roll, "shifts dims", ((3, 4), [1, 2], [0, 1]), ((3, 4), [1, 2], [1, 1])),
    Call((3, 4), {"shifts": [2], "dims": []}, lambda x: np.roll(x, 2), is_flat=True),
    refuse("shifts must have 1 value, one for each axis", shifts=[1, 2], dims=1),
    refuse("shifts must have one value, because dims is not given", shifts=[1, 2]),
    refuse(r"shifts must have one value, because dims is not given, got \[\]"),
    refuse("shifts must have one value", dims=[]),
    refuse("dims must be in -2..1", ValueError, (0, 4), shifts=1, dims=2),
    refuse("dims must name no axis of data of rank 0", ValueError, (), shifts=1, dims=0),
)
test_rot90 = contract(fo.torch.rot90)(
    *alike(np.rot90, "k dims", ((2, 3),), ((2, 3), 2), ((2, 3, 4), 7, [1, 2]), ((2, 3, 4), 1, [-1, 0]), ((2, 3), -4)),
    Refusal((3,), {}, ValueError, "input must have at least 2 axes"),
    Refusal((2, 3), {"dims": [0]}, ValueError, "dims must name two axes"),
)
test_transpose = contract(fo.torch.transpose)(
    *alike(np.swapaxes, "dim0 dim1", ((2, 3, 4), 0, 2), ((2, 3, 4), -1, 1), ((2, 3), 1, 1), ((0, 3), 0, 1)),
    Call((), {"dim0": 0, "dim1": -1}, lambda x: x),
)
test_permute = contract(fo.torch.permute)(*transposes("dims"), *alike(np.transpose, "dims", ((2, 3, 4), [0, -1, 1])))
test_tile = contract(fo.torch.tile)(*tiles("dims", ((3,), [2, 2]), ((2, 3), [3]), ((2, 3), [])))
test_repeat_interleave = contract(fo.torch.repeat_interleave)(
    *alike(np.repeat, "repeats dim", ((2, 3), 2), ((2, 3), 3, 0), ((2, 3), 2, -1), ((2, 3), 0, 1)),
    Refusal((2, 3), {"repeats": [1, 2], "dim": 0}, ValueError, "repeats must be"),
)

test_narrow = contract(fo.torch.narrow, (3,), dim=0, start=1, length=1)(
    Call((3, 4), {"dim": 1, "start": 1, "length": 2}, lambda x: x[:, 1:3]),
    Call((3, 4), {"dim": -2, "start": -2, "length": 2}, lambda x: x[1:]),
    Call((3,), {"dim": 0, "start": 3, "length": 0}, lambda x: x[:0]),
    Call((0, 2), {"dim": 0, "start": 0, "length": 0}, lambda x: x),
    refuse(r"start must be in -3..3, got 4 \(axis 0, extent 3\)", start=4),
    refuse("length must be in 0..2, from 1 on, got 3", length=3),
    refuse("length must be in 0..2", length=-1),
    refuse("input must have at least one axis", ValueError, ()),
)

INDICES = [((4, 5, 6), (0, ..., slice(None, None, 2))), ((4, 5), slice(1, -1)), ((4, 5), (None, slice(None), -1))]
# PyTorch takes these for masks.
MASKS = torch.tensor(True), (torch.tensor(False),), torch.tensor(2, dtype=torch.uint8)
test_take_slice = contract(fo.torch.take_slice, (4,))(
    *alike(lambda x, index: np.asarray(x[index]), "index", *INDICES, ((4, 5), (3, 4)), ((4,), slice(9, 2))),
    Call((4, 5), {"index": torch.tensor(2)}, lambda x: x[2]),
    refuse("index must have no slice of a negative step", index=slice(None, None, -1)),
    refuse("index must have no slice of step 0", index=slice(None, None, 0)),
    refuse(r"index must be in -4\.\.3, got 4", IndexError, index=4),
    refuse("index must name at most 1 axis", index=(0, 0)),
    *[refuse("index must be a basic index", TypeError, index=index) for index in ([0], torch.tensor(1.0), *MASKS)],
)

FILLED = {"start": [-1], "size": [4], "mode": "fill", "fill_value": 7}
test_slice = contract(fo.torch.slice, (4,), start=[0], size=[2])(
    Call((4, 5), {"start": [1, 0], "size": [2, 5]}, lambda x: x[1:3]),
    Call((4, 5), {"start": [3, 4], "size": [4, 2], "stride": [-1, -2]}, lambda x: x[::-1, 4::-2][:, :2]),
    Call((4,), {"start": [-2], "size": [8], "mode": "reflect"}, lambda x: np.pad(x, 2, "reflect")),
    Call((4, 3), {"start": [-1], "size": [6], "axes": [0], "mode": "wrap"}, lambda x: x[[3, 0, 1, 2, 3, 0]]),
    Call((4,), {"start": [-1], "size": [6], "mode": "fill"}, lambda x: np.pad(x, 1)),
    Call((2,), FILLED, lambda x: np.pad(x, 1, constant_values=7), ("u1", "f4")),
    Call((4,), {"start": [-1], "size": [6], "mode": "clamp"}, lambda x: np.pad(x, 1, "edge")),
    refuse(r"start must be in 0\.\.3 in mode strict_bounds", IndexError, start=[-1]),
    refuse("start must have 1 value", start=[0, 0]),
    refuse("fill_value must be given in mode fill only", fill_value=3),
)

test_split = contract(fo.torch.split, (5,), split_size_or_sections=1)(
    Call((5, 2), {"split_size_or_sections": 2}, lambda x: np.split(x, [2, 4])),
    Call((2, 5), {"split_size_or_sections": [1, 0, 4], "dim": -1}, lambda x: np.split(x, [1, 1], axis=1)),
    Call((5,), {"split_size_or_sections": 9}, lambda x: [x]),
    Call((0,), {"split_size_or_sections": 0}, lambda x: [x]),
    refuse("split_size_or_sections must sum to 5", split_size_or_sections=[1, 2]),
    refuse("tensor must have at least one axis", ValueError, ()),
)

test_pad = contract(fo.torch.pad, (3,), pad=[1, 1])(
    Call((2, 3), {"pad": [1, 2]}, lambda x: np.pad(x, ((0, 0), (1, 2)))),
    Call((2, 3), {"pad": [1, 2, 3, 0], "mode": "replicate"}, lambda x: np.pad(x, ((3, 0), (1, 2)), "edge")),
    Call((3,), {"pad": [7, 8], "mode": "reflect"}, lambda x: np.pad(x, (7, 8), "reflect")),
    Call((2, 2, 2, 3), {"pad": [1] * 8, "mode": "circular"}, lambda x: np.pad(x, 1, "wrap")),
    Call((5,), {"pad": [-1, 2], "mode": "circular"}, lambda x: np.pad(x[1:], (0, 2), "wrap")),
    Call((5,), {"pad": [-1, 2], "mode": "reflect"}, lambda x: x[[1, 2, 3, 4, 3, 2]]),
    Call((5,), {"pad": [-5, 3]}, lambda x: np.zeros(3, x.dtype)),
    Call((2, 3), {"pad": []}, lambda x: x),
    Call((2, 3), {"pad": [-1, -1], "mode": "circular"}, lambda x: x[:, 1:2]),
    Call((0, 3), {"pad": [1, 1], "mode": "replicate"}, lambda x: np.zeros((0, 5), x.dtype)),
    Call((2,), {"pad": [1, 1], "value": 5}, lambda x: np.pad(x, 1, constant_values=5), ("u1", "f4", "c8")),
    Call((2,), {"pad": [1, 1], "value": 1.5}, lambda x: np.pad(x, 1, constant_values=1.5), ("i8", "f2")),
    # PyTorch rounds integers to float64; fastops keeps them exact.
    Call((2,), {"pad": [1, 0], "value": 2**62 + 1}, lambda x: np.pad(x, (1, 0), constant_values=2**62 + 1), ("i8",)),
    Call((), {"pad": []}, lambda x: x),
    Call((4,), {"pad": [-5, 3], "mode": "reflect"}, lambda x: x[[1, 0]]),
    Call((2,), {"pad": [-3, 5], "mode": "replicate"}, lambda x: x[[1, 1, 1, 1]]),
    Call((3,), {"pad": [1, 1], "mode": "reflect", "value": 0.0}, lambda x: np.pad(x, 1, "reflect")),
    refuse(r"pad must have two values per axis, for at most 1 axis, got \[1\]", pad=[1]),
    refuse("pad must have two values per axis, for at most 1 axis", pad=[1] * 4),
    refuse(r"pad must not crop more than there is, got \[-2, -2\] \(axis 0", pad=[-2, -2]),
    refuse("pad must not crop more than there is", pad=[-7, 9]),
    refuse("pad must be 0 on an empty axis", ValueError, (0,), mode="circular"),
    refuse("pad must leave at least 0 elements of each axis", pad=[-5, 0], mode="reflect"),
    refuse("value must be None or 0 in mode reflect", mode="reflect", value=1),
    refuse("value must be None or 0 in mode circular", mode="circular", value=0.5),
    refuse("value must be a number that PyTorch converts", value="x"),
)

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn, torch.float8_e5m2]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool]
# The first values are zeros of both signs, in turn.
VALUES: list[Any] = [0.0, -0.0, 0.0, 0, 1, 2.5, -1, -0.5, True, 127, 128, 255, 256, 448, 449.0, 65504, 65520.0, 2**31]
VALUES += [3.4e38, 1e40, math.inf, math.nan]


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS, ids=str)
def test_values_are_converted_as_pytorch_does(dtype: torch.dtype) -> None:
    # Kernels move the first tensor with the GIL held, and the second one without the GIL.
    for x, value in itertools.product((torch.ones(2, dtype=dtype), torch.ones(100_000, dtype=dtype)), VALUES):
        try:
            expected = torch.nn.functional.pad(x, (1, 0), "constant", value)
        except RuntimeError:
            rule = f"value must be a number that PyTorch converts to {dtype}"
            with pytest.raises(fo.AttributeValueError, match=rule):
                fo.torch.pad(x, (1, 0), "constant", value)
        else:
            result = fo.torch.pad(x, (1, 0), "constant", value)
            assert torch.equal(result.view(torch.uint8), expected.view(torch.uint8)), value


def test_complex_tensors_take_complex_values() -> None:
    assert fo.torch.pad(torch.ones(1, dtype=torch.complex64), (1, 0), value=2j).tolist() == [2j, 1]


def test_a_value_whose_conversion_changes_the_tensors_type_is_an_error() -> None:
    x = torch.arange(1.0, 5)

    class Value(float):
        def __float__(self) -> float:
            x.data = torch.arange(1, 5, dtype=torch.int32)
            return 2.0

    fo.torch.pad(torch.arange(1, 5, dtype=torch.int32), (1, 1))
    with pytest.raises(fo.AttributeValueError, match="keep its shape, strides and type"):
        fo.torch.pad(x, (1, 1), value=Value(2.0))
