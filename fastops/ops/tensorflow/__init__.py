"""TensorFlow's operators, by its own names."""
