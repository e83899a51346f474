"""Asks a model for a text, or for JSON that fits a schema."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, RootModel, ValidationError

from core.messages import message
from core.models.answer_forms import LISTED, AnswerForm, form_of
from core.models.chat import ChatModels, Purpose
from core.models.meter import Usage
from core.models.think import split_thinking
from core.words import LANGUAGES

log = logging.getLogger(__name__)

Schema = TypeVar("Schema", bound=BaseModel)

_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
AGAIN = " ".join(message("models.again").to(language) for language in LANGUAGES)
"""Sent to a model whose answer had the wrong form. It is in every language, because the model's best language is
unknown."""


@dataclass(frozen=True)
class Written:
    """A model's text, without its thinking."""

    text: str
    usage: Usage = field(default_factory=Usage)


class TextModel(Protocol):
    """Anything that answers messages with text."""

    async def write(self, messages: Sequence[BaseMessage]) -> Written: ...


Say = Callable[[str], None]
"""Receives each piece of a text while a model writes it."""


@runtime_checkable
class FormedModel(TextModel, Protocol):
    """A model whose service can be asked for JSON of a given form."""

    def in_form(self, schema: type[BaseModel]) -> TextModel: ...


class PurposeModel:
    """A chat model with a fixed purpose."""

    def __init__(
        self,
        models: ChatModels,
        model_id: str | None,
        purpose: Purpose,
        say: Say | None = None,
        form: AnswerForm | None = None,
    ) -> None:
        self._models = models
        self._model_id = model_id
        self._purpose = purpose
        self._say = say
        self._form = form

    def streamed(self, say: Say) -> PurposeModel:
        """The same model, which also passes each piece of its text to ``say`` while it writes."""
        return PurposeModel(self._models, self._model_id, self._purpose, say, self._form)

    def in_form(self, schema: type[BaseModel]) -> PurposeModel:
        """The same model, whose service is asked for JSON that fits ``schema`` if it can do so."""
        return PurposeModel(self._models, self._model_id, self._purpose, self._say, form_of(schema))

    def configured(self) -> bool:
        """Whether a model is available now; settings may change."""
        return self._models.configured

    @property
    def id(self) -> str:
        """``provider:name`` of the model for this purpose. Raises ``PalimpsestError`` when there is none."""
        return self._models.of(self._model_id, self._purpose)

    async def window(self) -> int:
        """Tokens of the context window. Raises ``PalimpsestError`` when there is no such model."""
        return (await self._models.capabilities(self._model_id, self._purpose)).window

    async def ready(self) -> None:
        """Import and make its client now, so that the first call does not wait for it. Raises ``PalimpsestError``."""
        await asyncio.to_thread(self._models.get, self._model_id, self._purpose)

    async def pieces(self, messages: Sequence[BaseMessage]) -> AsyncGenerator[str, None]:
        """The text as it comes, without thinking; close it when leaving early. Raises ``PalimpsestError``."""
        async with aclosing(self._models.stream(self._model_id, messages, self._purpose, form=self._form)) as pieces:
            async for piece in pieces:
                if piece.kind == "text":
                    yield piece.text

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        """Raises ``PalimpsestError`` when the model fails."""
        text, usage = "", Usage()
        async with aclosing(self._models.stream(self._model_id, messages, self._purpose, form=self._form)) as pieces:
            async for piece in pieces:
                if piece.kind == "text":
                    text += piece.text
                    if self._say:
                        self._say(piece.text)
                elif piece.kind == "usage":
                    usage = Usage(piece.tokens_in, piece.tokens_out)
        return Written(text, usage)


@dataclass(frozen=True)
class Prompt:
    """A prompt: ``system`` holds the rules, ``user`` the text they apply to; ``system`` is ``None``
    if both are in one."""

    system: str | None
    user: str

    def messages(self) -> list[BaseMessage]:
        rules = [SystemMessage(self.system)] if self.system else []
        return [*rules, HumanMessage(self.user)]


async def ask_text(model: TextModel, prompt: Prompt) -> Written:
    written = await model.write(prompt.messages())
    return Written(split_thinking(written.text)[0].strip(), written.usage)


async def ask_json(model: TextModel, prompt: Prompt, schema: type[Schema]) -> tuple[Schema | None, Usage]:
    """The answer as ``schema``, requested a second time if it does not fit; ``None`` if neither fits. The service is
    asked for JSON of this form the first time only, because a service may accept the form and fail at it."""
    messages = prompt.messages()
    usage = Usage()
    for asked in (in_form(model, schema), model):
        written = await asked.write(messages)
        usage += written.usage
        found = parse_json(written.text, schema)
        if found is not None:
            return found, usage
        messages = [*messages, AIMessage(written.text or "…"), HumanMessage(AGAIN)]
    log.warning("a model's answer did not fit %s twice", schema.__name__)
    return None, usage


def in_form(model: TextModel, schema: type[BaseModel]) -> TextModel:
    """The model, whose service is asked for JSON that fits ``schema`` if it can do so."""
    return model.in_form(schema) if isinstance(model, FormedModel) else model


def parse_answer(text: str, schema: type[Schema]) -> Schema | None:
    """``parse_json`` for a schema without required fields; also ``None`` if the answer has none of the fields."""
    found = parse_json(text, schema)
    return found if found and found.model_fields_set else None


def parse_json(text: str, schema: type[Schema]) -> Schema | None:
    """The JSON in ``text`` (bare, fenced, or after other text) as ``schema``; ``None`` when there is none. A list may
    be the field of an object, as in a form."""
    answer = split_thinking(text)[0]
    fenced = _FENCE.search(answer)
    candidates = [fenced.group(1) if fenced else answer, *_embedded(answer)]
    if issubclass(schema, RootModel):
        candidates += [inner for each in candidates for inner in _listed(each)]
    for candidate in candidates:
        try:
            return schema.model_validate_json(candidate.strip())
        except ValidationError:
            continue
    return None


def _listed(text: str) -> list[str]:
    """Returns the list in an object around it, as JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return []
    return [json.dumps(value[LISTED])] if isinstance(value, dict) and value.keys() == {LISTED} else []


def _embedded(text: str) -> Iterator[str]:
    decoder = json.JSONDecoder()
    end = 0
    for match in re.finditer(r"[{\[]", text):
        if match.start() < end:
            continue
        try:
            _, end = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        yield text[match.start() : end]
