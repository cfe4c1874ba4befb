"""NumPy's slicing family as copies, by NumPy's own names and rules. `fastops.plan.numpy` has the plans."""

from fastops.ops.numpy._broadcast_to import broadcast_to as broadcast_to
from fastops.ops.numpy._copy import ascontiguousarray as ascontiguousarray
from fastops.ops.numpy._copy import copy as copy
from fastops.ops.numpy._flip import flip as flip
from fastops.ops.numpy._flip import fliplr as fliplr
from fastops.ops.numpy._flip import flipud as flipud
from fastops.ops.numpy._moveaxis import moveaxis as moveaxis
from fastops.ops.numpy._moveaxis import swapaxes as swapaxes
from fastops.ops.numpy._pad import pad as pad
from fastops.ops.numpy._repeat import repeat as repeat
from fastops.ops.numpy._roll import roll as roll
from fastops.ops.numpy._rot90 import rot90 as rot90
from fastops.ops.numpy._sliding_window_view import sliding_window_view as sliding_window_view
from fastops.ops.numpy._split import array_split as array_split
from fastops.ops.numpy._split import split as split
from fastops.ops.numpy._take_slice import take_slice as take_slice
from fastops.ops.numpy._tile import tile as tile
from fastops.ops.numpy._transpose import permute_dims as permute_dims
from fastops.ops.numpy._transpose import transpose as transpose
