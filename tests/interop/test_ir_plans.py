"""The plans of an IR's layers."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from functools import partial
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
    assert main(["explain", "--model", path, "--input-shape", "nothing=3,4"]) == 2
    assert capsys.readouterr().err == "openvino.plans: shapes must name layers of the model, got 'nothing'\n"


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


def dims(*extents: int) -> str:
    return "".join(f"<dim>{extent}</dim>" for extent in extents)


# An input, a layer that is none of the family, and two that are, of shapes that the model leaves open.
OPEN = f"""<net><layers>
<layer id="0" name="x" type="Parameter"><output><port id="0">{dims(-1, 4, -1, -1)}</port></output></layer>
<layer id="1" name="s2d" type="SpaceToDepth"><data mode="blocks_first" block_size="2"/>
<input><port id="0">{dims(-1, 4, -1, -1)}</port></input>
<output><port id="1">{dims(-1, 16, -1, -1)}</port></output></layer>
<layer id="2" name="d2s" type="DepthToSpace"><data mode="blocks_first" block_size="2"/>
<input><port id="0">{dims(-1, 16, -1, -1)}</port></input>
<output><port id="1">{dims(-1, 4, -1, -1)}</port></output></layer>
<layer id="3" name="conv" type="Convolution"><input><port id="0">{dims(-1, 4, -1, -1)}</port></input>
<output><port id="2">{dims(-1, 8, -1, -1)}</port></output></layer>
<layer id="4" name="after" type="SpaceToDepth"><data mode="blocks_first" block_size="2"/>
<input><port id="0">{dims(-1, 8, -1, -1)}</port></input>
<output><port id="1">{dims(-1, 32, -1, -1)}</port></output></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
<edge from-layer="2" from-port="1" to-layer="3" to-port="0"/>
<edge from-layer="3" from-port="2" to-layer="4" to-port="0"/></edges></net>"""


MANY = 1 << 20


def net_of_tiles(n: int, to_port: int, edges: int = 1) -> str:
    """Tiles of which an input is a long constant."""
    data = f"<port id='0'><dim>{MANY}</dim></port><port id='1'><dim>1</dim></port>"
    tiles = [f"<layer id='{i}' name='t{i}' type='Tile'><input>{data}</input></layer>" for i in range(1, n + 1)]
    edge = f"<edge from-layer='0' from-port='0' to-layer='{{}}' to-port='{to_port}'/>"
    lines = "".join([edge.format(i) * edges for i in range(1, n + 1)])
    const = (
        f"<layer id='0' name='c' type='Const'><data element_type='i64' shape='{MANY}' offset='0' size='{8 * MANY}'/>"
    )
    return f"<net><layers>{const}</layer>{''.join(tiles)}</layers><edges>{lines}</edges></net>"


def test_long_constants_are_not_copied_for_each_layer() -> None:
    weights = bytes(8 * MANY)
    tracemalloc.start()
    for node in fo.openvino.plans(net_of_tiles(400, 1), weights):
        assert node.plan is None
        assert f"repeats must have at most 4096 elements, got {MANY}" in node.reason
    # Of data, the shape is all that a plan needs.
    for node in fo.openvino.plans(net_of_tiles(400, 0), weights):
        assert "repeats must be a constant in the weights" in node.reason
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20
    with pytest.raises(fo.AttributeValueError, match="repeats must have at most 4096 elements, got 1048576"):
        fo.openvino.from_ir(net_of_tiles(1, 1), weights=weights)
    # A split has as many lengths as outputs.
    ports = "<input><port id='0'><dim>0</dim></port><port id='1'/><port id='2'/></input>"
    split = f"<layer id='1' type='VariadicSplit'>{ports}<output>{'<port/>' * 5000}</output></layer>"
    lengths = (
        "<layer id='0' name='c' type='Const'><data element_type='i64' shape='5000' offset='8' size='40000'/></layer>"
    )
    axis = "<layer id='3' type='Const'><data element_type='i64' shape='' offset='0' size='8'/></layer>"
    edges = (
        "<edges><edge from-layer='3' to-layer='1' to-port='1'/><edge from-layer='0' to-layer='1' to-port='2'/></edges>"
    )
    (node,) = fo.openvino.plans(f"<net><layers>{lengths}{axis}{split}</layers>{edges}</net>", bytes(40_008))
    assert (len(node.plan), node.reason) == (5000, "")
    # A layer itself has its data, however long it is.
    assert fo.openvino.from_ir(net_of_tiles(1, 0), weights=weights)([2]).shape == (2 * MANY,)


def test_two_edges_to_a_port_are_refused() -> None:
    net = net_of_tiles(1, 1, edges=2)
    for call in (fo.openvino.plans, lambda xml, weights: fo.openvino.from_ir(xml, weights=weights)):
        with pytest.raises(
            fo.AttributeValueError, match="xml must have one edge at most to each port, got 'two to port 1 of layer 1'"
        ):
            call(net, bytes(8 * MANY))


def test_pipes_and_devices_are_no_models(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.xml")
    (tmp_path / "n.xml").write_text(NET)
    os.mkfifo(tmp_path / "n.bin")
    for call in (fo.openvino.plans, partial(fo.openvino.from_ir, layer="p")):
        for path, attribute in (
            (tmp_path / "m.xml", "xml"),
            (tmp_path / "n.xml", "weights"),
            (Path("/dev/zero"), "xml"),
        ):
            with pytest.raises(fo.AttributeValueError, match=f"{attribute} must be a regular file, got"):
                call(path)
        with pytest.raises(fo.AttributeValueError, match="weights must be a regular file, got"):
            call(NET, weights=tmp_path / "n.bin")


def test_shapes_name_one_layer_each() -> None:
    xml = (
        "<net><layers><layer id='1' name='x' type='Parameter'/><layer id='2' name='x' type='Parameter'/></layers></net>"
    )
    with pytest.raises(fo.AttributeValueError, match=r"shapes must name one layer each, got .*'x', which 2 are called"):
        fo.openvino.plans(xml, shapes={"x": (2, 3)})


def test_shapes_that_the_model_leaves_open_are_given() -> None:
    assert [node.plan for node in fo.openvino.plans(OPEN)] == [None] * 3
    first, second, third = fo.openvino.plans(OPEN, shapes={"x": (1, 4, 6, 8)})
    assert first.plan == fo.plan.openvino.space_to_depth((1, 4, 6, 8), "blocks_first", 2)
    assert second.plan == fo.plan.openvino.depth_to_space((1, 16, 3, 4), "blocks_first", 2)
    assert "data must have its shape given" in third.reason
    shapes = {"x": np.array([1, 4, 6, 8]), "conv": [1, 8, 2, 2]}
    assert [node.plan.shape for node in fo.openvino.plans(OPEN, shapes=shapes)] == [
        (1, 16, 3, 4),
        (1, 4, 6, 8),
        (1, 32, 1, 1),
    ]


def test_the_command_line_takes_shapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "n.xml").write_text(OPEN)
    shapes = ["--input-shape", "x=1,4,6,8", "--input-shape", "conv=1,8,2,2"]
    assert main(["explain", "--model", str(tmp_path / "n.xml"), *shapes]) == 0
    printed = capsys.readouterr().out
    assert "s2d (SpaceToDepth): (1, 4, 6, 8) -> (1, 16, 3, 4)" in printed
    assert "after (SpaceToDepth): (1, 8, 2, 2) -> (1, 32, 1, 1)" in printed


@pytest.mark.parametrize(
    ("shapes", "error", "message"),
    [
        ([1, 2], fo.DTypeError, "shapes must be a mapping from names of layers to shapes"),
        ({"y": (1, 4, 6, 8)}, fo.AttributeValueError, "shapes must name layers of the model, got 'y'"),
        ({"x": (1, 5, 6, 8)}, fo.AttributeValueError, "shapes must fit what the model says of x"),
        ({"x": (1, 4, 6)}, fo.AttributeValueError, "shapes must fit what the model says of x"),
        ({"x": (1, 4, 6, -8)}, fo.AttributeValueError, "shapes must be a list of integers in 0"),
        ({"x": "1,4"}, fo.DTypeError, "shapes must be a list of integers"),
    ],
)
def test_shapes_that_cannot_be(shapes: Any, error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=rf"^openvino\.plans: {message}"):
        fo.openvino.plans(OPEN, shapes=shapes)


SPLIT = """<net><layers><layer id="1" type="Split"><data num_splits="{n}"/><input><port id="0">{dims}</port>
<port id="1"/></input>{ports}</layer></layers></net>"""


@pytest.mark.parametrize("function", [fo.openvino.plans, fo.openvino.from_ir])
def test_more_parts_than_outputs_are_refused_before_any_is_made(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastops._interop._layer.Layer.plan", lambda *_: pytest.fail("parts were made"))
    ports = '<output><port id="2"/><port id="3"/></output>'
    for text, message in (
        (
            SPLIT.format(n=10**6, dims=dims(10**6), ports=ports),
            "num_splits must be 2, the number of outputs, got 1000000",
        ),
        (
            SPLIT.format(n=10**6, dims=dims(10**6), ports=""),
            "num_splits must be at most 4096 where no output is listed",
        ),
    ):
        if function is fo.openvino.plans:
            (node,) = function(text)
            assert message in node.reason
        else:
            with pytest.raises(fo.AttributeValueError, match=message):
                function(text)


def test_a_lone_surrogate_is_said_to_be_one() -> None:
    for function in (fo.openvino.plans, fo.openvino.from_ir):
        with pytest.raises(fo.AttributeValueError, match="xml must be text without lone surrogates"):
            function('<net><layers><layer name="\ud800"/></layers></net>')


@pytest.mark.parametrize(
    "content", ["root:x:0:0:secret\n", "<html>secret</html>", "<net>secret", "<net" + "<" * 99_999]
)
def test_nothing_of_a_file_that_is_no_ir_is_shown(content: str, tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text(content)
    for function in (fo.openvino.plans, fo.openvino.from_ir):
        for argument in (path, str(path)):
            with pytest.raises(fo.AttributeValueError, match="xml must be an OpenVINO IR") as info:
                function(argument)
            assert "secret" not in str(info.value)
            assert "other.txt" in str(info.value)
