"""Layers of OpenVINO's IR as calls."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops._interop._ir import _FORMS
from tests.helpers.layout_oracle import batch_to_space, depth_to_space, space_to_batch, space_to_depth
from tests.helpers.patch_oracle import Cut, as_depth, patches

pytest.importorskip("defusedxml")

# The examples of the published pages, as they are printed.
PAGES = Path(__file__).parent / "pages"


def page(name: str) -> str:
    return (PAGES / f"{name}.xml").read_text(encoding="utf-8")


# The inputs that the pages give, or ones that fit, and the result's shapes, or a range's values. The first page of
# StridedSlice has ports of two indices where it means three; the second one of Range has a step of the wrong sign.
EXAMPLES: list[tuple[str, tuple[Any, ...], list[tuple[int, ...]]]] = [
    ("strided_slice_1", ([1, 0, 0], [0, 0, 2], [1, 1, 1]), [(1, 3, 2)]),
    ("strided_slice_2", ([0, 0, 0], [0, 0, 0], [1, 1, 1]), [(1, 2, 3, 4)]),
    ("strided_slice_3", ([0, 1, 0, 0, 0], [0] * 5, [1] * 5), [(1, 384, 640, 8)]),
    ("variadic_split_1", (0, [1, 2, 3]), [(1, 12, 10, 24), (2, 12, 10, 24), (3, 12, 10, 24)]),
    ("variadic_split_2", ([0], [-1, 2]), [(4, 12, 10, 24), (2, 12, 10, 24)]),
]


@pytest.mark.parametrize(("name", "inputs", "shapes"), EXAMPLES)
@pytest.mark.parametrize("form", ["text", "bytes", "path", "name"])
def test_the_examples_of_the_pages(
    name: str, inputs: tuple[Any, ...], shapes: list[tuple[int, ...]], form: str
) -> None:
    path = PAGES / f"{name}.xml"
    forms = {"text": page(name), "bytes": page(name).encode(), "path": path, "name": str(path)}
    layer = fo.openvino.from_ir(forms[form])
    assert list(layer.output_shapes) == shapes
    made = layer.plan(None, *inputs)
    assert [plan.shape for plan in (made if isinstance(made, list) else [made])] == shapes
    data = np.zeros(layer.input_shapes[0], np.uint8)
    result = layer(data, *[np.array(each) for each in inputs])
    assert [each.shape for each in (result if isinstance(result, list) else [result])] == shapes


@pytest.mark.parametrize(
    ("name", "inputs", "values"),
    [
        ("range_1", (2, 23, 3), [2, 5, 8, 11, 14, 17, 20]),
        ("range_2", (23, 2, -3), [23, 20, 17, 14, 11, 8, 5]),
        ("range_2", (23, 2, 3), []),
        ("range_3", (1, 2.5, 0.5), [1.0, 1.5, 2.0]),
    ],
)
def test_the_ranges_of_the_pages(name: str, inputs: tuple[Any, ...], values: list[float]) -> None:
    layer = fo.openvino.from_ir(page(name))
    assert layer(*inputs).tolist() == values
    assert layer.plan(*inputs).count == len(values)


def layer_of(op_type: str, attributes: str, *ports: str) -> str:
    """The text of a layer; a port is its extents."""
    inputs = "".join(
        f'<port id="{k}">{"".join(f"<dim>{dim}</dim>" for dim in port.split())}</port>' for k, port in enumerate(ports)
    )
    return f'<layer id="7" name="one" type="{op_type}"><data {attributes}/><input>{inputs}</input></layer>'


X = np.arange(12).reshape(3, 4)
CALLS: dict[str, tuple[str, tuple[Any, ...], Any]] = {
    "StridedSlice": ('begin_mask="0,1" end_mask="0,1"', ([1, 0], [3, 0]), X[1:]),
    "VariadicSplit": ("", (1, [1, 3]), [X[:, :1], X[:, 1:]]),
    "Split": ('num_splits="2"', (1,), [X[:, :2], X[:, 2:]]),
    "Slice": ("", ([-1], [0], [-2], [1]), X[:, :0:-2]),
    "Pad": ('pad_mode="constant"', ([1, 0], [0, 0], 7), np.pad(X, ((1, 0), (0, 0)), constant_values=7)),
    "Tile": ("", ([2, 1],), np.tile(X, (2, 1))),
    "Roll": ("", ([1], [0]), np.roll(X, 1, 0)),
    "Reverse": ('mode="mask"', ([True, False],), X[::-1]),
    "Broadcast": ('mode="numpy"', ([2, 3, 4],), np.broadcast_to(X, (2, 3, 4))),
    "Transpose": ("", ([1, 0],), X.T),
    "ShuffleChannels": ('axis="1" group="2"', (), X[:, [0, 2, 1, 3]]),
    "SpaceToBatch": ("", ([1, 4], [0, 1], [0, 3]), space_to_batch(X, [4], [1], [3])),
    "BatchToSpace": ("", ([1, 3], [0, 2], [0, 3]), batch_to_space(X, [3], [2], [3])),
}


@pytest.mark.parametrize("op_type", CALLS)
def test_every_layer(op_type: str) -> None:
    attributes, inputs, expected = CALLS[op_type]
    layer = fo.openvino.from_ir(layer_of(op_type, attributes, "3 4"))
    assert (layer.op_type, layer.name) == (op_type, "one")
    results, wanted = layer(X, *inputs), expected
    made = layer.plan(None, *inputs)
    if not isinstance(results, list):
        results, wanted = [results], [expected]
        made = made if isinstance(made, list) else [made]
    for result, each in zip(results, wanted, strict=True):
        np.testing.assert_array_equal(result, each)
    if op_type in ("SpaceToBatch", "BatchToSpace"):
        assert sum(plan.size for plan in made) == expected.size
    else:
        assert [plan.shape for plan in made] == [each.shape for each in wanted]
    assert repr(layer).startswith(f"<{op_type} 'one'(")


IMAGE = np.arange(32).reshape(1, 4, 2, 4)


@pytest.mark.parametrize(
    ("op_type", "attributes", "expected"),
    [
        ("DepthToSpace", 'mode="blocks_first" block_size="2"', depth_to_space(IMAGE, 2, depth_first=False)),
        ("DepthToSpace", 'mode="depth_first"', IMAGE),
        ("SpaceToDepth", 'mode="depth_first" block_size="2"', space_to_depth(IMAGE, 2, depth_first=True)),
    ],
)
def test_layers_of_images(op_type: str, attributes: str, expected: Any) -> None:
    layer = fo.openvino.from_ir(layer_of(op_type, attributes, "1 4 2 4"))
    np.testing.assert_array_equal(layer(IMAGE), expected)
    assert layer.plan().shape == expected.shape


def test_a_layer_of_patches() -> None:
    attributes = 'sizes="1,2" strides="1,2" rates="1,1" auto_pad="valid"'
    layer = fo.openvino.from_ir(layer_of("ExtractImagePatches", attributes, "1 4 2 4"))
    expected = as_depth(patches(IMAGE, Cut(2, 1), Cut(3, 2, 2)), first=1, channels=1)
    np.testing.assert_array_equal(layer(IMAGE), expected, strict=True)
    assert [plan.shape for plan in layer.plan()] == [expected.shape]


def test_every_layer_is_tested() -> None:
    assert set(CALLS) | {"Range", "DepthToSpace", "SpaceToDepth", "ExtractImagePatches"} == set(_FORMS)


def test_an_output_is_written_into() -> None:
    out = np.zeros((3, 4), int)
    layer = fo.openvino.from_ir(layer_of("Reverse", 'mode="index"'))
    assert layer(X, [0], out=out) is out
    assert out.tolist() == X[::-1].tolist()


def test_data_has_the_shape_of_its_port() -> None:
    layer = fo.openvino.from_ir(layer_of("Tile", "", "-1 4"))
    assert layer.input_shapes == ((None, 4),)
    assert layer(X, [1, 2]).shape == (3, 8)
    assert layer.plan((5, 4), [1, 2]).shape == (5, 8)
    calls = (
        lambda: layer(X.T, [1, 2]),
        lambda: layer(X.T.tolist(), [1, 2]),
        lambda: layer.plan((4, 3), [1, 2]),
        lambda: layer.plan(np.array([4, 3]), [1, 2]),
    )
    for call in calls:
        with pytest.raises(
            fo.AttributeValueError, match=r"openvino\.tile: data must have shape \(None, 4\), got \(4, 3\)"
        ):
            call()
    with pytest.raises(
        fo.AttributeValueError, match=r"openvino\.tile: data must have its shape given, because it is not fixed"
    ):
        layer.plan(None, [1, 2])
    with pytest.raises(fo.AttributeValueError, match=r"openvino\.tile: inputs must be at most 2, got 3"):
        layer(X, [1, 2], [3])
    with pytest.raises(fo.AttributeValueError, match=r"openvino\.tile: inputs must be at most 2, got 3"):
        layer.plan((3, 4), [1, 2], [3])
    for incomplete in (lambda: layer(X), lambda: layer.plan((3, 4)), lambda: layer(X, None)):
        with pytest.raises(fo.AttributeValueError, match=r"openvino\.tile: repeats must be given, got None"):
            incomplete()


NET = """<?xml version="1.0"?><net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter"><data shape="3,4" element_type="f32"/></layer>
<layer id="1" name="begin" type="Const"><data element_type="i64" shape="2" offset="8" size="16"/></layer>
<layer id="2" name="fill" type="Const"><data element_type="f32" shape="" offset="0" size="4"/></layer>
<layer id="3" name="p" type="Pad"><data pad_mode="constant"/><input><port id="0"><dim>3</dim><dim>4</dim></port>
<port id="1"><dim>2</dim></port><port id="2"><dim>2</dim></port><port id="3"/></input></layer>
<layer id="4" name="t" type="Tile"><input><port id="0"/><port id="1"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="3"/></edges></net>"""
WEIGHTS = np.float32(7).tobytes() + bytes(4) + np.array([1, 0]).tobytes()


@pytest.mark.parametrize("form", ["bytes", "path", "beside"])
def test_constants_of_a_net_are_fixed(form: str, tmp_path: Path) -> None:
    (tmp_path / "n.xml").write_text(NET)
    (tmp_path / "n.bin").write_bytes(WEIGHTS)
    calls: dict[str, Any] = {
        "bytes": lambda: fo.openvino.from_ir(NET, "p", WEIGHTS),
        "path": lambda: fo.openvino.from_ir(NET, "3", tmp_path / "n.bin"),
        "beside": lambda: fo.openvino.from_ir(tmp_path / "n.xml", layer="p"),
    }
    layer = calls[form]()
    assert layer.inputs == ("arg",)
    data = X.astype(np.float32)
    np.testing.assert_array_equal(layer(data), np.pad(data, ((1, 1), (0, 0)), constant_values=7))
    assert layer.plan().shape == (5, 4)


NET_OF_DATA = """<net><layers>
<layer id="1" name="x" type="Const"><data element_type="boolean" shape="2,3" offset="0" size="6"/></layer>
<layer id="2" name="r" type="Reverse"><data mode="index"/><input><port id="0"><dim>2</dim><dim>3</dim></port>
<port id="1"><dim>1</dim></port></input></layer></layers>
<edges><edge from-layer="1" from-port="0" to-layer="2" to-port="0"/></edges></net>"""


NET_OF_AN_EMPTY_LIST = """<net><layers>
<layer id="1" name="order" type="Const"><data element_type="i64" shape="0" offset="0" size="1"/></layer>
<layer id="2" name="t" type="Transpose"><input><port id="0"><dim>2</dim><dim>3</dim></port>
<port id="1"><dim>0</dim></port></input></layer></layers>
<edges><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/></edges></net>"""


def test_an_empty_constant_has_a_byte() -> None:
    # OpenVINO writes it so.
    layer = fo.openvino.from_ir(NET_OF_AN_EMPTY_LIST, weights=b"\0")
    assert layer.inputs == ("data",)
    assert np.array_equal(layer(np.arange(6).reshape(2, 3)), np.arange(6).reshape(2, 3).T)


def test_data_may_be_a_constant() -> None:
    layer = fo.openvino.from_ir(NET_OF_DATA, weights=bytes([1, 0, 0, 1, 1, 0]))
    assert layer.inputs == ("axis",)
    assert layer(np.array([1])).tolist() == [[False, False, True], [False, True, True]]
    assert layer.plan([1]).shape == (2, 3)


def test_dots_are_left_out_between_attributes_only() -> None:
    text = '<layer ... name="a...b" type="Tile" ...><input><port><dim>2</dim></port></input></layer>'
    assert fo.openvino.from_ir(text, "a...b").name == "a...b"


def test_without_weights_nothing_is_fixed() -> None:
    layer = fo.openvino.from_ir(NET, "p")
    assert layer.inputs == ("arg", "pads_begin", "pads_end", "pad_value")
    assert layer.plan(None, [0, 1], [0, 0]).shape == (3, 5)


ENTITIES = """<!DOCTYPE layer [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><layer type="Tile" name="&b;"/>"""


@pytest.mark.parametrize(
    ("xml", "options", "error", "message"),
    [
        (ENTITIES, {}, ValueError, "xml must be an OpenVINO IR without a document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><layer type="Tile"/>', {}, ValueError, "without a document type"),
        ("<layer", {}, ValueError, "xml must be an OpenVINO IR, of well-formed XML"),
        ("<layer type='Tile'>" * 100_000, {}, ValueError, "xml must be an OpenVINO IR"),
        (b"<layer \xff/>", {}, ValueError, "xml must be text in UTF-8"),
        (3, {}, TypeError, "xml must be a text or a path, got 3"),
        (None, {}, TypeError, "xml must be a text or a path"),
        ("", {}, ValueError, "xml must be a text with a layer, or a path, got ''"),
        ("a\0b", {}, ValueError, "xml must be a text with a layer, or a path"),
        ("<net/>", {}, ValueError, "layer must name one layer of .*; there are: none, got None"),
        ("<layer type='Conv'/>", {}, ValueError, "layer must name one layer"),
        (NET, {}, ValueError, "layer must name one layer of .*; there are: p, t, got None"),
        (NET, {"layer": "x"}, ValueError, "layer must name one layer"),
        (NET, {"layer": "p", "weights": b"short"}, ValueError, "Const must have a type, a shape, an offset"),
        (layer_of("Split", ""), {}, ValueError, r"Split must have the attributes num_splits, got \"none of "),
        (layer_of("Tile", 'mode="x"'), {}, ValueError, r"Tile must have the attributes , got \['mode'\]"),
        (layer_of("Split", 'num_splits="x"'), {}, ValueError, "num_splits must be as the specification says, got 'x'"),
        (layer_of("Split", 'num_splits="1_0"'), {}, ValueError, "num_splits must be as the specification says"),
        (layer_of("Tile", "", "a"), {}, ValueError, "dim must be an integer, got 'a'"),
        (layer_of("Tile", "", "1", "1", "1"), {}, ValueError, "Tile must have at most 2 input ports, got 3"),
    ],
)
def test_refusals(xml: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as info:
        fo.openvino.from_ir(xml, **options)
    assert isinstance(info.value, fo.FastopsError)
    assert str(info.value).startswith("openvino.from_ir: ")


# A megabyte each. What was searched again for each part of a text took minutes, and the parser makes all elements of a
# text before the first one can be looked at.
MEGABYTES = {
    "open data": "<data " * 166_000,
    "open layers": "<layer " * 142_000,
    "open data in a layer": '<layer id="1" type="Reverse">' + "<data " * 166_000,
    "a layer of dots": "<layer " + "." * 1_000_000,
    "quotes": "<layer ..." + "\"'" * 500_000 + ">",
    "open elements": "<a>" * 333_000,
    "layers": "<net>" + "<layer type='Tile'/>" * 50_000 + "</net>",
    "elements of another language": "<net>" + "<a/>" * 250_000 + "</net>",
    "empty elements": "<net>" + "<dim/>" * 166_000 + "</net>",
    "open elements of the language": "<net>" * 200_000,
    "comments": "<!---->" * 140_000,
    "instructions": "<?a?>" * 200_000,
    "slashes": '<layer id="1" type="Reverse"><data ' + "/" * 1_000_000,
    "a list of integers": '<layer type="StridedSlice"><data begin_mask="' + "1," * 500_000 + '" end_mask="0"/></layer>',
    "digits": layer_of("Tile", "", "1" * 1_000_000),
    "spaces": layer_of("Tile", "", "1").replace("<dim>", "<dim>" + " " * 1_000_000 + "x"),
}


@pytest.mark.parametrize("text", MEGABYTES.values(), ids=MEGABYTES)
def test_a_megabyte_of_any_text_is_refused_soon(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(fo.FastopsError):
        fo.openvino.from_ir(text)
    # On a quiet machine 0.2 s at most.
    assert time.process_time() - begun < 1


def test_a_missing_file_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        fo.openvino.from_ir("no such file")


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=200) | st.sampled_from(sorted(_FORMS)), st.data())
def test_any_text_is_a_layer_or_an_error_of_fastops(text: str, data: st.DataObject) -> None:
    whole = layer_of(data.draw(st.sampled_from(sorted(_FORMS))), 'mode="index"', "3 4")
    at, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    with contextlib.suppress(fo.FastopsError):
        fo.openvino.from_ir("<" + whole[:at] + text + whole[end:])


def test_without_the_parser_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "defusedxml", None)
    monkeypatch.delitem(sys.modules, "defusedxml.ElementTree", raising=False)
    with pytest.raises(ImportError, match=r"openvino.from_ir: defusedxml is not installed: .* or the extra ir"):
        fo.openvino.from_ir("<layer/>")


def test_what_may_stand_before_the_first_element() -> None:
    layer = layer_of("Reverse", 'mode="index"', "3")
    for before in ("", " ", "\ufeff", '<?xml version="1.0"?>\n', "<!-- a - b --> <?a?><!--->x-->\n"):
        assert fo.openvino.from_ir(before + layer).op_type == "Reverse"
    for before in ("x", "<a>", "<!-- <layer> "):
        with pytest.raises(fo.AttributeValueError, match="xml must be an OpenVINO IR"):
            fo.openvino.from_ir(before + layer)


def test_files_that_are_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "n.xml").write_bytes(b"<net>\xff</net>")
    for read in (fo.openvino.from_ir, fo.openvino.plans):
        with pytest.raises(fo.AttributeValueError, match="xml must be text in UTF-8, got "):
            read(tmp_path / "n.xml")
