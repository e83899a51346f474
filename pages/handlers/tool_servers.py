"""Tool servers in the Settings tab: set by an administrator alone, because they run programs and hold keys."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, SecretStr

from core.tools.mcp.records import ServerDraft, ServerView
from core.words import Language
from pages.actions import Blank, Call, Handlers, Id, Reply, action, alias

NEWS_SECONDS = 20.0
Line = Annotated[str, Field(max_length=4_000)]


class OneServer(Call):
    """A server by its id."""

    id: Annotated[Id, alias("server_id", "id")]


class Switched(OneServer):
    """A server, and whether it is to run."""

    enabled: bool


class SigningIn(OneServer):
    """``origin``: the address of the page, to which one comes back."""

    origin: str = Field(max_length=300)


class Typed(Call, hide_input_in_errors=True):
    """A program with arguments and variables, or an address with headers; a secret without a value stays as kept."""

    name: str = Field("", max_length=200)
    command: str = Field("", max_length=1_000)
    args: list[Line] = Field([], max_length=64)
    env: dict[str, str | None] = Field({}, max_length=64, repr=False)
    url: str = Field("", max_length=2_000)
    headers: dict[str, str | None] = Field({}, max_length=64, repr=False)
    hosts: list[Annotated[str, Field(max_length=255)]] = Field([], max_length=16)

    def draft(self) -> ServerDraft:
        return ServerDraft(
            name=self.name, command=self.command, args=self.args, env=_secret(self.env), url=self.url,
            headers=_secret(self.headers), hosts=self.hosts,
        )  # fmt: skip


class Tried(Typed):
    """``id`` of the server that is being changed, whose secrets are used where none is typed."""

    id: Annotated[Id | None, Blank] = None


class Edited(Typed, OneServer):
    """All of a server as it is to be."""


def _secret(values: dict[str, str | None]) -> dict[str, SecretStr | None]:
    return {name.strip(): SecretStr(value) if value is not None else None for name, value in values.items()}


class Seen(Call):
    """What the page has drawn."""

    revision: int


class ToolServerShelf(Handlers):
    """What the script of the Settings tab may call."""

    @action("settings", endpoint="list_tool_servers", who="administrator")
    async def tool_servers(self, user_id: str, call: Call) -> Reply:
        """Every server with its state and what it offers; of secrets the names alone."""
        return self._all(call.ui)

    @action("settings", who="administrator")
    async def tool_server_news(self, user_id: str, call: Seen) -> Reply:
        """The same once something of it is another than at ``revision``, or after a while."""
        await self._workbench.tool_servers.news(call.revision, NEWS_SECONDS)
        return self._all(call.ui)

    @action("settings", endpoint="add_tool_server", who="administrator", noted="changed")
    async def add_server(self, user_id: str, call: Typed) -> Reply:
        """Keep it and start it."""
        added = await self._workbench.tool_servers.add(call.draft())
        return {**self._all(call.ui), "id": added.id}

    @action("settings", endpoint="edit_tool_server", who="administrator", noted="changed")
    async def edit_server(self, user_id: str, call: Edited) -> Reply:
        """Keep what was changed and start it anew."""
        await self._workbench.tool_servers.edit(call.id, call.draft())
        return self._all(call.ui)

    @action("settings", endpoint="try_tool_server", who="administrator")
    async def try_server(self, user_id: str, call: Tried) -> Reply:
        """Start it once, ask what it offers, and stop it; nothing is kept."""
        return {"server": _shown(await self._workbench.tool_servers.try_out(call.draft(), call.id), call.ui)}

    @action("settings", endpoint="switch_tool_server", who="administrator", noted="changed")
    async def switch_server(self, user_id: str, call: Switched) -> Reply:
        """On or off; also one of the file."""
        await self._workbench.tool_servers.switch(call.id, call.enabled)
        return self._all(call.ui)

    @action("settings", endpoint="remove_tool_server", who="administrator", noted="deleted")
    async def remove_server(self, user_id: str, call: OneServer) -> Reply:
        """It stops; for a while it can be brought back."""
        await self._workbench.tool_servers.remove(call.id)
        return self._all(call.ui)

    @action("settings", endpoint="restore_tool_server", who="administrator", noted="restored")
    async def restore_server(self, user_id: str, call: OneServer) -> Reply:
        """Bring back what was removed."""
        await self._workbench.tool_servers.restore(call.id)
        return self._all(call.ui)

    @action("settings", endpoint="refresh_tool_server", who="administrator")
    async def refresh_server(self, user_id: str, call: OneServer) -> Reply:
        """Ask it again what it offers, or start it again where it had failed."""
        await self._workbench.tool_servers.refresh(call.id)
        return self._all(call.ui)

    @action("settings", endpoint="sign_in_tool_server", who="administrator")
    async def sign_in_server(self, user_id: str, call: SigningIn) -> Reply:
        """The address on which one signs in to it; none when that is not needed."""
        return {"address": await self._workbench.tool_servers.sign_in(call.id, call.origin)}

    def _all(self, ui: Language) -> Reply:
        problem = self._workbench.tool_servers.problem
        return {
            "servers": [_shown(each, ui) for each in self._workbench.tool_servers.views()],
            "typed": self._workbench.settings.tool_servers == "page",
            "off": self._workbench.settings.tool_servers == "off",
            "revision": self._workbench.tool_servers.revision,
            "problem_of_file": problem.told(ui) if problem else None,
        }


def _shown(view: ServerView, ui: Language) -> Reply:
    trouble = view.problem.told(ui) if view.problem else None
    return {**view.model_dump(exclude={"problem"}), "trouble": trouble}
