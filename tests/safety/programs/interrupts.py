"""``interrupts AMID SECONDS``: a Ctrl-C so many seconds after something has begun, then every operator.

AMID is what it shall meet: ``compiling``, from the first call on; ``calls``, once all of them have been made;
``long``, one call that takes a second or more, of which no byte may be missing when the Ctrl-C is raised.
Prints what it has met.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import numpy as np

import fastops as fo
from tests.safety.programs._operators import check_all

# Each output of the long call reads far from the one before it, so that few bytes take long.
EXTENT, COUNT, STRIDE = 1 << 26, 1 << 26, 40_000_003


def start_timer(seconds: float) -> None:
    """Send this process a Ctrl-C some time later."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.daemon = True
    timer.start()


def interrupt_calls(seconds: float, *, is_warm: bool) -> str:
    """Call every operator until the Ctrl-C comes; return what it has met."""
    met = "compiling"
    if is_warm:
        check_all()
        met = "calls"
    try:
        start_timer(seconds)
        end = time.monotonic() + seconds + 60
        while time.monotonic() < end:
            check_all()
            met = "calls"
    except KeyboardInterrupt:
        return met
    raise ValueError("there was no Ctrl-C")


def interrupt_long_call(seconds: float) -> str:
    """Make a long call until the Ctrl-C comes; its output has to be whole then."""
    data = np.resize(np.arange(251, dtype=np.uint8), EXTENT)
    out = np.zeros(COUNT, np.uint8)
    # Nothing is left to be compiled or loaded: this needs the same kernel.
    fo.slice(data, [0], [COUNT], mode="clamp", out=out)
    start = time.monotonic()
    ended = 0.0
    try:
        start_timer(seconds)
        fo.slice(data, [5], [COUNT], [STRIDE], mode="wrap", out=out)
        ended = time.monotonic()
        time.sleep(seconds + 60)
    except KeyboardInterrupt:
        if ended:
            raise ValueError(f"the call took {ended - start:.2f} s only") from None
    else:
        raise ValueError("there was no Ctrl-C")
    chosen = np.append(np.arange(0, COUNT, 9973), np.arange(COUNT - 9973, COUNT))
    if not np.array_equal(out[chosen], data[(5 + chosen * STRIDE) % EXTENT]):
        raise ValueError("the Ctrl-C was raised before the kernel was done")
    return "a long call"


def main(amid: str, seconds: float) -> None:
    """Be interrupted, and go on."""
    # Whoever starts this in the background may have turned it off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    met = interrupt_long_call(seconds) if amid == "long" else interrupt_calls(seconds, is_warm=amid == "calls")
    check_all()
    print(met)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
