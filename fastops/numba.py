"""Operators inside users' own ``@njit`` functions.

`fastops.slice`, `strided_slice`, `windows`, `frame` and `range`, and pad, tile, roll, flip, transpose, rot90, moveaxis,
swapaxes, repeat, broadcast_to, sliding_window_view, split and array_split of `fastops.numpy`, can be called in compiled
code. They run in the calling thread and need no lock of Python, also inside ``prange``. They return fresh C-contiguous
arrays, or write into ``out``, which splits do not have. Modes are names in lower case or, except for pads, SampleModes,
and need not be literals; masks of `strided_slice` must be literals. Splits return a tuple if a literal number or a
tuple of indices gives the number of parts, and otherwise a list.

A call with wrong types raises a TypeError when the function is compiled. A call with wrong values raises a ValueError
with a constant text. Numba does not pass on errors out of a parallel loop, so check values before they go into
``prange``.

If fastops is installed, Numba finds these functions when compiled code first names one. If fastops is only on the path,
import this module.

>>> import numpy as np, fastops as fo
>>> from numba import njit
>>> @njit
... def padded_sum(image):
...     return fo.numpy.pad(image, 1, "reflect").sum()
>>> int(padded_sum(np.arange(4).reshape(2, 2)))
24
"""

from fastops._overloads import _operators as _operators, _range as _range, _splits_and_frames as _splits_and_frames
