"""The clock of launches: it moves on this machine, and reads a counter that user code may read on every processor."""

from __future__ import annotations

import re
from itertools import pairwise

import llvmlite.binding
import numpy as np
import pytest
from llvmlite import ir
from numba import njit

from fastops.kernels._intrinsics._clock import HAS_CLOCK, emit_ticks, lost_ticks, note_chunk, ticks
from fastops.kernels._intrinsics._memory import stack_words
from fastops.kernels._intrinsics._types import WORD


@njit
def ticks_beside_work(data):  # type: ignore[no-untyped-def]
    """The clock before and after some work."""
    begun = ticks()
    total = 0.0
    for value in data:
        total += value
    return begun, ticks(), total


@pytest.mark.skipif(not HAS_CLOCK, reason="launches are not timed on this processor")
def test_the_clock_moves() -> None:
    data = np.ones(1 << 20)
    readings = [reading for _ in range(5) for reading in ticks_beside_work(data)[:2]]
    # A thread may be moved to another core, but each of these takes thousands of ticks.
    assert all(one < other for one, other in pairwise(readings)), readings


@njit
def lost_amid_work(data, chunks):  # type: ignore[no-untyped-def]
    """What a launch has lost of which one chunk alone took time."""
    times = stack_words(64)
    total = 0.0
    begun = ticks()
    for value in data:
        total += value
    note_chunk(times, 0, begun)
    for chunk in range(1, chunks):
        note_chunk(times, chunk, ticks())
    return lost_ticks(times, chunks, begun), total


@pytest.mark.skipif(not HAS_CLOCK, reason="launches are not timed on this processor")
def test_a_launch_that_waits_for_one_chunk_is_seen_to_lose_time() -> None:
    data = np.ones(1 << 20)
    lost_amid_work(data, 2)
    assert lost_amid_work(data, 2)[0] > 0
    assert lost_amid_work(data, 1)[0] < 0


def assembly_of(triple: str, processor: str, features: str) -> list[str]:
    """The instructions of a reading of the clock."""
    module = ir.Module()
    module.triple = triple
    builder = ir.IRBuilder(ir.Function(module, ir.FunctionType(WORD, ()), "clock").append_basic_block())
    builder.ret(emit_ticks(builder, triple.partition("-")[0]))
    machine = llvmlite.binding.Target.from_triple(triple).create_target_machine(processor, features)
    lines = machine.emit_assembly(llvmlite.binding.parse_assembly(str(module))).splitlines()
    return [" ".join(line.split()) for line in lines if re.match(r"\t[a-z]", line)]


@pytest.fixture(scope="module", autouse=True)
def _targets() -> None:
    llvmlite.binding.initialize_all_targets()
    llvmlite.binding.initialize_all_asmprinters()


@pytest.mark.parametrize("features", ["", "+perfmon"])
@pytest.mark.parametrize("processor", ["", "cortex-a72", "neoverse-n1", "apple-m1"])
@pytest.mark.parametrize("triple", ["aarch64-unknown-linux-gnu", "arm64-apple-darwin", "aarch64-pc-windows-msvc"])
def test_arm_reads_the_virtual_counter_and_nothing_else(triple: str, processor: str, features: str) -> None:
    """The cycle counter proper, PMCCNTR_EL0, would end a process that has not been allowed to read it."""
    assert assembly_of(triple, processor, features) == ["mrs x0, CNTVCT_EL0", "ret"]


@pytest.mark.parametrize(
    ("triple", "instruction"),
    [
        ("x86_64-unknown-linux-gnu", "rdtsc"),
        ("x86_64-apple-darwin", "rdtsc"),
        ("x86_64-pc-windows-msvc", "rdtsc"),
        ("powerpc64le-unknown-linux-gnu", "mfspr 3, 268"),
    ],
)
def test_other_processors_read_their_counters(triple: str, instruction: str) -> None:
    assert assembly_of(triple, "", "")[0] == instruction


@pytest.mark.parametrize("triple", ["riscv64-unknown-linux-gnu", "s390x-unknown-linux-gnu"])
def test_a_processor_without_a_known_counter_reads_none(triple: str) -> None:
    assert not re.search("rdcycle|rdtime|stck", " ".join(assembly_of(triple, "", "")))
