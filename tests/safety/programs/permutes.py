"""``permutes CASES``: move pixels by permutes of 64 bytes, which this program emulates byte by byte.

The program counts the lines that were permuted into dense outputs, into outputs with gaps between rows, into planes,
and at the edges of images. It prints the smallest of these counts, after multiplying that of edges by 10, because there
are a tenth as many images with edges.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir

from fastops._runtime import _builds
from fastops.kernels._intrinsics import _shuffles

_INT32, _INT64 = ir.IntType(32), ir.IntType(64)
_COUNTER = "fastops.tests.permuted"


def main(cases: int) -> None:
    """Run this number of cases."""
    permuted = _emulate_here()
    import fastops as fo

    def run(call: Callable[[Any], Any], expected: np.ndarray[Any, Any]) -> list[int]:
        """Make a call into each kind of output, and compare; return how many lines each call permuted."""
        lines = []
        for out, behind in _create_outs(expected.shape, expected.dtype):
            before = permuted.value
            call(out)
            lines.append(permuted.value - before)
            assert out.tobytes() == expected.tobytes(), (expected.shape, expected.strides, expected.dtype)
            assert not any(behind.tobytes()), "written behind a row of pixels"
        return lines

    rng = np.random.default_rng(cases)
    views, edges = [], []
    for _ in range(cases):
        view = _create_case(rng)
        views.append(run(lambda out, view=view: fo.slice(view, [0] * view.ndim, view.shape, out=out), view))
    for _ in range(cases // 10):
        image = rng.integers(0, 256, (*rng.integers(40, 90, 2), rng.integers(3, 5)), np.uint8)
        mode: Any = rng.choice(["reflect", "edge", "wrap"])
        width, flipped = [*rng.integers(0, 20, (2, 2)).tolist(), (0, 0)], rng.choice([-1, 1])
        plan = fo.plan.numpy.pad(image.shape, width, mode)[:, ::flipped]
        expected = np.pad(image, width, mode)[:, ::flipped]
        edges.append(run(lambda out, plan=plan, image=image: plan(image, out), expected))
    # Images with edges are moved as a whole into pixels, and in parts into planes.
    print(min(*np.sum(views, 0), np.sum(edges, 0)[-1] * 10))


def _create_outs(
    shape: tuple[int, ...], dtype: np.dtype[Any]
) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return outputs and the gaps that must stay zero: dense rows, rows with gaps, and planes with gaps."""
    rows, pixels, channels = shape
    gapped = np.zeros((rows, pixels + 1, channels), dtype)
    planes = np.zeros((rows, channels, pixels + 1), dtype)
    return [
        (np.empty(shape, dtype), np.zeros(0)),
        (gapped[:, :-1], gapped[:, -1]),
        (planes[:, :, :-1].transpose(0, 2, 1), planes[:, :, -1]),
    ]


def _create_case(rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Return an array whose pixels are in another order than in a dense output."""
    dtype = np.dtype(rng.choice(["u1", "u1", "u2", "f4", "V3"]))
    channels = int(rng.integers(1, 9))
    shape = [int(extent) for extent in (*rng.integers(1, 5, 1), rng.integers(1, 400), channels)]
    source = rng.integers(0, 256, int(np.prod(shape)) * dtype.itemsize, np.uint8).view(dtype).reshape(shape)
    steps = [int(step) for step in (1, rng.choice([-3, -2, -1, 1, 2, 3]), rng.choice([-2, -1, 1]))]
    if rng.integers(3) == 0:
        source = np.ascontiguousarray(source.transpose(0, 2, 1)).transpose(0, 2, 1)
    return source[tuple(slice(None, None, step) for step in steps)]


def _emulate_here() -> ctypes.c_int64:
    """Let kernels of this process emulate permutes lane by lane; return a counter of the lines."""
    counter = ctypes.c_int64()
    llvmlite.binding.add_symbol(_COUNTER, ctypes.addressof(counter))
    _builds._PROGRAM = _builds._PROGRAM.replace("main()", f"from {__spec__.name} import emulate; emulate(); main()")
    return counter


def emulate() -> None:
    """Let the compiler of this process emulate permutes lane by lane, and count the lines."""

    def permute(builder: Any, *lines: Any) -> Any:
        *lines, lanes = lines
        module = builder.module
        place = module.globals.get(_COUNTER) or ir.GlobalVariable(module, _INT64, _COUNTER)
        builder.atomic_rmw("add", place, _INT64(1), "monotonic")
        made = ir.Constant(lanes.type, ir.Undefined)
        for i in range(lanes.type.count):
            lane = builder.zext(builder.extract_element(lanes, _INT32(i)), _INT32)
            within = builder.and_(lane, _INT32(63))
            picked = [builder.extract_element(line, within) for line in lines]
            is_high = builder.trunc(builder.lshr(lane, _INT32(6)), ir.IntType(1))
            value = builder.select(is_high, picked[-1], picked[0])
            made = builder.insert_element(made, value, _INT32(i))
        return made

    emulated: Any = _shuffles
    emulated.has_permutes = lambda: True
    emulated.permute_line = lambda builder, line, lanes: permute(builder, line, lanes)
    emulated.permute_lines = lambda builder, low, high, lanes: permute(builder, low, high, lanes)


if __name__ == "__main__":
    main(int(sys.argv[1]))
