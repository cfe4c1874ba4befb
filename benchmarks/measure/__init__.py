"""How things are measured: what the asv suites, `benchmarks.peers` and `benchmarks.regress` have in common.

=============  ====================================================================
`timing`       medians of contenders that take turns
`limits`       copies and fills at the speed of the memory
`processes`    what new processes pay before their first result
`growth`       memory beyond input and output
`counters`     what a call does, counted exactly, from outside
`assembly`     what the machine code of the kernels is made of
`machine`      where a run takes place
`tables`       results as text and as Markdown
=============  ====================================================================
"""
