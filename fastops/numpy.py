"""NumPy's slicing family as copies, by NumPy's own names and rules. `fastops.plan.numpy` has the plans.

The functions take whatever NumPy's functions of these names take. NumPy itself does what is no movement of elements,
such as a pad by a mean, or data of dtype object.
"""

from fastops.ops.numpy._copy import ascontiguousarray as ascontiguousarray
from fastops.ops.numpy._copy import copy as copy
from fastops.ops.numpy._fixed_splits import dsplit as dsplit
from fastops.ops.numpy._fixed_splits import hsplit as hsplit
from fastops.ops.numpy._fixed_splits import vsplit as vsplit
from fastops.ops.numpy._moves import flip as flip
from fastops.ops.numpy._moves import fliplr as fliplr
from fastops.ops.numpy._moves import flipud as flipud
from fastops.ops.numpy._moves import roll as roll
from fastops.ops.numpy._moves import rot90 as rot90
from fastops.ops.numpy._pad import pad as pad
from fastops.ops.numpy._parts import array_split as array_split
from fastops.ops.numpy._parts import split as split
from fastops.ops.numpy._parts import take_slice as take_slice
from fastops.ops.numpy._repeats import broadcast_to as broadcast_to
from fastops.ops.numpy._repeats import repeat as repeat
from fastops.ops.numpy._repeats import tile as tile
from fastops.ops.numpy._sliding_window_view import sliding_window_view as sliding_window_view
from fastops.ops.numpy._transpositions import moveaxis as moveaxis
from fastops.ops.numpy._transpositions import permute_dims as permute_dims
from fastops.ops.numpy._transpositions import rollaxis as rollaxis
from fastops.ops.numpy._transpositions import swapaxes as swapaxes
from fastops.ops.numpy._transpositions import transpose as transpose
