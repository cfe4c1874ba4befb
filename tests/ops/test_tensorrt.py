"""fo.tensorrt.slice."""

import numpy as np

import fastops as fo
from tests.ops._tables import DTYPES, Call, contract, refuse

MODE_RULE = "mode must be one of strict_bounds, wrap, clamp, fill, reflect, default, or the number of one, got"


def cut(shape, start, size, stride, expected, dtypes=DTYPES, **options):
    return Call(shape, {"start": start, "shape": size, "stride": stride, **options}, expected, dtypes)


test_slice = contract(fo.tensorrt.slice, (3,), start=[0], shape=[1], stride=[1])(
    cut((3, 4), [1, 3], [2, 2], [1, -2], lambda x: x[1:, 3::-2]),
    cut((3, 4), [1, 3], [2, 2], [1, -2], lambda x: x[1:, 3::-2], mode="STRICT_BOUNDS"),
    cut((5,), [-2], [9], [1], lambda x: np.pad(x, 2, "reflect"), mode=4),
    cut((3, 4), [-3], [10], [1], lambda x: np.pad(x, ((0, 0), (3, 3)), "wrap"), axes=[-1], mode=fo.SampleMode.WRAP),
    cut((3,), [-1], [5], [1], lambda x: np.pad(x, 1), mode="FILL"),
    cut((3,), [-1], [5], [1], lambda x: np.pad(x, 1, constant_values=7), ("u1", "f4"), mode="FILL", fill=7),
    cut((3,), [2], [4], [0], lambda x: x[[2] * 4], mode="DEFAULT"),
    cut((), [], [], [], lambda x: x, mode="CLAMP"),
    refuse(
        r"shape must keep coordinates 1..3 in 0..2 .* got 3 \(axis 0, ext", IndexError, start=[1], shape=[3], mode=0
    ),
    refuse("start must be in 0..2", IndexError, start=[-1], mode=0),
    refuse("shape must keep coordinates 1..3 in 0..2", IndexError, start=[1], shape=[3]),
    *[
        refuse(f"{MODE_RULE} {mode!r}", mode=mode)
        for mode in ("SYMMETRIC", 5, -1, 6, "mirror", fo.SampleMode.SYMMETRIC)
    ],
    refuse("fill must be given in mode fill only", mode="CLAMP", fill=1),
    refuse("fill must be a real number", TypeError, mode="FILL", fill="x"),
    refuse("start must have 2 values", ValueError, (3, 3), mode=1),
    refuse("start must be of type int32 or int64", TypeError, start=np.array([0], "i2"), mode=1),
)
