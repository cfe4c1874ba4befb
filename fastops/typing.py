"""Types of the modes of slices and pads, for annotations of functions that pass a mode on.

``Mode`` is the type for functions of `fastops` itself and `fastops.torch.slice`; the others are for the frameworks.
"""

from fastops._geometry._sample_mode import Mode, TensorRTMode
from fastops._process import public_dir as _public_dir
from fastops.ops.numpy._pad import PadMode as NumPyPadMode
from fastops.ops.onnx._slices import PadMode as ONNXPadMode
from fastops.ops.openvino._slices import PadMode as OpenVINOPadMode
from fastops.ops.tensorflow._moves import PadMode as TensorFlowPadMode
from fastops.ops.torch._slices import PadMode as TorchPadMode

__all__ = [
    "Mode",
    "NumPyPadMode",
    "ONNXPadMode",
    "OpenVINOPadMode",
    "TensorFlowPadMode",
    "TensorRTMode",
    "TorchPadMode",
]

__dir__ = _public_dir(globals())
