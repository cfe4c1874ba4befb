"""`fastops explain --model FILE`: the plan of each slicing node of a model."""

from __future__ import annotations

import argparse
import json
from math import isfinite
from pathlib import Path

from fastops._cli._arguments import read_list, read_path
from fastops._cli._plan_outputs import plans_in_words, plans_to_json
from fastops._cli._printable import printable
from fastops._errors import AttributeValueError
from fastops._interop._ir_plans import plans as plans_of_ir
from fastops._interop._model_plans import plans as plans_of_onnx
from fastops.plan._node_plan import NodePlan

_OP = "explain"


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a model."""
    text = (
        "ONNX model, or OpenVINO IR in a file that ends in .xml, of which each slicing node is listed with its plan; "
        "no OP is given then (needs the extra onnx or ir)"
    )
    parser.add_argument("--model", dest="MODEL", metavar="FILE", help=text)
    text = (
        "shape of an input of the model, where it leaves it open, as x=1,3,224,224; may be given for each input, and "
        "for each layer of an IR"
    )
    parser.add_argument("--input-shape", dest="INPUT_SHAPES", metavar="NAME=SHAPE", action="append", help=text)


def explain_model(args: argparse.Namespace) -> None:
    """Print the nodes of a model."""
    shapes = dict([_read_shape(text) for text in args.INPUT_SHAPES or ()])
    path = read_path(_OP, "model", args.MODEL)
    is_ir = path.lower().endswith(".xml")
    nodes = plans_of_ir(Path(path), shapes=shapes) if is_ir else plans_of_onnx(path, shapes)
    if args.JSON:
        print(json.dumps([_document(node) for node in nodes]))
    elif nodes:
        # The end of a line in a name is none of what is printed.
        print("\n".join([printable(line) for node in nodes for line in _lines(node)]))
    else:
        print("the model has no slicing nodes")


def _read_shape(text: str) -> tuple[str, tuple[int, ...]]:
    # Names may have any characters, shapes no "=".
    name, is_there, shape = text.rpartition("=")
    if not is_there:
        raise AttributeValueError(_OP, "input_shape", "be a name and a shape, as x=1,3,224,224", text)
    return name, read_list(_OP, "input_shape", shape)


def _lines(node: NodePlan) -> list[str]:
    head = f"{node.name} ({node.op_type})"
    if node.plan is None:
        return [f"{head}: no plan: {node.reason}"]
    lines = plans_in_words(head, node.plan)
    if node.fill_value is not None:
        lines.append(f"  fill value: {node.fill_value}")
    return [*lines, f"  note: {node.reason}"] if node.reason else lines


def _document(node: NodePlan) -> dict[str, object]:
    document: dict[str, object] = {"name": node.name, "op_type": node.op_type}
    if node.plan is not None:
        document["plan"] = json.loads(plans_to_json(node.plan))
    if node.fill_value is not None:
        # Texts of a model are objects of Python.
        value = node.fill_value.item() if hasattr(node.fill_value, "item") else node.fill_value
        # JSON has no infinities, no number that is not a number, and no complex ones.
        is_number = isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value))
        document["fill_value"] = value if is_number else str(value)
    if node.reason:
        document["reason"] = node.reason
    return document
