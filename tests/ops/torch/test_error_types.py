"""Errors of fo.torch are caught by what catches those of PyTorch, for each refusal in the tables of operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Refusal, Subject, all_operators, tables_of
from tests.helpers.frameworks import theirs_of

torch = pytest.importorskip("torch")

#: Refusals whose errors no handler of PyTorch's errors catches: each with what PyTorch raises, and why ours is none.
EXEMPT = {
    ("pad", "NotImplementedError"): "PyTorch has no pad of that mode for so few axes at all, right or wrong",
    ("unfold", "IndexError"): "PyTorch looks at the last axis of three before it counts them",
}


def refusals() -> list[Any]:
    """Return all refusals of the tables, but for those of functions that PyTorch does not have."""
    return [
        pytest.param(function, refusal, id=f"{function.__name__}-{i}")
        for function in all_operators()
        if Subject(function).dialect == "torch" and function is not fo.torch.slice
        for i, refusal in enumerate(tables_of(function)[1])
    ]


@pytest.mark.parametrize(("function", "refusal"), refusals())
def test_who_catches_pytorchs_error_catches_ours(function: Any, refusal: Refusal) -> None:
    data = torch.from_numpy(np.zeros(refusal.shape, "f4"))
    try:
        theirs_of(function)(data, **refusal.arguments)
    except Exception as error:
        caught = type(error)
    else:
        return
    with pytest.raises(fo.FastopsError) as info:
        function(data, **refusal.arguments)
    is_exempt = (function.__name__, caught.__name__) in EXEMPT and refusal.arguments.get("mode") != "edge"
    assert isinstance(info.value, caught) != is_exempt


def test_a_dim_out_of_range_is_an_index_error() -> None:
    for call in (lambda: fo.torch.flip(torch.zeros(3), [1]), lambda: fo.torch.narrow(torch.zeros(3), 0, 4, 0)):
        with pytest.raises(IndexError) as info:
            call()
        assert isinstance(info.value, fo.AttributeValueError)
