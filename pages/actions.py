"""The one registry of actions: marked handlers -> server functions of the pages, named endpoints, tools of programs.

Who asks, in which language, what is taken in and how errors are told is settled here, once for all doors.
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
"""``in person``: somebody who signed in, and no program with a key of theirs."""
Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]
Blank = BeforeValidator(lambda value: value or None)
"""Callers that have no word for *nothing* send an empty text."""


OURS = ("ui", "program")
"""Fields of a request that its door fills in."""


class Upload:
    """Marks a field that an endpoint takes as a file and a page as the path that the interface gave to it."""


UploadPath = Annotated[str, BeforeValidator(lambda file: file["path"] if isinstance(file, dict) else file), Upload()]


def alias(*names: str) -> FieldInfo:
    """A field that clients know by the first of these names, and scripts by another."""
    return cast(FieldInfo, Field(validation_alias=AliasChoices(*names)))


class Call(BaseModel):
    """What every call of the page carries: the language of its labels."""

    ui: Language = "en"


class ProgramCall(Call):
    """What a program asks for a person; ``program`` is what it calls itself, where it did."""

    program: str = ""


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
class Tool:
    """An action as a tool of programs: its name there, what it ``gives`` (of a reply the fields that this names), what
    a model is told ``about`` it (else what clients are), and what a call does: ``reads`` changes nothing, ``destroys``
    takes something away, ``repeatable``: a second time the same changes nothing, ``outside`` reaches beyond this
    workbench."""

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
    """Mark ``handler(user_id, call)``: the scripts of these ``tabs`` call it by its own name, clients as ``endpoint``,
    programs that speak MCP as ``tool``.

    An endpoint takes the fields of the request, or ``parameters`` of them, and gives the reply, or ``part`` of it.
    Scripts of the tabs ``several`` may have it done for several things in one call.

    ``scope`` is what a key must be made for. Where none is given what is its owner's is changed, so that an action that
    is added without one takes more and not less. A key that may do nothing but look can be given to a program that
    nobody trusts much.

    ``noted`` is as what it goes into the audit trail: deleting, bringing back, taking out and changing what holds for
    everybody does, asking and reading do not.
    """

    def mark(handler: _Handler) -> _Handler:
        handler.__dict__["doors"] = _Doors(tabs, endpoint, parameters, part, who, scope, noted, tool, several)
        return handler

    return mark


@dataclass(frozen=True)
class Action:
    """One thing that people can do: what it takes, what it gives, what does it, who may, and the doors that lead to
    it."""

    name: str
    request: type[Call]
    gives: Any
    handler: Callable[..., Any]
    doors: _Doors

    @property
    def called(self) -> str:
        """The name under which clients know it, else its own."""
        return self.doors.endpoint or self.name

    @property
    def scope(self) -> KeyScope:
        """What a key must be made for: an administrator's, and a tool that only reads, say it themselves."""
        if self.doors.who.startswith("administrator"):
            return "administer"
        return "read" if self.doors.tool and self.doors.tool.reads else self.doors.scope

    @property
    def streams(self) -> bool:
        return get_origin(self.gives) is AsyncGenerator

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """What an endpoint takes, by the names that clients know."""
        known = self.request.model_fields.items()
        named = {_called(name, field): field for name, field in known if name not in OURS}
        return {name: named[name] for name in self.doors.parameters} if self.doors.parameters else named


class Handlers:
    """Marked handlers of one kind, over one workbench; ``identity`` knows who administers it."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity


def marked(handlers: Sequence[object]) -> Iterator[Action]:
    """The actions among the methods of ``handlers``."""
    for each in handlers:
        for name, method in vars(type(each)).items():
            if doors := getattr(method, "doors", None):
                types = get_type_hints(method)
                yield Action(name, types["call"], types["return"], getattr(each, name), doors)


class Actions:
    """All actions; each door calls them through this, and ``auditor``, if there is one, hears of those that count."""

    def __init__(self, identity: Identity, handlers: Sequence[object], auditor: Auditor | None = None) -> None:
        self._identity = identity
        self._auditor = auditor
        self.all = list(marked(handlers))

    def endpoint(self, name: str) -> Action | None:
        """The action that clients call by this name."""
        return next((each for each in self.all if each.doors.endpoint == name), None)

    def user_of(self, request: Requested | None) -> str:
        """Who asks. Raises ``PalimpsestError`` when a login is required and there is none."""
        return user_of(self._identity, request)

    async def answer(
        self, action: Action, given: Mapping[str, object], request: Requested | None, language: Language
    ) -> JsonValue:
        """The reply, or what went wrong."""
        try:
            return plain(await self.perform(action, given, request))
        except Exception as error:
            return problem_of(error, language)

    async def perform(self, action: Action, given: Mapping[str, object], request: Requested | None) -> object:
        """The reply as the handler gives it. Raises what the handler raises, ``PalimpsestError`` or
        ``ValidationError``."""
        user_id, call = self.admit(action, given, request)
        subject = await self._auditor.subject(action, user_id, call) if self._auditor else None
        reply = await action.handler(user_id, call)
        if self._auditor and subject is not None:
            await self._auditor.note(action, user_id, subject, request)
        return reply

    def stream(
        self, action: Action, given: Mapping[str, object], request: Requested | None
    ) -> AsyncGenerator[Reply | BaseModel]:
        """The replies of an action that gives several, as they come; raises as ``perform`` does."""
        replies: AsyncGenerator[Reply | BaseModel] = action.handler(*self.admit(action, given, request))
        return replies

    async def answers(
        self, action: Action, given: Mapping[str, object], request: Requested | None, language: Language
    ) -> AsyncIterator[JsonValue]:
        """The replies, or at the end what went wrong."""
        try:
            async for reply in self.stream(action, given, request):
                yield plain(reply)
        except Exception as error:
            yield problem_of(error, language)

    def admit(self, action: Action, given: Mapping[str, object], request: Requested | None) -> tuple[str, Call]:
        """Who asks, and what for. Raises ``PalimpsestError`` or ``ValidationError``."""
        user_id = self.user_of(request)
        if action.doors.who.startswith("administrator") and not self._identity.is_administrator(user_id):
            raise fail("auth", "overrides.not_yours")
        if action.doors.who.endswith("in person") and not self._identity.is_in_person(request):
            raise fail("auth", "pages.auth.in_person")
        if not self._identity.may(request, action.scope):
            raise fail("auth", "accounts.beyond_key")
        return user_id, action.request.model_validate(given)


def plain(reply: object) -> JsonValue:
    """A reply as JSON."""
    return reply.model_dump(mode="json") if isinstance(reply, BaseModel) else cast(JsonValue, reply)


def problem_of(error: BaseException, language: Language) -> Reply:
    """``{"problem": {what, why, remedy}}``; the raw error goes to the log alone."""
    foreseen = isinstance(error, PalimpsestError | ValidationError)
    log.log(logging.INFO if foreseen else logging.ERROR, "refused: %s", error, exc_info=None if foreseen else error)
    return {"problem": explain(error).told(language)}


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


def _called(name: str, field: FieldInfo) -> str:
    names = field.validation_alias
    return str(names.choices[0]) if isinstance(names, AliasChoices) else name
