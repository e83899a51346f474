"""What is known of a tool before it is called: one YAML file, or a server's own description -> its definition."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from core.errors import Category
from core.words import Words

LatencyTier = Literal["fast", "medium", "slow", "very_slow"]
Kind = Literal["string", "integer", "number", "boolean", "array", "object", "any"]


class _Part(BaseModel, frozen=True, extra="forbid"):
    """Never changed, and nothing in it that is not named here."""


class Parameter(_Part):
    """One argument; ``aliases`` are other names under which models send it."""

    name: str
    kind: Kind = "string"
    description: str = ""
    aliases: list[str] = []
    required: bool = False
    default: JsonValue = None
    choices: list[JsonValue] = []
    minimum: float | None = None
    maximum: float | None = None


class Latency(_Part):
    """Seconds: what a call usually takes, may take at most (the tier's when unset), and takes before one is told."""

    tier: LatencyTier = "medium"
    typical: float = 5.0
    timeout: float | None = None
    feedback_delay: float = 1.0


class Response(_Part):
    """Tokens of a result, and whether a longer one is summarised rather than cut to whole parts."""

    typical_tokens: int = 1_500
    most_tokens: int = 10_000
    structured: bool = True
    summarize: bool = False


class ToolMessages(_Part):
    """What people read while it runs, when it found nothing, how to ask better, and when it failed."""

    progress: Words
    none_found: Words
    suggestion: Words
    failure: Words


class IntentSignal(_Part):
    """Regular expressions (any language, case ignored) whose match adds ``weight``; ``exclusive``: nothing else is
    offered then."""

    patterns: list[str]
    weight: float = Field(100, ge=0, le=100)
    exclusive: bool = False


class Effects(_Part):
    """What a call may do. What is not known counts as done: such a call is asked about before it is made."""

    reads_only: bool = False
    deletes: bool = True
    sends: bool = True
    spends: bool = True

    @property
    def harmless(self) -> bool:
        """It changes nothing and costs nothing."""
        return self.reads_only and not (self.deletes or self.spends)


class ToolDefinition(_Part):
    """Everything but the code that runs it (docs/specification.md, "Tools")."""

    name: str
    variants: list[str] = []
    """Regular expressions of other spellings of the name."""
    server: str
    category: str
    title: Words
    description: str
    """As a model reads it; of a tool of ours people read ``tools.about`` and ``tools.argument_hints``."""
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
    """What to do about a failure, where it is another thing than of other tools."""
    effects: Effects = Effects()
    json_schema: dict[str, JsonValue] | None = None
    """A server's own schema of the arguments, where it has one."""
