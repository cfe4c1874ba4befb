"""Chains, windows and normalised crops: one plan or one call beside the functions of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from asv_gate.timing import Call
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import fastops
from benchmarks import cases
from benchmarks.cases import AUGMENT_PAD, AUGMENTATIONS, CHAIN_CASES, Chain, Drawn, crop_of, result_of
from benchmarks.peers._race import Expected, Job, Setup, Way, prepared, race
from benchmarks.peers._report import FASTOPS, REFERENCE, Row

Array = NDArray[Any]


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
    # PyTorch's views cannot have negative strides; and where elements are repeated, NumPy has a copy instead of a view.
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


# Other libraries normalise in another order of operations, so their results differ by rounding: these are the
# tolerances.
_RTOL = {np.dtype("float32"): 1e-5, np.dtype("float16"): 2e-3}


def windows(_setup: Setup) -> list[Job]:
    """Return calls of windows with one thread and with all threads, then pads in users' compiled code."""
    jobs = [
        Job("windows", f"{name}_{threads}", partial(_run_windows, name, threads), 1 if threads == "1_thread" else None)
        for threads in ("1_thread", "all_threads")
        for name in cases.WINDOWS_CASES
    ]
    return jobs + [Job("windows", name, partial(_run_compiled, name)) for name in cases.COMPILED_CASES]


def normalize(_setup: Setup) -> list[Job]:
    """Return crops that are mirrored, cast and normalised, with one thread and with all threads."""
    return [
        Job(
            "normalize",
            f"{name}_{threads}",
            partial(_run_normalize, name, threads),
            1 if threads == "1_thread" else None,
        )
        for name in cases.NORMALIZE_CASES
        for threads in ("1_thread", "all_threads")
    ]


def describe(drawn: Drawn) -> str:
    """Return the shapes and types of windows and of their source."""
    source = (
        f"{len(drawn.data)} photographs" if isinstance(drawn.data, list) else f"{drawn.data.dtype} {drawn.data.shape}"
    )
    return f"{source} to {drawn.out.dtype} {drawn.out.shape}"


def _run_windows(name: str, threads: str, setup: Setup) -> Row:
    drawn = cases.WINDOWS_CASES[name].draw(setup.is_small)
    row = Row("windows", f"{name}_{threads}", describe(drawn))
    own = partial(fastops.windows, drawn.data, drawn.starts, **drawn.arguments)
    if "flip" in drawn.arguments:
        return race(row, ways_into_out(drawn, setup), expected_of(drawn), setup)
    ways = {FASTOPS: [prepared("windows", own)], "numpy": [prepared(*_NUMPY[name](drawn))]}
    return race(row, ways, Expected([cases.expected_windows(drawn)]), setup)


def _views_at(data: Array, drawn: Drawn) -> Array:
    """Return windows of data by NumPy's fancy indexing of a view; all windows must lie inside data."""
    found = sliding_window_view(data, (*drawn.arguments["size"], *data.shape[2:]))[:, :, 0]
    rows, columns = drawn.starts.T
    result: Array = found[rows, columns]
    return result


def _frames(drawn: Drawn) -> Array:
    (length,), hop = drawn.arguments["size"], int(drawn.starts[1, 0])
    return sliding_window_view(drawn.data, length)[::hop].copy()


# How NumPy cuts the windows of each case: the name of the way, and a call that returns a new array.
_NUMPY: dict[str, Callable[[Drawn], tuple[str, Call]]] = {
    "windows_inside_u8": lambda drawn: ("sliding_window_view[starts]", lambda: _views_at(drawn.data, drawn)),
    "windows_beyond_u8": lambda drawn: ("np.pad of all, np.stack", partial(cases.padded_copies, drawn)),
    "windows_15x15_f32": lambda drawn: ("np.pad of all, np.stack", partial(cases.padded_copies, drawn)),
    "windows_pages_f32": lambda drawn: ("np.take", lambda: np.take(drawn.data, drawn.arguments["items"], 0)),
    "windows_frames_f32": lambda drawn: ("a copy of sliding_window_view[::hop]", partial(_frames, drawn)),
}


def _run_compiled(name: str, setup: Setup) -> Row:
    data, times = cases.compiled_data(name), cases.COMPILED_CALLS
    row = Row("windows", name, f"pad by {cases.COMPILED_PAD}, reflect, float32 {data.shape}, in compiled code")
    pads = {FASTOPS: ("numpy.pad in @njit", cases.compiled_pad(fastops)), REFERENCE: ("loops", cases.pad_by_hand())}
    ways = {
        contender: [prepared(how, partial(pad, data, cases.COMPILED_PAD, times))]
        for contender, (how, pad) in pads.items()
    }
    race(row, ways, Expected([np.pad(data, cases.COMPILED_PAD, "reflect")]), setup)
    row.values = {contender: seconds / times for contender, seconds in row.values.items()}
    return row


def _run_normalize(name: str, threads: str, setup: Setup) -> Row:
    drawn = cases.NORMALIZE_CASES[name].draw(setup.is_small)
    row = Row("normalize", f"{name}_{threads}", describe(drawn))
    limits = {"out.fill": partial(drawn.out.fill, 7)}
    return race(row, ways_into_out(drawn, setup), expected_of(drawn), setup, limits)


def expected_of(drawn: Drawn) -> Expected:
    """Return the right content of the output of ``drawn``."""
    return Expected([cases.expected_windows(drawn)], [drawn.out], rtol=_RTOL.get(drawn.out.dtype, 0.0))


def ways_into_out(drawn: Drawn, setup: Setup) -> dict[str, list[Way]]:
    """Return the ways of each contender to crop, mirror and normalise into the output of ``drawn``.

    Buffers, tables and numbers that are the same for all calls are made here, untimed.
    """
    rank = drawn.starts.shape[1]
    own = partial(fastops.windows, drawn.data, **drawn.call)
    ways = {FASTOPS: [prepared("windows", own)]}
    ways["numpy"] = [prepared("np.pad, flip, multiply, add", partial(cases.write_by_numpy, drawn))]
    if find_spec("cv2") is not None and rank == 2 and drawn.out.dtype != np.float16:
        finishes = _opencv_finishes(drawn)
        buffers = [np.empty(drawn.out.shape[1:], np.uint8) for _ in range(2)]
        ways["opencv"] = [
            prepared(f"copyMakeBorder, flip, {how}", partial(_write_by_opencv, drawn, finish, buffers))
            for how, finish in finishes.items()
        ]
    if "torch" in setup.peers and "normalize" in drawn.arguments:
        numbers = [import_module("torch").tensor(each).view(-1, 1, 1) for each in drawn.arguments["normalize"]]
        ways["torch"] = [
            prepared(f"{how}, pad, flip, to, sub_, div_", partial(_write_by_torch, drawn, numbers, how == "contiguous"))
            for how in ("channels last", "contiguous")
        ]
    return ways


def _opencv_finishes(drawn: Drawn) -> dict[str, Callable[[Array, Array], object]]:
    """Return, by name, functions that let OpenCV write the bytes of a crop into the output of the crop."""
    cv2 = import_module("cv2")
    planes = [np.empty(drawn.out.shape[1:3], np.uint8) for _ in range(3)]

    def targets(out: Array) -> Sequence[Array]:
        return list(out.transpose(2, 0, 1))

    numbers = cases.scale_and_shift(drawn)
    if numbers is None:
        return {"split": lambda crop, out: cv2.split(np.ascontiguousarray(crop), targets(out))}
    scale, shift = numbers
    table = (np.arange(256, dtype=np.float32)[:, None] * scale + shift)[None]
    if drawn.out[0].flags.c_contiguous:
        return {"LUT": lambda crop, out: cv2.LUT(crop, table, out)}
    tables = [np.ascontiguousarray(table[..., channel]) for channel in range(3)]
    scales, shifts = scale.tolist(), shift.tolist()

    def look_up(crop: Array, out: Array) -> None:
        for plane, of_channel, target in zip(cv2.split(crop, planes), tables, targets(out), strict=True):
            cv2.LUT(plane, of_channel, target)

    def add_weighted(crop: Array, out: Array) -> None:
        for plane, target, a, b in zip(cv2.split(crop, planes), targets(out), scales, shifts, strict=True):
            cv2.addWeighted(plane, a, plane, 0, b, target, cv2.CV_32F)

    return {"split, LUT": look_up, "split, addWeighted": add_weighted}


def _write_by_opencv(drawn: Drawn, finish: Callable[[Array, Array], object], buffers: Sequence[Array]) -> None:
    cv2 = import_module("cv2")
    for source, start, is_mirrored, out in drawn.each():
        index, ((top, bottom), (left, right)) = cases.inside_and_pads(start, drawn.arguments["size"], source.shape[:2])
        crop = source[index]
        if top or bottom or left or right:
            crop = cv2.copyMakeBorder(crop, top, bottom, left, right, cv2.BORDER_REFLECT_101, buffers[0])
        finish(cv2.flip(crop, 1, buffers[1]) if is_mirrored else crop, out)


def _write_by_torch(drawn: Drawn, numbers: Sequence[Any], is_contiguous: bool) -> None:
    """Pad, mirror and normalise as torchvision's transforms of tensors do, and copy the result into the output."""
    torch = import_module("torch")
    rank = drawn.starts.shape[1]
    mean, std = numbers
    for source, start, is_mirrored, out in drawn.each():
        index, pads = cases.inside_and_pads(start, drawn.arguments["size"], source.shape[:rank])
        moved, target = torch.from_numpy(source[index]), torch.from_numpy(out)
        if rank == 2:
            moved, target = moved.permute(2, 0, 1), target.permute(2, 0, 1)
        moved = moved.contiguous() if is_contiguous else moved
        around = [n for pair in reversed(pads) for n in pair]
        if any(around):
            moved = torch.nn.functional.pad(moved[None], around, "reflect")[0]
        moved = moved.flip(-1) if is_mirrored else moved
        target.copy_(moved.to(torch.float32).sub_(mean).div_(std))
