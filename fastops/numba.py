"""Operators inside users' own ``@njit`` functions.

`fastops.slice`, `strided_slice`, `windows`, `frame` and `range`, and pad, tile, roll, flip, transpose, rot90, moveaxis,
swapaxes, repeat, broadcast_to, sliding_window_view, split and array_split of `fastops.numpy`, can be called in compiled
code: without Python's lock, serially, also inside ``prange``. They give fresh C-contiguous arrays, or write into
``out``. Modes are names in lower case, which need not be literals; masks of `strided_slice` must be. Splits give a
tuple where the call says how many parts there are, by a literal number or a tuple of indices, and a list otherwise.

What is wrong with the types of a call is a TypingError of Numba, whose second line is the error of fastops. What is
wrong with values is a ValueError of a constant text; but Numba lets no error out of a parallel loop as what it was, so
that what goes into ``prange`` should be checked before.

Where fastops is installed, Numba finds them by itself, once compiled code names one. Importing this module does the
same where fastops is only on the path.

`overload_numpy` does the same for np.pad and np.tile, and for np.roll and np.flip with an axis, which Numba does not
support.

>>> import numpy as np, fastops as fo
>>> from numba import njit
>>> @njit
... def padded_sum(image):
...     return fo.numpy.pad(image, 1, "reflect").sum()
>>> int(padded_sum(np.arange(4).reshape(2, 2)))
24
"""

from fastops._overloads import _range as _range
from fastops._overloads import _windows as _windows
from fastops._overloads._operators import overload_numpy as overload_numpy
