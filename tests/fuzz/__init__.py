"""A fuzz of the kernels: random tables over random memory, each compared byte by byte with NumPy.

``python -m tests.fuzz --seconds 600`` runs it; ``--help`` tells the rest. By default the kernels are compiled in their
checked form, in which every load and store is asserted inside its buffer.
"""
