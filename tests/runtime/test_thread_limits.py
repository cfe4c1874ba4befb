"""Thread limits: affinity, quotas of control groups, pools; and how many threads work has within them."""

from __future__ import annotations

import multiprocessing
import os
import sys
from pathlib import Path

import pytest

from fastops._runtime import _launches
from fastops._runtime._thread_limits import ThreadLimits, read_quota
from tests.helpers.processes import run_code

V2_MOUNT = "30 23 0:26 {root} /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
V1_MOUNT = "31 23 0:27 {root} /sys/fs/cgroup/cpu,cpuacct rw shared:5 - cgroup cgroup rw,cpu,cpuacct\n"
OTHER_MOUNTS = (
    "22 1 254:1 / / rw,relatime - ext4 /dev/vda rw\n32 23 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
)


def lay_out(root: Path, groups: str, mounts: str, files: dict[str, str]) -> str:
    for name, text in {"proc/self/cgroup": groups, "proc/self/mountinfo": OTHER_MOUNTS + mounts, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(root)


def v1(path: str, quota: int, period: int = 100_000) -> dict[str, str]:
    directory = f"sys/fs/cgroup/cpu,cpuacct{path}"
    return {f"{directory}/cpu.cfs_quota_us": f"{quota}\n", f"{directory}/cpu.cfs_period_us": f"{period}\n"}


def v2(path: str, text: str) -> dict[str, str]:
    return {f"sys/fs/cgroup{path}/cpu.max": f"{text}\n"}


@pytest.mark.parametrize(
    ("group", "root", "files", "quota"),
    [
        ("/", "/", {}, None),
        ("/", "/", v2("", "150000 100000"), 1.5),
        ("/", "/", v2("", "max 100000"), None),
        ("/a/b", "/", v2("/a/b", "max 100000") | v2("/a", "200000 100000"), 2.0),
        ("/a/b", "/", v2("/a/b", "50000 100000") | v2("/a", "200000 100000"), 0.5),
        ("/a/b", "/", v2("/c", "50000 100000"), None),
        # A container that sees its own group as the root, under the name that the host has for it.
        ("/docker/1", "/docker/1", v2("", "400000 100000"), 4.0),
        ("/../x", "/", v2("", "300000 100000"), 3.0),
    ],
)
def test_quotas_of_version_2(tmp_path: Path, group: str, root: str, files: dict[str, str], quota: float | None) -> None:
    assert read_quota(lay_out(tmp_path, f"0::{group}\n", V2_MOUNT.format(root=root), files)) == quota


@pytest.mark.parametrize(
    ("group", "root", "files", "quota"),
    [
        ("/", "/", v1("", -1), None),
        ("/", "/", v1("", 250_000), 2.5),
        ("/a", "/", v1("", -1) | v1("/a", 30_000, 20_000), 1.5),
        ("/docker/1", "/docker/1", v1("", 100_000), 1.0),
    ],
)
def test_quotas_of_version_1(tmp_path: Path, group: str, root: str, files: dict[str, str], quota: float | None) -> None:
    groups = f"5:memory:/elsewhere\n4:cpu,cpuacct:{group}\n0::/\n"
    mounts = V1_MOUNT.format(root=root) + V2_MOUNT.format(root="/").replace("/sys/fs/cgroup", "/sys/fs/unified")
    assert read_quota(lay_out(tmp_path, groups, mounts, files)) == quota


@pytest.mark.parametrize("text", ["", "no groups", "0::/\n"])
def test_systems_without_control_groups(tmp_path: Path, text: str) -> None:
    assert read_quota(lay_out(tmp_path, text, "", {})) is None
    assert read_quota(str(tmp_path / "nothing")) is None


@pytest.mark.parametrize(
    ("affinity", "quota", "threads"),
    [(8, None, 8), (8, 2.0, 2), (8, 2.9, 2), (8, 0.5, 1), (2, 16.0, 2), (1, None, 1)],
)
def test_threads_within_limits(affinity: int, quota: float | None, threads: int) -> None:
    assert ThreadLimits(affinity, quota, False).threads == threads


COUNT = "\nfo.slice(np.zeros(9), [0], [9])\nfrom fastops._runtime._launches import count_workers as c\nprint(c())"


@pytest.mark.parametrize(
    ("limits", "chosen", "workers"),
    [
        (ThreadLimits(16, None, False), False, 8),
        (ThreadLimits(16, 3.5, False), False, 3),
        (ThreadLimits(2, None, False), True, 2),
        (ThreadLimits(16, None, True), False, 1),
        (ThreadLimits(16, None, True), True, 8),
        (ThreadLimits(1, None, True), True, 1),
    ],
)
def test_workers_within_limits(
    monkeypatch: pytest.MonkeyPatch, limits: ThreadLimits, chosen: bool, workers: int
) -> None:
    monkeypatch.setattr(_launches, "_limits", limits)
    monkeypatch.setattr(_launches, "_next_look", float("inf"))
    monkeypatch.setattr(_launches, "runs_regions", lambda: True)
    monkeypatch.setattr(_launches, "read_thread_count", lambda: 8)
    monkeypatch.setattr(_launches, "is_count_chosen", lambda: chosen)
    assert _launches.count_workers() == workers


@pytest.mark.skipif(sys.platform != "linux", reason="affinity is set by processor on Linux only")
def test_affinity_of_now_is_obeyed() -> None:
    processor = min(os.sched_getaffinity(0))
    code = f"fo.range(0, 1 << 20, 1, 'i64')\nos.sched_setaffinity(0, [{processor}])\nimport time; time.sleep(0.15)"
    assert run_code(code + COUNT, NUMBA_NUM_THREADS="2") == "1\n"


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.parametrize(("chosen", "workers"), [(None, 1), ("2", 2)])
def test_a_worker_of_a_pool_has_one_thread_unless_the_user_has_chosen(
    method: str, chosen: str | None, workers: int
) -> None:
    code = (
        "import concurrent.futures, multiprocessing\n"
        "from tests.safety.programs.pool_workers import count\n"
        f"context = multiprocessing.get_context({method!r})\n"
        "with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:\n"
        "    print(*pool.map(count, [2, 2]))"
    )
    assert run_code(code, NUMBA_NUM_THREADS=chosen, NUMBA_THREADING_LAYER=None) == f"{workers} {workers}\n"
