"""TensorRT's operators, by its own names."""
