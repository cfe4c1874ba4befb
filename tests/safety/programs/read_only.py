"""``read_only DIRECTORY``: every operator, where a directory cannot be written and a warning is an error.

Prints where fastops lies, whether all kernels were loaded, and how many there are; or why the directory stays writable.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import warnings
from pathlib import Path

import fastops as fo
from fastops._runtime import _kernels
from tests.safety.programs._operators import check_all

_NEW_NAMESPACE_OF_MOUNTS = 0x00020000


def make_read_only(directory: Path) -> None:
    """Let this process and its children write nothing in a directory; raise an OSError if that cannot be.

    Modes do not bind root, who gets a mount of its own instead.
    """
    if os.getuid():
        for path in [directory, *directory.rglob("*")]:
            path.chmod(path.stat().st_mode & 0o555)
    elif getattr(ctypes.CDLL(None), "unshare", lambda _: -1)(_NEW_NAMESPACE_OF_MOUNTS):
        raise OSError("no namespace of mounts")
    else:
        place = str(directory)
        for command in (["--make-rprivate", "/"], ["--bind", place, place], ["-o", "remount,bind,ro", place]):
            if subprocess.run(["mount", *command], check=False, capture_output=True).returncode:
                raise OSError(f"mount {' '.join(command)} is refused")
    try:
        (directory / "new").write_text("")
    except OSError:
        return
    raise OSError(f"{directory} can still be written")


def main(directory: Path) -> None:
    """Make the directory so, and call."""
    try:
        make_read_only(directory)
    except OSError as error:
        print("refused:", error)
        return
    warnings.simplefilter("error")
    check_all()
    print(fo.__file__, all(kernel.from_cache for kernel in _kernels._compiled.values()), len(_kernels._compiled))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
