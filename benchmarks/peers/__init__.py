"""fastops beside other libraries and beside what the memory can do: ``python -m benchmarks.peers``.

Each row is a case, or a cost such as that of the import, with the bar that fastops is held to. How time and
memory are measured is `benchmarks.measure`'s. Imports run one way:

====================  ====================================================================
`_rows`, `_bars`      what was measured, and whether it is enough: no measuring, no NumPy
`_work`, `_moves`     a case at a size: what it reads and writes, as slices of arrays
`frameworks`          how each library does a case: one module for each
`_contest`            one row of a case: checks contenders, then times them in turn
`_groups`             which rows there are, from the modules that measure them
`_report`, `_chart`   rows as text, Markdown and a picture
====================  ====================================================================
"""
