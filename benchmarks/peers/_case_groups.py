"""The groups whose rows are cases beside all frameworks and the limit."""

from __future__ import annotations

from functools import partial

from benchmarks.cases import CASES, KIB, MIB, names_of, shown_bytes
from benchmarks.peers._contest import contest
from benchmarks.peers._rows import Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._work import LINE_BYTES, create_work, row_bytes

#: Those that can write into the caller's output.
OUT_PEERS = ("numpy", "torch", "onnxruntime", "openvino")
#: TensorFlow and JAX allocate always.
ALL_PEERS = (*OUT_PEERS, "tensorflow", "jax")

_LARGE = (*names_of("bandwidth"), "range_f32", "range_i64", "range_i32")

#: The cases that are looked at in the cache.
IN_CACHE = (
    "crop_f32",
    "stride_2_f32",
    "horizontal_flip_f32",
    "bgr_to_rgb_u8",
    "stride_2_nhwc_u8",
    *[f"pad_{mode}_{short}" for short in ("f32", "u8") for mode in ("reflect", "clamp", "fill", "wrap")],
    "kv_cache_window_f16",
    "qkv_split_f32",
)
_SIZES, _SMALL_SIZES = (256 * KIB, MIB, 4 * MIB), (4 * KIB,)


def large(_setup: Setup) -> list[Job]:
    """Return large moves into the caller's output."""
    asked = {"share": 0.9, "best_peer_with_room": 1.3}
    return [Job("large", name, partial(_run, "large", name, OUT_PEERS, asked)) for name in _LARGE]


def fresh(_setup: Setup) -> list[Job]:
    """Return large moves into outputs that each call allocates, and drops before the next one."""
    asked = {"best_peer": 1.3}
    return [Job("fresh", name, partial(_run, "fresh", name, ALL_PEERS, asked)) for name in _LARGE]


def layouts(_setup: Setup) -> list[Job]:
    """Return other widths, layouts, strides, ranks and pads."""
    return [Job("layouts", name, partial(_run_layout, name)) for name in names_of("layouts")]


def ranges(_setup: Setup) -> list[Job]:
    """Return ranges of each type, beside fills."""
    return [
        Job("ranges", name, partial(_run, "ranges", name, OUT_PEERS, {"share": 0.9})) for name in names_of("ranges")
    ]


def cache(setup: Setup) -> list[Job]:
    """Return work whose output fits in the cache."""
    return [
        Job("cache", f"{name}_{shown_bytes(size)}", partial(_run_resized, name, size))
        for name in IN_CACHE
        for size in (_SMALL_SIZES if setup.is_small else _SIZES)
    ]


def _run(group: str, name: str, peers: tuple[str, ...], asked: dict[str, float], setup: Setup) -> Row:
    work = create_work(CASES[name], setup.size_of(CASES[name]))
    return contest(setup, group, name, work, peers, fresh=group == "fresh", asked=asked)


def _run_layout(name: str, setup: Setup) -> Row:
    case = CASES[name]
    work = create_work(case, setup.size_of(case))
    # Short rows are asked for less; by their full length, in the small size too.
    row = row_bytes(create_work(case, case.full)) if setup.is_small else row_bytes(work)
    asked = {"share": 0.8 if row >= LINE_BYTES else 0.5, "numpy_and_torch": 1.0}
    return contest(setup, "layouts", name, work, OUT_PEERS, fresh=False, asked=asked)


def _run_resized(name: str, size: int, setup: Setup) -> Row:
    work = create_work(CASES[name], CASES[name].resized(size))
    row_name = f"{name}_{shown_bytes(size)}"
    return contest(setup, "cache", row_name, work, OUT_PEERS, fresh=False, asked={"best_peer": 1.0})
