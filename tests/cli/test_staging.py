"""Files that appear together, all or none, and files that several processes write."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import pytest

from fastops._cli import _staging
from fastops._cli._staging import staged_files
from tests.cli._runs import PARTS, SPLIT, content, run

pytestmark = pytest.mark.usefixtures("in_npy")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("has_links", [True, False])
@pytest.mark.parametrize("failing", PARTS)
@pytest.mark.parametrize("existing", [[], ["p-0.npy", "p-2.npy"], PARTS], ids=len)
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_all_parts_appear_or_none(
    failure: BaseException, existing: list[str], failing: str, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in existing:
        Path(name).write_bytes(name.encode())
    before = content()
    replace, link = os.replace, os.link
    failures = iter([failure])

    def fail_once(source: Any, target: Any) -> None:
        if Path(target).name == failing:
            for each in failures:
                raise each
        replace(source, target)

    def link_unnamed_files(source: Any, target: Any, **options: Any) -> None:
        if not options:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        link(source, target, **options)

    monkeypatch.setattr(_staging.os, "replace", fail_once)
    if not has_links:
        monkeypatch.setattr(_staging.os, "link", link_unnamed_files)
    assert run(SPLIT, "p.npy") == (2 if isinstance(failure, OSError) else 130)
    assert next(failures, None) is None
    assert content() == before
    # And without a failure, all of them.
    assert run(SPLIT, "p.npy") == 0
    assert [len(np.load(name)) for name in PARTS] == [1, 2, 997]
    assert sorted(content()) == ["in.npy", *PARTS]


@pytest.mark.usefixtures("way")
def test_staged_files_are_removed_after_any_error() -> None:
    before = content()

    def fail_half_way() -> None:
        with staged_files("run", ["a.npy", "b.npy"]) as paths:
            paths[0].write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert content() == before


def test_more_parts_than_a_process_may_have_files() -> None:
    resource = pytest.importorskip("resource", reason="needs limits")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = 150
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        lengths = ",".join(["1"] * (count - 1) + ["-1"])
        assert run(["variadic_split", "--axis", "0", "--split-lengths", lengths], "p.npy") == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(content()) == 1 + count


@pytest.mark.usefixtures("way")
def test_of_two_that_write_the_same_files_each_puts_its_own_in_place() -> None:
    targets = ["a.npy", "b.npy"]
    with staged_files("run", targets) as first:
        for path in first:
            path.write_bytes(b"first")
        with staged_files("run", targets) as second:
            for path in second:
                path.write_bytes(b"second")
        assert [Path(target).read_bytes() for target in targets] == [b"second"] * 2
    assert [Path(target).read_bytes() for target in targets] == [b"first"] * 2
    assert sorted(content()) == ["a.npy", "b.npy", "in.npy"]


REPEATED_WRITING = """
import sys
from pathlib import Path
import numpy as np
from fastops._cli._npy import write_npy
from fastops._cli._staging import staged_files
while not Path("stop").exists():
    with staged_files("run", ["out.npy"]) as paths:
        write_npy("run", paths, [(5000,)], np.dtype(int), lambda outs: outs[0].fill(int(sys.argv[1])))
"""


def test_out_is_whole_at_any_moment_while_two_processes_write_it() -> None:
    np.save("out.npy", np.zeros(5000, int))
    processes = [subprocess.Popen([sys.executable, "-c", REPEATED_WRITING, str(k)]) for k in (1, 2)]
    seen: Counter[int] = Counter()
    end = monotonic() + 60
    try:
        # One of them may have all of a busy machine for a while.
        while min(seen[1], seen[2]) < 20 and monotonic() < end:
            found = np.load("out.npy")
            assert found.shape == (5000,)
            assert (found == found[0]).all()
            seen[int(found[0])] += 1
    finally:
        Path("stop").touch()
        ended = [process.wait(60) for process in processes]
    assert ended == [0, 0]
    assert min(seen[1], seen[2]) >= 20
    Path("stop").unlink()
    assert sorted(content()) == ["in.npy", "out.npy"]
