"""`fastops explain`: prints the plans of a call, or of the slicing nodes of a model; needs neither data nor kernels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

from fastops._cli import _flags as flags
from fastops._cli._flags import LineParser
from fastops._errors import AttributeValueError
from fastops._interop._ir import plans as plans_of_ir
from fastops._interop._nodes import plans as plans_of_onnx
from fastops.plan._open_plan import NodePlan
from fastops.plan._range_and_windows_plan import PlanList

_MODEL_HELP = "ONNX model, or OpenVINO IR in a file that ends in .xml (needs the extra onnx or ir)"
_SHAPE_HELP = "shape of an input that the model leaves open, or of a layer of an IR, as x=1,3,224,224"


def run(argv: Sequence[str]) -> int:
    """Print the plan of a call, or the plans of a model."""
    if argv and not argv[0].startswith("-"):
        return _explain_call(argv)
    usage = "fastops explain [-h] OP ... | --model FILE [--input-shape NAME=SHAPE ...] [--json]"
    parser = LineParser("explain", usage=usage, epilog=flags.operators_of("explain"))
    parser.add_argument("--model", metavar="FILE", required=True, help=_MODEL_HELP)
    parser.add_argument("--input-shape", metavar="NAME=SHAPE", action="append", default=[], help=_SHAPE_HELP)
    parser.add_argument("--json", action="store_true", help="print JSON in place of words")
    args = parser.parse_args(argv)
    shapes = dict([_read_shape(text) for text in args.input_shape])
    is_ir = args.model.lower().endswith(".xml")
    nodes = plans_of_ir(Path(args.model), shapes=shapes) if is_ir else plans_of_onnx(args.model, shapes)
    if args.json:
        print(json.dumps([_document(node) for node in nodes]))
    else:
        print("\n".join([_in_words(node) for node in nodes]) or "the model has no slicing nodes")
    return 0


def _explain_call(argv: Sequence[str]) -> int:
    op, function, rest = flags.find_operator("explain", argv)
    text = f"Explain a call of {op}."
    parser = LineParser(op, prog=f"fastops explain {op.replace('.', ' ')}", description=text, epilog=flags.VALUES)
    parser.add_argument("--json", dest="JSON", action="store_true", help="print JSON: of the plan, or of each part")
    parser.add_argument("--svg", dest="SVG", metavar="FILE", help="also write a drawing to this file")
    flags.add_flags(parser, function)
    args = parser.parse_args(rest)
    made = function(**flags.read_flags(function, args))
    if args.SVG is not None:
        if not hasattr(made, "to_svg"):
            raise AttributeValueError(op, "svg", "be left out where nothing is read", args.SVG)
        Path(args.SVG).write_text(made.to_svg(), encoding="utf-8")
    print(json.dumps(_as_json(made)) if args.JSON else _headed(op, made.explain()))
    return 0


def _as_json(made: Any) -> Any:
    """Return the JSON document of a plan, or a list of the documents of its parts."""
    return [_as_json(part) for part in made] if isinstance(made, list) else json.loads(made.to_json())


def _headed(name: str, text: str) -> str:
    """Return a name and a text, with all lines but the first indented."""
    return f"{name}: {indent(text, '  ').lstrip()}"


def _read_shape(text: str) -> tuple[str, Any]:
    # Names may contain "=", and shapes do not.
    name, is_there, shape = text.rpartition("=")
    if not is_there:
        raise AttributeValueError("explain", "input_shape", "be a name and a shape, as x=1,3,224,224", text)
    value = flags.read_value(shape)
    return name, [value] if type(value) is int else value


def _in_words(node: NodePlan) -> str:
    head = flags.printable(f"{node.name} ({node.op_type})")
    if node.plan is None:
        return f"{head}: no plan: {flags.printable(node.reason)}"
    plan: Any = node.plan
    lines = [_headed(head, PlanList(plan).explain() if isinstance(plan, list) else plan.explain())]
    fill_value = node.reason if node.fill_value is None else str(node.fill_value)
    if fill_value:
        lines.append(f"  fill value: {flags.printable(fill_value)}")
    return "\n".join(lines)


def _document(node: NodePlan) -> dict[str, object]:
    # The fill value is written as text, because JSON has no infinities and no complex numbers.
    fill_value = None if node.fill_value is None else str(node.fill_value)
    plan = None if node.plan is None else _as_json(node.plan)
    document = {"plan": plan, "fill_value": fill_value, "reason": node.reason or None}
    return {"name": node.name, "op_type": node.op_type} | {n: v for n, v in document.items() if v is not None}
