"""Tests that may end a process: threads, forks, the checked form of kernels, and the fuzz.

Calls that may end their process run in processes of their own (`programs`). Each program prints one line if all went
well, and fails otherwise. pytest must not collect the programs: importing `violations` compiles functions. Each test
has a short form for a plain run of pytest, and a long one for ``tox -e torture`` (`tests.helpers.seeds.scale`).
"""

collect_ignore = ["programs"]
