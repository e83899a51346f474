"""Offers the actions through Gradio: as server functions for the scripts of a tab, and as named endpoints."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import gradio as gr
from gradio.events import api as gradio_endpoint
from pydantic import BaseModel, Field, JsonValue, ValidationError

from core.errors import PalimpsestError, fail
from core.words import LANGUAGES, Language
from pages.actions import Action, Actions, Reply, Upload, language_of, problem_of


def functions(actions: Actions, tab: str) -> list[Callable[..., Awaitable[JsonValue]]]:
    """Server functions that the script of ``tab`` may call."""
    own = [each for each in actions.all if tab in each.doors.tabs]
    several = {each.name: each for each in own if tab in each.doors.several}
    return [*(_function(actions, each) for each in own), *([_for_each(actions, several)] if several else [])]


def endpoints(actions: Actions) -> dict[str, Callable[..., Any]]:
    """Functions for ``gradio.api``, by the names that clients call."""
    return {each.doors.endpoint: _endpoint(actions, each) for each in actions.all if each.doors.endpoint}


def register(actions: Actions) -> None:
    """Registers the endpoints. Call it inside a ``gr.Blocks`` context."""
    for name, endpoint in endpoints(actions).items():
        gradio_endpoint(endpoint, api_name=name, concurrency_limit=None)


def _function(actions: Actions, action: Action) -> Callable[..., Awaitable[JsonValue]]:
    async def server_function(data: object, request: gr.Request) -> JsonValue:
        given = data if isinstance(data, dict) else {}
        return await actions.answer(action, given, request, _language(given))

    server_function.__name__ = action.name
    server_function.__doc__ = action.handler.__doc__
    return server_function


class Repeated(BaseModel):
    """A request to run an action several times, with the arguments of each run."""

    action: str
    each: list[dict[str, JsonValue]] = Field(max_length=1_000)


def _for_each(actions: Actions, several: Mapping[str, Action]) -> Callable[..., Awaitable[JsonValue]]:
    async def for_each(data: object, request: gr.Request) -> JsonValue:
        """Runs an action several times; if one run fails, the others still run."""
        language = _language(data if isinstance(data, dict) else {})
        try:
            asked = Repeated.model_validate(data)
            if asked.action not in several:
                raise fail("not_found", "pages.http_doors.no_endpoint", name=asked.action)
        except (PalimpsestError, ValidationError) as error:
            return problem_of(error, language)
        action = several[asked.action]
        return {
            "replies": [
                await actions.answer(action, {**given, "ui": language}, request, language) for given in asked.each
            ]
        }

    return for_each


def _language(given: Mapping[str, object]) -> Language:
    return given["ui"] if given.get("ui") in LANGUAGES else "en"  # type: ignore[return-value]


def _endpoint(actions: Actions, action: Action) -> Callable[..., Any]:
    signature = _signature(action)

    def taken(args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[dict[str, object], gr.Request]:
        given = signature.bind(*args, **kwargs).arguments
        request = given.pop("request", None)
        named = {name: value for name, value in given.items() if value is not None}
        return {**named, "ui": language_of(request)}, request

    async def one(*args: object, **kwargs: object) -> JsonValue:
        given, request = taken(args, kwargs)
        reply = await actions.answer(action, given, request, language_of(request))
        part = action.doors.part
        return reply[part] if part and isinstance(reply, dict) and part in reply else reply

    async def several(*args: object, **kwargs: object) -> AsyncIterator[JsonValue]:
        given, request = taken(args, kwargs)
        async for reply in actions.answers(action, given, request, language_of(request)):
            yield reply

    endpoint: Any = several if action.streams else one
    endpoint.__name__ = endpoint.__qualname__ = action.doors.endpoint
    endpoint.__doc__ = action.handler.__doc__
    endpoint.__signature__ = signature
    endpoint.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    return endpoint  # type: ignore[no-any-return]


def _signature(action: Action) -> inspect.Signature:
    """The function signature that Gradio inspects: plain types, and the request as the last parameter."""
    taken = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True),
            annotation=gr.FileData
            if any(isinstance(each, Upload) for each in field.metadata)
            else _without_marks(field.annotation),
        )
        for name, field in action.fields.items()
    ]
    asked = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=gr.Request)
    return inspect.Signature([*taken, asked], return_annotation=Reply)


def _without_marks(annotation: Any) -> Any:
    """A type without its pydantic annotations."""
    if get_origin(annotation) is Annotated:
        return _without_marks(get_args(annotation)[0])
    arguments = get_args(annotation)
    if get_origin(annotation) is Literal or not arguments:
        return annotation
    plain = tuple(_without_marks(each) for each in arguments)
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
        return Union[plain]  # noqa: UP007
    return get_origin(annotation)[plain]
