"""The compiled loops: one file a kernel, the intrinsics they are made of, and the layout of their tables.

Nothing here imports the rest of fastops, and nothing here decides: a kernel runs the table it is given.
"""
