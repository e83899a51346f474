"""Lets a model without tool calling use tools: the prompt describes them, and the model calls them in JSON blocks.

Messages with tool calls are converted to plain text; from the streamed answer the blocks are removed and returned as
calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import AliasChoices, BaseModel, Field, JsonValue, ValidationError

from core.models.stream import StreamedPiece, ToolCall, ToolSpec
from core.prompts.templates import Prompts

LONGEST_BLOCK = 4_000
"""Maximum number of characters held back while a block is incomplete."""
_MARK = r"```[ \t]*\w*|<tool_call>"
_OPENING = re.compile(rf'[ \t]*+(?P<mark>{_MARK})?\s*+(?P<object>\{{\s*"(?P<key>tool|name)"\s*:)')
_BEGUN = re.compile(rf'[ \t]*(?:`{{1,2}}|<[a-z_]*|(?:{_MARK})?\s*(?:\{{\s*(?:"\w{{0,4}}"?\s*)?)?)')
_DECODER = json.JSONDecoder()


class _Block(BaseModel):
    """A tool call in a JSON block. It also accepts other field names that models learned in training."""

    name: str = Field(validation_alias=AliasChoices("tool", "name"))
    arguments: dict[str, JsonValue] = Field(validation_alias=AliasChoices("arguments", "parameters"))


class _Offered(BaseModel):
    """A tool as the prompt describes it; ``arguments`` is a JSON Schema."""

    name: str
    description: str
    arguments: str


class _Result(BaseModel):
    name: str
    text: str


def description(prompts: Prompts, tools: Sequence[ToolSpec]) -> str:
    """The prompt's text about ``tools``. Raises ``PalimpsestError`` if the template cannot be used."""
    offered = [
        _Offered(
            name=each.name, description=each.description, arguments=json.dumps(each.parameters, ensure_ascii=False)
        )
        for each in tools
    ]
    return prompts.render("tools/offered", tools=offered)


def speak_of_tools(messages: Sequence[BaseMessage], tools: Sequence[ToolSpec]) -> bool:
    return bool(tools) or any(isinstance(each, ToolMessage) for each in messages)


def in_words(prompts: Prompts, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec]) -> list[BaseMessage]:
    """``messages`` with ``tools`` described at the start of the first one, where a provider's cache of prompts can keep
    them. Earlier calls become blocks; their results become user messages.

    Raises:
        PalimpsestError: a template cannot be used.
    """
    worded: list[BaseMessage] = []
    names: dict[str, str] = {}
    results: list[_Result] = []
    for each in messages:
        if isinstance(each, ToolMessage):
            results.append(_Result(name=names.get(each.tool_call_id, ""), text=each.text))
            continue
        worded += _told(prompts, results, more=True)
        results = []
        if isinstance(each, AIMessage) and each.tool_calls:
            names |= {call["id"] or "": call["name"] for call in each.tool_calls}
            blocks = [_block(call["name"], call["args"]) for call in each.tool_calls]
            worded.append(AIMessage("\n\n".join([*([each.text] if each.text else []), *blocks])))
        else:
            worded.append(each)
    worded += _told(prompts, results, more=bool(tools))
    return _with_system(worded, description(prompts, tools)) if tools else worded


def _told(prompts: Prompts, results: Sequence[_Result], *, more: bool) -> list[BaseMessage]:
    """Consecutive results are combined to one message, because many models accept only alternating user and assistant
    messages."""
    return [HumanMessage(prompts.render("tools/results", results=results, more=more))] if results else []


def _block(name: str, arguments: object) -> str:
    return f"```json\n{json.dumps({'tool': name, 'arguments': arguments}, ensure_ascii=False)}\n```"


def _with_system(messages: list[BaseMessage], text: str) -> list[BaseMessage]:
    if messages and isinstance(messages[0], SystemMessage):
        return [SystemMessage(f"{text}\n\n{messages[0].text}"), *messages[1:]]
    return [SystemMessage(text), *messages]


class BlockReader:
    """Removes tool call blocks from a stream whose pieces can have any size; ``offered``: whether another call is
    allowed.

    A block begins a line, directly or after a fence or tag, with the tool's name as its first field. A block that
    cannot be parsed is dropped together with the text after it; other JSON counts as plain text.
    """

    def __init__(self, *, offered: bool) -> None:
        self._offered = offered
        self._calls: list[ToolCall] = []
        self._held = ""
        self._line_begins = True
        self._behind_block = False

    def read(self, piece: StreamedPiece) -> Iterator[StreamedPiece]:
        """The pieces that are final after ``piece`` was read; calls come before ``usage``, which is the last piece."""
        if piece.kind == "text":
            self._held += piece.text.lstrip() if self._behind_block and not self._held else piece.text
            yield from _text(self._certain())
            return
        if piece.kind == "usage":
            yield from _text(self._certain(ended=True))
            if self._calls and self._offered:
                yield StreamedPiece("calls", calls=tuple(self._calls))
        yield piece

    def _certain(self, *, ended: bool = False) -> str:
        text = ""
        while self._held:
            start = self._possible_block(ended=ended)
            text += self._release(start)
            opening = _OPENING.match(self._held)
            if not opening or not self._held:
                break
            end = self._end(opening)
            if end is None:
                return text + self._given_up(opening, ended=ended)
            call = self._call(opening, end)
            if call is None:
                text += self._release(end)
                continue
            mark = {"`": "```", "<": "</tool_call>"}.get((opening["mark"] or "")[:1], "")
            rest = self._held[end:].lstrip()
            if len(rest) < len(mark) and not ended:
                break
            self._calls.append(call)
            self._held = rest.removeprefix(mark).lstrip()
            self._line_begins = self._behind_block = True
        return text

    def _possible_block(self, *, ended: bool) -> int:
        """Index of the first line that is a block or may become one; the end of the text if there is none."""
        starts = [each.end() for each in re.finditer("\n", self._held)]
        for start in [0, *starts] if self._line_begins else starts:
            if _OPENING.match(self._held, start) or (not ended and _BEGUN.fullmatch(self._held, start)):
                return start
        return len(self._held)

    def _release(self, end: int) -> str:
        text, self._held = self._held[:end], self._held[end:]
        if text:
            self._line_begins, self._behind_block = text.endswith("\n"), False
        return text

    def _end(self, opening: re.Match[str]) -> int | None:
        """End of the JSON object; ``None`` while it is incomplete."""
        try:
            return _DECODER.raw_decode(self._held, opening.start("object"))[1]
        except ValueError:
            return None

    def _call(self, opening: re.Match[str], end: int) -> ToolCall | None:
        try:
            block = _Block.model_validate_json(self._held[opening.start("object") : end])
        except ValidationError:
            return None
        return ToolCall(f"call-{len(self._calls)}", block.name, block.arguments)

    def _given_up(self, opening: re.Match[str], *, ended: bool) -> str:
        """The text of a JSON object that was never completed; empty while it may still be completed."""
        if not ended and len(self._held) <= LONGEST_BLOCK:
            return ""
        if opening["key"] == "tool":
            self._held = ""
        return self._release(len(self._held))


def _text(text: str) -> list[StreamedPiece]:
    return [StreamedPiece("text", text)] if text else []
