"""The plans of `fastops.onnx`: each function takes a shape in place of the operator's data."""

import fastops.ops.onnx as _operators
from fastops.plan._as_plan import plans_of as _plans_of

globals().update(_plans_of(_operators))
