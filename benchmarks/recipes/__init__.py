"""How fast the recipes of the documentation are, beside what one writes today: ``python -m benchmarks.recipes``.

It writes `docs/recipes/timings.md`, of which each page of a recipe includes its part. Imports run one way:

============  ==================================================
`_case`       two ways to do the same
`_images`     augmentation, windows, code that users compile
`_volumes`    patches of volumes in files
`_tensors`    frames of a signal, key-value caches, models
`_chunks`     worker processes of PyTorch, arrays of dask
`_report`     the page
`__main__`    the command line
============  ==================================================
"""
