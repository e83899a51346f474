"""Reads and changes quick settings, which are single fields of the YAML text.

Only the text is stored. A quick setting changes its value in it; comments, order, quotes and all other fields stay as
the user wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import reduce
from io import StringIO
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

from core.personality.parsing import parse
from core.personality.reading import LONGEST, UNSPEAKABLE, UnreadableYamlError, compose
from core.personality.schema import Personality

FIELDS: dict[str, tuple[str, ...]] = {
    "name": ("identity", "name"),
    "role": ("identity", "role"),
    "background": ("identity", "background"),
    "tone": ("communication", "tone"),
    "length": ("communication", "verbosity"),
    "formality": ("communication", "formality"),
    "analogies": ("communication", "use_analogies"),
    "examples": ("communication", "use_examples"),
    "humour": ("communication", "use_humor"),
    "structure": ("formatting", "structure"),
    "citations": ("response_behavior", "citation_style"),
    "clarification": ("response_behavior", "clarification"),
    "history": ("memory_usage", "historical_context"),
    "memory_references": ("memory_usage", "priority"),
    "pattern_trust": ("memory_usage", "pattern_trust"),
    "custom_instructions": ("custom_instructions",),
}

NEED_A_MODEL = (
    "role",
    "background",
    "tone",
    "formality",
    "analogies",
    "examples",
    "humour",
    "memory_references",
    "pattern_trust",
    "custom_instructions",
)
"""Quick settings that only a model can follow; the others also affect the rules (``core.personality.rules``)."""

_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")


def _tidy(value: object) -> object:
    """The text without characters that YAML cannot hold, with uniform line breaks and no surrounding white space."""
    if not isinstance(value, str):
        return value
    return UNSPEAKABLE.sub("", _BREAK.sub("\n", value)).replace("\t", "    ").strip()


def _one_line(value: object) -> object:
    value = _tidy(value)
    return " ".join(value.split()) if isinstance(value, str) else value


Line = Annotated[str, BeforeValidator(_one_line)]
Text = Annotated[str, BeforeValidator(_tidy)]


class QuickSettings(BaseModel, extra="forbid", frozen=True):
    """The fields that users change most; ``frequently`` is ``always_reference`` in the text."""

    name: Line
    role: Line
    background: Text
    tone: Literal["warm", "professional", "direct", "enthusiastic"]
    length: Literal["concise", "balanced", "detailed"]
    formality: Literal["casual", "professional", "formal"]
    analogies: bool
    examples: bool
    humour: bool
    structure: Literal["mixed", "bullets"]
    citations: Literal["always_cite", "cite_patterns", "conversational"]
    clarification: Literal["ask_questions", "make_assumptions"]
    history: Literal["reference_past", "current_only"]
    memory_references: Literal["when_relevant", "frequently"]
    pattern_trust: Literal["balanced", "heavily_favor"]
    custom_instructions: Text


def quick_settings(personality: Personality) -> QuickSettings:
    """A personality's quick settings."""
    found = {name: reduce(getattr, path, personality) for name, path in FIELDS.items()}
    frequent = personality.memory_usage.priority == "always_reference"
    return QuickSettings.model_validate({**found, "memory_references": "frequently" if frequent else "when_relevant"})


def with_quick_settings(text: str, changes: Mapping[str, str | bool]) -> str:
    """``text`` with these quick settings changed; unchanged if they already apply or the text cannot be parsed.

    Raises:
        ValueError: there is no such quick setting, or it cannot have that value.
    """
    draft = parse(text).draft
    if draft is None:
        return text
    before = quick_settings(draft)
    after = QuickSettings.model_validate({**before.model_dump(), **changes})
    for name, path in FIELDS.items():
        value = getattr(after, name)
        if value != getattr(before, name):
            text = _yaml_with_value(text, path, "always_reference" if value == "frequently" else value)
    return text


def _yaml_with_value(text: str, path: tuple[str, ...], value: str | bool) -> str:
    """``text`` with ``value`` at ``path``; unchanged if its layout does not allow the value there."""
    editor = YAML()
    editor.preserve_quotes = True
    editor.width = LONGEST
    editor.map_indent, editor.sequence_indent, editor.sequence_dash_offset = _indents(text)
    try:
        root = editor.load(text)
        section = root
        for name in path[:-1]:
            if not isinstance(section.get(name), dict):
                section[name] = CommentedMap()
            section = section[name]
        new = _scalar(value, in_braces=any(each.fa.flow_style() for each in (root, section)))
        if path[-1] in section or section is root:
            section[path[-1]] = new
        else:
            section.insert(0, path[-1], new)  # a comment after the last entry may belong to the next section
        written = StringIO()
        editor.dump(root, written)
        compose(written.getvalue())
    except (YAMLError, UnreadableYamlError, ValueError):
        return text
    return written.getvalue()


_SIGNS = frozenset(":?")
"""Characters that the editor writes unquoted inside braces but the parser reads as syntax."""


def _scalar(value: str | bool, in_braces: bool) -> str | bool:
    if not isinstance(value, str):
        return value
    written: str = value
    if in_braces and set(value) & _SIGNS:
        written = DoubleQuotedScalarString(value)
    elif "\n" in value:
        written = LiteralScalarString(value)
    return written


def _indents(text: str) -> tuple[int, int, int]:
    """Indentation of sections, of list items and of their dashes, by the first one found."""
    section = re.search(
        r"^[^\s#-].{0,500}:[ ]*+(?:#.{0,500})?\n(?:[^\S\n]*+(?:#.*)?\n)*+( +)[^\s#-]", text, re.MULTILINE
    )
    item = re.search(r"^( *)[^\s#-][^\n]{0,500}:[ ]*+(?:#.{0,500})?\n( *)-( +)", text, re.MULTILINE)
    dash = len(item[2]) - len(item[1]) if item else 2
    return len(section[1]) if section else 2, dash + 1 + len(item[3]) if item else 4, dash
