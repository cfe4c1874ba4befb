"""Holds: what keeps the memory of a caller's array where it is while a call runs.

`ndarray.resize(..., refcheck=False)` frees or moves memory under everybody who uses it, and other threads run whenever
a kernel or the interpreter lets them. But NumPy resizes no array that has a weak reference. A hold is one, which ends
with the name that keeps it; a proxy is made in half the time of a plain one.

It has to begin before an array says how long its memory is. It does not reach the array of which another one is a view:
to resize that one leaves the view without memory for good, whether a call runs or not.
"""

from __future__ import annotations

from weakref import proxy

#: hold(array) returns what keeps NumPy from resizing an array for as long as it is kept itself.
hold = proxy
