"""One image at a time: outputs that stay in the cache, with one thread and with all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from benchmarks.cases import CASES, SHARED_IMAGES, names_of
from benchmarks.peers._contest import contest
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._work import create_work

_PEERS = ("numpy", "torch", "onnxruntime")

_ONE_THREAD, _ALL_THREADS = "1_thread", "all_threads"


def images(_setup: Setup) -> list[Job]:
    """Return moves of one image into the caller's output: all with one thread first, then with all threads."""
    names = names_of("images")
    jobs = [Job("images", f"{name}_{_ONE_THREAD}", partial(_run_with_one, name)) for name in names]
    return jobs + [Job("images", f"{name}_{_ALL_THREADS}", partial(_run_with_all, name)) for name in names]


def _run(name: str, threads: str, asked: dict[str, float], setup: Setup) -> Row:
    work = create_work(CASES[name], setup.size_of(CASES[name]))
    return contest(setup, "images", f"{name}_{threads}", work, _PEERS, fresh=False, asked=asked)


def _run_with_one(name: str, setup: Setup) -> Row:
    with setup.one_thread() as alone:
        return _run(name, _ONE_THREAD, {"best_peer": 1.0}, alone)


def _run_with_all(name: str, setup: Setup) -> Row:
    row = _run(name, _ALL_THREADS, {"best_peer": 0.9}, setup)
    if name in SHARED_IMAGES and FASTOPS in row.values:
        # Beside each other, and in the same minute as the contest.
        row.asked["speedup"] = 1.5
        with setup.one_thread() as alone:
            row.values[REFERENCE] = _run(name, _ONE_THREAD, {}, replace(alone, peers=())).values[FASTOPS]
        row.how[REFERENCE] = "fastops with 1 thread"
    return row
