"""What a server function gives back: data, or a problem in the reader's language, never an exception."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import gradio as gr
from pydantic import BaseModel, JsonValue, ValidationError

from core.errors import explain, fail, general_problem
from core.words import Language
from pages.identity import Identity

log = logging.getLogger(__name__)

Reply = dict[str, JsonValue]


class Call(BaseModel):
    """What every call of the page carries: the language of its labels."""

    ui: Language = "en"


def problem_of(error: BaseException, language: Language) -> Reply:
    """``{"problem": {what, why, remedy}}``."""
    what, why, remedy = explain(error).to(language)
    return {"problem": {"what": what, "why": why, "remedy": remedy}}


def answering(
    identity: Identity, call: type[Call]
) -> Callable[[Callable[..., Awaitable[Reply]]], Callable[..., Awaitable[Reply]]]:
    """Make a server function of ``handler(user_id, call)``: who asks is looked up, input validated, errors told."""

    def decorate(handler: Callable[..., Awaitable[Reply]]) -> Callable[..., Awaitable[Reply]]:
        async def server_function(data: object, request: gr.Request) -> Reply:
            language: Language = "en"
            try:
                wanted = call.model_validate(data or {})
                language = wanted.ui
                user_id = identity.user(request)  # type: ignore[arg-type]
                if user_id is None:
                    raise signed_out()
                return await handler(user_id, wanted)
            except ValidationError:
                log.warning("refused input for %s", handler.__name__, exc_info=True)
                what, why, remedy = general_problem("validation").to(language)
                return {"problem": {"what": what, "why": why, "remedy": remedy}}
            except Exception as error:
                log.info("%s: %s", handler.__name__, error, exc_info=explain(error).category == "unknown")
                return problem_of(error, language)

        server_function.__name__ = handler.__name__
        server_function.__doc__ = handler.__doc__
        return server_function

    return decorate


def signed_out() -> Exception:
    return fail(
        "auth",
        ("You are signed out.", "אינכם מחוברים."),
        ("The session has expired.", "פג תוקף ההתחברות."),
        ("Reload the page and sign in again.", "טענו מחדש את הדף והתחברו שוב."),
    )
