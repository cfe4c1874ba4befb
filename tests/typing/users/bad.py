"""What users get wrong, in the lines that end in "bad"."""

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
fo.frame(image, 3, 1, mode="periodic")  # bad
fo.numpy.pad(image, 1, "linear_ramp")  # bad
fo.numpy.pad(image, 1, "reflect", reflect_type="odd")  # bad
fo.numpy.copy(image, "K")  # bad
fo.numpy.split(image, 2).shape  # bad
fo.onnx.pad(image, [1, 1], mode="symmetric")  # bad
fo.onnx.depth_to_space(image, 2, mode="dcr")  # bad
fo.onnx.space_to_depth(image, 2, mode="NHWC")  # bad
fo.openvino.pad(image, [1, 1], [1, 1], "wrap")  # bad
fo.openvino.depth_to_space(image, "block_first")  # bad
fo.openvino.space_to_depth(image, "block_first")  # bad
fo.openvino.reverse(image, [0], "indices")  # bad
fo.openvino.broadcast(image, [4, 5], mode="bidirect")  # bad
fo.openvino.extract_image_patches(image, [1], [1], [1], "same")  # bad
fo.tensorflow.pad(image, [[1, 1], [1, 1]], "EDGE")  # bad
fo.tensorflow.depth_to_space(image, 2, "NWHC")  # bad
fo.tensorflow.space_to_depth(image, 2, "NWHC")  # bad
fo.tensorflow.extract_patches(image, [1], [1], [1], "same")  # bad
fo.tensorrt.slice(image, [0, 0], [1, 1], [1, 1], mode="symmetric")  # bad
fo.plan.slice((4, 5), [0, 0], [9, 9], mode="refelct")  # bad
fo.plan.slice((4, 5), [0, 0], [9, 9])([[1.0]], fill=0)  # bad
fo.plan.numpy.pad((4, 5), 1, "mean")  # bad
fo.plan.onnx.pad((4, 5), [1, 1], mode="symmetric")  # bad
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
    fo.torch.pad(image, [1, 1], pad_mode)  # bad


padded("edge", "edge")  # bad
