"""`fastops demo`: four operators of the top level on full-HD frames, checked and timed against NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import fastops
from fastops._arrays._dtypes import AnyArray
from fastops._cli._flags import LineParser
from fastops._errors import counted
from fastops._runtime._kernels import link_parallel, load_object, thread_count
from fastops._runtime._threads import threading_layer

#: Frames, rows, columns and channels; elements of a range; timed runs of each case.
SHAPE = 8, 1080, 1920, 3
RANGE_COUNT = 1 << 23
REPEATS = 7

_PADS = {"wrap": "wrap", "clamp": "edge", "fill": "constant", "reflect": "reflect", "symmetric": "symmetric"}

# The ratio of a row is marked if the ratios of its runs, without the lowest and the highest, differ by more than this
# factor.
_MOST_SPREAD = 1.3

_ROW = "{:14}  {:15}  {:18}  {:>6}  {:>5}  {:>7}  {}"
_HEADER = ("operator", "what", "out", "ms", "GB/s", "x NumPy", "ok")

_FOOTNOTE = """\
ms: median of {repeats} runs into a reused output, in turn with NumPy's.
GB/s: bytes of the output in that time.
x NumPy: median of NumPy's time over fastops', for np.copyto of the view,
np.pad, or np.arange; np.pad and np.arange allocate their results.
~: the ratio changes from run to run; other programs may use the machine.
ok: equal to NumPy's bytes."""


def run(argv: Sequence[str]) -> int:
    """Print the table; return 0 if all results are correct, and 1 if not."""
    LineParser("demo").parse_args(argv)
    frames = np.random.default_rng(0).integers(0, 256, SHAPE, np.uint8)
    load_object()
    link_parallel()
    rows = [measure(*case) for case in create_cases(frames)]
    made = f"{format_shape(frames.shape)}, uint8, {frames.nbytes / 1e6:.1f} MB"
    print(f"fastops {fastops.__version__} on frames that it makes: {made}\n")
    for cells in (_HEADER, *rows):
        print(_ROW.format(*cells))
    print(f"\n{_FOOTNOTE.format(repeats=REPEATS)}")
    wrong = [row[-1] for row in rows].count("NO")
    verdict = f"{wrong} of {len(rows)} WRONG" if wrong else f"all {len(rows)} correct"
    print(f"{counted(thread_count(), 'thread')}, threading layer {threading_layer()}: {verdict}")
    return 1 if wrong else 0


def create_cases(frames: AnyArray) -> Iterator[tuple[str, str, Callable[..., Any], Callable[[], Any]]]:
    """Yield for each row the operator, a title, the call, which takes ``out``, and NumPy's call for the same result."""
    n, height, width, channels = frames.shape
    top, left = height // 4, width // 4
    whole, inside = [n, height, width, channels], frames[:, top : 3 * top, left : 3 * left]
    slices: Any = [
        ("crop", [0, top, left, 0], [n, 3 * top, 3 * left, channels], [1, 1, 1, 1], inside),
        ("stride 2", [0, 0, 0, 0], whole, [1, 2, 2, 1], frames[:, ::2, ::2]),
        ("horizontal flip", [0, 0, -1, 0], [n, height, -width - 1, channels], [1, 1, -1, 1], frames[:, :, ::-1]),
        ("BGR -> RGB", [0, 0, 0, -1], [n, height, width, -channels - 1], [1, 1, 1, -1], frames[..., ::-1]),
    ]
    for title, begin, end, strides, view in slices:
        yield "strided_slice", title, partial(fastops.strided_slice, frames, begin, end, strides), _copier([view])
    split = partial(fastops.variadic_split, frames, 3, [1] * channels)
    yield "variadic_split", "planes", split, _copier(np.split(frames, channels, 3))
    for mode, word in _PADS.items():
        padded = partial(fastops.slice, frames, [-16, -16], [height + 32, width + 32], axes=[1, 2], mode=mode)
        rival: Any = partial(np.pad, frames, [(0, 0), (16, 16), (16, 16), (0, 0)], mode=word)
        yield "slice", f"{mode} pad", padded, rival
    for name, dtype in (("f32", np.float32), ("i64", np.int64)):
        values = partial(fastops.range, 7, 7 + 2 * RANGE_COUNT, 2, name)
        yield "range", name, values, partial(np.arange, 7, 7 + 2 * RANGE_COUNT, 2, dtype)


def _copier(views: list[AnyArray]) -> Callable[[], list[AnyArray]]:
    """Return a function that copies views into the same arrays at each call, and returns these arrays."""
    targets = [np.empty_like(view) for view in views]

    def copy() -> list[AnyArray]:
        for target, view in zip(targets, views, strict=True):
            np.copyto(target, view)
        return targets

    return copy


def measure(operator: str, title: str, ours: Callable[..., Any], theirs: Callable[[], Any]) -> tuple[str, ...]:
    """Check a case, then time fastops and NumPy in turn, and return the cells of a row."""
    results, rivals = ours(), theirs()
    outs, expected = [each if isinstance(each, list) else [each] for each in (results, rivals)]
    for out in outs:
        # If the next call leaves an element unwritten, the comparison finds it.
        out.view(np.uint8)[...] = 0xA5
    ours(out=results)
    is_correct = all([np.array_equal(*pair) for pair in zip(outs, expected, strict=True)])
    seconds, ratios = [], []
    for _ in range(REPEATS):
        started = perf_counter()
        ours(out=results)
        between = perf_counter()
        # The arrays that NumPy allocates are freed after the time is taken.
        rivals = theirs()
        ended = perf_counter()
        del rivals
        seconds.append(between - started)
        ratios.append((ended - between) / (between - started))
    own = median(seconds)
    ratios.sort()
    is_busy = ratios[-1 - REPEATS // 4] > _MOST_SPREAD * ratios[REPEATS // 4]
    shape = (f"{len(outs)} of " if len(outs) > 1 else "") + format_shape(outs[0].shape)
    speed, ratio = sum([out.nbytes for out in outs]) / own / 1e9, f"{'~' if is_busy else ''}{median(ratios):.2f}"
    return operator, title, shape, f"{own * 1e3:.2f}", f"{speed:.1f}", ratio, "yes" if is_correct else "NO"


def format_shape(shape: Sequence[int]) -> str:
    """Return a shape as ``8x1080x1920x3``."""
    return "x".join(map(str, shape))
