"""Promises about the process: threads, forks, the cache of kernels, interrupts, memory.

What can end a process runs in one of its own (`programs`). Each test has a short form, which a plain run of pytest
takes, and a long one, which ``tox -e torture`` takes: `tests.helpers.seeds.scale`.
"""
