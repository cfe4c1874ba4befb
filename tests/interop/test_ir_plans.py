"""The plans of an IR's layers."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.__main__ import main
from tests.interop.test_ir import NET, NET_OF_DATA, WEIGHTS, page

pytest.importorskip("defusedxml")


def test_layers_with_constants() -> None:
    pad, tile = fo.openvino.plans(NET, WEIGHTS)
    assert (pad.name, pad.op_type, pad.reason) == ("p", "Pad", "")
    assert pad.fill_value == 7
    assert pad.plan == fo.plan.openvino.pad((3, 4), [1, 0], [1, 0], "constant")
    assert (tile.name, tile.plan) == ("t", None)
    assert tile.reason == "repeats must be a constant in the weights, got what another layer gives, or none"
    (reverse,) = fo.openvino.plans(NET_OF_DATA, bytes([1, 0, 0, 1, 1, 0]))
    assert reverse.reason == "axis must be a constant in the weights, got what another layer gives, or none"


def test_layers_without_constants_say_what_is_missing() -> None:
    assert [node.plan for node in fo.openvino.plans(NET)] == [None, None]
    (split,) = fo.openvino.plans(page("variadic_split_1"))
    assert split.reason == "axis must be a constant in the weights, got what another layer gives, or none"


@pytest.mark.parametrize("blocks", ['block_size="2"', 'block_size="x"'])
def test_layers_that_are_wrong_are_entries(blocks: str) -> None:
    text = f"""<net><layers><layer id="7" type="SpaceToDepth"><data mode="blocks_first" {blocks}/>
    <input><port id="0"><dim>1</dim><dim>3</dim><dim>-1</dim><dim>4</dim></port></input></layer></layers></net>"""
    (node,) = fo.openvino.plans(text)
    assert (node.name, node.op_type, node.plan) == ("7", "SpaceToDepth", None)
    expected = "block_size must be as the spec" if "x" in blocks else "data must have its shape given"
    assert expected in node.reason


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "n.xml").write_text(NET)
    (tmp_path / "n.bin").write_bytes(WEIGHTS)
    path = str(tmp_path / "n.xml")
    assert main(["explain", "--model", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "p (Pad): (3, 4) -> (5, 4): reads out of bounds, so it is a copy"
    assert lines[-2:] == [
        "  fill value: 7.0",
        "t (Tile): no plan: repeats must be a constant in the weights, got what another layer gives, or none",
    ]
    assert main(["explain", "--model", path, "--json"]) == 0
    assert [sorted(node) for node in json.loads(capsys.readouterr().out)] == [
        ["fill_value", "name", "op_type", "plan"],
        ["name", "op_type", "reason"],
    ]
    assert main(["explain", "--model", path, "--input-shape", "x=3,4"]) == 2
    assert capsys.readouterr().err == "explain: input_shape must be given for an ONNX model only, got 'x=3,4'\n"


@pytest.mark.parametrize(
    ("xml", "error", "message"),
    [
        ("<net", fo.AttributeValueError, "xml must be an OpenVINO IR, of well-formed XML"),
        (3, fo.DTypeError, "xml must be a text or a path, got 3"),
        ("", fo.AttributeValueError, "xml must be a text with a layer, or a path"),
    ],
)
def test_errors(xml: Any, error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=f"^openvino.plans: {message}"):
        fo.openvino.plans(xml)


def test_a_net_without_such_layers() -> None:
    assert fo.openvino.plans("<net><layers/></net>") == []


def test_optional_inputs_that_other_layers_give() -> None:
    def net_of(op_type: str, data: str, ports: int) -> str:
        inputs = "".join([f'<port id="{i}"><dim>4</dim></port>' for i in range(ports)])
        edges = "".join([f'<edge from-layer="1" from-port="0" to-layer="2" to-port="{i}"/>' for i in range(1, 4)])
        return f"""<net><layers>
        <layer id="1" type="Const"><data element_type="i64" shape="1" offset="0" size="8"/></layer>
        <layer id="2" name="cut" type="{op_type}">{data}<input>{inputs}</input></layer></layers>
        <edges>{edges}</edges></net>"""

    weights = np.array([1]).tobytes()
    masks = '<data begin_mask="0" end_mask="0"/>'
    for op_type, data, ports, reason in (
        ("Slice", "", 4, ""),
        ("Slice", "", 5, "axes must be a constant in the weights"),
        ("StridedSlice", masks, 4, ""),
        ("Tile", "", 2, ""),
    ):
        (node,) = fo.openvino.plans(net_of(op_type, data, ports), weights)
        assert (node.plan is None, node.reason[: len(reason)]) == (bool(reason), reason), (op_type, ports)
    (node,) = fo.openvino.plans(net_of("StridedSlice", masks, 4).replace('to-port="3"', 'to-port="9"'), weights)
    assert (node.plan, node.reason.split(" must")[0]) == (None, "strides")


def test_a_fill_value_of_no_elements() -> None:
    net = NET.replace('shape="" offset="0" size="4"', 'shape="0" offset="0" size="1"')
    pad, _ = fo.openvino.plans(net, WEIGHTS)
    assert (pad.fill_value, pad.reason) == (None, "pad_value must have an element, got none")


def test_many_layers_with_constants_take_little_longer_than_a_few() -> None:
    def seconds_of(n: int) -> float:
        layers = "".join(
            [
                f'<layer id="{2 * i}" type="Const"><data element_type="i64" shape="1" offset="0" size="8"/></layer>'
                f'<layer id="{2 * i + 1}" type="Tile"><input><port id="0"><dim>3</dim></port><port id="1"/></input>'
                "</layer>"
                for i in range(n)
            ]
        )
        edges = "".join([f'<edge from-layer="{2 * i}" to-layer="{2 * i + 1}" to-port="1"/>' for i in range(n)])
        net = f"<net><layers>{layers}</layers><edges>{edges}</edges></net>"
        begun = time.process_time()
        nodes = fo.openvino.plans(net, np.array([2]).tobytes())
        assert [node.plan.shape for node in nodes if isinstance(node.plan, fo.plan.SlicePlan)] == [(6,)] * n
        return time.process_time() - begun

    seconds_of(10)
    # A scan of all layers for each of them would take 400 times as long.
    assert seconds_of(2000) < 80 * max(seconds_of(100), 0.002)
