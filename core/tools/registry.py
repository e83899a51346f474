"""All tools there are, of all servers: *a name as a model spells it* → the tool.

Servers come and go while the workbench runs. Whoever was there first keeps a name; a later tool of the same name is
known with its server's name before it.
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
    """A tool under the ``name`` by which it is called here; ``own``: it is a part of the workbench itself."""

    name: str
    tool: Tool = field(repr=False)
    definition: ToolDefinition = field(repr=False)
    own: bool = False

    @property
    def server(self) -> str:
        return self.definition.server


@dataclass(frozen=True)
class RegisteredServer:
    """A server, with what it says of how it is."""

    server: ToolServer
    own: bool

    @property
    def state(self) -> ServerState:
        return self.server.state if isinstance(self.server, StatedServer) else "up"

    @property
    def trouble(self) -> Words | None:
        return self.server.trouble if isinstance(self.server, StatedServer) else None


class ToolRegistry:
    """``switched_off`` names tools that are not to be called, now; of a server that is ``away`` none are there."""

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
        """Start a server and offer its tools from now on; one of the same name is stopped first.

        ``own``: it is a part of the workbench, so that nobody is asked before it is used. A server that does not start
        raises what it raised, and is not there.
        """
        await self.unregister(server.name)
        await server.start()
        self._servers[server.name] = RegisteredServer(server, own)

    async def unregister(self, name: str) -> None:
        """Stop a server; its tools are gone. Nothing happens where there is none."""
        known = self._servers.pop(name, None)
        if known is not None:
            await known.server.stop()

    async def stop(self) -> None:
        """Stop all servers, the last one first."""
        for name in reversed(list(self._servers)):
            try:
                await self.unregister(name)
            except Exception:
                log.warning("the server %s did not stop well", name, exc_info=True)

    @property
    def servers(self) -> Sequence[RegisteredServer]:
        """In the order in which they came."""
        return tuple(self._servers.values())

    def digest(self, name: str) -> str:
        """Of all that a server says of its tools: another one means that what was agreed to is no longer what it is."""
        definitions = [each.definition for each in self._servers[name].server.tools()]
        known = self._digests.get(name)
        # A definition is never changed in place, so the same ones say the same; a call asks each time.
        if known is None or len(known[0]) != len(definitions) or any(map(is_not, known[0], definitions)):
            known = self._digests[name] = (definitions, _digest(definitions))
        return known[1]

    # -- tools -----------------------------------------------------------------------------

    def all(self) -> list[RegisteredTool]:
        """Every tool of every server that is not away, those that are switched off too."""
        found: dict[str, RegisteredTool] = {}
        files = self._own_definitions.read()
        for known in self._servers.values():
            for tool in () if self._away(known) else known.server.tools():
                definition = laid_over(tool.definition, files)
                name = _free_name(definition, found)
                found.setdefault(name, RegisteredTool(name, tool, definition, known.own))
        return list(found.values())

    def available(self) -> list[RegisteredTool]:
        """Those that may be called now."""
        off = self._switched_off()
        return [each for each in self.all() if each.name not in off]

    def is_on(self, name: str) -> bool:
        return name not in self._switched_off()

    def find(self, name: str) -> RegisteredTool | None:
        """The tool of this name, however its spelling joins words, or by another spelling that is known of it."""
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
    """As providers of models allow it."""
    name = _usable(definition.name)
    return name if name not in taken else _usable(f"{definition.server}_{definition.name}")


def _usable(name: str) -> str:
    return _UNUSABLE.sub("_", name)[:LONGEST_NAME]


def _joined(name: str) -> str:
    return _UNUSABLE.sub("_", name).replace("-", "_").lower()
