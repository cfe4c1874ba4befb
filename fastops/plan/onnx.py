"""The plans of `fastops.onnx`: each function takes the shape where the operator takes data."""

from fastops._process._lazy_names import lazy_plans

__getattr__, __dir__ = lazy_plans(globals(), "fastops.onnx")
