"""The registry of all actions. Each handler that is marked as an action becomes a server function of the pages, a named
endpoint, or a tool for programs.

For all of these interfaces it identifies the user and language, validates requests and formats errors.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast, get_origin, get_type_hints

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, JsonValue, ValidationError
from pydantic.fields import FieldInfo

from core.accounts.records import AuditKind, KeyScope
from core.errors import PalimpsestError, explain, fail
from core.ids import ID_PATTERN
from core.words import LANGUAGES, Language
from pages.auth import Identity, Requested, user_of

if TYPE_CHECKING:
    from core.workbench import Workbench
    from pages.security.auditing import Auditor

log = logging.getLogger(__name__)

Reply = dict[str, JsonValue]
Who = Literal["anyone", "administrator", "in person", "administrator in person"]
"""Who may call an action. ``in person``: a signed-in user, not a program with the user's API key."""
Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]
Blank = BeforeValidator(lambda value: value or None)
"""Reads an empty text as ``None``, for callers that cannot send a null value."""


OURS = ("ui", "program")
"""Fields of a request that the interface fills in itself; callers do not send them."""


class Upload:
    """Marks a field that is a file: an endpoint receives the file itself, a page sends the path of an uploaded file."""


UploadPath = Annotated[str, BeforeValidator(lambda file: file["path"] if isinstance(file, dict) else file), Upload()]


def alias(*names: str) -> FieldInfo:
    """A field with two names: clients use the first one, scripts the other one."""
    return cast(FieldInfo, Field(validation_alias=AliasChoices(*names)))


class Call(BaseModel):
    """Fields of every call from the page, such as the language of the page's labels."""

    ui: Language = "en"


class ProgramCall(Call):
    """A request that a program may send on behalf of a user; ``program``: the program's name, if it gave one."""

    program: str = ""


class Chosen(Call):
    """The object that the action is applied to, by its id."""

    id: Id


class OneDocument(Call):
    """A document of the library or of a conversation."""

    id: Annotated[Id, alias("document_id", "id")]


class OneRun(Call):
    """A run: a question and its result."""

    id: Annotated[Id, alias("run_id", "id")]


class Search(Call):
    """The words to search for; if empty, everything is returned."""

    search: str = Field("", max_length=200)


@dataclass(frozen=True)
class Tool:
    """An action as a tool for programs. ``name``: the tool's name; ``gives``: the model of its reply (only these fields
    are returned); ``about``: its description for a language model (by default the one for clients). The other fields
    describe its effects. ``reads``: it changes nothing; ``destroys``: it removes something; ``repeatable``: a second
    identical call changes nothing; ``outside``: it calls external services.
    """

    name: str
    gives: type[BaseModel]
    about: str = ""
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    outside: bool = False


@dataclass(frozen=True)
class _Doors:
    tabs: tuple[str, ...]
    endpoint: str | None
    parameters: tuple[str, ...] | None
    part: str | None
    who: Who
    scope: KeyScope
    noted: AuditKind | None
    tool: Tool | None
    several: tuple[str, ...]


_Handler = TypeVar("_Handler", bound=Callable[..., object])


def action(
    *tabs: str,
    endpoint: str | None = None,
    parameters: tuple[str, ...] | None = None,
    part: str | None = None,
    who: Who = "anyone",
    scope: KeyScope = "write",
    noted: AuditKind | None = None,
    tool: Tool | None = None,
    several: tuple[str, ...] = (),
) -> Callable[[_Handler], _Handler]:
    """Marks ``handler(user_id, call)`` as an action. Scripts of these ``tabs`` call it by its own name, clients as
    ``endpoint``, MCP programs as ``tool``.

    An endpoint accepts the request's fields, or only ``parameters`` of them, and returns the reply, or only its
    ``part``.
    For tabs in ``several``, scripts may apply the action to several objects in one call.

    ``scope`` is the scope that an API key needs. By default it is the scope for changing the owner's data, so an action
    added without a scope needs more rights, not fewer. A key that can only read can be given to a program with little
    trust.

    ``noted`` is the name of the action's entry in the audit trail. Deleting, restoring, exporting and changes for all
    users are recorded; asking and reading are not.
    """

    def mark(handler: _Handler) -> _Handler:
        handler.__dict__["doors"] = _Doors(tabs, endpoint, parameters, part, who, scope, noted, tool, several)
        return handler

    return mark


@dataclass(frozen=True)
class Action:
    """An action that users can perform: its request, its reply, its handler, who may call it, and the interfaces that
    offer it."""

    name: str
    request: type[Call]
    gives: Any
    handler: Callable[..., Any]
    doors: _Doors

    @property
    def called(self) -> str:
        """The name that clients use; by default its own name."""
        return self.doors.endpoint or self.name

    @property
    def scope(self) -> KeyScope:
        """The scope that an API key needs. It is fixed for administrators' actions and read-only tools; for others it
        is given."""
        if self.doors.who.startswith("administrator"):
            return "administer"
        return "read" if self.doors.tool and self.doors.tool.reads else self.doors.scope

    @property
    def streams(self) -> bool:
        return get_origin(self.gives) is AsyncGenerator

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """The fields that an endpoint accepts, by the names that clients know."""
        known = self.request.model_fields.items()
        named = {_called(name, field): field for name, field in known if name not in OURS}
        return {name: named[name] for name in self.doors.parameters} if self.doors.parameters else named


class Handlers:
    """A group of action handlers for one workbench; ``identity`` knows who is an administrator."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity


def marked(handlers: Sequence[object]) -> Iterator[Action]:
    """The actions among the methods of ``handlers``, that is, the methods marked with ``action``."""
    for each in handlers:
        for name, method in vars(type(each)).items():
            if doors := getattr(method, "doors", None):
                types = get_type_hints(method)
                yield Action(name, types["call"], types["return"], getattr(each, name), doors)


class Actions:
    """All actions; every interface calls them through this class. ``auditor``, if given, writes audit entries for
    actions with ``noted``."""

    def __init__(self, identity: Identity, handlers: Sequence[object], auditor: Auditor | None = None) -> None:
        self._identity = identity
        self._auditor = auditor
        self.all = list(marked(handlers))

    def endpoint(self, name: str) -> Action | None:
        """The action that clients call by this name."""
        return next((each for each in self.all if each.doors.endpoint == name), None)

    def user_of(self, request: Requested | None) -> str:
        """The user who sent the request. Raises ``PalimpsestError`` if sign-in is required and missing."""
        return user_of(self._identity, request)

    def reader_of(self, request: Requested | None) -> str:
        """The user whose data the request may read. Raises ``PalimpsestError`` if it may not."""
        user_id = self.user_of(request)
        if not self._identity.may(request, "read"):
            raise fail("auth", "accounts.beyond_key")
        return user_id

    async def answer(
        self, action: Action, given: Mapping[str, object], request: Requested | None, language: Language
    ) -> JsonValue:
        """The action's reply, or its error as a reply."""
        try:
            return plain(await self.perform(action, given, request))
        except Exception as error:
            return problem_of(error, language)

    async def perform(self, action: Action, given: Mapping[str, object], request: Requested | None) -> object:
        """The handler's reply. Errors of the handler are raised, as are ``PalimpsestError`` and ``ValidationError`` for
        refused requests."""
        user_id, call = self.admit(action, given, request)
        subject = await self._auditor.subject(action, user_id, call) if self._auditor else None
        reply = await action.handler(user_id, call)
        if self._auditor and subject is not None:
            await self._auditor.note(action, user_id, subject, request)
        return reply

    def stream(
        self, action: Action, given: Mapping[str, object], request: Requested | None
    ) -> AsyncGenerator[Reply | BaseModel]:
        """The replies of a streaming action as they come; raises the same errors as ``perform``."""
        replies: AsyncGenerator[Reply | BaseModel] = action.handler(*self.admit(action, given, request))
        return replies

    async def answers(
        self, action: Action, given: Mapping[str, object], request: Requested | None, language: Language
    ) -> AsyncIterator[JsonValue]:
        """The replies of a streaming action; if it fails, the error is the last reply."""
        try:
            async for reply in self.stream(action, given, request):
                yield plain(reply)
        except Exception as error:
            yield problem_of(error, language)

    def admit(self, action: Action, given: Mapping[str, object], request: Requested | None) -> tuple[str, Call]:
        """The user and the validated request. Raises ``PalimpsestError`` or ``ValidationError``."""
        user_id = self.user_of(request)
        if action.doors.who.startswith("administrator") and not self._identity.is_administrator(user_id):
            raise fail("auth", "overrides.not_yours")
        if action.doors.who.endswith("in person") and not self._identity.is_in_person(request):
            raise fail("auth", "pages.auth.in_person")
        if not self._identity.may(request, action.scope):
            raise fail("auth", "accounts.beyond_key")
        return user_id, action.request.model_validate(given)


def plain(reply: object) -> JsonValue:
    """Converts a reply to JSON."""
    return reply.model_dump(mode="json") if isinstance(reply, BaseModel) else cast(JsonValue, reply)


def problem_of(error: BaseException, language: Language) -> Reply:
    """``{"problem": {what, why, remedy}}``; the original error goes only to the log."""
    foreseen = isinstance(error, PalimpsestError | ValidationError)
    log.log(logging.INFO if foreseen else logging.ERROR, "refused: %s", error, exc_info=None if foreseen else error)
    return {"problem": explain(error).told(language)}


def language_of(request: Requested | None) -> Language:
    """The supported language that the caller prefers by ``Accept-Language``; English by default."""
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


def _called(name: str, field: FieldInfo) -> str:
    names = field.validation_alias
    return str(names.choices[0]) if isinstance(names, AliasChoices) else name
