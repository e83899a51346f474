"""Quick settings: single fields of the YAML text, read and written in place.

The text is the one thing that is kept. A quick setting replaces the characters of its own value in it, so comments,
order, layout and all other fields stay as the person wrote them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict

from core.parsed_yaml import parse_yaml
from core.personality.parsing import parse
from core.personality.reading import UNSPEAKABLE, Node, UnreadableYamlError, compose, entry
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
"""Quick settings that only a model can follow; the others bind the rules too (``core.personality.rules``)."""

_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_PLAIN = re.compile(r"[^\W\d_][\w .()'’+/-]*")


def _tidy(value: object) -> object:
    """Text without what no YAML can hold, its line breaks all alike, nothing around it."""
    if not isinstance(value, str):
        return value
    return UNSPEAKABLE.sub("", _BREAK.sub("\n", value)).replace("\t", "    ").strip()


def _one_line(value: object) -> object:
    value = _tidy(value)
    return " ".join(value.split()) if isinstance(value, str) else value


Line = Annotated[str, BeforeValidator(_one_line)]
Text = Annotated[str, BeforeValidator(_tidy)]


class QuickSettings(BaseModel):
    """What people change most; ``frequently`` is ``always_reference`` in the text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

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
    """The quick settings that a personality amounts to."""
    style, usage, behaviour = personality.communication, personality.memory_usage, personality.response_behavior
    return QuickSettings(
        name=personality.identity.name,
        role=personality.identity.role,
        background=personality.identity.background,
        tone=style.tone,
        length=style.verbosity,
        formality=style.formality,
        analogies=style.use_analogies,
        examples=style.use_examples,
        humour=style.use_humor,
        structure=personality.formatting.structure,
        citations=behaviour.citation_style,
        clarification=behaviour.clarification,
        history=usage.historical_context,
        memory_references="frequently" if usage.priority == "always_reference" else "when_relevant",
        pattern_trust=usage.pattern_trust,
        custom_instructions=personality.custom_instructions,
    )


def with_quick_settings(text: str, changes: Mapping[str, str | bool]) -> str:
    """``text`` with these quick settings changed; the very same text where they hold already or it cannot be read.

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
            text = _changed(text, path, "always_reference" if value == "frequently" else value)
    return text


def _changed(text: str, path: tuple[str, ...], value: str | bool) -> str:
    """``text`` with ``value`` at ``path``; unchanged where its layout leaves no place for it."""
    root = compose(text)
    if len(path) == 1:
        changed = _with_entry(text, root, path[0], value)
    else:
        section = entry(root, path[0])
        if section is None and root.flow_style:
            changed = _within_braces(text, root, f"{path[0]}: {{{path[1]}: {_quoted(value)}}}")
        elif section is None:
            changed = _with_line(text, root, f"{path[0]}:\n  {path[1]}: {_scalar(value, 2)}")
        elif isinstance(section[1], yaml.MappingNode):
            changed = _with_entry(text, section[1], path[1], value)
        else:
            changed = _with_first_entry(text, section, path[1], value)
    try:
        compose(changed)
    except UnreadableYamlError:
        return text
    return changed


def _with_entry(text: str, parent: yaml.MappingNode, name: str, value: str | bool) -> str:
    found = entry(parent, name)
    if found is None:
        if parent.flow_style:
            return _within_braces(text, parent, f"{name}: {_quoted(value)}")
        return _with_line(text, parent, f"{name}: {_scalar(value, parent.start_mark.column)}")
    key, node = found
    begin, end = node.start_mark.index, _end(text, node)
    written = _quoted(value) if parent.flow_style else _scalar(value, key.start_mark.column)
    gap = "" if begin and text[begin - 1] in " \n" else " "
    old, rest = text[begin:end], text[end:]
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        header = old.partition("\n")[0]
        comment = header[header.index("#") :] if "#" in header else ""
    elif "\n" in written:
        line, newline, below = rest.partition("\n")
        comment, rest = line.strip(), newline + below
    else:
        return text[:begin] + gap + written + rest
    first, newline, body = written.partition("\n")
    return text[:begin] + gap + first + (f" {comment}" if comment else "") + newline + body + rest


def _within_braces(text: str, parent: yaml.MappingNode, written: str) -> str:
    at = parent.start_mark.index + 1
    return f"{text[:at]}{written}{', ' if parent.value else ''}{text[at:]}"


def _with_line(text: str, parent: yaml.MappingNode, line: str) -> str:
    """``line`` below the last entry of a section; sections of their own stand apart."""
    at = text.find("\n", _end(text, parent))
    before, after = (text, "") if at < 0 else (text[:at], text[at:])
    apart = "\n" if parent.start_mark.column == 0 and "\n" in line else ""
    return f"{before}\n{apart}{' ' * parent.start_mark.column}{line}{after or chr(10)}"


def _with_first_entry(text: str, section: tuple[Node, Node], name: str, value: str | bool) -> str:
    """Into a section that has nothing below its name yet."""
    key, node = section
    if text[node.start_mark.index : node.end_mark.index].strip():
        begin, end = node.start_mark.index, _end(text, node)
        text = text[:begin] + text[end:]
    at = text.find("\n", key.end_mark.index)
    before, after = (text, "\n") if at < 0 else (text[:at], text[at:])
    column = key.start_mark.column + 2
    return f"{before.rstrip()}\n{' ' * column}{name}: {_scalar(value, column)}{after}"


def _end(text: str, node: Node) -> int:
    """Where the last character of a value is; the marks of blocks and of block text lie beyond what follows them."""
    if isinstance(node, yaml.ScalarNode):
        begin = node.start_mark.index
        return begin + len(text[begin : node.end_mark.index].rstrip())
    if node.flow_style or not node.value:
        return node.end_mark.index
    last = node.value[-1]
    return _end(text, last[1] if isinstance(last, tuple) else last)


def _scalar(value: str | bool, column: int) -> str:
    """``value`` as it stands after the name of an entry that begins at ``column``."""
    if isinstance(value, str) and "\n" in value:
        indent = " " * (column + 2)
        return "\n".join(["|", *(f"{indent}{line}" if line.strip() else "" for line in value.split("\n"))])
    if isinstance(value, str) and _PLAIN.fullmatch(value) and parse_yaml(value) == value:
        return value
    return _quoted(value)


def _quoted(value: str | bool) -> str:
    return json.dumps(value, ensure_ascii=False)
