"""The plans of an IR's layers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
