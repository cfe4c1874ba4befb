"""ONNX operators."""
