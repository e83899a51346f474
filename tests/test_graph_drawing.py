"""Tests that the diagram in ``docs/architecture.md`` shows the nodes as ``core/graph/transitions.py`` connects them.

The routes are read from the source code, because a compiled graph does not show which nodes a choice can lead to. After
a change of the routes, run ``PYTHONPATH=. python tests/test_graph_drawing.py`` to draw the diagram again.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

from core.graph import build, transitions

DOCUMENT = Path(__file__).parents[1] / "docs" / "architecture.md"
START, END = "<!-- nodes: drawn by tests/test_graph_drawing.py -->", "<!-- end of nodes -->"
TREE = ast.parse(inspect.getsource(transitions))
FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}


def _value(name: str) -> ast.Dict:
    for node in TREE.body:
        target = (
            node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else 0
        )
        if isinstance(target, ast.Name) and target.id == name:
            assert isinstance(node, ast.AnnAssign | ast.Assign)
            assert isinstance(node.value, ast.Dict)
            return node.value
    raise LookupError(name)


def _goals(node: ast.AST) -> Iterator[str]:
    """Returns the nodes that the expression of a route can name."""
    match node:
        case ast.Constant(value=str(name)):
            yield name
        case ast.Name(id="END"):
            yield "end"
        case ast.Name(id=name) if name in FUNCTIONS:
            yield from _of_function(FUNCTIONS[name])
        case ast.IfExp() | ast.List():
            yield from [goal for part in _parts(node) for goal in _goals(part)]
        case ast.Lambda(body=body):
            yield from _goals(body)
        case ast.Attribute(attr="action"):
            yield from transitions.ACTIONS
        case ast.Subscript(value=ast.Name(id=name)):
            yield from getattr(transitions, name).values()
        case ast.Call(func=ast.Name(id="_unless_cancelled"), args=[after]):
            yield from ["finish", *_goals(after)]
        case ast.Call(func=function):
            yield from _goals(function)
        case _:
            raise ValueError(ast.dump(node))


def _parts(node: ast.IfExp | ast.List) -> list[ast.expr]:
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.elts


def _of_function(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value:
            yield from _goals(node.value)


def arrows() -> dict[str, list[str]]:
    """Maps each node to the nodes that may come next."""
    found: dict[str, list[str]] = {"start": ["listen"]}
    for table in (_value("TRANSITIONS"), _value("EDGES")):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant):
                found[str(key.value)] = sorted(set(_goals(value)))
            elif isinstance(value, ast.Call):  # **dict.fromkeys(ACTIONS, route)
                found |= {name: sorted(set(_goals(value.args[1]))) for name in transitions.ACTIONS}
    return found


def drawing() -> str:
    lines = [f"    {name} --> {' & '.join(f'{goal}' for goal in goals)}" for name, goals in sorted(arrows().items())]
    text = "\n".join([START, "```mermaid", "flowchart TD", *lines, "```", END])
    return text.replace("> end", "> stop").replace("& end", "& stop")  # "end" is a reserved word in mermaid


def test_the_drawing_is_that_of_the_code() -> None:
    assert drawing() in DOCUMENT.read_text(encoding="utf-8")


def test_every_node_is_in_the_drawing_and_can_be_reached() -> None:
    found = arrows()
    assert set(build.NODES) == set(found) - {"start"}
    assert set(build.NODES) == {goal for goals in found.values() for goal in goals} - {"end"}


if __name__ == "__main__":
    whole = DOCUMENT.read_text(encoding="utf-8")
    before, rest = whole.split(START)
    DOCUMENT.write_text(before + drawing() + rest.split(END)[1], encoding="utf-8")
