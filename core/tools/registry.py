"""Registers the tools of all servers, and finds a tool by its name as a model spells it.

Servers can be added and removed while the workbench runs. If two tools have the same name, the first one keeps it;
later ones get their server's name as prefix.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import is_not

from core.tools.definition import ToolDefinition
from core.tools.definition_files import OwnDefinitions, laid_over
from core.tools.tool import ServerState, StatedServer, Tool, ToolServer
from core.words import Words

log = logging.getLogger(__name__)

LONGEST_NAME = 64
_UNUSABLE = re.compile(r"[^a-zA-Z0-9_-]+")


@dataclass(frozen=True)
class RegisteredTool:
    """A tool with its ``name`` in the registry; ``own``: it is built in."""

    name: str
    tool: Tool = field(repr=False)
    definition: ToolDefinition = field(repr=False)
    own: bool = False

    @property
    def server(self) -> str:
        return self.definition.server


@dataclass(frozen=True)
class RegisteredServer:
    """A server with its reported state."""

    server: ToolServer
    own: bool

    @property
    def state(self) -> ServerState:
        return self.server.state if isinstance(self.server, StatedServer) else "up"

    @property
    def trouble(self) -> Words | None:
        return self.server.trouble if isinstance(self.server, StatedServer) else None


class ToolRegistry:
    """The registry. ``switched_off`` returns names of tools that must not be called; tools of an ``away`` server are
    not listed."""

    def __init__(
        self,
        own_definitions: OwnDefinitions,
        switched_off: Callable[[], Collection[str]] = tuple,
        away: Callable[[RegisteredServer], bool] = lambda _: False,
    ) -> None:
        self._own_definitions = own_definitions
        self._switched_off = switched_off
        self._away = away
        self._servers: dict[str, RegisteredServer] = {}
        self._digests: dict[str, tuple[list[ToolDefinition], str]] = {}

    # -- servers ---------------------------------------------------------------------------

    async def register(self, server: ToolServer, *, own: bool = False) -> None:
        """Start a server and offer its tools; a server with the same name is stopped first.

        ``own``: the server is built in, so no consent is needed. If a server does not start, its error is raised and it
        is not registered.
        """
        await self.unregister(server.name)
        await server.start()
        self._servers[server.name] = RegisteredServer(server, own)

    async def unregister(self, name: str) -> None:
        """Stop a server and remove its tools. Does nothing if there is no such server."""
        known = self._servers.pop(name, None)
        if known is not None:
            await known.server.stop()

    async def stop(self) -> None:
        """Stop all servers, in reverse order of registration."""
        for name in reversed(list(self._servers)):
            try:
                await self.unregister(name)
            except Exception:
                log.warning("the server %s did not stop well", name, exc_info=True)

    @property
    def servers(self) -> Sequence[RegisteredServer]:
        """The servers in order of registration."""
        return tuple(self._servers.values())

    def digest(self, name: str) -> str:
        """A hash of a server's tool descriptions; when it changes, earlier consent no longer applies."""
        definitions = [each.definition for each in self._servers[name].server.tools()]
        known = self._digests.get(name)
        # Each call compares objects only: definitions are never changed in place, so identical objects have the same
        # hash.
        if known is None or len(known[0]) != len(definitions) or any(map(is_not, known[0], definitions)):
            known = self._digests[name] = (definitions, _digest(definitions))
        return known[1]

    # -- tools -----------------------------------------------------------------------------

    def all(self) -> list[RegisteredTool]:
        """Tools of all available servers, including tools that are switched off."""
        found: dict[str, RegisteredTool] = {}
        files = self._own_definitions.read()
        for known in self._servers.values():
            for tool in () if self._away(known) else known.server.tools():
                definition = laid_over(tool.definition, files)
                name = _free_name(definition, found)
                found.setdefault(name, RegisteredTool(name, tool, definition, known.own))
        return list(found.values())

    def available(self) -> list[RegisteredTool]:
        """Tools that may be called now."""
        off = self._switched_off()
        return [each for each in self.all() if each.name not in off]

    def is_on(self, name: str) -> bool:
        return name not in self._switched_off()

    def find(self, name: str) -> RegisteredTool | None:
        """The tool with this name (separators are ignored), or with a known alternative spelling."""
        tools, wanted = self.all(), _joined(name)
        by_name = (each for each in tools if each.name == name)
        by_joined = (each for each in tools if _joined(each.name) == wanted)
        by_variant = (each for each in tools if any(re.fullmatch(one, name, re.I) for one in each.definition.variants))
        return next(chain(by_name, by_joined, by_variant), None)


def _digest(definitions: Sequence[ToolDefinition]) -> str:
    said = sorted(
        json.dumps(
            [
                each.name,
                each.description,
                [parameter.model_dump() for parameter in each.parameters],
                each.json_schema,
                each.effects.model_dump(),
            ],
            sort_keys=True,
        )
        for each in definitions
    )
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _free_name(definition: ToolDefinition, taken: Collection[str]) -> str:
    """An unused name in the form that model providers accept."""
    name = _usable(definition.name)
    return name if name not in taken else _usable(f"{definition.server}_{definition.name}")


def _usable(name: str) -> str:
    return _UNUSABLE.sub("_", name)[:LONGEST_NAME]


def _joined(name: str) -> str:
    return _UNUSABLE.sub("_", name).replace("-", "_").lower()
