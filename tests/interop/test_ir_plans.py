"""The plans of an IR's layers."""

from __future__ import annotations

import os
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.__main__ import main
from tests.helpers.inspection import peak_of
from tests.interop.test_ir import NET, NET_OF_DATA, PAGES, WEIGHTS, constant_of, layer_of, net_of

pytest.importorskip("defusedxml")

READERS = (fo.openvino.plans, partial(fo.openvino.from_ir, layer="p"))


def test_plans_and_what_is_missing() -> None:
    unknown = "must be a constant in the weights, got what another layer gives, or none"
    pad, tile = fo.openvino.plans(NET, WEIGHTS)
    assert (pad.name, pad.op_type, pad.reason, pad.fill_value) == ("p", "Pad", "", 7)
    assert pad.plan == fo.plan.openvino.pad((3, 4), [1, 0], [1, 0], "constant")
    assert (tile.name, tile.plan, tile.reason) == ("t", None, f"repeats {unknown}")
    (reverse,) = fo.openvino.plans(NET_OF_DATA, bytes([1, 0, 0, 1, 1, 0]))
    assert reverse.reason == f"axis {unknown}"
    assert [node.plan for node in fo.openvino.plans(NET)] == [None, None]
    (split,) = fo.openvino.plans(PAGES["variadic_split_1"])
    assert split.reason == f"axis {unknown}"
    pad, _ = fo.openvino.plans(NET.replace('shape="" offset="0" size="4"', 'shape="0" offset="0" size="1"'), WEIGHTS)
    assert (pad.fill_value, pad.reason) == (None, "pad_value must have an element, got none")
    assert fo.openvino.plans("<net><layers/></net>") == []
    # A layer with an error is an entry.
    for blocks, reason in (("2", "data must have its shape given"), ("x", "block_size must be as the spec")):
        layer = layer_of("SpaceToDepth", f'mode="blocks_first" block_size="{blocks}"', "1 3 -1 4")
        (node,) = fo.openvino.plans(net_of(layer, edges=[]))
        assert (node.name, node.op_type, node.plan) == ("one", "SpaceToDepth", None)
        assert reason in node.reason


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "n.xml"
    path.write_text(NET)
    path.with_suffix(".bin").write_bytes(WEIGHTS)
    assert main(["explain", "--model", str(path)]) == 0
    first, *_, value, last = capsys.readouterr().out.splitlines()
    assert (first, value) == ("p (Pad): (3, 4) -> (5, 4): reads out of bounds, so it is a copy", "  fill value: 7.0")
    assert last.startswith("t (Tile): no plan: repeats must be a constant in the weights, got")
    path.write_text(OPEN)
    assert main(["explain", "--model", str(path), "--input-shape", "x=1,4,6,8", "--input-shape", "conv=1,8,2,2"]) == 0
    printed = capsys.readouterr().out
    assert "s2d (SpaceToDepth): (1, 4, 6, 8) -> (1, 16, 3, 4)" in printed
    assert "after (SpaceToDepth): (1, 8, 2, 2) -> (1, 32, 1, 1)" in printed


def test_optional_inputs_that_other_layers_give() -> None:
    for ports, reason in ((4, ""), (5, "axes must be a constant in the weights")):
        edges = [(1, 0, 7, port) for port in (1, 2, 3)]
        net = net_of(constant_of(1, "1", 0, 8), layer_of("Slice", "", *["4"] * ports), edges=edges)
        (node,) = fo.openvino.plans(net, np.array([1]).tobytes())
        assert (node.plan is None, node.reason[: len(reason)]) == (bool(reason), reason), ports


# An input, a Convolution, and three layers that fastops reads, with shapes that the model leaves open.
BLOCKS = 'mode="blocks_first" block_size="2"'
OPEN = net_of(
    layer_of("Parameter", "", number=0, name="x", outputs=["-1 4 -1 -1"]),
    layer_of("SpaceToDepth", BLOCKS, "-1 4 -1 -1", number=1, name="s2d", outputs=["-1 16 -1 -1"]),
    layer_of("DepthToSpace", BLOCKS, "-1 16 -1 -1", number=2, name="d2s", outputs=["-1 4 -1 -1"]),
    layer_of("Convolution", "", "-1 4 -1 -1", number=3, name="conv", outputs=["-1 8 -1 -1"]),
    layer_of("SpaceToDepth", BLOCKS, "-1 8 -1 -1", number=4, name="after", outputs=["-1 32 -1 -1"]),
    edges=[(0, 0, 1, 0), (1, 1, 2, 0), (2, 1, 3, 0), (3, 1, 4, 0)],
)


def test_shapes_that_the_model_leaves_open_are_given() -> None:
    assert [node.plan for node in fo.openvino.plans(OPEN)] == [None] * 3
    first, second, third = fo.openvino.plans(OPEN, shapes={"x": (1, 4, 6, 8)})
    assert first.plan == fo.plan.openvino.space_to_depth((1, 4, 6, 8), "blocks_first", 2)
    assert second.plan == fo.plan.openvino.depth_to_space((1, 16, 3, 4), "blocks_first", 2)
    assert "data must have its shape given" in third.reason
    given = fo.openvino.plans(OPEN, shapes={"x": np.array([1, 4, 6, 8]), "conv": [1, 8, 2, 2]})
    assert [node.plan.shape for node in given] == [(1, 16, 3, 4), (1, 4, 6, 8), (1, 32, 1, 1)]


@pytest.mark.parametrize(
    ("shapes", "error", "message"),
    [
        ([1, 2], fo.DTypeError, "shapes must be a mapping from names of layers to shapes"),
        (
            {"y": (1, 4, 6, 8)},
            fo.AttributeValueError,
            "shapes must name layers of the model: x, s2d, d2s, conv, after, got 'y'",
        ),
        ({"x": (1, 5, 6, 8)}, fo.AttributeValueError, "shapes must fit what the model says of x"),
        ({"x": (1, 4, 6)}, fo.AttributeValueError, "shapes must fit what the model says of x"),
        ({"x": (1, 4, 6, -8)}, fo.AttributeValueError, "shapes must be a list of integers in 0"),
        ({"x": "1,4"}, fo.DTypeError, "shapes must be a list of integers"),
    ],
)
def test_shapes_that_cannot_be(shapes: Any, error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=rf"^openvino\.plans: {message}"):
        fo.openvino.plans(OPEN, shapes=shapes)


MANY = 1 << 20


def net_of_tiles(n: int, to_port: int, times: int = 1) -> str:
    """Tile layers that all read one long constant, at the port ``to_port``."""
    tiles = [layer_of("Tile", "", str(MANY), "1", number=i) for i in range(1, n + 1)]
    edges = [(0, 0, i, to_port) for i in range(1, n + 1)] * times
    return net_of(constant_of(0, str(MANY), 0, 8 * MANY), *tiles, edges=edges)


def test_long_constants_are_not_copied_for_each_layer() -> None:
    weights = bytes(8 * MANY)
    # A plan needs only the shape of data.
    reasons = "repeats must be a constant in the weights", f"repeats must have at most 4096 elements, got {MANY}"
    for to_port, reason in enumerate(reasons):
        nodes, peak = peak_of(partial(fo.openvino.plans, net_of_tiles(40, to_port), weights))
        assert all(node.plan is None and reason in node.reason for node in nodes)
        assert peak < 4 << 20
    with pytest.raises(fo.AttributeValueError, match="repeats must have at most 4096 elements, got 1048576"):
        fo.openvino.from_ir(net_of_tiles(1, 1), weights=weights)
    assert fo.openvino.from_ir(net_of_tiles(1, 0), weights=weights)([2]).shape == (2 * MANY,)
    # A split has as many lengths as outputs.
    split = layer_of("VariadicSplit", "", "0", "", "", outputs=[""] * 5000)
    constants = constant_of(0, "5000", 8, 40_000), constant_of(3, "", 0, 8)
    (node,) = fo.openvino.plans(net_of(split, *constants, edges=[(3, 0, 7, 1), (0, 0, 7, 2)]), bytes(40_008))
    assert (len(node.plan), node.reason) == (5000, "")
    for call in (fo.openvino.plans, fo.openvino.from_ir):
        with pytest.raises(fo.AttributeValueError, match="edge at most to each port, got 'two to port 1 of layer 1'"):
            call(net_of_tiles(1, 1, times=2), weights=weights)


def test_more_parts_than_outputs_are_refused_before_any_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastops._interop._layer.Layer.plan", lambda *_: pytest.fail("parts were made"))
    for outputs, message in (
        (["", ""], "num_splits must give 2 parts, one for each output, got 1000000"),
        ([], "num_splits must give at most 4096 parts, got 1000000"),
    ):
        layer = layer_of("Split", f'num_splits="{10**6}"', str(10**6), "", outputs=outputs)
        (node,) = fo.openvino.plans(net_of(layer, edges=[]))
        assert message in node.reason
        with pytest.raises(fo.AttributeValueError, match=message):
            fo.openvino.from_ir(layer)


def test_files_that_are_no_models(tmp_path: Path) -> None:
    pipe, model = tmp_path / "n.bin", tmp_path / "n.xml"
    os.mkfifo(pipe)
    model.write_text(NET)
    for call in READERS:
        # If xml is a path, its weights are the file beside it.
        for xml, weights, attribute in (
            (pipe, None, "xml"),
            ("/dev/zero", None, "xml"),
            (model, None, "weights"),
            (NET, pipe, "weights"),
        ):
            with pytest.raises(fo.AttributeValueError, match=f"{attribute} must be a regular file, got"):
                call(xml, weights=weights)
        with pytest.raises(FileNotFoundError):
            call("no such file")
    # An error shows nothing from a file that is no IR.
    path = tmp_path / "other.txt"
    contents = b"root:x:0:0:secret\n", b"<html>secret</html>", b"<net>secret", b"<net" + b"<" * 99_999, b"<net>\xff"
    for content, call, as_given in product(contents, READERS, (Path, str)):
        path.write_bytes(content)
        with pytest.raises(fo.AttributeValueError, match=r"xml must be (an OpenVINO IR|text in UTF-8)") as info:
            call(as_given(path))
        assert "secret" not in str(info.value)
        assert "other.txt" in str(info.value)
