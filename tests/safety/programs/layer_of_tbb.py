"""``layer_of_tbb``: exit code 1 if the wheel of TBB is installed, but is not what Numba's threads run on."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

from fastops._runtime._kernels import thread_count
from fastops._runtime._threading_layers import threading_layer

try:
    installed = version("tbb")
except PackageNotFoundError:
    # There is none for this machine.
    installed = None
threads = thread_count()
print(f"TBB {installed}: {threads} threads on {threading_layer()}")
sys.exit(int(installed is not None and threading_layer() != "tbb"))
