"""torch.flip, roll, rot90, transpose, permute, tile and repeat_interleave."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract, tiles, transposes, wrong_orders

test_flip = contract(
    fo.torch.flip,
    [
        Call((3, 4), {"dims": [0, -1]}, lambda x: x[::-1, ::-1]),
        Call((3, 4), {"dims": []}, lambda x: x),
        Call((), {"dims": [0]}, lambda x: x),
    ],
    [Refusal((3,), {"dims": 0}, ValueError, "dims must be a list of integers")],
)


test_roll = contract(
    fo.torch.roll,
    [
        Call((3, 4), {"shifts": 1}, lambda x: np.roll(x, 1), is_flat=True),
        Call((3, 4), {"shifts": [1, 2], "dims": [0, 1]}, lambda x: np.roll(x, (1, 2), (0, 1))),
        Call((3, 4), {"shifts": [1, 2], "dims": [1, 1]}, lambda x: np.roll(x, 3, 1)),
        Call((3, 4), {"shifts": [2], "dims": []}, lambda x: np.roll(x, 2), is_flat=True),
        Call((), {"shifts": 1}, lambda x: x, is_flat=True),
    ],
    [
        Refusal((3, 4), {"shifts": [1, 2], "dims": 1}, ValueError, "shifts must have 1 value, one for each axis"),
        Refusal((3, 4), {"shifts": [1, 2]}, ValueError, "shifts must have one value, because dims is not given"),
        Refusal((3, 4), {"shifts": []}, ValueError, r"shifts must have one value, because dims is not given, got \[\]"),
        Refusal((3, 4), {"shifts": [], "dims": []}, ValueError, "shifts must have one value"),
        Refusal((0, 4), {"shifts": 1, "dims": 2}, ValueError, "dims must be in -2..1"),
        Refusal((), {"shifts": 1, "dims": 0}, ValueError, "dims must name no axis of data of rank 0"),
    ],
)


test_rot90 = contract(
    fo.torch.rot90,
    [
        Call((2, 3), {}, np.rot90),
        Call((2, 3), {"k": 2}, lambda x: np.rot90(x, 2)),
        Call((2, 3, 4), {"k": 7, "dims": [1, 2]}, lambda x: np.rot90(x, 7, (1, 2))),
        Call((2, 3, 4), {"k": 1, "dims": [-1, 0]}, lambda x: np.rot90(x, 1, (-1, 0))),
        Call((2, 3), {"k": -4}, lambda x: x),
    ],
    [
        Refusal((3,), {}, ValueError, "input must have at least 2 axes"),
        Refusal((2, 3), {"dims": [0]}, ValueError, "dims must name two axes"),
    ],
)


test_transpose = contract(
    fo.torch.transpose,
    [
        Call((2, 3, 4), {"dim0": 0, "dim1": 2}, lambda x: np.swapaxes(x, 0, 2)),
        Call((2, 3, 4), {"dim0": -1, "dim1": 1}, lambda x: np.swapaxes(x, -1, 1)),
        Call((2, 3), {"dim0": 1, "dim1": 1}, lambda x: x),
        Call((), {"dim0": 0, "dim1": -1}, lambda x: x),
        Call((0, 3), {"dim0": 0, "dim1": 1}, lambda x: np.swapaxes(x, 0, 1)),
    ],
    [],
)


test_permute = contract(
    fo.torch.permute,
    [*transposes("dims"), Call((2, 3, 4), {"dims": [0, -1, 1]}, lambda x: np.transpose(x, (0, 2, 1)))],
    wrong_orders("dims"),
)


test_tile = contract(
    fo.torch.tile,
    tiles("dims", ((3,), [2, 2]), ((2, 3), [3]), ((2, 3), [])),
    [Refusal((2,), {"dims": [-1]}, ValueError, "dims must be at least 0")],
)


test_repeat_interleave = contract(
    fo.torch.repeat_interleave,
    [
        Call((2, 3), {"repeats": 2}, lambda x: np.repeat(x, 2)),
        Call((2, 3), {"repeats": 3, "dim": 0}, lambda x: np.repeat(x, 3, 0)),
        Call((2, 3), {"repeats": 2, "dim": -1}, lambda x: np.repeat(x, 2, -1)),
        Call((2, 3), {"repeats": 0, "dim": 1}, lambda x: np.repeat(x, 0, 1)),
    ],
    [
        Refusal((2, 3), {"repeats": [1, 2], "dim": 0}, ValueError, "repeats must be"),
    ],
)
