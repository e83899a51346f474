"""Manages all external tool servers: starts the configured ones, and updates them when the configuration changes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.clock import Clock
from core.errors import PalimpsestError, Problem, fail
from core.ids import NewId
from core.messages import message
from core.prompts.templates import Prompts
from core.resilience.health import Part
from core.runs.changes import Changes
from core.settings import Settings
from core.store.truth import Truth
from core.tools.mcp.configuration import Configured, Launch, Remote
from core.tools.mcp.configured_servers import ConfiguredServers, unknown_server
from core.tools.mcp.described import prefixes
from core.tools.mcp.records import SIGNED_IN_PATH, ServerDraft, ServerView
from core.tools.mcp.server import McpServer, ServerParts
from core.tools.mcp.sign_in import PendingSignIn, SignInStore
from core.tools.registry import ToolRegistry

if TYPE_CHECKING:  # importing the SDK takes a second, and only running servers need it
    from core.tools.mcp.results import ResultReader

SERVERS = "servers"


class McpServers:
    """All configured servers; iterable. While the workbench runs, the list can change, and ``registry`` is updated with
    it."""

    def __init__(
        self, truth: Truth, settings: Settings, registry: ToolRegistry, clock: Clock, identifiers: NewId
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._set = ConfiguredServers(truth, settings, clock, identifiers)
        self._sign_ins = SignInStore(truth, settings)
        self._prompts = Prompts(settings.folder / "prompts")
        self._reader: ResultReader | None = None
        self._parts = ServerParts(settings, self._sign_ins, self._result_reader, self._changed)
        self._changes = Changes()
        self._servers: dict[str, McpServer] = {}
        self._pending: dict[str, PendingSignIn] = {}
        self._gate = asyncio.Lock()

    def __iter__(self) -> Iterator[McpServer]:
        return iter(list(self._servers.values()))

    @property
    def revision(self) -> int:
        """A number that increases whenever the result of :meth:`views` changes."""
        return self._changes.version_of(SERVERS)

    @property
    def problem(self) -> Problem | None:
        """An error that affects the whole configuration file."""
        return self._set.problem

    # -- start and stop --------------------------------------------------------------------

    async def start(self) -> None:
        """Start the servers; returns before they are ready."""
        await self._set.ensure()
        await self._sign_ins.ensure()
        await self.reload()

    async def stop(self) -> None:
        servers, self._servers = list(self._servers.values()), {}
        await self._unregister(servers)

    async def reload(self) -> None:
        """Start new servers, stop removed ones, restart changed ones; the others are not touched."""
        if self._settings.tool_servers == "off":
            return
        async with self._gate:
            found = await self._set.all()
            named = prefixes(each.name for each in found)
            wanted = {each.id: each for each in found}
            before = dict(self._servers)
            kept = {id: each for id, each in before.items() if _unchanged(each, wanted.get(id), named)}
            ours = {each.server.name.casefold() for each in self._registry.servers if each.own}
            self._servers = {
                id: kept.get(id) or McpServer(each, _apart(each.name, ours), named[each.name], self._parts)
                for id, each in wanted.items()
            }
            await self._unregister([each for id, each in before.items() if id not in kept])
            for id, each in self._servers.items():
                if id not in kept:
                    await self._registry.register(each)
            if len(kept) < max(len(before), len(wanted)):
                self._changed()

    async def _unregister(self, servers: Sequence[McpServer]) -> None:
        """Stop servers in parallel, because some take seconds, and remove them from the registry."""
        await asyncio.gather(*(self._registry.unregister(each.name) for each in servers))

    async def keep_up(self, undo_seconds: float) -> None:
        """Permanently delete servers that were removed some time ago, with their sign-ins; apply changes made in the
        file or by other processes."""
        for id in await self._set.forget_removed(undo_seconds):
            await self._sign_ins.forget(id)
        await self.reload()

    # -- administration --------------------------------------------------------------------

    async def add(self, draft: ServerDraft) -> ServerView:
        """Store a server and start it. Raises ``PalimpsestError`` ("validation")."""
        id = await self._set.add(draft)
        return await self._after_change(id)

    async def edit(self, id: str, draft: ServerDraft) -> ServerView:
        """Raises ``PalimpsestError`` if there is none, it is invalid, or a secret must be typed again."""
        await self._set.edit(id, draft)
        return await self._after_change(id)

    async def switch(self, id: str, enabled: bool) -> ServerView:
        """Switch a server on or off. Raises ``PalimpsestError`` ("not_found")."""
        await self._set.switch(id, enabled)
        return await self._after_change(id)

    async def remove(self, id: str) -> None:
        """Stop a server immediately and remove it; it can be restored for a while. Raises ``PalimpsestError``."""
        await self._set.remove(id)
        await self.reload()

    async def restore(self, id: str) -> ServerView:
        """Restore a removed server. Raises ``PalimpsestError`` if it was deleted permanently."""
        await self._set.restore(id)
        return await self._after_change(id)

    async def refresh(self, id: str) -> ServerView:
        """Request a server's lists again, or restart it immediately. Raises ``PalimpsestError`` ("not_found")."""
        server = self._server(id)
        await server.refresh()
        return view_of(server)

    async def try_out(self, draft: ServerDraft, id: str | None = None) -> ServerView:
        """Show what a server would offer, without storing it. ``id`` is the id of the server being edited, whose stored
        secrets are used.

        Raises:
            PalimpsestError: the input is invalid. If the server does not start, no error is raised: the returned view
            says so.
        """
        kept = self._server(id).configured.reached if id else None
        reached = self._set.drafted(draft, kept)
        name = " ".join(draft.name.split()) or urlsplit(draft.url).hostname or draft.command
        configured = Configured(id=id or "", name=name, origin="page", reached=reached)
        trial = McpServer(configured, name, prefixes([name])[name], self._parts)
        await trial.start()
        try:
            await trial.settled()
            return view_of(trial)
        finally:
            await trial.stop()

    async def sign_in(self, id: str, origin: str) -> str | None:
        """The address where the user must sign in; ``None`` if no sign-in is needed. The user returns to ``origin``.

        Raises:
            PalimpsestError: the server has no address, or its sign-in page could not be found.
        """
        server = self._server(id)
        if urlsplit(origin).scheme not in ("http", "https") or not urlsplit(origin).netloc:
            raise fail("validation", "tools.mcp.sign_in_failed", server=server.name)
        pending = await server.sign_in(f"{urlsplit(origin).scheme}://{urlsplit(origin).netloc}{SIGNED_IN_PATH}")
        settled = asyncio.ensure_future(server.settled())
        await asyncio.wait([pending.address, settled], return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
        settled.cancel()
        if pending.address.done() and not pending.address.cancelled():
            self._pending = {state: each for state, each in self._pending.items() if not each.came_back.done()}
            self._pending[pending.state] = pending
            return pending.address.result()
        if server.problem:
            raise PalimpsestError(server.problem)
        return None

    async def came_back(self, state: str, code: str, issuer: str | None) -> None:
        """Accept the sign-in of a user who has returned. Raises ``PalimpsestError`` when none is expected."""
        pending = self._pending.pop(state, None)
        if pending is None or pending.came_back.done():
            raise fail("auth", "tools.mcp.sign_in_unknown")
        if not code:
            pending.came_back.set_exception(fail("auth", "tools.mcp.sign_in_unknown"))
            raise fail("auth", "tools.mcp.sign_in_unknown")
        pending.came_back.set_result((code, state, issuer))

    # -- for the pages ---------------------------------------------------------------------

    def views(self) -> list[ServerView]:
        return [view_of(each) for each in self]

    async def news(self, seen: int, seconds: float) -> None:
        """Wait until the revision differs from ``seen``, for at most ``seconds``."""
        await self._changes.wait(SERVERS, seen, seconds)

    def health(self) -> list[Part]:
        """The servers' health: amber for a server that is enabled but does not run. Empty if no server is
        configured."""
        wanted = [each for each in self if each.condition != "off"]
        lost = [each.name for each in wanted if each.condition in ("failing", "sign_in")]
        if not wanted and self.problem is None:
            return []
        if not lost and self.problem is None:
            return [Part(name=message("tools.mcp.part"), state="green", meaning=message("tools.mcp.all_run"))]
        meaning = self.problem.what if self.problem else message("tools.mcp.some_lost", names=", ".join(lost))
        return [Part(name=message("tools.mcp.part"), state="amber", meaning=meaning, warning="tool_server_away")]

    def _changed(self) -> None:
        self._changes.notify(SERVERS)

    async def _after_change(self, id: str) -> ServerView:
        await self.reload()
        return view_of(self._server(id))

    def _server(self, id: str) -> McpServer:
        server = self._servers.get(id)
        if server is None:
            raise unknown_server()
        return server

    def _result_reader(self) -> ResultReader:
        if self._reader is None:
            from core.tools.mcp.results import ResultReader

            self._reader = ResultReader(self._prompts, self._settings.limits.tool_result_characters)
        return self._reader


def _unchanged(server: McpServer, wanted: Configured | None, named: dict[str, str]) -> bool:
    return wanted is not None and server.prefix == named[wanted.name] and server.configured == wanted


def _apart(name: str, ours: Collection[str]) -> str:
    """The server's name, changed if a built-in server already has it."""
    return f"{name} (MCP)" if name.casefold() in ours else name


def view_of(server: McpServer) -> ServerView:
    """The server as the page shows it; of its secrets only the names are included."""
    reached = server.configured.reached
    launch = reached if isinstance(reached, Launch) else None
    remote = reached if isinstance(reached, Remote) else None
    return ServerView(
        id=server.configured.id,
        name=server.configured.name,
        origin=server.configured.origin,
        kind="program" if launch else "address" if remote else "unusable",
        state=server.condition,
        problem=server.problem,
        command=launch.command if launch else "",
        args=launch.args if launch else [],
        env=sorted(launch.env) if launch else [],
        url=remote.url if remote else "",
        headers=sorted(remote.headers) if remote else [],
        hosts=remote.hosts if remote else [],
        sign_in_at=server.pending.awaited_at if server.pending else "",
        software=server.software,
        offered=server.offered,
        calls=server.usage.calls,
        failures=server.usage.failures,
        latency=server.usage.latency,
    )
