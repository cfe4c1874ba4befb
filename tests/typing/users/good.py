"""Right calls with arrays, and the types that checkers infer."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import ArrayLike, NDArray

import fastops as fo
from fastops.plan import PlanList, RangePlan, SlicePlan, WindowsPlan

Floats = NDArray[np.float32]
Anything = NDArray[Any]

image: Floats = np.zeros((4, 5), np.float32)
typed = np.zeros((4, 5), np.float32)
stored: np.memmap[tuple[int, int], np.dtype[np.uint8]] = np.memmap("frames.u8", np.uint8, "r", shape=(4, 5))

# Results have the dtype of the data; checkers know no shapes.
assert_type(fo.slice(typed, [0, 0], [9, 9], mode="wrap"), Floats)
assert_type(fo.slice(image, [0, 0], [9, 9], mode=fo.SampleMode.CLAMP, out=image), Floats)
assert_type(fo.slice(stored, [0, 0], [1, 1], mode="BORDER_REFLECT101"), NDArray[np.uint8])
assert_type(fo.strided_slice(typed, [0], [-1]), Floats)
assert_type(fo.windows([typed, typed], [[0, 0], [1, 1]], [2, 2]), Floats)
assert_type(fo.numpy.pad(typed, 1, "symmetric", reflect_type="even"), Floats)
assert_type(fo.openvino.pad(typed, [1, 1], [1, 1], "edge"), Floats)

# Operators with several parts return lists.
assert_type(fo.variadic_split(typed, 0, [1, 3], out=[image, image]), list[Floats])
assert_type(fo.numpy.split(typed, 2), list[Floats])

# Other data gives an array of any dtype; arguments may be passed by name.
assert_type(fo.slice([1, 2, 3], [0], [1]), Anything)
assert_type(fo.numpy.tile(np.float32(3), 2), Anything)
assert_type(fo.onnx.pad(data=typed, pads=[1, 1], axes=[0]), Anything)
assert_type(fo.range(0, 5, 1, "i32"), Anything)


def of_any_data(data: ArrayLike, anything: Any) -> None:
    assert_type(fo.numpy.flip(data), Anything)
    fo.numpy.flip(anything)


# Plans.
plan = fo.plan.onnx.pad((4, 5), [1, 0, 1, 0], mode="reflect")
assert_type(plan, SlicePlan)
assert_type(plan.to_svg() + fo.plan.numpy.split((4,), 2).to_svg(), str)
assert_type(plan(typed), Floats)
assert_type(plan([[1.0]]), Anything)
assert_type(plan(data=typed, out=image), Floats)
assert_type(plan.then(fo.plan.slice(plan.shape, [0, 0], [1, 1])), SlicePlan)
assert_type(fo.plan.numpy.split((4,), 2), PlanList)
assert_type(fo.plan.torch.pad((4,), (1, 1), "circular"), SlicePlan)
assert_type(fo.plan.windows((4, 5), [2, 2]), WindowsPlan)
assert_type(fo.plan.windows((4, 5), [2, 2])(typed, [[0, 0]]), Floats)
assert_type(fo.plan.range(0, 5, 1, "i32"), RangePlan)
assert_type(fo.plan.onnx.range(0, 5, 1)("i64"), Anything)

# Chains.
chain = fo.lazy(typed).pad(1, "edge")[1:].flip(0).slice([0, 0], [2, 2], mode="clamp")
assert_type(chain.plan, SlicePlan)
assert_type(chain.run(), Floats)
assert_type(fo.lazy([1, 2]).tile(2).run(), Anything)

# Errors derive from built-in exceptions.
try:
    fo.openvino.from_ir("model.xml")(typed)
except ValueError as error:
    print(error)


# Functions that pass modes on.
def padded(data: Floats, mode: fo.typing.Mode = "edge", pad_mode: fo.typing.NumPyPadMode = "edge") -> Floats:
    return fo.slice(fo.numpy.pad(data, 1, pad_mode), [0, 0], [9, 9], mode=mode)


padded(image, fo.SampleMode.WRAP)
