"""ONNX Transpose."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract, transposes, wrong_orders

CALLS = [Call((2, 3), {}, np.transpose), *transposes("perm")]

REFUSALS = [
    *wrong_orders("perm"),
    Refusal((2, 3), {"perm": [-1, 0]}, ValueError, r"perm must be in 0..1, for data of rank 2, got \[-1, 0\]"),
    Refusal((2, 3), {"perm": 1}, ValueError, "perm must be a list of integers"),
]

test_transpose = contract(fo.onnx.transpose, CALLS, REFUSALS)
