"""Operators out of models: OpenVINO's IR and ONNX's nodes as calls of the dialects. No operator of its own."""
