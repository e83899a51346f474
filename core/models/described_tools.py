"""Tools for a model that cannot call them by itself: *messages, tools* → messages that describe them in words, and
*its streamed text* → the text without the JSON blocks in which it asks for them."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import AliasChoices, BaseModel, Field, JsonValue, ValidationError

from core.ids import new_id
from core.models.stream import StreamedPiece, ToolCall, ToolSpec
from core.prompts.templates import Prompts

LONGEST_BLOCK = 4_000
"""Characters that are held back for a block that does not end; what is longer is the answer's own JSON."""
_OPENING = re.compile(r"^[ \t]*(?:(?:```[ \t]*(?:json|tool_call)?|<tool_call>)\s*)?(?=\{)", re.MULTILINE)
_MAY_OPEN = re.compile(r"^[ \t]*(?:`{1,2}|```[ \t]*[a-z_]*|<[a-z_]*|(?:```[ \t]*(?:json|tool_call)?|<tool_call>)\s*)?\Z", re.MULTILINE)
_CLOSING = re.compile(r"\s*(?:```|</tool_call>)?\s*")
_ASKS = re.compile(r'\{\s*"(?:tool|name)"\s*:')


class _Block(BaseModel):
    """Models that were taught another form keep its names."""

    name: str = Field(validation_alias=AliasChoices("tool", "name"))
    arguments: dict[str, JsonValue] = Field(validation_alias=AliasChoices("arguments", "parameters"))
