"""Quick settings: single fields of the YAML text, read and written in place [spec V2].

The text is the one thing that is kept. A quick setting changes its own field in it, and comments, order and all
other fields stay as the person wrote them.
"""

from __future__ import annotations

from io import StringIO
from typing import Literal

from pydantic import BaseModel
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.scalarstring import LiteralScalarString

from core.personality.parsing import parse, round_trip
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
    "memory_references": ("memory_usage", "priority"),
    "pattern_trust": ("memory_usage", "pattern_trust"),
    "custom_instructions": ("custom_instructions",),
}


class QuickSettings(BaseModel):
    """What people change most; ``frequently`` is ``always_reference`` in the text."""

    name: str
    role: str
    background: str
    tone: Literal["warm", "professional", "direct", "enthusiastic"]
    length: Literal["concise", "balanced", "detailed"]
    formality: Literal["casual", "professional", "formal"]
    analogies: bool
    examples: bool
    humour: bool
    memory_references: Literal["when_relevant", "frequently"]
    pattern_trust: Literal["balanced", "heavily_favor"]
    custom_instructions: str


def quick_settings(personality: Personality) -> QuickSettings:
    """The quick settings that a personality amounts to."""
    style, usage = personality.communication, personality.memory_usage
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
        memory_references="frequently" if usage.priority == "always_reference" else "when_relevant",
        pattern_trust=usage.pattern_trust,
        custom_instructions=personality.custom_instructions,
    )


def with_quick_setting(text: str, name: str, value: str | bool) -> str:
    """``text`` with one quick setting changed; the very same text when it has that value already, or has errors.

    Raises:
        KeyError: there is no quick setting of that name.
    """
    path = FIELDS[name]
    parsed = parse(text)
    if parsed.personality is None or getattr(quick_settings(parsed.personality), name) == value:
        return text
    yaml = round_trip()
    data = yaml.load(StringIO(text))
    target = data
    for part in path[:-1]:
        if not isinstance(target.get(part), CommentedMap):
            target[part] = CommentedMap()
        target = target[part]
    target[path[-1]] = _written(name, value)
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def _written(name: str, value: str | bool) -> object:
    if name == "memory_references":
        return "always_reference" if value == "frequently" else value
    if isinstance(value, str) and "\n" in value:
        return LiteralScalarString(value.rstrip("\n") + "\n")
    return value
