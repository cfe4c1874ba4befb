"""Layers of OpenVINO's IR as calls and as plans."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import fastops as fo
from fastops._interop._ir import _ATTRIBUTES
from tests.helpers.contract import listed
from tests.helpers.oracle import Cut, as_depth, batch_to_space, depth_to_space, patches, space_to_batch, space_to_depth
from tests.helpers.processes import peak_of
from tests.helpers.seeds import scale

pytest.importorskip("defusedxml")


def ports_of(ports: Sequence[str], first: int = 0) -> str:
    """The XML of ports; each of ``ports`` has the extents of one port, with spaces between them."""
    dims = [" ".join(f"<dim>{dim}</dim>" for dim in port.split()) for port in ports]
    return "".join([f'<port id="{k}">{own}</port>' for k, own in enumerate(dims, first)])


def layer_of(op_type: str, attributes: str, *ports: str, number: int = 7, name: str = "one", outputs: Any = ()) -> str:
    inputs, given = ports_of(ports), ports_of(outputs, len(ports))
    head = f'<layer id="{number}" name="{name}" type="{op_type}"><data {attributes}/><input>{inputs}</input>'
    return f"{head}<output>{given}</output></layer>" if given else f"{head}</layer>"


def constant_of(number: int, shape: str, offset: int, size: int, element_type: str = "i64") -> str:
    data = f'<data element_type="{element_type}" shape="{shape}" offset="{offset}" size="{size}"/>'
    return f'<layer id="{number}" name="c{number}" type="Const">{data}</layer>'


def net_of(*layers: str, edges: Iterable[tuple[int, int, int, int]]) -> str:
    """The text of a net; an edge is a layer and its port, and the layer and the port to which it leads."""
    lines = [f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges]
    return f"<net><layers>{''.join(layers)}</layers><edges>{''.join(lines)}</edges></net>"


X = np.arange(12).reshape(3, 4)
IMAGE = np.arange(32).reshape(1, 4, 2, 4)
PATCHES = as_depth(patches(IMAGE, Cut(2, 1), Cut(3, 2, 2)), first=1, channels=1)

# Operators, attributes, inputs (data first), and the result of the call.
CALLS: list[tuple[str, str, tuple[Any, ...], Any]] = [
    ("StridedSlice", 'begin_mask="0,1" end_mask="0,1"', (X, [1, 0], [3, 0]), X[1:]),
    ("VariadicSplit", "", (X, 1, [1, 3]), [X[:, :1], X[:, 1:]]),
    ("Split", 'num_splits="2"', (X, 1), [X[:, :2], X[:, 2:]]),
    ("Slice", "", (X, [-1], [0], [-2], [1]), X[:, :0:-2]),
    ("Pad", 'pad_mode="constant"', (X, [1, 0], [0, 0], 7), np.pad(X, ((1, 0), (0, 0)), constant_values=7)),
    ("Tile", "", (X, [2, 1]), np.tile(X, (2, 1))),
    ("Roll", "", (X, [1], [0]), np.roll(X, 1, 0)),
    ("Reverse", 'mode="mask"', (X, [True, False]), X[::-1]),
    ("Broadcast", 'mode="numpy"', (X, [2, 3, 4]), np.broadcast_to(X, (2, 3, 4))),
    ("Broadcast", "", (X, [2, 3, 4]), np.broadcast_to(X, (2, 3, 4))),
    ("Transpose", "", (X, [1, 0]), X.T),
    ("ShuffleChannels", 'axis="1" group="2"', (X,), X[:, [0, 2, 1, 3]]),
    ("SpaceToBatch", "", (X, [1, 4], [0, 1], [0, 3]), space_to_batch(X, [4], [1], [3])),
    ("BatchToSpace", "", (X, [1, 3], [0, 2], [0, 3]), batch_to_space(X, [3], [2], [3])),
    ("DepthToSpace", 'mode="blocks_first" block_size="2"', (IMAGE,), depth_to_space(IMAGE, 2, depth_first=False)),
    ("DepthToSpace", 'mode="depth_first"', (IMAGE,), IMAGE),
    ("SpaceToDepth", 'mode="depth_first" block_size="2"', (IMAGE,), space_to_depth(IMAGE, 2, depth_first=True)),
    ("ExtractImagePatches", 'sizes="1,2" strides="1,2" rates="1,1" auto_pad="valid"', (IMAGE,), PATCHES),
]


def test_every_layer(tmp_path: Path) -> None:
    path = tmp_path / "layer.xml"
    for op_type, attributes, (data, *inputs), expected in CALLS:
        text = layer_of(op_type, attributes, " ".join(map(str, data.shape)))
        path.write_text(text)
        *others, layer = map(fo.openvino.from_ir, (text, text.encode(), path, str(path)))
        assert {repr(each) for each in others} == {repr(layer)}
        assert (layer.op_type, layer.name) == (op_type, "one")
        assert repr(layer).startswith(f"<{op_type} 'one'(")
        plans, wanted = listed(layer.plan(None, *inputs)), listed(expected)
        for result, each in zip(listed(layer(data, *inputs)), wanted, strict=True):
            np.testing.assert_array_equal(result, each, err_msg=op_type, strict=True)
        assert sum(plan.size for plan in plans) == sum(each.size for each in wanted), op_type
        # SpaceToBatch and BatchToSpace have a plan for each piece of the output.
        assert "Batch" in op_type or [plan.shape for plan in plans] == [each.shape for each in wanted], op_type
    assert {op_type for op_type, *_ in CALLS} | {"Range"} == set(_ATTRIBUTES)
    for numbers, values in (((2, 23, 3), [2, 5, 8, 11, 14, 17, 20]), ((23, 2, 3), []), ((1, 2.5, 0.5), [1, 1.5, 2])):
        layer = fo.openvino.from_ir(layer_of("Range", 'output_type="f32"', "", "", ""))
        assert (layer(*numbers).tolist(), layer.plan(*numbers).count) == (values, len(values))


def test_data_has_the_shape_of_its_port_and_an_output_is_written_into() -> None:
    out = np.zeros((3, 4), int)
    assert fo.openvino.from_ir(layer_of("Reverse", 'mode="index"'))(X, [0], out=out) is out
    assert out.tolist() == X[::-1].tolist()
    layer = fo.openvino.from_ir(layer_of("Tile", "", "-1 4"))
    assert layer.input_shapes == ((None, 4),)
    assert layer(X, [1, 2]).shape == (3, 8)
    assert layer.plan((5, 4), [1, 2]).shape == (5, 8)
    refused: list[tuple[str, Callable[[], Any]]] = [
        (r"data must have shape \(None, 4\), got \(4, 3\)", lambda: layer(X.T.tolist(), [1, 2])),
        (r"data must have shape \(None, 4\), got \(4, 3\)", lambda: layer.plan(np.array([4, 3]), [1, 2])),
        ("data must have its shape given, because it is not fixed", lambda: layer.plan(None, [1, 2])),
        ("inputs must be at most 2, got 3", lambda: layer.plan((3, 4), [1, 2], [3])),
        ("repeats must be given, got None", lambda: layer.plan((3, 4))),
        ("repeats must be given, got None", lambda: layer(X, None)),
    ]
    for match, call in refused:
        with pytest.raises(fo.AttributeValueError, match=rf"^openvino\.tile: {match}"):
            call()


NET = net_of(
    '<layer id="0" name="x" type="Parameter"><data shape="3,4" element_type="f32"/></layer>',
    constant_of(1, "2", 8, 16),
    constant_of(2, "", 0, 4, "f32"),
    layer_of("Pad", 'pad_mode="constant"', "3 4", "2", "2", "", number=3, name="p"),
    layer_of("Tile", "", "", "", number=4, name="t"),
    edges=[(0, 0, 3, 0), (1, 0, 3, 1), (1, 0, 3, 2), (2, 0, 3, 3)],
)
WEIGHTS = np.float32(7).tobytes() + bytes(4) + np.array([1, 0]).tobytes()
NET_OF_DATA = net_of(
    constant_of(1, "2,3", 0, 6, "boolean"), layer_of("Reverse", 'mode="index"', "2 3", "1"), edges=[(1, 0, 7, 0)]
)


def test_constants_of_a_net_are_fixed(tmp_path: Path) -> None:
    (tmp_path / "n.xml").write_text(NET)
    (tmp_path / "n.bin").write_bytes(WEIGHTS)
    data = X.astype(np.float32)
    for layer in (
        fo.openvino.from_ir(NET, "p", WEIGHTS),
        fo.openvino.from_ir(NET, "3", tmp_path / "n.bin"),
        fo.openvino.from_ir(tmp_path / "n.xml", layer="p"),
    ):
        assert layer.inputs == ("arg",)
        np.testing.assert_array_equal(layer(data), np.pad(data, ((1, 1), (0, 0)), constant_values=7))
        assert layer.plan().shape == (5, 4)
    layer = fo.openvino.from_ir(NET, "p")
    assert layer.inputs == ("arg", "pads_begin", "pads_end", "pad_value")
    assert layer.plan(None, [0, 1], [0, 0]).shape == (3, 5)
    # OpenVINO writes one byte for an empty constant.
    empty = net_of(constant_of(1, "0", 0, 1), layer_of("Transpose", "", "2 3", "0"), edges=[(1, 0, 7, 1)])
    layer = fo.openvino.from_ir(empty, weights=b"\0")
    assert layer.inputs == ("data",)
    assert layer(X[:2, :3]).tolist() == X[:2, :3].T.tolist()
    # Data may be a constant.
    layer = fo.openvino.from_ir(NET_OF_DATA, weights=bytes([1, 0, 0, 1, 1, 0]))
    assert layer.inputs == ("axis",)
    assert layer(np.array([1])).tolist() == [[False, False, True], [False, True, True]]
    assert layer.plan([1]).shape == (2, 3)


ENTITIES = """<!DOCTYPE layer [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><layer type="Tile" name="&b;"/>"""
NO_IR = "xml must be an OpenVINO IR, of well-formed XML without a document type"


@pytest.mark.parametrize(
    ("xml", "options", "error", "message"),
    [
        (ENTITIES, {}, ValueError, NO_IR),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><layer type="Tile"/>', {}, ValueError, "without a document type"),
        ("<layer", {}, ValueError, NO_IR),
        ("<layer type='Tile'>" * 100_000, {}, ValueError, "xml must be an OpenVINO IR"),
        (b"<layer \xff/>", {}, ValueError, NO_IR),
        (3, {}, TypeError, "xml must be a text or a path, got 3"),
        ("a\0b", {}, ValueError, NO_IR),
        ("<net/>", {}, ValueError, "layer must name one layer of .*; there are: none, got None"),
        (NET, {}, ValueError, "layer must name one layer of .*; there are: p, t, got None"),
        (NET, {"layer": "p", "weights": b"short"}, ValueError, "Const must have a type, a shape, an offset"),
        (layer_of("Split", ""), {}, ValueError, r"Split must have the attributes num_splits, got \"none of "),
        (layer_of("Tile", 'mode="x"'), {}, ValueError, r"Tile must have the attributes , got \['mode'\]"),
        (layer_of("Split", 'num_splits="x"'), {}, ValueError, "num_splits must be as the specification says, got 'x'"),
        (layer_of("Tile", "", "a"), {}, ValueError, "dim must be an integer, got 'a'"),
        (layer_of("Tile", "", "1", "1", "1"), {}, ValueError, "Tile must have at most 2 input ports, got 3"),
    ],
)
def test_refusals(xml: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    readers = {"from_ir": fo.openvino.from_ir}
    if "xml" in message or "document type" in message:
        readers["plans"] = fo.openvino.plans
    for name, read in readers.items():
        with pytest.raises(error, match=rf"^openvino\.{name}: .*{message}") as info:
            read(xml, **options)
        assert isinstance(info.value, fo.FastopsError)


@settings(max_examples=scale(60, 3000), deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=200) | st.sampled_from(sorted(_ATTRIBUTES)), st.data())
def test_any_text_is_a_layer_or_an_error_of_fastops(text: str, data: st.DataObject) -> None:
    whole = layer_of(data.draw(st.sampled_from(sorted(_ATTRIBUTES))), 'mode="index"', "3 4")
    at, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    with contextlib.suppress(fo.FastopsError):
        fo.openvino.from_ir("<" + whole[:at] + text + whole[end:])


def test_without_the_parser_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "defusedxml", None)
    monkeypatch.delitem(sys.modules, "defusedxml.ElementTree", raising=False)
    with pytest.raises(ImportError, match=r"openvino.from_ir: defusedxml is not installed: .* or the extra ir"):
        fo.openvino.from_ir("<layer/>")


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
    pad, _ = fo.openvino.plans(NET.replace('shape="" offset="0" size="4"', 'shape="0" offset="0" size="1"'), WEIGHTS)
    assert (pad.fill_value, pad.reason) == (None, "pad_value must have an element, got none")
    assert fo.openvino.plans("<net><layers/></net>") == []
    # A layer with an error has an entry too.
    for blocks, reason in (("2", "data must have its shape given"), ("x", "block_size must be as the spec")):
        layer = layer_of("SpaceToDepth", f'mode="blocks_first" block_size="{blocks}"', "1 3 -1 4")
        (node,) = fo.openvino.plans(net_of(layer, edges=[]))
        assert (node.name, node.op_type, node.plan) == ("one", "SpaceToDepth", None)
        assert reason in node.reason


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
    for name, rule in {
        "y": "name layers of the model: x, s2d, d2s, conv, after, got",
        "x": "fit what the model",
    }.items():
        with pytest.raises(fo.AttributeValueError, match=rf"^openvino\.plans: shapes must {rule}"):
            fo.openvino.plans(OPEN, shapes={name: (1, 5, 6, 8)})


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
    # A split may have more than 4096 lengths if it has as many outputs.
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
