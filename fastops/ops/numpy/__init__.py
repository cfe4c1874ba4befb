"""NumPy's functions, by its own names."""
