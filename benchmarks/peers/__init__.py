"""fastops beside other libraries, and beside the speed of the memory: ``python -m benchmarks.peers``.

Each row is a case, or a cost such as that of the import. A module imports only modules above it:

====================  ====================================================================
`_report`             rows of groups, as text, Markdown, JSON and a picture: no measuring, no NumPy
`_race`               one row: checks contenders, then times them in turn
`_work`               a case at a size: what it reads and writes, as slices of arrays
`frameworks`          how each library does a case
`__main__`            which groups of rows there are, from the modules that measure them
====================  ====================================================================
"""
