"""Chains and layouts with one thread each: one plan beside the functions of other libraries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops
from benchmarks.cases import AUGMENT_PAD, AUGMENTATIONS, CHAIN_CASES, Chain, crop_of, result_of
from benchmarks.peers._race import Expected, Job, Setup, Way, prepared, race
from benchmarks.peers._report import FASTOPS, REFERENCE, Row

Array = NDArray[Any]
Call = Callable[[], object]


def chains(_setup: Setup) -> list[Job]:
    """Return augmentations, then layouts."""
    return [Job("chains", name, partial(_run, name), 1) for name in CHAIN_CASES]


def _run(name: str, setup: Setup) -> Row:
    chain = CHAIN_CASES[name]
    data = chain.data(chain.small if setup.is_small else chain.full)
    plan = chain.plan(fastops, data.shape)
    expected = result_of(chain, data, plan)
    row = Row("chains", name, f"{chain.dtype}, {data.shape} to {plan.shape}, one thread")
    out = np.empty_like(expected)
    ways = {FASTOPS: [prepared("plan(data, out)", partial(plan, data, out))]}
    if name in AUGMENTATIONS:
        ways |= _augmentations(chain, data, out, setup)
    else:
        ways |= _layouts(chain, data, out, setup)
    return race(row, ways, Expected([expected], [out]), setup)


def _augmentations(chain: Chain, data: Array, out: Array, setup: Setup) -> dict[str, list[Way]]:
    rows, columns = crop = crop_of(data.shape, out.shape[-1])
    pads = ((AUGMENT_PAD,) * 2,) * 2 + ((0, 0),)

    def by_calls() -> None:
        padded = fastops.numpy.pad(data, pads, "reflect")
        mirrored = fastops.numpy.take_slice(padded, (rows, slice(columns.stop - 1, columns.start - 1, -1)))
        fastops.numpy.transpose(mirrored, (2, 0, 1), out=out)

    ways = {
        REFERENCE: [prepared("three calls of fastops", by_calls)],
        "numpy": [prepared("np.pad, a copy of a view", lambda: np.copyto(out, chain.expected(data)))],
    }
    if "torch" in setup.peers:
        torch = import_module("torch")
        image, target = torch.from_numpy(data).permute(2, 0, 1)[None], torch.from_numpy(out)

        def by_torch() -> None:
            padded = torch.nn.functional.pad(image, (AUGMENT_PAD,) * 4, mode="reflect")[0]
            target.copy_(padded[(slice(None), *crop)].flip(2))

        ways["torch"] = [prepared("F.pad, flip, copy_", by_torch)]
    if "opencv" in setup.peers:
        cv2 = import_module("cv2")

        def by_opencv() -> None:
            padded = cv2.copyMakeBorder(data, *(AUGMENT_PAD,) * 4, cv2.BORDER_REFLECT_101)
            cv2.split(cv2.flip(padded[crop], 1), list(out))

        ways["opencv"] = [prepared("copyMakeBorder, flip, split", by_opencv)]
    return ways


def _layouts(chain: Chain, data: Array, out: Array, setup: Setup) -> dict[str, list[Way]]:
    view, target = chain.expected(data), out
    if chain.split is not None:
        parts = chain.split(data.shape)
        target = out.reshape([parts[axis] for axis in chain.order])
    ways = {"numpy": [prepared("np.copyto", lambda: np.copyto(target, chain.expected(data)))]}
    # PyTorch has no such view of negative strides, and NumPy copies repeated elements.
    if "torch" in setup.peers and chain.split is not None:
        torch = import_module("torch")
        ways["torch"] = [prepared("copy_ of a view", partial(torch.from_numpy(target).copy_, torch.from_numpy(view)))]
    if "opencv" in setup.peers and chain.name in _OPENCV:
        how, call = _OPENCV[chain.name]
        ways["opencv"] = [prepared(how, lambda: call(import_module("cv2"), data, out))]
    return ways


# By case: how OpenCV does it, and its call for data and an output.
_OPENCV: dict[str, tuple[str, Callable[[Any, Array, Array], object]]] = {
    **{
        name: ("transpose", lambda cv2, data, out: cv2.transpose(data, out))
        for name in CHAIN_CASES
        if name.startswith("transpose")
    },
    "hwc_to_chw_u8": ("split", lambda cv2, data, out: cv2.split(data, list(out))),
    "chw_to_hwc_u8": ("merge", lambda cv2, data, out: cv2.merge(list(data), out)),
    "rot90_hwc_u8": ("rotate", lambda cv2, data, out: cv2.rotate(data, cv2.ROTATE_90_COUNTERCLOCKWISE, out)),
    "upsample_hwc_u8": (
        "resize",
        lambda cv2, data, out: cv2.resize(data, out.shape[1::-1], out, interpolation=cv2.INTER_NEAREST),
    ),
}
