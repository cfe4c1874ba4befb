"""Many windows in one call, beside what one writes in NumPy, OpenCV and JAX; and pads in users' compiled code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import fastops
from benchmarks import cases
from benchmarks.measure.timing import interleaved_medians
from benchmarks.peers._contest import samples_of
from benchmarks.peers._normalize_group import moved_by_opencv
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks import is_installed
from benchmarks.peers.frameworks._base import LazyModule

cv2: Any = LazyModule("cv2")
jax: Any = LazyModule("jax")

Array = NDArray[Any]
Call = Callable[[], object]
#: How a contender does it, and its call, which returns the result.
Way = tuple[str, Callable[[], Any]]

_ONE_THREAD, _ALL_THREADS = "1_thread", "all_threads"


def windows(_setup: Setup) -> list[Job]:
    """Return calls of windows with one thread and with all, then pads in compiled code."""
    names = cases.WINDOWS_CASES
    jobs = [Job("windows", f"{name}_{_ONE_THREAD}", partial(_run_with_one, name)) for name in names]
    jobs += [Job("windows", f"{name}_{_ALL_THREADS}", partial(_run, name, _ALL_THREADS)) for name in names]
    return jobs + [Job("windows", name, partial(_run_compiled, name)) for name in cases.COMPILED_CASES]


def _run_with_one(name: str, setup: Setup) -> Row:
    with setup.one_thread() as alone:
        return _run(name, _ONE_THREAD, alone)


def _run(name: str, threads: str, setup: Setup) -> Row:
    drawn = cases.WINDOWS_CASES[name].draw(setup.is_small)
    expected = cases.expected_windows(drawn)
    source = "arrays" if isinstance(drawn.data, list) else f"{drawn.data.dtype} {drawn.data.shape}"
    row = Row("windows", f"{name}_{threads}", f"{source} to {expected.shape}")
    row.asked = dict(_ASKED.get(name, {}))
    setup.framework(FASTOPS)
    calls: dict[str, Call] = {}
    for contender, (how, call) in _ways_of(name, drawn, setup).items():
        if np.array_equal(call(), expected):
            calls[contender], row.how[contender] = call, how
        elif contender == FASTOPS:
            row.wrong = "another result than NumPy's"
        else:
            row.absent[contender] = "another result than NumPy's"
    row.values = interleaved_medians(samples_of(calls, setup), setup.effort)
    return row


# What each case asks for, of the fastest peer.
_ASKED: dict[str, Mapping[str, float]] = {
    "windows_inside_u8": {"numpy_and_torch": 1.5, "best_peer": 1.0},
    "windows_beyond_u8": {"best_peer": 4.0},
    "windows_15x15_f32": {"seconds": 5000 * 150e-9},
    "windows_pages_f32": {"best_peer": 1.0},
    "windows_frames_f32": {"best_peer": 1.5},
    "windows_photographs_u8": {"best_peer": 1.0},
}


def _ways_of(name: str, drawn: cases.Drawn, setup: Setup) -> dict[str, Way]:
    """Return the ways of each contender that takes part; results are fresh where a peer has no other way."""
    arguments = drawn.arguments
    is_list = name == "windows_photographs_u8"
    own = partial(fastops.windows, drawn.data, drawn.starts, **arguments, **({"out": drawn.out} if is_list else {}))
    ways: dict[str, Way] = {FASTOPS: ("windows(...)", own)}
    if "numpy" in setup.peers:
        ways["numpy"] = _NUMPY[name](drawn)
    if find_spec("cv2") is not None and is_list:
        cv2.setNumThreads(setup.threads)
        ways["opencv"] = ("copyMakeBorder, flip, split", partial(_photographs_by_opencv, drawn))
    if name == "windows_inside_u8" and "jax" in setup.peers and is_installed("jax"):
        setup.framework("jax")
        ways["jax"] = ("vmap of dynamic_slice", _inside_by_jax(drawn))
    return ways


def _views_at(data: Array, drawn: cases.Drawn) -> Array:
    """Return the windows of data, which lie inside, by NumPy's fancy indexing of a view."""
    size = (*drawn.arguments["size"], *data.shape[2:])
    found = sliding_window_view(data, size)[:, :, 0] if data.ndim > 2 else sliding_window_view(data, size)
    shift = (data.shape[0] - drawn.data.shape[0]) // 2
    rows, columns = drawn.starts.T + shift
    result: Array = found[rows, columns]
    return result


def _inside(drawn: cases.Drawn) -> Way:
    return "sliding_window_view[starts]", lambda: _views_at(drawn.data, drawn)


def _padded_all(drawn: cases.Drawn) -> Way:
    width = max(drawn.arguments["size"]) // 2
    pads = [(width, width)] * 2 + [(0, 0)] * (drawn.data.ndim - 2)
    size_y, size_x = drawn.arguments["size"]

    def call() -> Array:
        padded = np.pad(drawn.data, pads, "reflect")
        out = np.empty(drawn.out.shape, drawn.out.dtype)
        for n, (y, x) in enumerate(drawn.starts + width):
            out[n] = padded[y : y + size_y, x : x + size_x]
        return out

    return "np.pad of all, copies", call


def _frames(drawn: cases.Drawn) -> Way:
    (length,), hop = drawn.arguments["size"], int(drawn.starts[1, 0])
    return "a copy of sliding_window_view[::hop]", lambda: sliding_window_view(drawn.data, length)[::hop].copy()


def _photographs(drawn: cases.Drawn) -> Way:
    def call() -> Array:
        drawn.out[...] = cases.expected_windows(drawn)
        return drawn.out

    return "np.pad of each, copies", call


_NUMPY: dict[str, Callable[[cases.Drawn], Way]] = {
    "windows_inside_u8": _inside,
    "windows_beyond_u8": _padded_all,
    "windows_15x15_f32": _padded_all,
    "windows_pages_f32": lambda drawn: ("np.take", lambda: np.take(drawn.data, drawn.arguments["items"], 0)),
    "windows_frames_f32": _frames,
    "windows_photographs_u8": _photographs,
}


def _photographs_by_opencv(drawn: cases.Drawn) -> Array:
    size, strides = drawn.arguments["size"], drawn.arguments["stride"]
    for photo, (y, x), stride, out in zip(drawn.data, drawn.starts.tolist(), strides.tolist(), drawn.out, strict=True):
        is_mirrored = stride[1] < 0
        crop = moved_by_opencv(photo, (y, x - (size[1] - 1) * is_mirrored), size, is_mirrored)
        cv2.split(np.ascontiguousarray(crop), list(out.transpose(2, 0, 1)))
    return drawn.out


def _inside_by_jax(drawn: cases.Drawn) -> Callable[[], Any]:
    size = (*drawn.arguments["size"], drawn.data.shape[-1])

    def cut(image: Any, start: Any) -> Any:
        return jax.lax.dynamic_slice(image, (start[0], start[1], 0), size)

    cut_all = jax.jit(jax.vmap(cut, (None, 0)))
    image, starts = jax.numpy.asarray(drawn.data), jax.numpy.asarray(drawn.starts)
    return lambda: cut_all(image, starts).block_until_ready()


def _run_compiled(name: str, setup: Setup) -> Row:
    data = cases.compiled_data(name)
    row = Row("windows", name, f"pad by {cases.COMPILED_PAD}, reflect, float32 {data.shape}, in compiled code")
    row.how = {FASTOPS: "numpy.pad in @njit", REFERENCE: "loops in @njit"}
    row.asked = {"seconds": 600e-9} if name == "compiled_pad_8" else {"times_reference": 1 / 3}
    calls = {FASTOPS: partial(cases.compiled_pad(fastops), data, cases.COMPILED_PAD, cases.COMPILED_CALLS)}
    calls[REFERENCE] = partial(cases.pad_by_hand(), data, cases.COMPILED_PAD, cases.COMPILED_CALLS)
    if not np.array_equal(calls[FASTOPS](), calls[REFERENCE]()):
        row.wrong = "another result than loops"
    medians = interleaved_medians(samples_of(calls, setup), setup.effort)
    row.values = {name: seconds / cases.COMPILED_CALLS for name, seconds in medians.items()}
    return row
