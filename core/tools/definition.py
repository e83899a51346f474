"""Defines a tool's description, read from a YAML file or from a server's own description."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from core.errors import Category
from core.words import Words

LatencyTier = Literal["fast", "medium", "slow", "very_slow"]
Kind = Literal["string", "integer", "number", "boolean", "array", "object", "any"]


class _Part(BaseModel, frozen=True, extra="forbid"):
    """Base of the immutable parts of a definition; unknown fields are refused."""


class Parameter(_Part):
    """One argument; ``aliases`` are other names that models use for it. ``items`` is the JSON Schema of the items of an
    array; text if not set."""

    name: str
    kind: Kind = "string"
    description: str = ""
    aliases: list[str] = []
    required: bool = False
    default: JsonValue = None
    choices: list[JsonValue] = []
    minimum: float | None = None
    maximum: float | None = None
    items: dict[str, JsonValue] | None = None


class Latency(_Part):
    """Times in seconds: a call's usual duration, its timeout (the tier's if not set), and the delay before progress is
    shown."""

    tier: LatencyTier = "medium"
    typical: float = 5.0
    timeout: float | None = None
    feedback_delay: float = 1.0


class Response(_Part):
    """A result's maximum number of tokens, and whether a longer result is summarised or cut to whole parts."""

    typical_tokens: int = 1_500
    most_tokens: int = 10_000
    structured: bool = True
    summarize: bool = False


class ToolMessages(_Part):
    """Texts for users: while the tool runs, when it found nothing, how to ask better, and when it failed."""

    progress: Words
    none_found: Words
    suggestion: Words
    failure: Words


class IntentSignal(_Part):
    """Regular expressions (any language, case ignored); a question that matches adds ``weight`` to the tool's score.
    ``exclusive``: only this tool is offered then."""

    patterns: list[str]
    weight: float = Field(100, ge=0, le=100)
    exclusive: bool = False


class Effects(_Part):
    """The effects that a call may have. Unknown effects are assumed, so that consent is asked before such a call."""

    reads_only: bool = False
    deletes: bool = True
    sends: bool = True
    spends: bool = True

    @property
    def harmless(self) -> bool:
        """Whether it changes nothing and costs nothing."""
        return self.reads_only and not (self.deletes or self.spends)


class ToolDefinition(_Part):
    """All data of a tool except the code that runs it (docs/specification.md, "Tools")."""

    name: str
    variants: list[str] = []
    """Regular expressions for other spellings of the name."""
    server: str
    category: str
    title: Words
    description: str
    """The text for a model; for built-in tools, users read ``tools.about`` and ``tools.argument_hints``."""
    parameters: list[Parameter] = []
    priority: int = Field(50, ge=0, le=100)
    fallbacks: list[str] = []
    conflicts: list[str] = []
    complements: list[str] = []
    latency: Latency = Latency()
    response: Response = Response()
    messages: ToolMessages
    signals: list[IntentSignal] = []
    hints: dict[Category, Words] = {}
    """Advice on what to do about a failure, if it differs from other tools."""
    effects: Effects = Effects()
    json_schema: dict[str, JsonValue] | None = None
    """A server's own JSON schema of the arguments, if it has one."""


def schema_of(parameters: Sequence[Parameter]) -> dict[str, JsonValue]:
    """Returns the JSON Schema of a tool's arguments."""
    properties: dict[str, JsonValue] = {each.name: _property(each) for each in parameters}
    required: list[JsonValue] = [each.name for each in parameters if each.required]
    return {"type": "object", "properties": properties, "required": required}


def _property(parameter: Parameter) -> dict[str, JsonValue]:
    described: dict[str, JsonValue] = {} if parameter.kind == "any" else {"type": parameter.kind}
    if parameter.kind == "array":
        described["items"] = parameter.items or {"type": "string"}
    further: dict[str, JsonValue] = {
        "description": parameter.description or None,
        "enum": parameter.choices or None,
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
        "default": parameter.default,
    }
    return {**described, **{name: value for name, value in further.items() if value is not None}}
