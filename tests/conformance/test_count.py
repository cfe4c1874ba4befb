"""How many random cases there are, in a run of the whole directory."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

PEERS = ("openvino", "tensorflow", "onnxruntime", "onnx", "torch")


def test_there_are_8000_random_cases(request):
    missing = [peer for peer in PEERS if find_spec(peer) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    drawn = [item for item in request.session.items if "seed" in item.fixturenames]
    modules = {item.module.__name__.rpartition(".")[2] for item in drawn}
    assert modules == {"test_numpy", "test_openvino", "test_tensorflow", "test_onnxruntime", "test_torch"}
    assert len(drawn) >= 8_000
