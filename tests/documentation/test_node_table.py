"""The table of docs/recipes/onnx_model.md: each node is the call that stands beside it, with the plan behind that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fastops as fo

PAGE = Path(__file__).parents[2] / "docs" / "recipes" / "onnx_model.md"


def test_each_node_is_the_call_beside_it_in_its_opsets() -> None:
    onnx = pytest.importorskip("onnx")
    lines = PAGE.read_text(encoding="utf-8").partition("<!-- nodes -->")[2].partition("<!-- end -->")[0].split("\n| ")
    rows = [[cell.strip(" `|\n") for cell in re.split(r" \| ", line)] for line in lines[2:]]
    assert len(rows) >= 18
    last = onnx.defs.onnx_opset_version()
    for opsets, node, call, text in rows:
        first, dash, end = opsets.partition("-")
        right = range(int(first), int(end or (last if dash else first)) + 1)
        # Constant inputs stand in the table as lists.
        op, inputs = re.fullmatch(r"(.*)\((.*)\)", node).groups()  # type: ignore[union-attr]
        values = re.findall(r"\[(.*?)\]", inputs)
        for i, value in enumerate(values):
            inputs = inputs.replace(f"[{value}]", f"c{i}", 1)
        constants = [f"int64[{len(value.split(','))}] c{i} = {{{value}}}" for i, value in enumerate(values)]
        outputs = "a, b" if op.startswith("Split") else "a"
        names = {name: getattr(fo.plan.onnx, name) for name in dir(fo.plan.onnx)}
        expected = eval(call, {**names, "x": (4, 6), "y": (7,), "image": (1, 4, 2, 2)})
        for opset in right:
            data = "float[4, 6] x, float[7] y, float[1, 4, 2, 2] image"
            head = f'<ir_version: 8, opset_import: ["" : {opset}]> g ({data}) => (a)'
            model = onnx.parser.parse_model(f"{head} <{', '.join(constants)}> {{ {outputs} = {op}({inputs}) }}")
            (found,) = fo.onnx.plans(model)
            assert found.plan == expected, (opset, node, found.reason)
        assert text in str(expected[-1] if isinstance(expected, list) else expected), (node, str(expected))
