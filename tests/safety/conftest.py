"""Promises about the process: threads, forks, the cache of kernels, interrupts, memory.

Calls that may end their process run in processes of their own (`programs`). Each program prints one line if all went
well, and fails otherwise. pytest must not collect the programs, which compile kernels when they are imported. Each test
has a short form for a plain run of pytest, and a long one for ``tox -e torture`` (`tests.helpers.seeds.scale`).
"""

collect_ignore = ["programs"]
