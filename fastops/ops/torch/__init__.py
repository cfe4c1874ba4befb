"""PyTorch's functions, by its own names: tensors in, tensors out."""
