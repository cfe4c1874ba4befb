"""Work of many megabytes is done by several launches, between which Ctrl-C is heard."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._runtime import _kernels
from fastops._runtime._kernels import CompiledKernel
from fastops.ops.numpy import _roll

LAUNCH_BYTES = 400_001

IMAGE = np.random.default_rng(0).integers(0, 255, (700, 900, 3), np.uint8)
NUMBERS = np.arange(1_000_003, dtype=np.float32)
OUT = np.zeros((1400, 900, 3), np.uint8)[::2]

CALLS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "pad": (
        lambda: fo.numpy.pad(IMAGE, ((9, 9), (5, 5), (0, 0)), "reflect"),
        lambda: np.pad(IMAGE, ((9, 9), (5, 5), (0, 0)), "reflect"),
    ),
    "one axis": (lambda: fo.numpy.tile(NUMBERS, 3), lambda: np.tile(NUMBERS, 3)),
    "channels": (lambda: fo.numpy.flip(IMAGE, 2), lambda: IMAGE[..., ::-1]),
    "transpose": (lambda: fo.numpy.transpose(IMAGE, (2, 1, 0)), lambda: IMAGE.transpose(2, 1, 0)),
    "out of any strides": (lambda: fo.numpy.flip(IMAGE, 1, out=OUT), lambda: IMAGE[:, ::-1]),
    "split": (lambda: np.concatenate(fo.numpy.split(IMAGE, [200, 501], 1), 1), lambda: IMAGE),
    "windows": (
        lambda: fo.windows(IMAGE, [[k, k] for k in range(0, 300, 7)], [300, 400], axes=[0, 1]),
        lambda: np.stack([IMAGE[k : k + 300, k : k + 400] for k in range(0, 300, 7)]),
    ),
    "range of floats": (lambda: fo.range(0, 1_000_003, 1, "f32"), lambda: NUMBERS),
    "range of bytes": (lambda: fo.range(0, 1_000_003, 1, "u8"), lambda: NUMBERS.astype(np.int64).astype(np.uint8)),
}


@dataclass
class Launches:
    """Which of how many each launch was, and a signal to be raised by the second one."""

    made: list[tuple[int, int]] = field(default_factory=list)
    raises: int | None = None

    def note(self, launch: int, launches: int) -> None:
        self.made.append((launch, launches))
        if self.raises is not None and launch == 1:
            signal.raise_signal(self.raises)


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> Launches:
    """Let launches be short, and note them."""
    noted = Launches()
    compile_kernel = _kernels.compile_kernel

    def noting(name: str, needs: int = _kernels.ALL_UNITS) -> CompiledKernel:
        kernel = compile_kernel(name, needs)

        def run(*args: Any) -> Any:
            result = kernel.run(*args)
            noted.note(*args[-2:])
            return result

        return CompiledKernel(run, kernel.dispatcher, kernel.from_cache)

    monkeypatch.setattr(_kernels, "LAUNCH_BYTES", LAUNCH_BYTES)
    monkeypatch.setattr(_kernels, "_compiled", {})
    monkeypatch.setattr(_kernels, "compile_kernel", noting)
    return noted


@pytest.mark.parametrize(("call", "expected"), CALLS.values(), ids=CALLS)
def test_several_launches_write_what_one_does(
    call: Callable[[], Any], expected: Callable[[], Any], launches: Launches
) -> None:
    result = call()
    np.testing.assert_array_equal(result, expected())
    n = -(-result.nbytes // LAUNCH_BYTES)
    assert n > 2
    assert launches.made == [(k, n) for k in range(n)]


@pytest.mark.usefixtures("own_signals")
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_waits_for_one_launch(name: str, launches: Launches) -> None:
    call, expected = CALLS[name]
    launches.raises = signal.SIGINT
    with pytest.raises(KeyboardInterrupt):
        call()
    assert [launch for launch, _ in launches.made] == [0, 1]
    launches.raises = None
    np.testing.assert_array_equal(call(), expected())


def test_traced_calls_of_many_megabytes_have_several_launches_too(launches: Launches) -> None:
    # Other tests may have made so many calls like these that they are traced now and then only.
    _roll._OPERATOR.load()._traced._seen.clear()
    made = {}
    for megabytes in (8, 65):
        data = np.arange(megabytes << 18, dtype=np.float32)
        out = np.empty_like(data)
        for _ in range(3):
            # So that the next one is noted too.
            _kernels._compiled.clear()
            launches.made.clear()
            fo.numpy.roll(data, 5, 0, out=out)
        n = -(-out.nbytes // LAUNCH_BYTES)
        made[megabytes] = [each for each in launches.made if each in {(k, n) for k in range(n)}]
        np.testing.assert_array_equal(out, np.roll(data, 5))
    # Compiled code runs the smaller call itself, in one launch.
    assert made[8] == []
    assert made[65] == [(k, n) for k in range(n)]
