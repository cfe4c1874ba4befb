"""Chains and layouts with one thread each: one plan beside what one who knows a library writes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops
from benchmarks.cases import AUGMENT_PAD, AUGMENTATIONS, CHAIN_CASES, Chain, crop_of, result_of
from benchmarks.measure.timing import interleaved_medians
from benchmarks.peers._contest import samples_of
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks import is_installed
from benchmarks.peers.frameworks._base import LazyModule

torch: Any = LazyModule("torch")
cv2: Any = LazyModule("cv2")

Array = NDArray[Any]
Call = Callable[[], object]


def chains(_setup: Setup) -> list[Job]:
    """Return augmentations, which ask for twice the speed of all peers, then layouts."""
    return [Job("chains", name, partial(_run, name)) for name in CHAIN_CASES]


def _run(name: str, setup: Setup) -> Row:
    chain = CHAIN_CASES[name]
    data = chain.data(chain.small if setup.is_small else chain.full)
    plan = chain.plan(fastops, data.shape)
    expected = result_of(chain, data, plan)
    row = Row("chains", name, f"{chain.dtype}, {data.shape} to {plan.shape}, one thread")
    row.asked = {"best_peer": 2.0, "times_reference": 1 / 1.5} if name in AUGMENTATIONS else {"best_peer": 1.0}
    with setup.one_thread() as alone:
        for peer in (FASTOPS, *alone.peers):
            if peer in (FASTOPS, "numpy", "torch"):
                alone.framework(peer)
        calls = {}
        for contender, (how, call) in _calls(chain, data, plan, alone).items():
            out = np.empty_like(expected)
            move = call(out)
            move()
            if out.tobytes() == expected.tobytes():
                calls[contender], row.how[contender] = move, how
            elif contender == FASTOPS:
                row.wrong = "another result than NumPy's"
            else:
                row.absent[contender] = "another result than NumPy's"
        row.values = interleaved_medians(samples_of(calls, alone), alone.effort)
    return row


def _calls(chain: Chain, data: Array, plan: Any, setup: Setup) -> dict[str, tuple[str, Callable[[Array], Call]]]:
    """Return by contender how it does it, and the call for an output."""
    found: dict[str, tuple[str, Callable[[Array], Call]]] = {
        FASTOPS: ("plan(data, out)", lambda out: lambda: plan(data, out))
    }
    takes_torch = "torch" in setup.peers and is_installed("torch")
    takes_opencv = find_spec("cv2") is not None
    if takes_opencv:
        cv2.setNumThreads(1)
    if chain.name in AUGMENTATIONS:
        crop = crop_of(data.shape, plan.shape[-1])
        found[REFERENCE] = ("three calls of fastops", lambda out: partial(_augment_by_calls, data, crop, out))
        found["numpy"] = ("np.pad, a copy of a view", lambda out: lambda: np.copyto(out, chain.expected(data)))
        if takes_torch:
            found["torch"] = ("functional.pad, flip, copy_", lambda out: _augment_by_torch(data, crop, out))
        if takes_opencv:
            how = "copyMakeBorder, flip, split"
            found["opencv"] = (how, lambda out: partial(_augment_by_opencv, data, crop, out))
        return found
    if chain.split is not None:
        parts = chain.split(data.shape)
        shape = [parts[axis] for axis in chain.order]
        view = data.reshape(parts).transpose(chain.order)
        found["numpy"] = ("np.copyto of a view", lambda out: partial(np.copyto, out.reshape(shape), view))
        if takes_torch:
            tensor = torch.from_numpy(data).reshape(parts).permute(chain.order)
            found["torch"] = ("copy_ of a view", lambda out: partial(torch.from_numpy(out).view(shape).copy_, tensor))
    else:
        found["numpy"] = ("np.copyto", lambda out: lambda: np.copyto(out, chain.expected(data)))
        if takes_torch:
            found["torch"] = ("copy_", lambda out: _by_torch(chain.name, data, out))
    if takes_opencv and chain.name in _OPENCV:
        found["opencv"] = _OPENCV[chain.name][0], partial(_OPENCV[chain.name][1], data)
    return found


def _augment_by_calls(data: Array, crop: tuple[slice, slice], out: Array) -> None:
    rows, columns = crop
    padded = fastops.numpy.pad(data, ((AUGMENT_PAD,) * 2,) * 2 + ((0, 0),), "reflect")
    mirrored = fastops.numpy.take_slice(padded, (rows, slice(columns.stop - 1, columns.start - 1, -1)))
    fastops.numpy.transpose(mirrored, (2, 0, 1), out=out)


def _augment_by_torch(data: Array, crop: tuple[slice, slice], out: Array) -> Call:
    image, target = torch.from_numpy(data), torch.from_numpy(out)

    def call() -> None:
        padded = torch.nn.functional.pad(image.permute(2, 0, 1)[None], (AUGMENT_PAD,) * 4, mode="reflect")[0]
        target.copy_(padded[(slice(None), *crop)].flip(2))

    return call


def _augment_by_opencv(data: Array, crop: tuple[slice, slice], out: Array) -> None:
    padded = cv2.copyMakeBorder(data, *(AUGMENT_PAD,) * 4, cv2.BORDER_REFLECT_101)
    cv2.split(cv2.flip(padded[crop], 1), list(out))


def _by_torch(name: str, data: Array, out: Array) -> Call:
    image, target = torch.from_numpy(data), torch.from_numpy(out)
    if name == "rot90_hwc_u8":
        return lambda: target.copy_(torch.rot90(image))
    rows, columns, channels = data.shape
    target, once = target.view(rows, 2, columns, 2, channels), image[:, None, :, None]
    return lambda: target.copy_(once)


# By case: how OpenCV does it, and its call for data and an output.
_OPENCV: dict[str, tuple[str, Callable[[Array, Array], Call]]] = {
    "transpose_4096_u8": ("transpose", lambda data, out: lambda: cv2.transpose(data, out)),
    "transpose_3000_f32": ("transpose", lambda data, out: lambda: cv2.transpose(data, out)),
    "hwc_to_chw_u8": ("split", lambda data, out: lambda: cv2.split(data, list(out))),
    "chw_to_hwc_u8": ("merge", lambda data, out: lambda: cv2.merge(list(data), out)),
    "rot90_hwc_u8": ("rotate", lambda data, out: lambda: cv2.rotate(data, cv2.ROTATE_90_COUNTERCLOCKWISE, out)),
    "upsample_hwc_u8": (
        "resize",
        lambda data, out: lambda: cv2.resize(data, out.shape[1::-1], out, interpolation=cv2.INTER_NEAREST),
    ),
}
