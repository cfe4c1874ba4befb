"""NumPy's arrays as fastops sees them: dtypes, fill values, inputs, outputs, pins, pool, tensors. No plans."""
