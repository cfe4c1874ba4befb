"""The gate: is HEAD slower than BASE? ``asv-gate BASE``, or ``python -m asv_gate BASE``.

Both commits are installed into environments of their own. Processes of both run the same cases and take turns, block by
block. Imports run one way:

================  ==============================================================================
`timing`          calls in a sample, and medians of samples taken in turn
`tables`          tables as text and as Markdown, and the processor
`statistics`      the interval of a ratio, from pairs of blocks
`counting`        counters of a call and of the import
`verdicts`        what was measured, and what follows from it
`project`         the settings of a project, and its cases: a table, or asv's benchmarks
`worker`          the process that runs blocks of calls, or counts, in the environment of a commit
`processes`       starts workers and other processes, and ends them
`environments`    a commit, installed
`session`         which block runs when, and when there are enough
`report`          results as text, Markdown and JSON
`command`         the command
================  ==============================================================================

The worker and the modules that it imports (`timing`, `project`, `counting`) run in the environment of a commit, which
has only Python's standard library, the package, and what it and the cases require.
"""
