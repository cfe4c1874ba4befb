"""The plans of a model's nodes equal those of calls; a node without a plan has a reason."""

from __future__ import annotations

import json
import os
import random
import re
from ast import literal_eval
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.__main__ import main
from tests.helpers.processes import peak_of
from tests.helpers.seeds import scale

onnx = pytest.importorskip("onnx")
external_data = pytest.importorskip("onnx.external_data_helper")
numpy_helper = pytest.importorskip("onnx.numpy_helper")
reference = pytest.importorskip("onnx.reference")

fop = fo.plan.onnx

UNKNOWN = "data must have a known shape, got"

# The text of each model, the shape of its input x, and for each node a call that returns its plan, or the beginning of
# the reason why it has none.
MODELS = (Path(__file__).parent / "models.txt").read_text(encoding="utf-8").split("\n\n")


def parse(text: str) -> Any:
    """The model of a text, or of a part of models.txt; its opset is 18 unless the text names one."""
    text = re.sub("^(#|with|->).*\n?", "", text, flags=re.MULTILINE)
    return onnx.parser.parse_model(text if text[0] == "<" else f'<ir_version: 10, opset_import: ["" : 18]> {text}')


def plans_of(model: Any, shapes: Any = None) -> dict[str, Any]:
    """Plans by the names of nodes, or the reasons why there are none."""
    return {node.name: node.plan or node.reason for node in fo.onnx.plans(model, shapes)}


def test_plans_and_reasons() -> None:
    for text in MODELS:
        shape = re.search("^with x of shape (.*)", text, re.MULTILINE)
        found = plans_of(parse(text), {"x": literal_eval(shape[1])} if shape else None)
        expected = re.findall("^-> (.*?)( = |: )(.*)$", text, re.MULTILINE)
        assert list(found) == [name for name, *_ in expected], text
        for name, sign, each in expected:
            plan = eval(each, {}, vars(fop)) if sign == " = " else None
            assert found[name] == plan if plan else found[name].startswith(each), (text, name, found[name])


def test_fill_values_stand_beside_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """g (float[4] x, float d) => (a, b, c, e, f) <int64[2] pads = {1, 1}, float v = {7}, float[1] w = {inf}> {
      a = Pad(x, pads, v) b = Pad(x, pads) c = Pad(x, pads, d) e = Pad<mode = "reflect">(x, pads, v)
      f = Pad(x, pads, w) g = Pad(x, pads, none) h = Pad(x, pads, word) i = Pad(x, pads, complex) }"""
    model = parse(text)
    odd = {"none": np.zeros(0, np.float32), "word": np.array("a"), "complex": np.array(1 + 2j, np.complex64)}
    model.graph.initializer.extend([numpy_helper.from_array(value, name) for name, value in odd.items()])
    nodes = {node.name: node for node in fo.onnx.plans(model)}
    values = {name: node.fill_value for name, node in nodes.items() if node.fill_value is not None}
    assert values == {"a": 7, "f": np.inf, "i": 1 + 2j}
    assert {name: node.reason for name, node in nodes.items() if node.reason} == {
        "c": "constant_value must be a constant, got d, which is an input of the graph",
        "g": "constant_value must have an element, got none",
        "h": "constant_value must be a constant, got word, which is an initializer",
    }
    onnx.save(model, tmp_path / "m.onnx")
    assert main(["explain", "--model", str(tmp_path / "m.onnx"), "--json"]) == 0
    documents = json.loads(capsys.readouterr().out)
    shown = {each["name"]: each["fill_value"] for each in documents if "fill_value" in each}
    assert shown == {"a": "7.0", "f": "inf", "i": "(1+2j)"}
    assert main(["explain", "--model", str(tmp_path / "m.onnx")]) == 0
    assert "\n  fill value: 7.0\n" in capsys.readouterr().out
    x = np.arange(4, dtype=np.float32)
    assert nodes["a"].plan(x, fill_value=nodes["a"].fill_value).tolist() == [7, 0, 1, 2, 3, 7]
    # Pads and value are attributes of Pad-2.
    text = '<ir_version: 3, opset_import: ["" : 2]> g (float[4] x) => (y) { y = Pad<pads = [1, 0], value = 3.0>(x) }'
    (node,) = fo.onnx.plans(parse(text))
    assert (node.fill_value, node.plan) == (3, fop.pad((4,), [1, 0]))


OPEN = parse("g (float[n, 3, h, w] x) => (y) { y = Transpose(x) }")
FIXED = parse("g (float[4] x, int64[1] p) => (y) <int64[1] p = {2}> { y = Tile(x, p) }")


@pytest.mark.parametrize(
    ("model", "shapes", "message"),
    [
        (None, None, "model must be an onnx.ModelProto or a path, got None"),
        (OPEN, [1], "shapes must be a mapping from names of inputs to shapes, got"),
        (OPEN, {"z": (1,)}, "shapes must name inputs of the model: x, got 'z'"),
        (FIXED, {"p": (1,)}, "shapes must name inputs of the model: x, got 'p'"),
        (OPEN, {"x": (1, 2, 3, 4)}, r"shapes must fit what the model says of x, \(n, 3, h, w\), got"),
        (OPEN, {"x": (-1, 3, 4, 4)}, "shapes must be a list of integers in 0"),
        (OPEN, {"x": 3.5}, "shapes must be"),
    ],
)
def test_errors(model: Any, shapes: Any, message: str) -> None:
    with pytest.raises(fo.FastopsError, match=f"^onnx.plans: {message}"):
        fo.onnx.plans(model, shapes)


# Nodes of x, of shape (7, 4), and the first and the last opset in which they are valid.
VERSIONS = [
    ("a, b, c = Split(x)", 1, 99),
    ("a, b, c = Split<num_outputs = 3>(x)", 18, 99),
    ("a, b = Split<split = [3, 4]>(x)", 1, 12),
    ("a, b = Split(x, lengths)", 13, 99),
    ("a = Slice<starts = [1], ends = [3]>(x)", 1, 9),
    ("a = Slice(x, one, two)", 10, 99),
    ("a = Pad<paddings = [0, 1, 0, 1]>(x)", 1, 1),
    ("a = Pad<pads = [0, 1, 0, 1]>(x)", 2, 10),
    ("a = Pad(x, pads)", 11, 99),
    ("a = Pad(x, two2, , one)", 18, 99),
    ("a = Tile(x, two2)", 6, 99),
    ("a = Expand(x, shape)", 8, 99),
    ("a = CenterCropPad<axes = [0]>(x, one)", 18, 99),
    ("a = Range(zero, zero, step)", 11, 99),
    ("a = Transpose(x)", 1, 99),
    ("a = DepthToSpace<blocksize = 2>(image)", 1, 99),
    ('a = DepthToSpace<blocksize = 2, mode = "CRD">(image)', 11, 99),
    ("a = SpaceToDepth<blocksize = 2>(image)", 1, 99),
]
CONSTANTS = """<int64[2] lengths = {3, 4}, int64[1] one = {1}, int64[1] two = {2}, int64[4] pads = {1, 0, 1, 0},
  int64[2] two2 = {2, 2}, int64[3] shape = {3, 1, 1}, int64 zero = {0}, int64 step = {1}>"""


def test_nodes_are_read_by_the_version_of_the_model() -> None:
    last = onnx.defs.onnx_opset_version()
    for text, first, end in VERSIONS:
        for opset in range(1, last + 1):
            if (opset, "lengths" in text) == (1, True):
                # Split-1 has this input too.
                continue
            head = f'<ir_version: 8, opset_import: ["" : {opset}]> g (float[7, 4] x, float[1, 4, 2, 2] image) => (a)'
            (node,) = fo.onnx.plans(parse(f"{head} {CONSTANTS} {{ {text} }}"))
            assert (node.plan is not None) is (first <= opset <= end), (text, opset, node.reason)


# Nodes of x, of shape (n, 6, h, ?), and the shapes of their results; there is no plan if one is None or has a 0.
OPEN_NODES: list[tuple[str, Any]] = [
    ("Slice(x, one, two, one)", ("n", 1, "h", None)),
    ("Slice(x, one, two, two)", None),
    ("Transpose<perm = [3, 1, 0, 2]>(x)", (None, 6, "n", "h")),
    ("Pad(x, two2, , one)", ("n", 10, "h", None)),
    ("Pad(x, two2, , two)", None),
    ("Tile(x, reps)", ("n", 18, "h", None)),
    ("Tile(x, reps0)", None),
    ("Expand(x, lead)", (3, "n", 6, "h", None)),
    ("Expand(x, two2)", None),
    ("CenterCropPad<axes = [1]>(x, two)", ("n", 2, "h", None)),
    ("DepthToSpace<blocksize = 1>(x)", ("n", 6, "h", None)),
    ("DepthToSpace<blocksize = 2>(x)", None),
    ("Slice(x, one, one, one)", None),
    ("Split<axis = 1, num_outputs = 4>(x)", [("n", 2, "h", None)] * 3 + [("n", 0, "h", None)]),
    ("Split<axis = 1, num_outputs = 2>(x)", [("n", 3, "h", None)] * 2),
    ("Split<axis = 2, num_outputs = 2>(x)", None),
]


def test_dimensions_that_a_plan_does_not_depend_on_stay_as_names() -> None:
    head = """<ir_version: 10, opset_import: ["" : 18]> g (float[n, 6, h, ] x, float[h, 2] z) => (a)
      <int64[1] one = {1}, int64[1] two = {2}, int64[2] two2 = {2, 2}, int64[4] reps = {1, 3, 1, 1},
       int64[4] reps0 = {2, 1, 1, 1}, int64[5] lead = {3, 1, 1, 1, 1}>"""
    for text, expected in OPEN_NODES:
        names = {"4": "a, b, c, d", "2": "a, b"}.get(text.partition("num_outputs = ")[2][:1], "a")
        # An axis without a name, which the text of a model cannot have.
        model = parse(f"{head} {{ {names} = {text} t = Transpose(a) u = Transpose(z) }}".replace("h, ]", "h, m]"))
        model.graph.input[0].type.tensor_type.shape.dim[3].ClearField("dim_param")
        node, turned, _ = fo.onnx.plans(model)
        if expected is None or 0 in np.ravel(np.array(expected, object)):
            assert (node.plan, node.reason[-39:]) == (None, "a known shape, got x of shape (n, 6, h, ?)"[-39:]), text
            continue
        opened = node.plan if isinstance(node.plan, list) else [node.plan]
        shapes = expected if isinstance(expected, list) else [expected]
        assert [plan.shape for plan in opened] == shapes, text
        # The next node knows this shape.
        assert turned.plan.shape == shapes[0][::-1], text
        for lengths in ((2, 6, 3, 5), (1, 6, 1, 1), (7, 6, 100, 2)):
            known = dict(zip(("n", 6, "h", None), lengths, strict=True))
            (fixed, _, other) = fo.onnx.plans(model, {"x": lengths})
            assert other.plan.shape == (2, lengths[2])
            for plan, own in zip(opened, fixed.plan if isinstance(node.plan, list) else [fixed.plan], strict=True):
                assert tuple([known.get(n, n) for n in plan.shape]) == own.shape, text
                assert plan.order == own.order or 1 in lengths, text
                axes = [fo.plan.AxisMap.whole(known[axis]) if axis in known else axis for axis in plan.axes]
                assert axes == list(own.axes), text


def test_files_that_are_no_models(tmp_path: Path) -> None:
    # Reading a pipe would wait for a writer.
    os.mkfifo(tmp_path / "pipe")
    refused: list[tuple[Any, str]] = [(path, "a regular file") for path in (tmp_path / "pipe", tmp_path, "/dev/zero")]
    for suffix in (".onnx", ".json", ".textproto", ".pbtxt", ".onnxtxt"):
        (tmp_path / f"m{suffix}").write_bytes(b"\xff" * 9)
        refused.append((tmp_path / f"m{suffix}", "a file with an ONNX model"))
    for path, rule in [*refused, ("no\0path", "a file with an ONNX model")]:
        with pytest.raises(fo.AttributeValueError, match=f"^onnx.plans: model must be {rule}, got "):
            fo.onnx.plans(path)
    with pytest.raises(FileNotFoundError):
        fo.onnx.plans(tmp_path / "missing")


def test_models_that_are_damaged_give_entries_or_an_error() -> None:
    rng, entries = random.Random(0), 0
    whole = next(parse(text) for text in MODELS if "Each operator" in text).SerializeToString()
    for _ in range(scale(200, 10_000)):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        model = onnx.ModelProto()
        try:
            model.ParseFromString(bytes(damaged))
            nodes = fo.onnx.plans(model)
        except (fo.FastopsError, import_module("google.protobuf.message").Error, UnicodeDecodeError):
            # protobuf raises the last two for what it cannot read.
            continue
        entries += len(nodes)
        assert all(node.reason or node.plan is not None for node in nodes), bytes(damaged)
    assert entries > 100


# --- Small models that would need much memory ---------------------------------------------------------------------


def tiny(nodes: str, constants: dict[str, Any] | None = None, more: str = "") -> Any:
    """A model of a long x; the last of the nodes gives y."""
    model = parse(f"g (float[1000000] x{more}) => (y) {{ {nodes} }}")
    for name, value in (constants or {}).items():
        model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
    return model


def chain(op_type: str, first: str, count: int, inputs: int = 1) -> str:
    """A chain of ``count`` nodes, each of which takes the result of the node before."""
    op_type = op_type if op_type != "Concat" else "Concat<axis = 0>"
    names = [first, *[f"t{i}" for i in range(count)]]
    return " ".join([f"{names[i + 1]} = {op_type}({', '.join([names[i]] * inputs)})" for i in range(count)])


VALUE = f"Constant<value_ints = [{', '.join('1' * 4000)}]>()"


def test_little_is_kept_of_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each model would need hundreds of megabytes if all values were kept.
    growing = [
        tiny(f"c = {VALUE} {chain('Concat', 'c', 13, 2)}"),
        tiny(chain("Concat", "c", 13, 2), {"c": np.arange(4096)}),
        tiny(chain("Identity", "i", 500), more=f", int64[{', '.join('1' * 20_000)}] i"),
        tiny(f"r = Reshape(x, s) {chain('Identity', 'r', 500)}", {"s": np.ones(4096, np.int64)}),
        tiny(f"{chain('Concat', 'i', 26, 2)} a = ConstantOfShape(t25) e = Expand(x, t25)", more=", int64[4096] i"),
        tiny(chain("Gather", "i", 40, 2), more=", int64[1, 1, 1] i"),
    ]
    monkeypatch.setattr("onnx.shape_inference.infer_shapes", lambda *_, **__: pytest.fail("a whole model at once"))
    for i, model in enumerate(growing):
        nodes, peak = peak_of(partial(fo.onnx.plans, model))
        assert all(node.plan is None for node in nodes), i
        assert peak < 16 << 20, i


TEXTS = ", ".join([f'"{"a" * 60_000}"', *['""'] * 4095])
LENGTH = "s = Constant<value_ints = [4096]>()"
ONES = np.ones((1024, 1, 1), np.int64)

# Nodes that would give n, the constants that they take, and a part of the reason, or an empty text for any reason.
NOT_COMPUTED: list[tuple[str, dict[str, Any], str]] = [
    ("n = ConstantOfShape(s)", {"s": np.array([np.nan])}, "the result of a ConstantOfShape"),
    ("n = ConstantOfShape(s)", {"s": np.array(["a"], object)}, "the result of a ConstantOfShape"),
    ("n = Max(s, t, u)", {"s": ONES, "t": ONES[..., 0], "u": ONES[:64, 0, 0]}, "the result of a "),
    (f"n = {VALUE[:-4]}, {', '.join('1' * 1000)}]>()", {}, "the result of a Constant"),
    (f"n = Constant<value = int64[5000] {{{', '.join('1' * 5000)}}}>()", {}, "a Constant of more than 4096 elements"),
    ("", {"n": np.ones(5000, np.int64)}, "an initializer of more than 4096 elements or 64 axes"),
    # In an array, each text would have the length of the longest.
    (f"n = Constant<value_strings = [{TEXTS}]>()", {}, ""),
    (f"n = Constant<value = string[4096] {{{TEXTS}}}>()", {}, ""),
    (f'{LENGTH} n = ConstantOfShape<value = string[1] {{"{"a" * 60_000}"}}>(s)', {}, ""),
]


def test_constants_that_are_not_computed() -> None:
    # The first call loads modules, whose memory is not measured.
    fo.onnx.plans(tiny("n = Abs(s) y = Tile(x, n)", {"s": [2]}))
    for nodes, constants, reason in NOT_COMPUTED:
        (*_, entry), peak = peak_of(partial(fo.onnx.plans, tiny(f"{nodes} y = Tile(x, n)", constants)))
        assert entry.plan is None, nodes[:99]
        assert reason in entry.reason, (nodes[:99], entry.reason)
        assert peak < 4 << 20, nodes[:99]


def test_no_more_parts_are_made_than_a_node_has_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastops._interop._layer.Layer.plan", lambda *_: pytest.fail("parts were made"))
    reason = "onnx.from_node: node must have 1000000 outputs, as num_outputs says, got 1"
    assert plans_of(tiny("y = Split<num_outputs = 1000000>(c)", {"c": np.arange(4)})) == {"y": reason}
    assert plans_of(tiny("y = Split<num_outputs = 1000000>(x)")) == {"y": reason}


def test_tensors_of_many_axes_are_not_looked_at() -> None:
    model = tiny("y = Slice(c, s, e) z = Tile(x, c)", {"s": [0], "e": [1]})
    model.graph.initializer.add(name="c", data_type=onnx.TensorProto.INT64, dims=[2**62] * 20_000, int64_data=[1])
    first, second = fo.onnx.plans(model)
    assert first.reason == f"{UNKNOWN} c of an unknown shape"
    assert second.reason.endswith("which is an initializer of more than 4096 elements or 64 axes")


def test_large_initializers_are_left_alone(tmp_path: Path) -> None:
    model = tiny("z = Tile(x, n) y = Transpose(w)", {"w": np.zeros((100, 50), np.float32), "n": [2]})
    before = model.SerializeToString()
    assert plans_of(model) == {"z": fop.tile((10**6,), [2]), "y": fop.transpose((100, 50))}
    assert model.SerializeToString() == before
    # Data in another file is not read, even if the file is missing.
    path = tmp_path / "m.onnx"
    onnx.save(model, path, save_as_external_data=True, location="data", size_threshold=0)
    os.remove(tmp_path / "data")
    for found in (plans_of(path), plans_of(str(path))):
        assert found["y"] == fop.transpose((100, 50))
        assert found["z"] == "repeats must be a constant, got n, which is an initializer whose data is in another file"
    in_node = tiny("n = Constant<value = int64[1] {1}>() y = Tile(x, n)")
    tensor = in_node.graph.node[0].attribute[0].t
    tensor.raw_data = bytes(8)
    external_data.set_external_data(tensor, "data")
    assert plans_of(in_node)["y"].endswith("got n, which is a Constant whose data is in another file")


def test_nodes_by_which_inference_would_end_the_process() -> None:
    for node in (
        "LayerNormalization<axis = 9223372036854775807>(x, x)",
        "GatherND<batch_dims = -92>(x, i)",
        "GatherND(x, j)",
        "Concat<axis = 2147483647>(i)",
        "STFT(x, x, x, x)",
    ):
        model = parse(f"g (float[2, 3, 4] x, int64[1, 2] i, int64[1, 2] j) => (y) {{ y = {node} t = Transpose(y) }}")
        # The text of a model cannot have a negative extent.
        model.graph.input[2].type.tensor_type.shape.dim[1].dim_value = -1
        assert plans_of(model) == {"t": f"{UNKNOWN} y of an unknown shape"}, node
