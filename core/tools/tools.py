"""Combines all tool services in one object: list, rank, call, and report tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from pydantic import JsonValue

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.library.records import Document
from core.resilience.dependencies import Observation
from core.settings import Settings
from core.store.overrides import TOOLS_OFF, Overrides
from core.store.truth import Truth
from core.tools.consent import ConsentStore
from core.tools.definition import schema_of
from core.tools.definition_files import OwnDefinitions
from core.tools.document_choice import narrowed, newest
from core.tools.execution import SentCall, ToolExecution, timeout_of
from core.tools.loop_guard import LoopGuard
from core.tools.ranking import RankedTool, rank
from core.tools.records import (
    Decision,
    ProgramReply,
    ProgramTool,
    ServerRow,
    ToolOutcome,
    ToolRow,
    ToolsView,
    WantedConsent,
)
from core.tools.registry import RegisteredServer, RegisteredTool, ToolRegistry
from core.tools.statistics import ToolStatistics
from core.tools.tool import Caller, ToolServer
from core.tools.web.server import SEARCHING
from core.words import Language

PROGRAMS_CALL = "documents"
"""Category of the tools that programs may call."""
OWN_FOLDER = "tools"
"""Name of the folder in the data directory with a user's own definitions."""


class Tools:
    """The tools. ``registry`` accepts new servers while the workbench runs; all calls go through :meth:`run`.
    ``observe`` is called with each call's server and result. ``count`` is called with the tool's category, the
    event, and the call's milliseconds, if there was a call.

    >>> [server.name for server in run(workbench.tools.view("ada")).servers]
    ['library', 'memory', 'web', 'datagov']
    """

    def __init__(
        self,
        truth: Truth,
        settings: Settings,
        overrides: Overrides,
        clock: Clock,
        identifiers: NewId,
        observe: Callable[[str, Observation], None] = lambda *_: None,
        count: Callable[[str, str, float | None], None] = lambda *_: None,
    ) -> None:
        self._settings = settings
        self._overrides = overrides
        self._new_id = identifiers
        own = OwnDefinitions(settings.folder / OWN_FOLDER)
        self.registry = ToolRegistry(own, lambda: settings.tools.off, self._is_away)
        self._consent = ConsentStore(truth, self.registry, settings, clock, identifiers)
        self._count = count
        self._statistics = ToolStatistics(self._counted)
        self._execution = ToolExecution(self.registry, self._consent, self._statistics, settings.breakers, observe)

    async def ensure(self) -> None:
        await self._consent.ensure()

    async def start(self, servers: Sequence[ToolServer]) -> None:
        """Register the workbench's own servers."""
        for server in servers:
            await self.registry.register(server, own=True)

    async def stop(self) -> None:
        await self.registry.stop()

    def _counted(self, name: str, happened: str, milliseconds: float | None) -> None:
        found = self.registry.find(name)
        self._count(found.definition.category if found else "", happened, milliseconds)

    # -- answering -------------------------------------------------------------------------

    def rank(
        self, question: str, success: Mapping[str, float] | None = None, among: Collection[str] | None = None
    ) -> list[RankedTool]:
        """The tools that may be called now, the best for ``question`` first; ``among`` limits them to some categories.

        ``success``: for each tool that was used for such questions, the share of answers that worked.
        """
        there = self.registry.available()
        return rank([each for each in there if among is None or each.definition.category in among], question, success)

    @property
    def searches_web(self) -> bool:
        """Whether a tool for web search is available."""
        return any(each.definition.category == SEARCHING for each in self.registry.available())

    async def run(self, calls: Sequence[SentCall], caller: Caller, guard: LoopGuard | None = None) -> list[ToolOutcome]:
        """Each call's result, in order. A tool's failure is never raised."""
        return await self._execution.run(calls, caller, guard)

    async def decide(self, caller: Caller, wanted: WantedConsent, decision: Decision) -> None:
        """Store a user's decision on a call that waited for consent."""
        await self._consent.decide(caller, wanted, decision)

    async def forget_conversation(self, user_id: str, conversation_id: str) -> None:
        """Delete the decisions made in a conversation."""
        await self._consent.forget_conversation(user_id, conversation_id)

    # -- for the pages ---------------------------------------------------------------------

    async def view(self, user_id: str) -> ToolsView:
        """All tools and servers with their statistics, and this user's decisions."""
        entries = self.registry.all()
        return ToolsView(
            servers=[
                ServerRow(
                    name=each.server.name,
                    own=each.own,
                    state=each.state,
                    trouble=each.trouble,
                    tools=len(each.server.tools()),
                )
                for each in self.registry.servers
                if not self._is_away(each)
            ],
            tools=[self._row(each) for each in entries],
            agreements=await self._consent.all(user_id),
            acting=self._consent.acting,
        )

    async def switch(self, name: str, *, on: bool) -> None:
        """Switch a tool on or off, immediately and for all users.

        Raises:
            PalimpsestError: there is no such tool, or the environment sets which tools are off.
        """
        entry = self._entry(name)
        others: list[JsonValue] = [each for each in self._settings.tools.off if each != entry.name]
        await self._overrides.change(TOOLS_OFF.name, others if on else [*others, entry.name])

    async def try_out(
        self, user_id: str, language: Language, name: str, arguments: Mapping[str, JsonValue]
    ) -> ToolOutcome:
        """Call a tool as a question would; this request counts as the user's consent to the call.

        Raises:
            PalimpsestError: there is no such tool.
        """
        call = SentCall(self._new_id("call"), self._entry(name).name, arguments, agreed=True)
        return (await self.run([call], Caller(user_id, language)))[0]

    def for_programs(self) -> list[ProgramTool]:
        """The tools over documents, which programs may call on behalf of a user; the model calls the same ones."""
        return [
            ProgramTool(
                name=each.name,
                title=each.definition.title,
                description=" ".join(each.definition.description.split()),
                arguments=each.definition.json_schema or schema_of(each.definition.parameters),
            )
            for each in self.registry.available()
            if each.own and each.definition.category == PROGRAMS_CALL
        ]

    @staticmethod
    def narrowed(found: Sequence[Document], company: str, period: str, kind: str) -> list[Document]:
        """The documents that a model's ``list_documents`` would list, by the end of what they cover, newest first.

        Raises:
            PalimpsestError: none fits ("not_found"); the error says which companies, periods and kinds there are.
        """
        return narrowed(sorted(found, key=newest, reverse=True), [company] if company else [], period, kind)

    async def call_for_program(
        self, user_id: str, language: Language, name: str, arguments: Mapping[str, JsonValue]
    ) -> ProgramReply:
        """The result of one call with its sources, numbered as in the text.

        Raises:
            PalimpsestError: there is no such tool.
        """
        caller = Caller(user_id, language)
        call = SentCall(self._new_id("call"), self._entry(name).name, arguments)
        outcome = (await self.run([call], caller))[0]
        sources = [*caller.evidence.sources]
        if outcome.problem is not None:
            raise PalimpsestError(outcome.problem)
        text = outcome.result.text if outcome.result else ""
        return ProgramReply(text=text, found=bool(outcome.result and outcome.result.found), sources=sources)

    async def withdraw(self, user_id: str, agreement_id: str) -> None:
        """Withdraw a user's decision, so that the user is asked again."""
        await self._consent.forget(user_id, agreement_id)

    def _is_away(self, known: RegisteredServer) -> bool:
        """Whether the server's feature is currently switched off."""
        settings = self._settings
        if not known.own:
            return settings.tool_servers == "off"
        features = {"memory": settings.memory.enabled, "web": settings.web_enabled, "datagov": settings.datagov.enabled}
        return not features.get(known.server.name, True)

    def _entry(self, name: str) -> RegisteredTool:
        entry = self.registry.find(name)
        if entry is None:
            raise no_such_tool(name)
        return entry

    def _row(self, entry: RegisteredTool) -> ToolRow:
        definition = entry.definition
        return ToolRow(
            name=entry.name,
            title=definition.title,
            description=definition.description,
            server=definition.server,
            category=definition.category,
            own=entry.own,
            on=self.registry.is_on(entry.name),
            fixed=self._overrides.of(TOOLS_OFF.name).fixed,
            reads_only=definition.effects.reads_only,
            harmless=definition.effects.harmless,
            sends=definition.effects.sends,
            breaker=self._execution.breaker(entry).state,
            seconds=timeout_of(definition),
            fallbacks=definition.fallbacks,
            parameters=[each.model_dump(mode="json") for each in definition.parameters],
            figures=self._statistics.of(entry.name),
        )


def no_such_tool(name: str) -> PalimpsestError:
    return fail("not_found", "tools.none_of_this_name", name=name)
