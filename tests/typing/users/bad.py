"""Calls with errors that type checkers find, in the lines that end in "bad"."""

import numpy as np

import fastops as fo

image = np.zeros((4, 5), np.float32)
mode = input()

fo.slice(image, [0, 0], [9, 9], mode="refelct")  # bad
fo.slice(image, [0, 0], [9, 9], mode=mode)  # bad
fo.slice(image, [0, 0])  # bad
fo.slice(image, [0, 0], [9, 9], strides=[1, 1])  # bad
fo.slice(object(), [0, 0], [9, 9])  # bad
fo.slice(image, [0, 0], [9, 9], out=[image])  # bad
fo.slice(image, [0, 0], [9, 9]).shap  # bad
fo.windows(image, [[0, 0]], [2, 2], mode="mirror")  # bad
fo.numpy.pad(image, 1, "linear")  # bad
fo.numpy.pad(image, 1, "reflect", reflect_type="both")  # bad
fo.numpy.split(image, 2).shape  # bad
fo.openvino.pad(image, [1, 1], [1, 1], "wrap")  # bad
fo.plan.slice((4, 5), [0, 0], [9, 9], mode="refelct")  # bad
fo.plan.slice((4, 5), [0, 0], [9, 9])([[1.0]], fill=0)  # bad
fo.plan.torch.pad((4, 5), [1, 1], "edge")  # bad
fo.plan.onnx.pad((4, 5), pad=[1, 1])  # bad
fo.plan.onnx.flip((4, 5))  # bad
fo.plan.pad((4, 5), 1)  # bad
fo.pad(image, 1)  # bad
fo.numpy.expand(image, [4, 5])  # bad
fo.lazy(image).pad(1, "mean")  # bad
fo.lazy(image).slice([0, 0], [2, 2], mode="refelct")  # bad


def padded(mode: fo.typing.Mode, pad_mode: fo.typing.TorchPadMode) -> None:
    fo.numpy.pad(image, 1, mode)  # bad
    fo.plan.torch.pad((4, 5), [1, 1], mode)  # bad


padded("edge", "edge")  # bad
