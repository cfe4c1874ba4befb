"""Promises about the process: threads, forks, the cache of kernels, interrupts, memory.

Calls that may end their process run in separate processes (`programs`). Each test has a short form for a plain run of
pytest, and a long one for ``tox -e torture`` (`tests.helpers.seeds.scale`).
"""
