"""Converts any JSON schema of arguments to our parameters; it never fails, whatever the schema contains."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import get_args

from pydantic import JsonValue

from core.tools.definition import Kind, Parameter

MOST_PARAMETERS = 64
MOST_CHOICES = 200
LONGEST_DESCRIPTION = 1_000
LONGEST_SCHEMA = 20_000
"""Maximum number of JSON characters in a schema given to a model; of a longer schema only the parameters are given."""
DEEPEST = 8
"""Maximum number of references and alternatives followed for one argument."""

_KINDS: tuple[str, ...] = get_args(Kind)
Node = Mapping[str, JsonValue]


def parameters_of(schema: Node) -> list[Parameter]:
    """The named arguments, the required ones first, in the schema's order."""
    properties = _mapping(schema.get("properties"))
    needed = schema.get("required")
    required = {each for each in needed if isinstance(each, str)} if isinstance(needed, list) else set()
    found = [
        _parameter(name, _mapping(node), schema, name in required)
        for name, node in list(properties.items())[:MOST_PARAMETERS]
        if name
    ]
    return sorted(found, key=lambda each: not each.required)


def passed_on(schema: Node) -> dict[str, JsonValue] | None:
    """The schema itself, if it can be given to a model: it must be an object and not too long."""
    if schema.get("type", "object") != "object" or not isinstance(schema.get("properties", {}), dict):
        return None
    try:
        fits = len(json.dumps(schema)) <= LONGEST_SCHEMA
    except (ValueError, RecursionError):
        fits = False
    return {"type": "object", "properties": {}, **schema} if fits else None


def _parameter(name: str, node: Node, root: Node, required: bool) -> Parameter:
    alternatives = list(_alternatives(node, root, DEEPEST))
    described = [node, *alternatives]
    choices = _choices(alternatives)
    return Parameter(
        name=name,
        kind=_kind(alternatives, choices),
        description=_first_text(described, "description")[:LONGEST_DESCRIPTION],
        required=required,
        default=next((each["default"] for each in described if "default" in each), None),
        choices=choices,
        minimum=_bound(alternatives, "minimum", "exclusiveMinimum"),
        maximum=_bound(alternatives, "maximum", "exclusiveMaximum"),
    )


def _alternatives(node: Node, root: Node, left: int) -> Iterator[Node]:
    """A value's alternatives, with references followed; a limit stops cycles."""
    if left <= 0:
        return
    reference = node.get("$ref")
    if isinstance(reference, str):
        yield from _alternatives(_resolved(reference, root), root, left - 1)
        return
    several = [each for key in ("anyOf", "oneOf", "allOf") for each in _list(node.get(key))]
    if not several:
        yield node
    for each in several[:MOST_CHOICES]:
        yield from _alternatives(_mapping(each), root, left - 1)


def _resolved(reference: str, root: Node) -> Node:
    """The schema with a reference resolved. References are resolved only within the schema; nothing is fetched."""
    if not reference.startswith("#/"):
        return {}
    node: JsonValue = dict(root)
    for part in reference[2:].split("/"):
        node = node.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(node, dict) else None
    return _mapping(node)


def _kind(alternatives: list[Node], choices: list[JsonValue]) -> Kind:
    named = [kind for each in alternatives for kind in _types(each) if kind in _KINDS]
    if not named and choices:
        named = [_kind_of(choices[0])]
    if not named and any("properties" in each for each in alternatives):
        return "object"
    kinds = set(named)
    if kinds == {"integer", "number"}:
        return "number"
    return named[0] if len(kinds) == 1 else "any"  # type: ignore[return-value]


def _types(node: Node) -> list[str]:
    told = node.get("type")
    return [each for each in (told if isinstance(told, list) else [told]) if isinstance(each, str)]


def _kind_of(value: JsonValue) -> str:
    kinds: list[tuple[type, str]] = [(bool, "boolean"), (int, "integer"), (float, "number"), (list, "array")]
    return next((kind for each, kind in kinds if isinstance(value, each)), "string")


def _choices(alternatives: list[Node]) -> list[JsonValue]:
    found: list[JsonValue] = []
    for each in alternatives:
        found.extend([each["const"]] if "const" in each else _list(each.get("enum")))
    known = all("const" in each or "enum" in each or _types(each) == ["null"] for each in alternatives)
    given: list[JsonValue] = [each for each in found if each is not None]
    return given[:MOST_CHOICES] if known else []


def _bound(alternatives: list[Node], name: str, exclusive: str) -> float | None:
    values = [each.get(name, each.get(exclusive)) for each in alternatives if _types(each) != ["null"]]
    if len(values) != 1 or not isinstance(values[0], int | float) or isinstance(values[0], bool):
        return None
    return float(values[0]) if math.isfinite(values[0]) else None


def _first_text(nodes: list[Node], name: str) -> str:
    return next((" ".join(text.split()) for each in nodes if isinstance(text := each.get(name), str) and text), "")


def _mapping(value: JsonValue) -> Node:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
