"""Windows of tensors."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

FILLED = {"start": [-1], "size": [4], "mode": "fill", "fill_value": 7}
CALLS = [
    Call((4, 5), {"start": [1, 0], "size": [2, 5]}, lambda x: x[1:3]),
    Call((4, 5), {"start": [3, 4], "size": [4, 2], "stride": [-1, -2]}, lambda x: x[::-1, 4::-2][:, :2]),
    Call((4,), {"start": [-2], "size": [8], "mode": "reflect"}, lambda x: np.pad(x, 2, "reflect")),
    Call((4, 3), {"start": [-1], "size": [6], "axes": [0], "mode": "wrap"}, lambda x: x[[3, 0, 1, 2, 3, 0]]),
    Call((4,), {"start": [-1], "size": [6], "mode": "fill"}, lambda x: np.pad(x, 1)),
    Call((2,), FILLED, lambda x: np.pad(x, 1, constant_values=7), ("u1", "f4")),
    Call((4,), {"start": [-1], "size": [6], "mode": "clamp"}, lambda x: np.pad(x, 1, "edge")),
]

refuse = refuser((4,), start=[0], size=[2])
REFUSALS = [
    refuse(r"start must be in 0\.\.3 in mode strict_bounds", IndexError, start=[-1]),
    refuse("start must have 1 value", start=[0, 0]),
    refuse("fill_value must be given in mode fill only", fill_value=3),
]

test_slice = contract(fo.torch.slice, CALLS, REFUSALS)
