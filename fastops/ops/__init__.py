"""The operators: each file has one family of a dialect, with a pure lowering and a public function per operator.

The names here are those that most of these files use.
"""

# If another thread is importing NumPy, Python waits here until that import is complete. An import of a module of NumPy,
# such as ``numpy.typing``, would not wait.
import numpy as _numpy  # noqa: F401

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._execution._operator import Operator, RangeOperator, TensorOperator
from fastops._geometry._numbers import Index, Indices, OneForAll, OneOrMore, as_index, as_indices
from fastops._geometry._sample_mode import Mode, SampleMode
from fastops._lowering._arguments import Rule
from fastops._lowering._windows import Assembly, Windows, check_rank
from fastops.kernels._tables import _rules as r

__all__ = ["Assembly", "AttributeValueError", "DTypeError", "FastopsError", "Index", "Indices", "Mode", "OneForAll"]
__all__ += ["OneOrMore", "Operator", "RangeOperator", "Rule", "SampleMode", "Tensor", "TensorOperator", "Windows"]
__all__ += ["as_index", "as_indices", "check_rank", "r"]
