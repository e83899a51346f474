"""The one registry of actions: marked handlers -> server functions of the pages and named endpoints of the API.

Who asks, in which language, what is taken in and how errors are told is settled here, once for both doors.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import gradio as gr
from gradio.events import api as gradio_endpoint
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, JsonValue, ValidationError
from pydantic.fields import FieldInfo

from core.errors import PalimpsestError, explain, fail
from core.ids import ID_PATTERN
from core.words import LANGUAGES, Language
from pages.auth import Identity, Requested, user_of

log = logging.getLogger(__name__)

Reply = dict[str, JsonValue]
Who = Literal["anyone", "administrator"]
Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]
Blank = BeforeValidator(lambda value: value or None)
"""Callers that have no word for *nothing* send an empty text."""


class Upload:
    """Marks a field that an endpoint takes as a file and a page as the path that the interface gave to it."""


UploadPath = Annotated[str, BeforeValidator(lambda file: file["path"] if isinstance(file, dict) else file), Upload()]


def alias(*names: str) -> FieldInfo:
    """A field that clients know by the first of these names, and scripts by another."""
    return cast(FieldInfo, Field(validation_alias=AliasChoices(*names)))


class Call(BaseModel):
    """What every call of the page carries: the language of its labels."""

    ui: Language = "en"


class Chosen(Call):
    """One of what the action is about, by its id."""

    id: Id


class OneDocument(Call):
    """A document of the library or of a conversation."""

    id: Annotated[Id, alias("document_id", "id")]


class OneRun(Call):
    """A run: a question and what came of it."""

    id: Annotated[Id, alias("run_id", "id")]


class Search(Call):
    """Words that are looked for; none for everything."""

    search: str = Field("", max_length=200)


@dataclass(frozen=True)
class _Doors:
    tabs: tuple[str, ...]
    endpoint: str | None
    parameters: tuple[str, ...] | None
    part: str | None
    who: Who


_Handler = TypeVar("_Handler", bound=Callable[..., object])


def action(
    *tabs: str,
    endpoint: str | None = None,
    parameters: tuple[str, ...] | None = None,
    part: str | None = None,
    who: Who = "anyone",
) -> Callable[[_Handler], _Handler]:
    """Mark ``handler(user_id, call)``: the scripts of these ``tabs`` call it by its own name, clients as ``endpoint``.

    An endpoint takes the fields of the request, or ``parameters`` of them, and gives the reply, or ``part`` of it.
    """

    def mark(handler: _Handler) -> _Handler:
        handler.__dict__["doors"] = _Doors(tabs, endpoint, parameters, part, who)
        return handler

    return mark


@dataclass(frozen=True)
class Action:
    """One thing that people can do: what it takes, what does it, who may, and the doors that lead to it."""

    name: str
    request: type[Call]
    handler: Callable[..., Any]
    doors: _Doors

    @property
    def streams(self) -> bool:
        return inspect.isasyncgenfunction(self.handler)

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """What an endpoint takes, by the names that clients know."""
        named = {_called(name, field): field for name, field in self.request.model_fields.items() if name != "ui"}
        return {name: named[name] for name in self.doors.parameters} if self.doors.parameters else named


def marked(handlers: Sequence[object]) -> Iterator[Action]:
    """The actions among the methods of ``handlers``."""
    for each in handlers:
        for name, method in vars(type(each)).items():
            if doors := getattr(method, "doors", None):
                yield Action(name, get_type_hints(method)["call"], getattr(each, name), doors)


class Actions:
    """All actions, and the two doors to them."""

    def __init__(self, identity: Identity, handlers: Sequence[object]) -> None:
        self._identity = identity
        self.all = list(marked(handlers))

    def functions(self, tab: str) -> list[Callable[..., Awaitable[JsonValue]]]:
        """Server functions that the script of ``tab`` may call."""
        return [self._function(each) for each in self.all if tab in each.doors.tabs]

    def endpoints(self) -> dict[str, Callable[..., Any]]:
        """Functions for ``gradio.api`` by the names under which clients call them."""
        return {each.doors.endpoint: self._endpoint(each) for each in self.all if each.doors.endpoint}

    def register(self) -> None:
        """Call inside a ``gr.Blocks`` context."""
        for name, endpoint in self.endpoints().items():
            gradio_endpoint(endpoint, api_name=name, concurrency_limit=None)

    def _function(self, action: Action) -> Callable[..., Awaitable[JsonValue]]:
        async def server_function(data: object, request: gr.Request) -> JsonValue:
            given = data if isinstance(data, dict) else {}
            language = given["ui"] if given.get("ui") in LANGUAGES else "en"
            return await self._answer(action, given, request, language)

        server_function.__name__ = action.name
        server_function.__doc__ = action.handler.__doc__
        return server_function

    def _endpoint(self, action: Action) -> Callable[..., Any]:
        signature = _signature(action)

        def taken(args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[dict[str, object], gr.Request]:
            given = signature.bind(*args, **kwargs).arguments
            request = given.pop("request", None)
            return {name: value for name, value in given.items() if value is not None}, request

        async def one(*args: object, **kwargs: object) -> JsonValue:
            given, request = taken(args, kwargs)
            language = language_of(request)
            reply = await self._answer(action, {**given, "ui": language}, request, language)
            part = action.doors.part
            return reply[part] if part and isinstance(reply, dict) and part in reply else reply

        async def several(*args: object, **kwargs: object) -> AsyncIterator[Reply]:
            given, request = taken(args, kwargs)
            language = language_of(request)
            try:
                async for reply in action.handler(*self._admitted(action, {**given, "ui": language}, request)):
                    yield reply
            except Exception as error:
                yield problem_of(error, language)

        endpoint: Any = several if action.streams else one
        endpoint.__name__ = endpoint.__qualname__ = action.doors.endpoint
        endpoint.__doc__ = action.handler.__doc__
        endpoint.__signature__ = signature
        endpoint.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
        return endpoint  # type: ignore[no-any-return]

    async def _answer(
        self, action: Action, given: Mapping[str, object], request: Requested, language: Language
    ) -> JsonValue:
        try:
            reply: JsonValue = await action.handler(*self._admitted(action, given, request))
        except Exception as error:
            return problem_of(error, language)
        return reply

    def _admitted(self, action: Action, given: Mapping[str, object], request: Requested) -> tuple[str, Call]:
        """Who asks, and what for. Raises ``PalimpsestError`` or ``ValidationError``."""
        user_id = user_of(self._identity, request)
        if action.doors.who == "administrator" and not self._identity.is_administrator(user_id):
            raise fail("auth", "overrides.not_yours")
        return user_id, action.request.model_validate(given)


def problem_of(error: BaseException, language: Language) -> Reply:
    """``{"problem": {what, why, remedy}}``; the raw error goes to the log alone."""
    foreseen = isinstance(error, PalimpsestError | ValidationError)
    log.log(logging.INFO if foreseen else logging.ERROR, "refused: %s", error, exc_info=None if foreseen else error)
    what, why, remedy = explain(error).to(language)
    return {"problem": {"what": what, "why": why, "remedy": remedy}}


def language_of(request: Requested | None) -> Language:
    """The one of our languages that the caller likes best, by ``Accept-Language``; English for who says nothing."""
    header = request.headers.get("accept-language", "") if request else ""
    liked: list[tuple[float, Language]] = []
    for each in header.split(","):
        tag, _, quality = each.strip().partition(";q=")
        language = tag.split("-")[0].lower()
        if language in LANGUAGES:
            liked.append((_number(quality), language))
    return max(liked, key=lambda each: each[0], default=(0.0, "en"))[1]


def _number(quality: str) -> float:
    try:
        return float(quality or 1)
    except ValueError:
        return 0.0


def _signature(action: Action) -> inspect.Signature:
    """What Gradio reads: plain types, the request at the end."""
    taken = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True),
            annotation=gr.FileData if any(isinstance(each, Upload) for each in field.metadata) else _plain_type(field),
        )
        for name, field in action.fields.items()
    ]
    asked = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=gr.Request)
    return inspect.Signature([*taken, asked], return_annotation=Reply)


def _called(name: str, field: FieldInfo) -> str:
    names = field.validation_alias
    return str(names.choices[0]) if isinstance(names, AliasChoices) else name


def _plain_type(field: FieldInfo) -> Any:
    return _without_marks(field.annotation)


def _without_marks(annotation: Any) -> Any:
    """A type without what pydantic is told beside it."""
    if get_origin(annotation) is Annotated:
        return _without_marks(get_args(annotation)[0])
    arguments = get_args(annotation)
    if get_origin(annotation) is Literal or not arguments:
        return annotation
    plain = tuple(_without_marks(each) for each in arguments)
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
        return Union[plain]  # noqa: UP007
    return get_origin(annotation)[plain]
