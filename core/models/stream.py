"""Streams a model's answer: text, reasoning, tokens; within its time limits, or with an error that says why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import JsonValue

from core.errors import Category, PalimpsestError
from core.language.tokens import count_tokens
from core.models.answer_forms import AnswerForm
from core.models.context_overflow import ContextOverflowError
from core.models.endpoint import RATE_LIMIT_PAUSE, Sleep
from core.models.failures import (
    Failure,
    FilteredError,
    FormRefusedError,
    Reason,
    ToolsRefusedError,
    Waits,
    detail,
    failure,
)
from core.models.meter import Usage
from core.models.think import ThinkSplitter, Voice
from core.models.unicode_repair import UnicodeRepair
from core.resilience.dependencies import Deadline

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
    from langchain_core.runnables import Runnable

RETRIED: frozenset[Category] = frozenset({"rate_limit", "connection"})
"""Number of attempts after a lost connection. A server may have closed a connection that was kept open; the second
attempt opens a new one. A timeout is not retried: a slow server would start again from the beginning, and one that
hangs would take twice the time."""
_TELL_THE_END = ("openai", "anthropic", "mistral", "cohere")
"""Clients whose streams mark the end of an answer; if the mark is missing, the answer was cut off."""
MOST_CHARACTERS = 8
"""Maximum number of characters per token of the limit that is sent; longer answers are cut (docs/specification.md,
"Budget")."""
USUAL_LIMIT = 32_768
"""Tokens assumed as the limit if none is sent."""


@dataclass(frozen=True)
class ToolSpec:
    """A tool's description for a model; ``parameters`` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, JsonValue]

    @property
    def tokens(self) -> int:
        return count_tokens(json.dumps(self.bound()))

    def bound(self) -> dict[str, JsonValue]:
        """The tool in the format that all of LangChain's clients accept."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": self.parameters},
        }


@dataclass(frozen=True)
class ToolCall:
    """A tool call; ``arguments`` as the model gave them, not validated."""

    id: str
    name: str
    arguments: dict[str, JsonValue]


@dataclass(frozen=True)
class StreamedPiece:
    """A piece of an answer: ``text`` and ``reasoning`` as they come, then ``calls`` if the model wants tools, then
    ``usage``.

    ``counted``: the tokens are our own count, because the provider reported none. ``cut_off``: the answer ended at the
    model's token limit.
    """

    kind: Literal["text", "reasoning", "calls", "usage"]
    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    counted: bool = False
    cut_off: bool = False
    calls: tuple[ToolCall, ...] = ()


_ERRORS: dict[Reason | None, type[PalimpsestError]] = {
    "too_long": ContextOverflowError, "no_tools": ToolsRefusedError,
}  # fmt: skip
_MAYBE_FORM: tuple[Reason | None, ...] = ("refused", "no_tools", None)
_REFUSALS: tuple[Category, ...] = ("validation", "server")
"""A refusal for one of these reasons, in one of these categories, may be due to the form of the answer."""
_FILTERS = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "prohibited_content", "blocklist", "error_toxic"}
)
"""Finish reasons that providers report for an answer that their filter stopped, or that the model declined."""


class _BrokenStreamError(ConnectionError):
    """The stream ended without a sign that the answer is complete."""


async def stream_answer(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    deadline: Deadline,
    first_token: float = 30.0,
    sleep: Sleep = asyncio.sleep,
    spent: Callable[[Usage], None] = lambda usage: None,
    tools: Sequence[ToolSpec] = (),
    most_tokens: int | None = None,
    silence: float = 30.0,
    form: AnswerForm | None = None,
) -> AsyncGenerator[StreamedPiece, None]:
    """Streams the answer of ``model``; ``first_token`` and ``silence`` (between two pieces) in seconds.

    Retried once after a lost connection, and after a rate limit with a pause of a second, but only if nothing was
    yielded yet. Close it (``contextlib.aclosing``) when leaving early. ``form``: the service is asked for such JSON.
    ``spent`` gets the tokens of every attempt that the service accepted, including a failed or abandoned one's.

    Raises:
        ContextOverflowError: the prompt is longer than its window.
        ToolsRefusedError: the service accepts no tools for this model.
        FormRefusedError: the service refused a request with ``form``.
        PalimpsestError: the model refused, failed, was too slow, or stopped in the middle of the answer.
    """
    waits = Waits(deadline, first_token, silence)
    for last in (False, True):
        given = False
        tally = _Tally(messages)
        try:
            prepared = _prepared(model, tools, most_tokens, form)
            async with aclosing(_attempt(prepared, messages, waits, tally)) as pieces:
                async for piece in pieces:
                    given = True
                    yield piece
            return
        except PalimpsestError:
            tally.refused = True
            raise
        except Exception as error:
            cause = failure(error, given=given, waits=waits, with_tools=bool(tools))
            category = cause.category
            tally.refused = not tally.heard and category != "timeout"
            if given or last or category not in RETRIED:
                raise _kind(cause, form)(cause.problem(), detail(error, model)) from None
        finally:
            if not tally.refused:
                spent(tally.usage())
        if category == "rate_limit":
            await sleep(RATE_LIMIT_PAUSE)


def _kind(cause: Failure, form: AnswerForm | None) -> type[PalimpsestError]:
    """The error to raise, without the provider's own text, which may contain the key. The form may be the reason of a
    refusal."""
    if form is not None and not cause.given and cause.reason in _MAYBE_FORM and cause.category in _REFUSALS:
        return FormRefusedError
    return _ERRORS.get(cause.reason, PalimpsestError)


async def _attempt(
    asked: _Prepared, messages: Sequence[BaseMessage], waits: Waits, tally: _Tally
) -> AsyncGenerator[StreamedPiece, None]:
    voices = _Voices(asked.most_characters)
    stream = cast("AsyncGenerator[AIMessageChunk, None]", asked.model.astream(list(messages), **asked.options))
    async with aclosing(stream) as chunks:
        async for chunk in _in_time(chunks, waits):
            tally.read(chunk)
            for kind, text in voices.of(chunk):
                tally.said.append(text)
                yield StreamedPiece(kind, text)
            if voices.full:
                tally.cut()
                break
    if tally.filtered:
        raise FilteredError(tally.filtered)
    if not tally.finished and asked.says_when_finished:
        raise _BrokenStreamError
    for kind, text in voices.finish():
        tally.said.append(text)
        yield StreamedPiece(kind, text)
    if tally.calls:
        yield StreamedPiece("calls", calls=tally.calls)
    yield await asyncio.to_thread(tally.piece)


@dataclass(frozen=True)
class _Prepared:
    """A model with the options that its client needs."""

    model: Runnable[LanguageModelInput, AIMessage]
    options: dict[str, Any]
    says_when_finished: bool
    most_characters: int


def _prepared(
    model: BaseChatModel, tools: Sequence[ToolSpec], most_tokens: int | None, form: AnswerForm | None
) -> _Prepared:
    kind = model._llm_type
    options: dict[str, Any] = {"max_tokens": most_tokens} if most_tokens else {}
    options |= form.options(kind) if form else {}
    asked: Runnable[LanguageModelInput, AIMessage] = model
    if kind.startswith("cohere"):
        # This client retries refused requests itself, and its bind_tools accepts no schema, although its service does.
        options["request_options"] = {"max_retries": 0}
        if tools:
            options["tools"] = [tool.bound() for tool in tools]
    elif tools:
        asked = model.bind_tools([tool.bound() for tool in tools])
    most_characters = MOST_CHARACTERS * (most_tokens or USUAL_LIMIT)
    return _Prepared(asked, options, kind.startswith(_TELL_THE_END), most_characters)


async def _in_time(chunks: AsyncIterator[AIMessageChunk], waits: Waits) -> AsyncGenerator[AIMessageChunk, None]:
    """The chunks, within the time limits. The first chunk may contain only the role and come immediately, so the model
    counts as answering only after its first text or its second chunk."""
    first = Deadline(waits.first_token)
    count, alive = 0, False
    while True:
        async with asyncio.timeout(waits.total.slice(waits.silence if alive else first.remaining())):
            chunk = await anext(chunks, None)
        if chunk is None:
            return
        count += 1
        alive = alive or count > 1 or bool(chunk.content)
        yield chunk


class _Tally:
    """Collects what the chunks of one attempt report besides text; ``refused``: the service did no work."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self.said: list[str] = []
        self.finished = False
        self.heard = False
        self.refused = False
        self._messages = messages
        self.filtered = ""
        self._cut_off = False
        self._told = Usage()
        self._counted: Usage | None = None
        self._calling: AIMessageChunk | None = None

    def read(self, chunk: AIMessageChunk) -> None:
        self.heard = True
        if chunk.tool_call_chunks:
            self._calling = chunk if self._calling is None else self._calling + chunk
        reason = chunk.response_metadata.get("finish_reason") or chunk.response_metadata.get("stop_reason")
        self.finished = self.finished or bool(reason)
        if declined := chunk.additional_kwargs.get("refusal"):
            self.filtered += str(declined)
        elif str(reason).lower() in _FILTERS:
            self.filtered = self.filtered or str(reason)
        self._cut_off = self._cut_off or str(reason).lower() in ("length", "max_tokens")
        if chunk.usage_metadata:
            self._told += Usage(chunk.usage_metadata["input_tokens"], chunk.usage_metadata["output_tokens"])

    def cut(self) -> None:
        """Mark the answer as longer than allowed; the rest is not read."""
        self.finished = self._cut_off = True

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls whose arguments could be parsed."""
        calls = self._calling.tool_calls if self._calling else []
        return tuple(
            ToolCall(call["id"] or f"call-{number}", call["name"], call["args"]) for number, call in enumerate(calls)
        )

    def usage(self) -> Usage:
        """The provider's count; our own count if it reported none."""
        if self._told != Usage():
            return self._told
        if self._counted is None:
            tokens_in = sum(count_tokens(message.text) for message in self._messages)
            self._counted = Usage(tokens_in, count_tokens("".join(self.said)))
        return self._counted

    def piece(self) -> StreamedPiece:
        used = self.usage()
        counted = self._told == Usage()
        return StreamedPiece(
            "usage", tokens_in=used.tokens_in, tokens_out=used.tokens_out, counted=counted, cut_off=self._cut_off
        )


class _Voices:
    """Separates the chunks into text and reasoning, as valid Unicode, up to ``room`` characters."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._splitter = ThinkSplitter()
        self._repairs: dict[Voice, UnicodeRepair] = {"text": UnicodeRepair(), "reasoning": UnicodeRepair()}

    @property
    def full(self) -> bool:
        return self._room <= 0

    def of(self, chunk: AIMessageChunk) -> Iterator[tuple[Voice, str]]:
        for voice, piece in _contents(chunk):
            text = self._repairs[voice].feed(piece)[: max(self._room, 0)]
            self._room -= len(text)
            yield from self._splitter.feed(text) if voice == "text" else [(voice, text)]

    def finish(self) -> list[tuple[Voice, str]]:
        return [*self._splitter.feed(self._repairs["text"].finish()), *self._splitter.finish()]


def _contents(chunk: AIMessageChunk) -> Iterator[tuple[Voice, str]]:
    if thought := chunk.additional_kwargs.get("reasoning_content"):
        yield "reasoning", thought
    for block in chunk.content_blocks:
        if block["type"] == "text":
            yield "text", block["text"]
        elif block["type"] == "reasoning":
            # Cohere's client gives the reasoning as a summary in pieces.
            summary = cast("list[dict[str, str]]", block.get("summary") or [])
            yield "reasoning", block.get("reasoning", "") or "".join(part["text"] for part in summary)
