"""What a server function gives back: data, or a problem in the reader's language, never an exception."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import get_type_hints

import gradio as gr
from pydantic import BaseModel, JsonValue

from core.errors import PalimpsestError, explain, fail
from core.words import Language
from pages.identity import HasCookies, Identity

log = logging.getLogger(__name__)

Reply = dict[str, JsonValue]


class Call(BaseModel):
    """What every call of the page carries: the language of its labels."""

    ui: Language = "en"


def problem_of(error: BaseException, language: Language) -> Reply:
    """``{"problem": {what, why, remedy}}``; the raw error goes to the log alone."""
    log.info("refused: %s", error, exc_info=error if explain(error).category == "unknown" else None)
    what, why, remedy = explain(error).to(language)
    return {"problem": {"what": what, "why": why, "remedy": remedy}}


Handler = Callable[..., Awaitable[Reply]]
"""``handler(user_id, call)``; the annotation of ``call`` says what it takes."""


def answering(identity: Identity, *handlers: Handler) -> list[Handler]:
    """Server functions of the handlers: who asks is looked up, input is validated, errors are told."""
    return [_answering(identity, handler) for handler in handlers]


def _answering(identity: Identity, handler: Handler) -> Handler:
    takes: type[Call] = get_type_hints(handler)["call"]

    async def server_function(data: object, request: gr.Request) -> Reply:
        language: Language = "he" if isinstance(data, dict) and data.get("ui") == "he" else "en"
        try:
            return await handler(user_of(identity, request), takes.model_validate(data or {}))
        except Exception as error:
            return problem_of(error, language)

    server_function.__name__ = handler.__name__
    server_function.__doc__ = handler.__doc__
    return server_function


def user_of(identity: Identity, request: HasCookies) -> str:
    """Who asks. Raises ``PalimpsestError`` when a login is required and there is none."""
    user_id = identity.user(request)
    if user_id is None:
        raise signed_out()
    return user_id


def signed_out() -> PalimpsestError:
    return fail("auth", "pages.answers.signed_out")
