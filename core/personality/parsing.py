"""Parses a personality from its text and reports errors with line and column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from core.messages import message
from core.personality.reading import Data, Node, UnreadableYamlError, YamlProblem, compose, data_of, entry, flaw_at
from core.personality.schema import ADVISED, LONGEST_TEXT, REQUIRED, Personality
from core.words import Words


@dataclass(frozen=True)
class Parsed:
    """A parsed text. ``personality`` is ``None`` when there are ``errors``; ``warnings`` do not prevent it.

    ``draft`` is what is valid despite errors: wrong values are left out, and a missing name is empty.
    ``None`` when the text cannot be parsed at all.
    """

    personality: Personality | None
    draft: Personality | None = None
    errors: list[YamlProblem] = field(default_factory=list)
    warnings: list[YamlProblem] = field(default_factory=list)


def parse(text: str) -> Parsed:
    """Parse a personality; never raises."""
    try:
        root = compose(text)
        data = data_of(root)
    except UnreadableYamlError as error:
        return Parsed(None, errors=[error.flaw])
    missing = [_absent_field_problem(root, name) for name in REQUIRED if not _is_section(root, name)]
    if missing or not isinstance(data, dict):
        return Parsed(None, errors=missing)
    for name in REQUIRED:
        data.setdefault(name, {})
    try:
        personality = Personality.model_validate(data)
    except ValidationError as error:
        flaws = error.errors()
        return Parsed(None, _without_flaws(data, flaws), [_flaw(root, detail) for detail in flaws], _warnings(root))
    return Parsed(personality, personality, warnings=_warnings(root))


def _is_section(root: yaml.MappingNode, name: str) -> bool:
    found = entry(root, name)
    return found is not None and isinstance(found[1], yaml.MappingNode)


def _absent_field_problem(root: yaml.MappingNode, name: str) -> YamlProblem:
    found = entry(root, name)
    if found is None:
        return YamlProblem(message("personality.parsing.missing", name=name), 1, 1)
    empty = isinstance(found[1], yaml.ScalarNode) and not found[1].value
    key = "personality.parsing.empty_section" if empty else "personality.parsing.no_section"
    return flaw_at(message(key, name=name), found[0].start_mark)


def _without_flaws(data: dict[str, Data], flaws: Sequence[ErrorDetails]) -> Personality:
    """The personality without wrong values, which count as not given."""
    for detail in flaws:
        section, *rest = detail["loc"]
        inside = data.get(str(section))
        if rest and isinstance(inside, dict):
            inside.pop(str(rest[0]), None)
        else:
            data.pop(str(section), None)
    identity = data.setdefault("identity", {})
    if not isinstance(identity, dict) or "name" in identity:
        return Personality.model_validate(data)
    known = Personality.model_validate({**data, "identity": {**identity, "name": "?"}})
    return known.model_copy(update={"identity": known.identity.model_copy(update={"name": ""})})


def _flaw(root: yaml.MappingNode, detail: ErrorDetails) -> YamlProblem:
    path = [part for part in detail["loc"] if isinstance(part, str | int)]
    return flaw_at(_wrong(".".join(map(str, path)), detail), _mark(root, path))


def _mark(root: yaml.MappingNode, path: Sequence[str | int]) -> yaml.Mark:
    """Where the value at ``path`` begins; if it is missing, where the name of its parent is."""
    node: Node = root
    mark = root.start_mark
    for place, part in enumerate(path):
        found = entry(node, part)
        if found is None:
            break
        key, node = found
        mark = node.start_mark if place == len(path) - 1 else key.start_mark
    return mark


def _warnings(root: yaml.MappingNode) -> list[YamlProblem]:
    flaws = [
        YamlProblem(message("personality.parsing.advised", name=name)) for name in ADVISED if entry(root, name) is None
    ]
    known = Personality.model_fields
    for key, value in root.value:
        if key.value not in known:
            flaws.append(flaw_at(message("personality.parsing.unknown", name=key.value), key.start_mark))
            continue
        fields = getattr(known[key.value].annotation, "model_fields", None)
        if fields is not None and isinstance(value, yaml.MappingNode):
            flaws += [
                flaw_at(message("personality.parsing.unknown", name=f"{key.value}.{inner.value}"), inner.start_mark)
                for inner, _ in value.value
                if inner.value not in fields
            ]
    return flaws


def _wrong(path: str, detail: ErrorDetails) -> Words:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "literal_error":
        allowed = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return message("personality.parsing.must_one", path=path, allowed=allowed)
    if kind in ("string_too_long", "too_long"):
        most = context.get("max_length", LONGEST_TEXT)
        return message("personality.parsing.too_long_most", path=path, most=most)
    known = next((begin for begin in _KINDS if kind.startswith(begin)), None)
    return message(f"personality.parsing.kinds.{known}" if known else "personality.parsing.other", path=path)


_KINDS = ("missing", "string_too_short", "string_type", "bool", "list_type", "model")
