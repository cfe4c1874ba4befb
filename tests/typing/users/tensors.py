"""Calls with PyTorch tensors; the wrong ones end in "bad"."""

from typing import assert_type

import torch
from torch import Tensor

import fastops as fo

tensor = torch.zeros(4, 5)
weights = torch.nn.Parameter(tensor)

assert_type(fo.torch.pad(tensor, (1, 1), "circular").to("cpu"), Tensor)
assert_type(fo.torch.pad(weights, (1, 1), out=tensor), Tensor)
assert_type(fo.torch.split(tensor, 2), tuple[Tensor, ...])
fo.torch.pad(tensor, (1, 1), "edge")  # bad
fo.torch.slice(tensor, [0, 0], [1, 1], mode="refelct")  # bad
fo.torch.pad([1, 2], (1, 1))  # bad

# Functions of other modules, plans and chains give tensors for tensors.
assert_type(fo.slice(tensor, [0, 0], [9, 9], mode="wrap", out=tensor), Tensor)
assert_type(fo.numpy.pad(weights, 1), Tensor)
assert_type(fo.onnx.split(tensor, num_outputs=2, out=[tensor, tensor]), list[Tensor])
assert_type(fo.windows([tensor, tensor], [[0, 0], [1, 1]], [2, 2]), Tensor)
assert_type(fo.plan.slice((4, 5), [0, 0], [1, 1])(tensor), Tensor)
assert_type(fo.plan.windows((4, 5), [1, 1])(tensor, [[0, 0]]), Tensor)
assert_type(fo.lazy(tensor).flip().run(), Tensor)
