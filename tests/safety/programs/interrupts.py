"""``interrupts SECONDS``: a Ctrl-C after so many seconds of compiling and calling, then every operator.

Prints what the Ctrl-C has met.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from tests.safety.programs._operators import check_all


def main(seconds: float) -> None:
    """Be interrupted, and go on."""
    # Whoever starts this in the background may have turned it off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    end = time.monotonic() + seconds + 60
    met = "compiling"
    try:
        check_all()
        met = "calls"
        while time.monotonic() < end:
            check_all()
    except KeyboardInterrupt:
        check_all()
        print(met)


if __name__ == "__main__":
    main(float(sys.argv[1]))
