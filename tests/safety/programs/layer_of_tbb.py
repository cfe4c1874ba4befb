"""``layer_of_tbb``: exit code 1 if the wheel of TBB is installed, but ``fastops info`` names another layer."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

try:
    installed = version("tbb")
except PackageNotFoundError:
    # There is none for this machine.
    installed = None
printed = subprocess.run([sys.executable, "-m", "fastops", "info"], check=True, capture_output=True, text=True).stdout
layer = next(line.split()[2] for line in printed.splitlines() if line.startswith("threading layer"))
print(f"TBB {installed}: threads run on {layer}")
sys.exit(int(installed is not None and layer != "tbb"))
