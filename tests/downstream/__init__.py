"""Test suites of other libraries, with the functions of `fastops.numpy` in the place of NumPy's."""
