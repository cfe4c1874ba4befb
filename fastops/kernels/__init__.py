"""Compiled code: entries, rules, the scheduler, the loops that move, and the layouts of their tables.

Nothing here imports the rest of fastops.
"""
