"""fastops beside PyTorch, with calls of which some are errors: both must refuse the same ones."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import fastops as fo
from tests.conformance._draws import DTYPES, data_of

torch = pytest.importorskip("torch")

Tensor = Any

#: Where PyTorch has each function.
FUNCTIONS = {
    "permute": torch.permute,
    "transpose": torch.transpose,
    "rot90": torch.rot90,
    "flip": torch.flip,
    "tile": torch.tile,
    "repeat_interleave": torch.repeat_interleave,
    "roll": torch.roll,
    "pixel_shuffle": torch.nn.functional.pixel_shuffle,
    "pixel_unshuffle": torch.nn.functional.pixel_unshuffle,
    "channel_shuffle": torch.nn.functional.channel_shuffle,
    "unfold": torch.nn.functional.unfold,
}

SEEDS = 120


def draw_tensor(rng: Random, shape: list[int]) -> Tensor:
    """A tensor of a shape, whose axes are in any order in memory, with gaps."""
    order = rng.sample(range(len(shape)), len(shape))
    steps = [rng.choice((1, 1, 2)) for _ in shape]
    memory = torch.from_numpy(data_of(tuple([shape[k] * steps[k] for k in order]), rng.choice(DTYPES)))
    tensor = memory.permute([order.index(k) for k in range(len(shape))]) if shape else memory
    return tensor[tuple([slice(None, None, step) for step in steps])]


# PyTorch gives tensors without elements as they are here: it rolls them along axes that they have not, and does not
# give them the shape of what is unshuffled.
NEVER_EMPTY = ("roll", "pixel_unshuffle")


def draw_shape(rng: Random, name: str, least_rank: int = 0) -> list[int]:
    """A shape; about one axis in twenty is empty, where the function takes such."""
    least = int(name in NEVER_EMPTY)
    rank = max(least_rank, rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 5)))
    return [least if rng.random() < 0.05 else rng.choice((1, 2, 2, 3, 4)) for _ in range(rank)]


def draw_axis(rng: Random, rank: int) -> int:
    """An axis, counted from either end; about one in twenty is none of the tensor's."""
    return rng.randrange(-rank, rank) if rank and rng.random() < 0.95 else rank


def draw_axes(rng: Random, rank: int, n: int) -> list[int]:
    """Axes, each once; about one list in ten is wrong."""
    axes = [axis - rng.choice((0, rank)) for axis in rng.sample(range(rank), min(n, rank))]
    if axes and rng.random() < 0.1:
        axes[0] = rng.choice((axes[-1], rank, -rank - 1))
    return axes


def draw_call(rng: Random, name: str) -> tuple[Tensor, tuple[Any, ...]]:
    """A tensor, and the other arguments of a function."""
    if name in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"):
        return draw_blocks(rng, name)
    if name == "unfold":
        return draw_unfold(rng)
    shape = draw_shape(rng, name, {"roll": 1, "rot90": 2}.get(name, 0))
    rank = len(shape)
    arguments: tuple[Any, ...]
    if name == "permute":
        arguments = (draw_axes(rng, rank, max(0, rank - (rng.random() < 0.05))),)
    elif name == "transpose":
        arguments = (draw_axis(rng, rank), draw_axis(rng, rank))
    elif name == "rot90":
        arguments = (rng.randint(-5, 5), draw_axes(rng, rank, 2))
    elif name == "flip":
        arguments = (draw_axes(rng, rank, rng.randint(0, rank)),)
    elif name == "tile":
        arguments = ([0 if rng.random() < 0.05 else rng.choice((1, 1, 2, 3)) for _ in range(rng.randint(0, rank + 2))],)
        if rng.random() < 0.05 and 0 not in shape:
            arguments = ([*arguments[0], -1],)
    elif name == "repeat_interleave":
        repeats = -1 if rng.random() < 0.05 else rng.choice((0, 1, 2, 3, 7))
        arguments = (repeats, None if rng.random() < 0.3 else draw_axis(rng, rank))
    else:
        axes = draw_axes(rng, rank, rng.randint(1, rank))
        arguments = ([rng.randint(-9, 9) for _ in axes], axes)
    return draw_tensor(rng, shape), arguments


def draw_blocks(rng: Random, name: str) -> tuple[Tensor, tuple[int]]:
    """Channels or images with a size that most often divides them."""
    size = rng.choice((1, 2, 2, 3)) if rng.random() < 0.95 else rng.choice((0, -1))
    shape = draw_shape(rng, name, 2 if rng.random() < 0.05 else 3)
    factor = max(size, 1) if rng.random() < 0.9 else 1
    if name == "channel_shuffle":
        shape[1] *= factor
    elif name == "pixel_shuffle":
        shape[len(shape) - 3] *= factor * factor
    else:
        shape[-2:] = [extent * factor for extent in shape[-2:]]
    tensor = draw_tensor(rng, shape)
    # PyTorch refuses images of five axes whose channels are the last in memory.
    return tensor.contiguous() if len(shape) == 5 else tensor, (size,)


def draw_unfold(rng: Random) -> tuple[Tensor, tuple[Any, ...]]:
    """Images and blocks, of which one in ten is too large, or has a number that may not be."""
    shape = [rng.randint(1, 3) for _ in range(2)] + [rng.randint(1, 8) for _ in range(2)]
    sizes, rates, pads, strides = (
        [rng.randint(low, high) for _ in "yx"] for low, high in ((1, 3), (1, 2), (0, 4), (1, 3))
    )
    if rng.random() < 0.05:
        rng.choice((sizes, rates, pads, strides))[0] = rng.choice((0, -1, 99))
    tensor = draw_tensor(rng, shape[rng.randrange(2) :]).float()
    return tensor, (sizes, rates, pads[0] if rng.random() < 0.3 else pads, strides)


def outcome(function: Any, call: tuple[Tensor, tuple[Any, ...]], error: type[Exception]) -> Any:
    """Type, shape and elements of a result, or None for an error."""
    tensor, arguments = call
    try:
        result = function(tensor, *arguments)
    except error:
        return None
    return result.dtype, tuple(result.shape), result.contiguous().numpy().tobytes()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_moves(seed, name):
    call = draw_call(Random(f"{seed} {name}"), name)
    expected = outcome(FUNCTIONS[name], call, Exception)
    tensor, arguments = call
    message = f"shape {list(tensor.shape)}, strides {tensor.stride()}, arguments {arguments}"
    assert outcome(getattr(fo.torch, name), call, fo.FastopsError) == expected, message


@pytest.mark.parametrize("name", FUNCTIONS)
def test_most_moves_are_right_and_some_are_wrong(name):
    calls = [draw_call(Random(f"{seed} {name}"), name) for seed in range(SEEDS)]
    outcomes = [outcome(FUNCTIONS[name], call, Exception) for call in calls]
    assert sum(each is not None and bool(each[2]) for each in outcomes) > SEEDS // 2
    assert None in outcomes
