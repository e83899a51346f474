"""Tests a model: whether it answers, streams, calls tools, gives JSON, and writes each language.

Each check is one short request. The first check runs while no other runs, so that its time to the first token is
correct.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from functools import partial

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel

from core.errors import PalimpsestError, Problem
from core.language.detection import document_language
from core.models.answer_forms import form_of
from core.models.chat import ChatModels, ToolSpec
from core.models.structured import parse_json
from core.models.think import split_thinking
from core.prompts.templates import Prompts
from core.resilience.dependencies import Deadline
from core.settings import Settings
from core.words import LANGUAGES, Language

SECONDS = 60.0
"""Timeout of one request in seconds; a server that loads its model for the first answer needs about that long."""
_WEATHER = ToolSpec(
    "get_weather",
    "The weather of a city now.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)


class _City(BaseModel):
    city: str


class Check(BaseModel):
    """One check: answers, streams, tools, JSON or a language; ``works`` is ``None`` if it could not be tested."""

    name: str
    works: bool | None


class Trial(BaseModel):
    """A test's results. ``first_token`` is the time to the first token in seconds; ``problem`` says why some or all
    checks could not run."""

    model: str
    checks: list[Check]
    first_token: float | None = None
    problem: Problem | None = None


class _Answer(BaseModel):
    text: str = ""
    pieces: int = 0
    tools: list[str] = []
    first: float | None = None


async def try_model(settings: Settings, model_id: str | None = None, seconds: float = SECONDS) -> Trial:
    """Test the model of ``settings``, or another configured one. Errors of the model or its server are never raised.

    Raises:
        PalimpsestError: no model is configured, or ``model_id`` is not one of the configured models.
    """
    models = ChatModels(settings)
    try:
        return await _Trying(models, settings, models.resolve(model_id), seconds).trial()
    finally:
        await models.close()


class _Trying:
    def __init__(self, models: ChatModels, settings: Settings, model_id: str, seconds: float) -> None:
        self._models = models
        self._prompts = Prompts(settings.folder / "prompts")
        self._model_id = model_id
        self._seconds = seconds
        self._problem: Problem | None = None

    async def trial(self) -> Trial:
        await self._import_client()
        first = await self._ask("answer")
        if first is None:
            names = ("answers", "streams", "tools", "json", *LANGUAGES)
            checks = [Check(name=name, works=False if name == "answers" else None) for name in names]
            return Trial(model=self._model_id, checks=checks, problem=self._problem)
        checks = [
            Check(name="answers", works=bool(first.text.strip())),
            Check(name="streams", works=first.pieces > 1),
            *await asyncio.gather(
                self._check("tools", "tool", lambda answer: _WEATHER.name in answer.tools),
                self._check("json", "json", lambda answer: parse_json(answer.text, _City) is not None),
                *(self._check(each, "language", partial(_is_in, each), language=each) for each in LANGUAGES),
            ),
        ]
        return Trial(model=self._model_id, checks=checks, first_token=first.first, problem=self._problem)

    async def _import_client(self) -> None:
        """Import the client before the time is measured; if that fails, the first request reports why."""
        with suppress(PalimpsestError):
            await asyncio.to_thread(self._models.get, self._model_id, "inquire")

    async def _check(self, name: str, prompt: str, passes: Callable[[_Answer], bool], **values: str) -> Check:
        answer = await self._ask(prompt, **values)
        return Check(name=name, works=passes(answer) if answer else None)

    async def _ask(self, prompt: str, **values: str) -> _Answer | None:
        """The model's answer; ``None`` if it did not answer, in which case the reason is stored."""
        messages: list[BaseMessage] = [HumanMessage(self._prompts.render(f"trial/{prompt}", **values))]
        tools = [_WEATHER] if prompt == "tool" else []
        form = form_of(_City) if prompt == "json" else None
        began, answer = time.monotonic(), _Answer()
        asking = self._models.stream(self._model_id, messages, deadline=Deadline(self._seconds), tools=tools, form=form)
        try:
            async with aclosing(asking) as pieces:
                async for piece in pieces:
                    if piece.kind == "text":
                        answer.first = answer.first or time.monotonic() - began
                        answer.text, answer.pieces = answer.text + piece.text, answer.pieces + 1
                    answer.tools += [call.name for call in piece.calls]
        except PalimpsestError as error:
            self._problem = self._problem or error.problem
            return None
        answer.text = split_thinking(answer.text)[0]
        return answer


def _is_in(language: Language, answer: _Answer) -> bool:
    return any(each.isalpha() for each in answer.text) and document_language(answer.text) == language
