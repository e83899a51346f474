"""Reads tool definitions from YAML files, one per tool: the built-in ones in this package, the user's own in the data
directory.

A user's file can override parts of any tool's definition: its title, its signals, its messages, its fallbacks.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml
from pydantic import JsonValue, TypeAdapter, ValidationError

from core.parsed_yaml import parse_yaml
from core.tools.definition import ToolDefinition

log = logging.getLogger(__name__)

OURS = Path(__file__).parent / "definitions"
OwnDefinition = dict[str, JsonValue]
"""Part of a definition, with the name of the tool it overrides."""
_MAPPING = TypeAdapter(OwnDefinition)


@cache
def our_definitions() -> Mapping[str, ToolDefinition]:
    """All built-in definitions, by name. Raises ``ValidationError`` for an incomplete file."""
    found = (ToolDefinition.model_validate(parse_yaml(each.read_text("utf-8"))) for each in sorted(OURS.glob("*.yaml")))
    return {each.name: each for each in found}


def definition_of(name: str) -> ToolDefinition:
    """A built-in tool's definition. Raises ``KeyError`` for an unknown tool."""
    return our_definitions()[name]


class OwnDefinitions:
    """Reads definitions from a user's ``folder``; an invalid file is ignored, and logged once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Path, tuple[int, OwnDefinition | None]] = {}

    def read(self) -> list[OwnDefinition]:
        """The current content of all files; a file is read again when it has changed."""
        if not self._folder.is_dir():
            return []
        return [each for path in sorted(self._folder.glob("*.yaml")) if (each := self._of_file(path)) is not None]

    def _of_file(self, path: Path) -> OwnDefinition | None:
        changed = path.stat().st_mtime_ns
        known = self._known.get(path)
        if known is None or known[0] != changed:
            known = self._known[path] = (changed, _content(path))
        return known[1]


def laid_over(definition: ToolDefinition, files: Sequence[OwnDefinition]) -> ToolDefinition:
    """``definition`` with the overrides from a file that has the same ``name`` (and the same ``server``, if the file
    names one)."""
    for said in files:
        if said.get("name") == definition.name and said.get("server", definition.server) == definition.server:
            try:
                return ToolDefinition.model_validate({**definition.model_dump(), **said})
            except ValidationError as error:
                log.warning("what a file says of the tool %s cannot be used: %s", definition.name, error)
    return definition


def _content(path: Path) -> OwnDefinition | None:
    try:
        return _MAPPING.validate_python(parse_yaml(path.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        log.warning("the file %s says nothing of a tool: %s", path.name, error)
        return None
