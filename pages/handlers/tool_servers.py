"""Tool servers in the Settings tab. Only administrators can change them: they run programs and hold keys."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, SecretStr

from core.tools.mcp.records import ServerDraft, ServerView
from core.words import Language
from pages.actions import Blank, Call, Handlers, Id, Reply, action, alias

NEWS_SECONDS = 20.0
Line = Annotated[str, Field(max_length=4_000)]


class OneServer(Call):
    """A tool server by its id."""

    id: Annotated[Id, alias("server_id", "id")]


class Switched(OneServer):
    """A tool server, and whether it should run."""

    enabled: bool


class SigningIn(OneServer):
    """A sign-in to a tool server. ``origin``: address of the page to which the user returns."""

    origin: str = Field(max_length=300)


class Typed(Call, hide_input_in_errors=True):
    """A tool server as the user entered it: a program with arguments and variables, or an address with headers. If a
    secret has no value, the stored one is kept."""

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
    """A configuration to test. ``id``: the server that is being edited, if any; its stored secrets are used for those
    that were not entered."""

    id: Annotated[Id | None, Blank] = None


class Edited(Typed, OneServer):
    """The complete new configuration of a server."""


def _secret(values: dict[str, str | None]) -> dict[str, SecretStr | None]:
    return {name.strip(): SecretStr(value) if value is not None else None for name, value in values.items()}


class Seen(Call):
    """The revision of the list that the page shows."""

    revision: int


class ToolServerShelf(Handlers):
    """Actions that the script of the Settings tab can call."""

    @action("settings", endpoint="list_tool_servers", who="administrator")
    async def tool_servers(self, user_id: str, call: Call) -> Reply:
        """All tool servers with their state and what they offer. For secrets, only their names."""
        return self._all(call.ui)

    @action("settings", who="administrator")
    async def tool_server_news(self, user_id: str, call: Seen) -> Reply:
        """The list of tool servers, returned when it differs from ``revision``, or after some time."""
        await self._workbench.tool_servers.news(call.revision, NEWS_SECONDS)
        return self._all(call.ui)

    @action("settings", endpoint="add_tool_server", who="administrator", noted="changed")
    async def add_server(self, user_id: str, call: Typed) -> Reply:
        """Add a tool server and start it."""
        added = await self._workbench.tool_servers.add(call.draft())
        return {**self._all(call.ui), "id": added.id}

    @action("settings", endpoint="edit_tool_server", who="administrator", noted="changed")
    async def edit_server(self, user_id: str, call: Edited) -> Reply:
        """Save the changes of a tool server and restart it."""
        await self._workbench.tool_servers.edit(call.id, call.draft())
        return self._all(call.ui)

    @action("settings", endpoint="try_tool_server", who="administrator")
    async def try_server(self, user_id: str, call: Tried) -> Reply:
        """Test a tool server: start it once, list what it offers, and stop it. Nothing is saved."""
        return {"server": _shown(await self._workbench.tool_servers.try_out(call.draft(), call.id), call.ui)}

    @action("settings", endpoint="switch_tool_server", who="administrator", noted="changed")
    async def switch_server(self, user_id: str, call: Switched) -> Reply:
        """Switch a tool server on or off, including servers defined in the configuration file."""
        await self._workbench.tool_servers.switch(call.id, call.enabled)
        return self._all(call.ui)

    @action("settings", endpoint="remove_tool_server", who="administrator", noted="deleted")
    async def remove_server(self, user_id: str, call: OneServer) -> Reply:
        """Stop and remove a tool server. For a limited time, ``restore_server`` restores it."""
        await self._workbench.tool_servers.remove(call.id)
        return self._all(call.ui)

    @action("settings", endpoint="restore_tool_server", who="administrator", noted="restored")
    async def restore_server(self, user_id: str, call: OneServer) -> Reply:
        """Restore a removed tool server."""
        await self._workbench.tool_servers.restore(call.id)
        return self._all(call.ui)

    @action("settings", endpoint="refresh_tool_server", who="administrator")
    async def refresh_server(self, user_id: str, call: OneServer) -> Reply:
        """List again what a tool server offers. If the server has failed, restart it."""
        await self._workbench.tool_servers.refresh(call.id)
        return self._all(call.ui)

    @action("settings", endpoint="sign_in_tool_server", who="administrator")
    async def sign_in_server(self, user_id: str, call: SigningIn) -> Reply:
        """The address for signing in to a tool server; empty if sign-in is not needed."""
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
