"""The plans of a model's nodes: equal to those of calls, and reasons where the model does not say enough."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.__main__ import main
from fastops._interop import _graph_values, _model_counts

onnx = pytest.importorskip("onnx")
helper = pytest.importorskip("onnx.helper")
numpy_helper = pytest.importorskip("onnx.numpy_helper")
reference = pytest.importorskip("onnx.reference")

HEAD = '<ir_version: 10, opset_import: ["" : 18]> '


def parse(text: str) -> Any:
    return onnx.parser.parse_model(HEAD + text)


def plans_of(text: str, **shapes: tuple[int, ...]) -> dict[str, Any]:
    """Plans by the names of nodes, or the reasons why there are none."""
    return {node.name: node.plan or node.reason for node in fo.onnx.plans(parse(text), shapes or None)}


# As an exporter writes the left half of an image: bounds are computed from its shape.
LEFT_HALF = """g (float[n, 3, h, w] x) => (y) {
  shape = Shape(x)
  two = Constant<value_int = 2>()
  height = Gather<axis = 0>(shape, two)
  half = Div(height, two)
  zeros = Constant<value_ints = [0]>()
  ends = Unsqueeze(half, zeros)
  axes = Constant<value_ints = [2]>()
  y = Slice(x, zeros, ends, axes)
}"""


FILLS = """g (float[4] x, float d) => (a, b, c, e, f) <int64[2] pads = {1, 1}, float v = {7}, float[1] w = {inf}> {
  a = Pad(x, pads, v)
  b = Pad(x, pads)
  c = Pad(x, pads, d)
  e = Pad<mode = "reflect">(x, pads, v)
  f = Pad(x, pads, w)
}"""


def test_fill_values_stand_beside_plans() -> None:
    x = np.arange(4, dtype=np.float32)
    nodes = {node.name: node for node in fo.onnx.plans(parse(FILLS))}
    assert {name: node.fill_value for name, node in nodes.items()} == {
        "a": 7,
        "b": None,
        "c": None,
        "e": None,
        "f": np.inf,
    }
    assert nodes["c"].reason == "constant_value must be a constant, got d, which is an input of the graph"
    assert [name for name, node in nodes.items() if node.reason] == ["c"]
    assert nodes["a"].plan(x, fill_value=nodes["a"].fill_value).tolist() == [7, 0, 1, 2, 3, 7]


def test_the_fill_value_of_an_attribute() -> None:
    # Pads and value are attributes of Pad-2.
    text = '<ir_version: 3, opset_import: ["" : 2]> g (float[4] x) => (y) { y = Pad<pads = [1, 0], value = 3.0>(x) }'
    (node,) = fo.onnx.plans(onnx.parser.parse_model(text))
    assert node.fill_value == 3
    assert node.plan == fo.plan.onnx.pad((4,), [1, 0])


def test_bounds_that_are_computed_from_shapes() -> None:
    assert plans_of(LEFT_HALF) == {"y": "data must have a known shape, got x of shape (None, 3, None, None)"}
    expected = fo.plan.onnx.slice((1, 3, 8, 6), [0], [4], [2])
    assert plans_of(LEFT_HALF, x=(1, 3, 8, 6)) == {"y": expected}


OPERATORS = {
    "y = Slice(x, a, b, c)": fo.plan.onnx.slice((4, 6), [1], [3], [0]),
    'y = Pad<mode = "reflect">(x, two, , c)': fo.plan.onnx.pad((4, 6), [2, 2], axes=[0], mode="reflect"),
    "y = Pad(x, two, value, c)": fo.plan.onnx.pad((4, 6), [2, 2], axes=[0]),
    "y = Tile(x, two)": fo.plan.onnx.tile((4, 6), [2, 2]),
    "y = Expand(x, shape)": fo.plan.onnx.expand((4, 6), [5, 1, 1]),
    "y = Range(s, t, s)": fo.plan.onnx.range(1, 9, 1),
    "y = CenterCropPad<axes = [1]>(x, b)": fo.plan.onnx.center_crop_pad((4, 6), [3], axes=[1]),
    "y = Transpose(x)": fo.plan.onnx.transpose((4, 6)),
    "y, z = Split<axis = 1>(x, two3)": fo.plan.onnx.split((4, 6), [3, 3], axis=1),
    "y, z = Split<axis = 1, num_outputs = 2>(x)": fo.plan.onnx.split((4, 6), axis=1, num_outputs=2),
}


@pytest.mark.parametrize(("node", "expected"), OPERATORS.items(), ids=list(OPERATORS))
def test_each_operator(node: str, expected: Any) -> None:
    initializers = (
        "int64[1] a = {1}, int64[1] b = {3}, int64[1] c = {0}, int64[2] two = {2, 2}, int64[2] two3 = {3, 3}, "
        "int64[3] shape = {5, 1, 1}, int64 s = {1}, int64 t = {9}"
    )
    assert plans_of(f"g (float[4, 6] x, float value) => (y) <{initializers}> {{ {node} }}") == {"y": expected}


def test_spaces_and_depths() -> None:
    text = "g (float[1, 4, 2, 2] x) => (z) { y = DepthToSpace<blocksize = 2>(x) z = SpaceToDepth<blocksize = 2>(y) }"
    assert plans_of(text) == {
        "y": fo.plan.onnx.depth_to_space((1, 4, 2, 2), 2),
        "z": fo.plan.onnx.space_to_depth((1, 1, 4, 4), 2),
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "g (float[4] x, int64[1] n) => (y) { y = Tile(x, n) }",
            "repeats must be a constant, got n, which is an input of the graph",
        ),
        (
            "g (float[4] x, int64[1] n) => (y) { m = Neg(n) y = Tile(x, m) }",
            "repeats must be a constant, got m, which is the result of a Neg",
        ),
        (
            "g (float[4] x) => (y) { n = RandomUniform<shape = [1]>() m = Cast<to = 7>(n) y = Tile(x, m) }",
            "repeats must be a constant, got m, which is the result of a Cast",
        ),
        (
            'g (float[4] x) => (y) <int64[2] n = {1, 1}> { y = Pad<mode = "odd">(x, n) }',
            "onnx.pad: mode must be one of constant, reflect, edge, wrap, got 'odd'",
        ),
        ("g (float[4] x) => (y) { y = Tile(x, n) }", "repeats must be a constant, got n, which is not in the model"),
        (
            "g (float[4] x) => (y) { u = Unknown(x) y = Transpose(u) }",
            "data must have a known shape, got u of an unknown shape",
        ),
        (
            "g (float[4] x) => (y) <int64[1] n = {0}> { y = Slice(x, n, n, n, n) }",
            "onnx.slice: steps must not be 0, got an array of shape (1,) and dtype int64",
        ),
        (
            "g (float[4] x) => (y) { y = Transpose<odd = 1>(x) }",
            "onnx.from_node: node must have attributes that a Tran",
        ),
        (
            "g (float[4] x) => (y) <int64[1] n = {0}> { d = Div(n, n, n) y = Tile(x, d) }",
            "repeats must be a constant, got d, which is the result of a Div that onnx cannot compute (",
        ),
        (
            "g (float[4] x) => (y) <int64[1] n = {9999}> { c = ConstantOfShape(n) y = Tile(x, c) }",
            "repeats must be a constant, got c, which is the result of a ConstantOfShape",
        ),
    ],
)
def test_what_is_not_known_says_why(text: str, reason: str) -> None:
    (found,) = plans_of(text).values()
    assert found.startswith(reason)


LOOP = """g (float[4] x, int64 n, bool c) => (z) <int64[1] one = {1}, int64[1] three = {3}> {
  z = Loop(n, c) <body = b (int64 i, bool keep) => (keep2, cut) {
    keep2 = Identity(keep)
    inner = If(keep) <then_branch = t () => (p) { p = Slice(x, one, three) },
                      else_branch = e () => (q) <int64[1] one = {0}> { q = Slice(x, one, three) }>
    cut = Transpose(inner)
  }>
}"""


def test_nodes_of_subgraphs_see_what_is_around_them() -> None:
    found = plans_of(LOOP)
    assert found["z/body/inner/then_branch/p"] == fo.plan.onnx.slice((4,), [1], [3])
    # Its own initializer hides the one around it.
    assert found["z/body/inner/else_branch/q"] == fo.plan.onnx.slice((4,), [0], [3])
    assert list(found)[-1] == "z/body/cut"


BRANCHES = """g (float[4, 6] x, bool c) => (z) <int64[1] one = {1}, int64[1] three = {3}, int64[1] zero = {0}> {
  y = If(c) <then_branch = t () => (p) { p = Slice(x, one, three, one) },
             else_branch = e () => (q) { q = Slice(x, zero, three, one) }>
  z = Transpose(y)
  w = If(c) <then_branch = t2 () => (p2) { p2 = Neg(x) }, else_branch = e2 () => (q2) { q2 = Abs(x) }>
  v = Transpose(w)
}"""


def test_branches_give_what_they_have_in_common() -> None:
    found = plans_of(BRANCHES)
    assert found["z"] == "data must have a known shape, got y of shape (4, None)"
    assert found["v"] == fo.plan.onnx.transpose((4, 6))


LOOPS = """g (float[3, 9] x, int64 n, bool c) => (z) <int64[1] one = {1}, int64[1] zero = {0}, int64[1] end = {99}> {
  y, rows = Loop(n, c, x) <body = b (int64 i, bool keep, float[3, 9] part) => (keep2, shorter, row) {
    keep2 = Identity(keep)
    shorter = Slice(part, one, end, one)
    row = Neg(x)
  }>
  z = Transpose(y)
  t = Transpose(rows)
  last, sums = Scan(x, x) <num_scan_inputs = 1, body = s (float[3, 9] state, float[9] each) => (next, out) {
    next = Identity(state)
    out = Neg(each)
  }>
  u = Transpose(last)
  v = Transpose(sums)
}"""


def test_states_of_loops_may_have_another_shape_each_time() -> None:
    # The body declares the shape of the first time, as PyTorch's exporter does.
    assert plans_of(LOOPS) == {
        "y/body/shorter": "data must have a known shape, got part of an unknown shape",
        "z": "data must have a known shape, got y of an unknown shape",
        "t": "data must have a known shape, got rows of shape (None, 3, 9)",
        "u": fo.plan.onnx.transpose((3, 9)),
        "v": "data must have a known shape, got sums of shape (None, 9)",
    }


LOOP_OF_OPTIONALS = """g (float[2] x, int64 n, bool c) => (y) {
  first = Optional(x)
  last = Loop(n, c, first) <body = b (int64 i, bool keep, optional(float[2]) state)
                                  => (keep2, optional(float[2]) next) {
    keep2 = Identity(keep)
    part = OptionalGetElement(state)
    t = Transpose(part)
    twice = Concat<axis = 0>(part, part)
    next = Optional(twice)
  }>
  y = OptionalGetElement(last)
}"""


def test_states_of_loops_that_are_no_tensors() -> None:
    assert plans_of(LOOP_OF_OPTIONALS) == {"last/body/t": "data must have a known shape, got part of an unknown shape"}


def test_scans_with_an_axis_of_batches() -> None:
    text = """<ir_version: 3, opset_import: ["" : 8]> g (lengths, float[2, 3] init, float[2, 5, 3] x) => (f, o, y) {
      f, o = Scan <num_scan_inputs = 1, body = b (float[3] state, float[3] each) => (float[3] next, float[2, 3] out) {
        shape = Constant<value = int64[2] {2, 3}>()
        next = Add(state, each)
        out = Expand(each, shape)
      }>(lengths, init, x)
      y = Transpose(o)
    }"""
    model = onnx.parser.parse_model(text)
    model.graph.node[0].input[0] = ""
    nodes = {node.name: node for node in fo.onnx.plans(model)}
    assert nodes["y"].reason == "data must have a known shape, got o of an unknown shape"


def test_states_hide_initializers() -> None:
    text = """g (float[6] x, int64[1] k, int64 n, bool c) => (y) {
      o, y = Loop(n, c, k) <body = b (int64 i, bool keep, int64[1] s) => (keep2, s2, cut)
        <int64[1] s = {1}, int64[1] zero = {0}> {
          keep2 = Identity(keep)
          s2 = Identity(s)
          cut = Slice(x, zero, s)
      }>
    }"""
    assert plans_of(text)["o/body/cut"] == "ends must be a constant, got s, which is an input of the graph"


def test_results_take_no_types_of_values_around_the_graph() -> None:
    text = """g (float[2, 3] x, bool c) => (y) {
      a = Identity(x)
      y = If(c) <then_branch = t () => (y1) { a = NonZero(x) y1 = Transpose(a) },
                 else_branch = e () => (y2) { y2 = Transpose(x) }>
    }"""
    assert plans_of(text)["y/then_branch/y1"] == "data must have a known shape, got a of shape (2, None)"


OLD_OPERATORS = """<ir_version: 7, opset_import: ["" : 11]> g (float[n, 4, 6] x) => (y) {
  shape = Shape(x)
  zero = Constant<value = int64 {0}>()
  first = Gather(shape, zero)
  limited = Clip<min = 1.0, max = 9.0>(first)
  rows = Unsqueeze<axes = [0]>(first)
  rest = Constant<value = int64[1] {-1}>()
  sizes = Concat<axis = 0>(rows, rest)
  flat = Reshape(x, sizes)
  y = Transpose<perm = [1, 0]>(flat)
}"""


def test_constants_are_computed_by_the_operators_of_the_model() -> None:
    (node,) = fo.onnx.plans(onnx.parser.parse_model(OLD_OPERATORS), {"x": (2, 4, 6)})
    assert node.plan == fo.plan.onnx.transpose((2, 24), [1, 0])
    # Clip has its bounds as attributes before opset 11.
    text = """<ir_version: 4, opset_import: ["" : 10]> g (float[9] x) => (y) {
      two = Constant<value = float {2.6}>() most = Clip<max = 2.0>(two) n = Cast<to = 7>(most)
      one = Constant<value = int64[1] {1}>() counts = Reshape(n, one) y = Tile(x, counts) }"""
    (node,) = fo.onnx.plans(onnx.parser.parse_model(text))
    assert node.plan == fo.plan.onnx.tile((9,), [2])


@pytest.mark.parametrize(("axes", "shape"), [([-2, -1], (3, 1, 1)), ([1, 0], (1, 1, 3)), ([0, -1], (1, 3, 1))])
def test_axes_that_are_put_in_at_once(axes: list[int], shape: tuple[int, ...]) -> None:
    # onnx's own reference puts one in after the other.
    text = f"""<ir_version: 7, opset_import: ["" : 11]> g (float[1] x) => (y) {{
      three = Constant<value = int64[3] {{4, 5, 6}}>() u = Unsqueeze<axes = {axes}>(three) y = Transpose(u) }}"""
    (node,) = fo.onnx.plans(onnx.parser.parse_model(text))
    assert node.plan == fo.plan.onnx.transpose(shape)


def test_domains_by_their_other_name() -> None:
    text = """g (float[4] x) => (y) {
      s = ai.onnx.Shape(x) n = ai.onnx.Neg(s) m = ai.onnx.Abs(n) y = ai.onnx.Tile(x, m) }"""
    assert plans_of(text) == {"y": fo.plan.onnx.tile((4,), [4])}


def test_functions_of_another_version_are_named() -> None:
    text = """<ir_version: 8, opset_import: ["" : 18, "own" : 1]> g (float[4, 6] x) => (y) { y = own.turn(x) }
    <domain: "own", opset_import: ["" : 11]> turn (a) => (b) { u = Unsqueeze<axes = [0]>(a) b = Transpose(u) }"""
    (node,) = fo.onnx.plans(onnx.parser.parse_model(text))
    assert (node.name, node.op_type, node.plan) == ("y", "turn", None)
    assert node.reason == "its function is not looked into, as it has operators of another version than the model"


# As exporters write a window's rows: the shape that data gets is computed from the one it has.
RESHAPED = """g (float[n, c, h, w] x) => (z) {
  shape = Shape(x)
  three = Constant<value_int = 3>()
  four = Constant<value_ints = [4]>()
  width = Gather<axis = 0>(shape, three)
  quarter = Div(width, three)
  zeros = Constant<value_ints = [0]>()
  last = Unsqueeze(quarter, zeros)
  two = Constant<value_ints = [2]>()
  minus = Constant<value_ints = [-1]>()
  sizes = Concat<axis = 0>(four, minus, last)
  rows = Reshape(x, sizes)
  cut = Slice(rows, zeros, two, two)
  z = Transpose<perm = [0, 2, 1]>(cut)
}"""


def test_shapes_that_are_computed_from_shapes() -> None:
    assert plans_of(RESHAPED, x=(2, 4, 5, 6)) == {
        "cut": fo.plan.onnx.slice((4, 30, 2), [0], [2], [2]),
        "z": fo.plan.onnx.transpose((4, 30, 2), [0, 2, 1]),
    }


def test_functions_of_the_model_are_looked_into() -> None:
    text = """<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
    g (float[4] x) => (y) { y = own.flip(x) }
    <domain: "own", opset_import: ["" : 18]> flip (a) => (b) {
      start = Constant<value_ints = [-1]>()
      end = Constant<value_ints = [-9]>()
      axis = Constant<value_ints = [0]>()
      b = Slice(a, start, end, axis, start)
    }"""
    (node,) = fo.onnx.plans(onnx.parser.parse_model(text))
    assert node.plan == fo.plan.onnx.slice((4,), [-1], [-9], [0], [-1])


def test_large_initializers_are_left_alone(tmp_path: Path) -> None:
    weights = onnx.numpy_helper.from_array(np.zeros((100, 50), np.float32), "w")
    model = parse("g (float[4] x) => (y) { y = Transpose(w) }")
    model.graph.initializer.append(weights)
    before = model.SerializeToString()
    (node,) = fo.onnx.plans(model)
    assert node.plan == fo.plan.onnx.transpose((100, 50))
    assert model.SerializeToString() == before
    # What lies in another file is read only if it says where to slice.
    model = parse("g (float[4] x) => (y) { z = Tile(x, n) y = Transpose(w) }")
    model.graph.initializer.extend([weights, onnx.numpy_helper.from_array(np.array([2]), "n")])
    path = tmp_path / "m.onnx"
    onnx.save(model, path, save_as_external_data=True, location="data", size_threshold=0)
    for each in (path, str(path)):
        found = {node.name: node.plan for node in fo.onnx.plans(each)}
        assert found == {"z": fo.plan.onnx.tile((4,), [2]), "y": fo.plan.onnx.transpose((100, 50))}
    (tmp_path / "data").unlink()
    (tile, transpose) = fo.onnx.plans(path)
    assert tile.reason.startswith("repeats must be a constant, got n, which is an initializer that cannot be")
    assert transpose.plan is not None


def test_plans_are_those_of_the_evaluator() -> None:
    model = parse(LEFT_HALF)
    data = np.random.default_rng(0).random((2, 3, 9, 4), np.float32)
    (node,) = fo.onnx.plans(model, {"x": data.shape})
    (expected,) = reference.ReferenceEvaluator(model).run(None, {"x": data})
    np.testing.assert_array_equal(node.plan(data), expected)


@pytest.mark.parametrize(
    ("model", "shapes", "error", "message"),
    [
        (None, None, fo.DTypeError, "model must be an onnx.ModelProto or a path, got None"),
        (parse(LEFT_HALF).graph, None, fo.DTypeError, "model must be an onnx.ModelProto or a path"),
        (parse(LEFT_HALF), [1], fo.DTypeError, "shapes must be a mapping from names of inputs to shapes, got"),
        (parse(LEFT_HALF), {"z": (1,)}, fo.AttributeValueError, "shapes must name inputs of the model: x, got 'z'"),
        (parse(LEFT_HALF), {"x": (1, 2, 3, 4)}, fo.AttributeValueError, "shapes must fit what the model says of x"),
        (parse(LEFT_HALF), {"x": (1, 3)}, fo.AttributeValueError, "shapes must fit what the model says of x"),
        (parse(LEFT_HALF), {"x": (-1, 3, 4, 4)}, fo.AttributeValueError, "shapes must be a list of integers in 0"),
        (parse(LEFT_HALF), {"x": 3.5}, fo.DTypeError, "shapes must be"),
    ],
)
def test_errors(model: Any, shapes: Any, error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=f"^onnx.plans: {message}"):
        fo.onnx.plans(model, shapes)


def test_models_that_onnx_refuses() -> None:
    # A Pad of version 2 in a model of opset 18.
    model = parse("g (float[4] x) => (y) { y = Pad<pads = [1, 1]>(x) }")
    with pytest.raises(fo.AttributeValueError, match=r"^onnx.plans: model must be one whose shapes onnx infers"):
        fo.onnx.plans(model)


def test_files_that_are_no_models(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    for suffix in (".onnx", ".json", ".textproto", ".pbtxt", ".onnxtxt"):
        path = path.with_suffix(suffix)
        path.write_bytes(b"\xff" * 9)
        with pytest.raises(fo.AttributeValueError, match=r"^onnx.plans: model must be a file with an ONNX model, got "):
            fo.onnx.plans(path)
    with pytest.raises(fo.AttributeValueError, match=r"^onnx.plans: model must be a file with an ONNX model, got "):
        fo.onnx.plans("no\0path")
    with pytest.raises(FileNotFoundError):
        fo.onnx.plans(tmp_path / "missing")
    # A pipe that nobody writes to would be waited for.
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        with pytest.raises(fo.AttributeValueError, match=r"^onnx.plans: model must be a regular file, got "):
            fo.onnx.plans(path)


def test_models_that_are_damaged_give_entries_or_an_error() -> None:
    rng = random.Random(0)
    intact, models = parse(LOOP).SerializeToString(), 0
    while models < 150:
        damaged = bytearray(intact)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            model = onnx.ModelProto.FromString(bytes(damaged))
        except Exception:
            continue
        models += 1
        try:
            nodes = fo.onnx.plans(model)
        except fo.FastopsError:
            continue
        assert all(bool(node.reason) != (node.plan is not None) for node in nodes)


ONES = np.ones((1024, 1, 1), np.int64)


@pytest.mark.parametrize(
    ("text", "constants", "reason"),
    [
        ("n = ConstantOfShape(s)", {"s": np.array([np.nan])}, "onnx cannot compute"),
        ("n = ConstantOfShape(s)", {"s": np.array([np.inf])}, "onnx cannot compute"),
        ("n = ConstantOfShape(s)", {"s": np.array(["a"], object)}, "onnx cannot compute"),
        ("n = ConstantOfShape(s)", {"s": np.array([2**40])}, "of more than 1048576 elements"),
        (
            "n = Max(s, t, u)",
            {"s": ONES, "t": ONES.reshape(1, 1024, 1), "u": ONES[:64].reshape(1, 1, 64)},
            "of more than 1048576 elements",
        ),
        (
            "n = Gather(s, t)",
            {"s": np.ones((64, 64), np.int64), "t": np.zeros(512, np.int64)},
            "of more than 1048576 elements",
        ),
    ],
)
def test_constants_that_are_not_computed(text: str, constants: dict[str, Any], reason: str) -> None:
    model = parse(f"g (float[4] x) => (y) {{ {text} y = Tile(x, n) }}")
    model.graph.initializer.extend([onnx.numpy_helper.from_array(value, name) for name, value in constants.items()])
    tracemalloc.start()
    try:
        (node,) = fo.onnx.plans(model)
    except fo.AttributeValueError as error:
        # Of what onnx itself refuses.
        assert "whose shapes onnx infers" in str(error)  # noqa: PT017
    else:
        assert node.plan is None
        assert reason in node.reason
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 64 << 20


def test_a_scalar_may_be_given_its_shape() -> None:
    model = parse("g (float x, int64[2] p) => (y) { y = Expand(x, p) }")
    model.graph.input[0].type.tensor_type.ClearField("shape")
    for shapes, rank in (({"x": ()}, 0), ({"x": (3,)}, 1)):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([2, 3]), "p"))
        (node,) = fo.onnx.plans(model, shapes)
        assert isinstance(node.plan, fo.plan.SlicePlan)
        assert len(node.plan.source_shape) == rank
        del model.graph.initializer[:]


def test_fill_values_of_no_elements_and_of_other_types(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = parse("g (float[4] x) => (y) <int64[2] pads = {1, 1}> { y = Pad(x, pads, v) }")
    fills = {"empty": np.zeros(0, np.float32), "text": np.array("a"), "complex": np.complex64(1 + 2j)}
    found = {}
    for name, fill in fills.items():
        del model.graph.initializer[1:]
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(fill), "v"))
        onnx.save(model, tmp_path / "m.onnx")
        assert main(["explain", "--model", str(tmp_path / "m.onnx"), "--json"]) == 0
        (document,) = json.loads(capsys.readouterr().out)
        found[name] = (document.get("fill_value"), document.get("reason"))
    assert found == {
        "empty": (None, "constant_value must have an element, got none"),
        "text": ("a", None),
        "complex": ("(1+2j)", None),
    }


# --- Models of a few bytes that ask for much ----------------------------------------------------------------------


def tiny(nodes: list[Any], constants: dict[str, Any] | None = None, functions: list[Any] | None = None) -> Any:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [10**6])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.INT64, None)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in (constants or {}).items()],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("f", 1)]
    return helper.make_model(graph, opset_imports=opsets, functions=functions or [], ir_version=10)


def function(name: str, *called: str) -> Any:
    """A function that calls others one after the other."""
    values = [f"t{i}" for i in range(len(called))]
    nodes = [
        helper.make_node(each, [source], [value], domain="" if each == "Identity" else "f")
        for each, source, value in zip(called, ["a", *values], values, strict=False)
    ]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("f", 1)]
    return helper.make_function("f", name, ["a"], [values[-1]], nodes, opsets)


def call_of(name: str) -> Any:
    return helper.make_node(name, ["x"], ["y"], domain="f")


@pytest.mark.parametrize("source", ["c", "x"])
def test_more_outputs_than_a_node_has_are_not_made(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastops._interop._layer.Layer.plan", lambda *_: pytest.fail("parts were made"))
    node = helper.make_node("Split", [source], ["y"], num_outputs=10**6)
    (entry,) = fo.onnx.plans(tiny([node], {"c": np.arange(4)}))
    assert entry.plan is None
    assert entry.reason == "onnx.from_node: node must have 1000000 outputs, as num_outputs says, got 1"


def test_more_lengths_than_a_node_has_outputs_are_not_split() -> None:
    (entry,) = fo.onnx.plans(tiny([helper.make_node("Split", ["x", "n"], ["y"])], {"n": np.full(4000, 250)}))
    assert (entry.plan, entry.reason) == (None, "split must have 1 lengths, one for each output")


@pytest.mark.parametrize("depth", [15, 18, 200])
def test_functions_that_double_each_other_are_counted_and_not_inlined(
    depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnx.inliner.inline_local_functions", lambda *_: pytest.fail("functions were inlined"))
    functions = [function("f0", "Identity")]
    functions += [function(f"f{i}", f"f{i - 1}", f"f{i - 1}") for i in range(1, depth + 1)]
    with pytest.raises(
        fo.AttributeValueError, match="model must have at most 16384 nodes once its functions are inlined"
    ):
        fo.onnx.plans(tiny([call_of(f"f{depth}")], functions=functions[::-1]))


@pytest.mark.parametrize("circle", [["r"], ["r", "s"], [f"r{i}" for i in range(300)]], ids=len)
def test_functions_that_call_themselves_are_refused(circle: list[str]) -> None:
    functions = [function(name, "Identity", circle[(i + 1) % len(circle)]) for i, name in enumerate(circle)]
    with pytest.raises(fo.AttributeValueError, match=r"onnx\.plans: model must have no function that calls itself"):
        fo.onnx.plans(tiny([call_of(circle[0])], functions=functions))


def test_functions_that_share_others_are_inlined() -> None:
    functions = [function("top", "left", "right"), function("left", "leaf"), function("right", "leaf", "leaf")]
    functions.append(function("leaf", "Identity"))
    assert fo.onnx.plans(tiny([call_of("top")], functions=functions)) == []


def chain(op_type: str, first: str, count: int, inputs: int = 1, **attributes: Any) -> list[Any]:
    """Nodes that each take the result of the one before, so many times."""
    names = [first, *[f"t{i}" for i in range(count)]]
    return [helper.make_node(op_type, [source] * inputs, [target], **attributes) for source, target in pairwise(names)]


def constant(name: str, **value: Any) -> Any:
    return helper.make_node("Constant", [], [name], **value)


def inner_graph(nodes: list[Any]) -> Any:
    return helper.make_graph(nodes, "inner", [], [])


def with_input(nodes: list[Any], shape: list[Any], dtype: int = onnx.TensorProto.INT64) -> Any:
    model = tiny(nodes)
    model.graph.input.append(helper.make_tensor_value_info("i", dtype, shape))
    return model


VALUE = numpy_helper.from_array(np.ones(4000, np.int64), "v")

# Each of them asks for hundreds of megabytes, or for 2^38 axes.
GROWING = {
    "a constant": lambda: tiny([constant("c", value=VALUE), *chain("Concat", "c", 13, 2, axis=0)]),
    "an initializer": lambda: tiny(chain("Concat", "c", 13, 2, axis=0), {"c": np.arange(4096)}),
    "in a branch": lambda: tiny(
        [
            helper.make_node(
                "If",
                ["x"],
                ["y"],
                then_branch=inner_graph([constant("c", value=VALUE), *chain("Concat", "c", 14, 2, axis=0)]),
            )
        ]
    ),
    "lengths": lambda: with_input(
        [
            *chain("Concat", "i", 26, 2, axis=0),
            helper.make_node("ConstantOfShape", ["t25"], ["a"]),
            *[
                helper.make_node(op_type, ["x", "t25"], [op_type])
                for op_type in ("Reshape", "Unsqueeze", "Expand", "Tile")
            ],
        ],
        [4096],
    ),
    "axes of an input": lambda: with_input(chain("Identity", "i", 500), [1] * 20_000),
    "axes of a shape": lambda: with_input(
        [
            helper.make_node("Shape", ["i"], ["s"]),
            helper.make_node("ConstantOfShape", ["s"], ["c"]),
            *chain("Identity", "c", 500),
        ],
        [1] * 20_000,
    ),
    "axes by a constant": lambda: tiny(
        [helper.make_node("Reshape", ["x", "s"], ["r"]), *chain("Identity", "r", 500)], {"s": np.ones(4096, np.int64)}
    ),
    "axes that double": lambda: with_input(chain("Gather", "i", 40, 2), [1, 1, 1]),
    "a long name of an extent": lambda: with_input(chain("Identity", "i", 500), ["n" * 100_000]),
}


@pytest.mark.parametrize("name", GROWING)
def test_what_is_known_of_a_value_stays_small(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onnx.shape_inference.infer_shapes", lambda *_, **__: pytest.fail("a whole model at once"))
    real, sizes = onnx.shape_inference.infer_node_outputs, []

    def infer_node_outputs(schema: Any, node: Any, types: Any, data: Any, **options: Any) -> Any:
        found = real(schema, node, types, data, **options)
        sizes.append(sum(each.ByteSize() for each in (*types.values(), *data.values(), *found.values())))
        return found

    monkeypatch.setattr("onnx.shape_inference.infer_node_outputs", infer_node_outputs)
    nodes = fo.onnx.plans(GROWING[name]())
    assert all(node.plan is None for node in nodes)
    assert sizes
    assert max(sizes) < 300_000


def test_large_constants_are_not_given_to_each_node(monkeypatch: pytest.MonkeyPatch) -> None:
    real, sizes = onnx.shape_inference.infer_node_outputs, []

    def infer_node_outputs(schema: Any, node: Any, types: Any, data: Any, **options: Any) -> Any:
        sizes.append(sum(each.ByteSize() for each in data.values()))
        return real(schema, node, types, data, **options)

    monkeypatch.setattr("onnx.shape_inference.infer_node_outputs", infer_node_outputs)
    nodes = [helper.make_node("Sum", ["c"] * 100, [f"s{i}"]) for i in range(3)]
    nodes.append(helper.make_node("Tile", ["x", "n"], ["y"]))
    (node,) = fo.onnx.plans(tiny(nodes, {"c": np.arange(4096), "n": [3]}))
    assert node.plan == fo.plan.onnx.tile((10**6,), [3])
    assert max(sizes) < 100


@pytest.mark.parametrize("kind", ["an initializer", "a Constant"])
def test_large_constants_say_what_they_are(kind: str) -> None:
    value = numpy_helper.from_array(np.ones(5000, np.int64), "n")
    model = tiny([constant("n", value=value)] if kind == "a Constant" else [])
    model.graph.initializer.extend([] if kind == "a Constant" else [value])
    model.graph.node.append(helper.make_node("Tile", ["x", "n"], ["y"]))
    (node,) = fo.onnx.plans(model)
    assert node.reason.endswith(f"got n, which is {kind} of more than 4096 elements or 64 axes")


TEXTS = [b"a" * 60_000, *[b""] * 4095]


@pytest.mark.parametrize(
    "nodes",
    [
        [constant("n", value_strings=TEXTS)],
        [constant("n", value=helper.make_tensor("v", onnx.TensorProto.STRING, [4096], TEXTS))],
        [
            constant("c", value_string=TEXTS[0]),
            constant("s", value_ints=[4096]),
            helper.make_node("Expand", ["c", "s"], ["n"]),
        ],
        [
            constant("s", value_ints=[4096]),
            helper.make_node(
                "ConstantOfShape", ["s"], ["n"], value=helper.make_tensor("v", onnx.TensorProto.STRING, [1], TEXTS[:1])
            ),
        ],
    ],
    ids=["value_strings", "value", "Expand", "ConstantOfShape"],
)
def test_long_texts_are_not_as_long_in_each_element(nodes: list[Any]) -> None:
    model = tiny([*nodes, helper.make_node("Tile", ["x", "n"], ["y"])])
    tracemalloc.start()
    try:
        found = fo.onnx.plans(model)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found[-1].plan is None
    assert peak < 4 << 20


@pytest.mark.parametrize("domains", [("ai.onnx", ""), ("", "ai.onnx")])
def test_functions_are_counted_by_either_name_of_a_domain(
    domains: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnx.inliner.inline_local_functions", lambda *_: pytest.fail("functions were inlined"))
    functions = [function("f0", "Identity")]
    functions += [function(f"f{i}", f"f{i - 1}", f"f{i - 1}") for i in range(1, 18)]
    for each in functions:
        each.domain = domains[0]
        for node in each.node:
            node.domain = domains[1]
    call = call_of("f17")
    call.domain = domains[1]
    with pytest.raises(fo.AttributeValueError, match="model must have at most 16384 nodes once"):
        fo.onnx.plans(tiny([call], functions=functions))


@pytest.mark.parametrize(
    ("leaf", "counted"),
    [
        (helper.make_node("Identity", ["a"], ["b"], doc_string="x" * 50_000), "33554432 bytes of nodes"),
        (helper.make_node("Split", ["a"], ["b", *[""] * 1000]), "65536 inputs and outputs of nodes"),
    ],
)
def test_functions_of_large_nodes_are_counted(leaf: Any, counted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onnx.inliner.inline_local_functions", lambda *_: pytest.fail("functions were inlined"))
    functions = [function("f0", "Identity")]
    functions[0].node[0].CopyFrom(leaf)
    functions += [function(f"f{i}", f"f{i - 1}", f"f{i - 1}") for i in range(1, 12)]
    with pytest.raises(fo.AttributeValueError, match=f"model must have at most {counted} once its functions are inl"):
        fo.onnx.plans(tiny([call_of("f11")], functions=functions))


def test_calls_of_the_evaluator_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_graph_values, "_MOST_IN_ALL", 10 * _model_counts._LEAST_COUNTED)
    calls = []
    real = reference.ReferenceEvaluator.run
    monkeypatch.setattr(reference.ReferenceEvaluator, "run", lambda *given: calls.append(1) or real(*given))
    fo.onnx.plans(tiny(chain("Neg", "c", 50), {"c": np.arange(3)}))
    assert len(calls) == 10


def test_splits_into_very_many_parts_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastops._interop._layer.Layer.plan", lambda *_: pytest.fail("parts were made"))
    (entry,) = fo.onnx.plans(tiny([helper.make_node("Split", ["x"], [""] * 5000, num_outputs=5000)]))
    assert (entry.plan, entry.reason) == (None, "node must have at most 4096 outputs")


def nested_branches(depth: int) -> Any:
    model = tiny([])
    graph = model.graph
    for _ in range(depth):
        attribute = graph.node.add(op_type="If", name="n" * 3000).attribute.add(name="then_branch")
        attribute.type = onnx.AttributeProto.GRAPH
        graph = attribute.g
        graph.SetInParent()
    graph.node.add(op_type="Transpose", name="leaf", input=["x"], output=["y"])
    return model


def test_subgraphs_in_subgraphs() -> None:
    (entry,) = fo.onnx.plans(nested_branches(20))
    assert entry.plan == fo.plan.onnx.transpose((10**6,))
    assert entry.name.endswith("nnn…/then_branch/leaf")
    assert len(entry.name) < 20 * 1040
    for depth in (65, 500):
        with pytest.raises(fo.AttributeValueError, match="model must have at most 64 subgraphs, one in the other"):
            fo.onnx.plans(nested_branches(depth))


# --- Nodes by which onnx's inference would end the process ----------------------------------------------------------


@pytest.mark.parametrize(
    "node",
    [
        "y, z, w = Split<num_outputs = 2>(x)",
        "y = LayerNormalization<axis = 9223372036854775807>(x, x)",
        "y = GatherND<batch_dims = -92>(x, i)",
        "y = GatherND(x, j)",
        "y = Concat<axis = 2147483647>(i)",
        "y = STFT(x, x, x, x)",
    ],
)
def test_nodes_that_onnx_does_not_survive_are_entries(node: str) -> None:
    model = parse(f"g (float[2, 3, 4] x, int64[1, 2] i, int64[1, 2] j) => (y) {{ {node} t = Transpose(y) }}")
    model.graph.input[2].type.tensor_type.shape.dim[1].dim_value = -1
    assert fo.onnx.plans(model)[-1].reason == "data must have a known shape, got y of an unknown shape"


def test_few_elements_are_computed_of_all_nodes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = _model_counts.most_elements

    def most_elements(*arguments: Any) -> int:
        made.append(real(*arguments))
        return made[-1]

    monkeypatch.setattr(_graph_values, "most_elements", most_elements)
    nodes = [helper.make_node("Concat", ["c"] * 200, [f"t{i}"], axis=0) for i in range(50)]
    nodes.append(helper.make_node("Tile", ["x", "t49"], ["y"]))
    (entry,) = fo.onnx.plans(tiny(nodes, {"c": np.arange(4096)}))
    assert made == [200 * 4096] * 50
    assert "behind others of 4194304 elements in all" in entry.reason


@pytest.mark.parametrize("extent", [1, 2**62])
def test_tensors_of_many_axes_are_not_looked_at(extent: int) -> None:
    tensor = onnx.TensorProto(name="c", data_type=onnx.TensorProto.INT64, dims=[extent] * 20_000, int64_data=[1])
    nodes = [helper.make_node("Slice", ["c", "s", "e"], ["y"]), helper.make_node("Tile", ["x", "c"], ["z"])]
    model = tiny(nodes, {"s": [0], "e": [1]})
    model.graph.initializer.append(tensor)
    first, second = fo.onnx.plans(model)
    assert first.reason == "data must have a known shape, got c of an unknown shape"
    assert second.reason.endswith("which is an initializer of more than 4096 elements or 64 axes")


# --- Data in other files --------------------------------------------------------------------------------------------


def outside(location: str) -> Any:
    """A tensor of two integers that are in another file."""
    tensor = onnx.TensorProto(name="n", data_type=onnx.TensorProto.INT64, dims=[1])
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return tensor


def with_outside(location: str, kind: str) -> Any:
    tile = helper.make_node("Tile", ["x", "n"], ["y"])
    if kind == "initializer":
        model = tiny([tile])
        model.graph.initializer.append(outside(location))
        return model
    constant = helper.make_node("Constant", [], ["n"])
    constant.attribute.add(name="value", type=onnx.AttributeProto.TENSOR).t.CopyFrom(outside(location))
    return tiny([constant, tile])


@pytest.mark.parametrize("kind", ["initializer", "Constant"])
def test_data_in_another_file_is_beside_the_model(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for folder, number in ((home, 2), (elsewhere, 9)):
        folder.mkdir()
        (folder / "data").write_bytes(np.array([number], np.int64).tobytes())
    monkeypatch.chdir(elsewhere)
    (home / "m.onnx").write_bytes(with_outside("data", kind).SerializeToString())
    (entry,) = fo.onnx.plans(home / "m.onnx")
    assert entry.plan == fo.plan.onnx.tile((10**6,), [2])
    (entry,) = fo.onnx.plans(with_outside("data", kind))
    assert entry.plan is None
    assert "only a model that is read from a file has a folder" in entry.reason


@pytest.mark.parametrize("kind", ["initializer", "Constant"])
@pytest.mark.parametrize("length", [None, 8, 9, 2**33])
def test_no_more_of_another_file_is_read_than_a_tensor_has(kind: str, length: int | None, tmp_path: Path) -> None:
    with (tmp_path / "data").open("wb") as file:
        file.write(np.array([2], np.int64).tobytes())
        file.truncate(2**33)
    model = with_outside("data", kind)
    if length is not None:
        tensor = model.graph.initializer[0] if kind == "initializer" else model.graph.node[0].attribute[0].t
        tensor.external_data.add(key="length", value=str(length))
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    (entry,) = fo.onnx.plans(tmp_path / "m.onnx")
    if length == 8:
        assert entry.plan == fo.plan.onnx.tile((10**6,), [2])
    else:
        assert entry.plan is None
        assert f"has {length or 2**33} bytes, and a tensor like it at most 8" in entry.reason


@pytest.mark.parametrize("kind", ["initializer", "Constant"])
@pytest.mark.parametrize("escape", ["../elsewhere/data", "absolute", "link"])
def test_data_outside_of_the_folder_of_the_model_is_refused(kind: str, escape: str, tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (elsewhere / "data").write_bytes(np.array([9], np.int64).tobytes())
    (home / "link").symlink_to(elsewhere / "data")
    location = str(elsewhere / "data") if escape == "absolute" else escape
    (home / "m.onnx").write_bytes(with_outside(location, kind).SerializeToString())
    (entry,) = fo.onnx.plans(home / "m.onnx")
    assert entry.plan is None
    assert "that cannot be read" in entry.reason
