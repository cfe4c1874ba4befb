"""fastops beside other libraries and beside what the memory can do: ``python -m benchmarks.peers``.

Each row is a case, or a cost such as that of the import, with the bar that fastops is held to. Imports run one way:

====================  ====================================================================
`_rows`, `_bars`      what was measured, and whether it is enough: no measuring, no NumPy
`_timing`             medians of contenders that take turns
`_work`, `_moves`     a case at a size: what it reads and writes, as slices of arrays
`_limits`             copies and fills at the speed of the memory
`frameworks`          how each library does a case: one module for each
`_contest`            one row of a case: checks contenders, then times them in turn
`_groups`             which rows there are, from the modules that measure them
`_report`, `_chart`   rows as text, Markdown and a picture
====================  ====================================================================
"""
