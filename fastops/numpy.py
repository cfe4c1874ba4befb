"""NumPy's slicing functions, with NumPy's names and rules; they copy by default. `fastops.plan.numpy` has the plans.

The functions take all arguments that NumPy's functions of these names take. NumPy itself runs calls that compute
elements, such as a pad by a mean, and calls on data of dtype object.
"""

from fastops.ops.numpy import *
