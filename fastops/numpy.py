"""NumPy's slicing family as copies, by NumPy's own names and rules. `fastops.plan.numpy` has the plans.

The functions take whatever NumPy's functions of these names take. NumPy itself does what is no movement of elements,
such as a pad by a mean, or data of dtype object.
"""

from fastops.ops.numpy import *
