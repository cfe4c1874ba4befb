"""Operators inside users' own ``@njit`` functions: importing this module is all that it takes.

Numba imports it by itself (the entry point ``numba_extensions``) before it compiles the first function. From then on
`fastops.slice`, `strided_slice`, `windows` and `range`, and pad, tile, roll, flip and transpose of `fastops.numpy`, can
be called in compiled code.
"""

from fastops._overloads import _range as _range
from fastops._overloads import _slices as _slices
from fastops._overloads import _windows as _windows
from fastops._overloads._numpy import overload_numpy as overload_numpy
