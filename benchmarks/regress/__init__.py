"""The gate: is HEAD slower than BASE? ``python -m benchmarks.regress BASE``, or ``tox -e regress -- BASE``.

Both are installed into environments of their own, and the same work runs in processes side by side, block by block in
turn. Imports run one way:

==================  ======================================================================
`_project`          what the gate knows of the library
`_statistics`       the interval of a ratio from what pairs of blocks tell
`_verdicts`         what was measured, and what follows from it
`_benchmarks`       what is measured: names, groups and calls
`_worker`           the process that runs blocks of calls, in a commit's environment
`_count`            the process that counts what needs no statistics, likewise
`_processes`        the handle that the gate has on them
`_environments`     a commit, installed
`_progress`         a bar on a terminal
`_session`          which block runs when, and when there are enough
`_counters`         counters of two commits, compared
`_report`           results as text, Markdown and JSON
`_command`          the command: measure, show, and the exit code
`__main__`          what runs it, or says that it cannot be loaded
`_changes`          commits whose verdict is known
`trials`            the gate, tried on these
==================  ======================================================================
"""
