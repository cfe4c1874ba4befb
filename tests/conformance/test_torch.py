"""fastops beside PyTorch: each function of `fastops.torch`, on random calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.conformance import _torch_draws
from tests.conformance._live import Array, Function, check_live
from tests.conformance._operators import functions_of
from tests.conformance._slice_draws import windows
from tests.conformance._torch_departures import DEPARTURES

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

Tensor = Any


_NAMED = torch.nn.functional
_THEIRS = {
    "channel_shuffle": _NAMED.channel_shuffle,
    "pad": _NAMED.pad,
    "pixel_shuffle": _NAMED.pixel_shuffle,
    "pixel_unshuffle": _NAMED.pixel_unshuffle,
    "take_slice": lambda x, index: x[index],
    "unfold": _NAMED.unfold,
}


def as_tensor(array: Array) -> Tensor:
    """Return a tensor of an array's memory."""
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def as_array(tensor: Tensor) -> Array:
    """Return an array of a tensor's elements."""
    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.resolve_conj().numpy()


def on_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes and gives arrays for one of tensors."""

    def run(data: Array, *arguments: Any, **keywords: Any) -> Any:
        result = function(as_tensor(data), *arguments, **keywords)
        return [as_array(each) for each in result] if isinstance(result, list | tuple) else as_array(result)

    return run


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Let PyTorch move these few elements by one thread: waiting for others takes most of the time."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.parametrize("name", functions_of("torch"))
def test_functions(name: str) -> None:
    # PyTorch has no windows in all modes.
    theirs = windows if name == "slice" else on_arrays(_THEIRS.get(name) or getattr(torch, name))
    draw = getattr(_torch_draws, f"draw_{name}")
    check_live(Function(name, draw, theirs, on_arrays(getattr(fo.torch, name))), DEPARTURES)
