"""What fastops knows of NumPy's arrays: dtypes, fill values, inputs, outputs, pins, the buffer pool, tensors. No plans."""
