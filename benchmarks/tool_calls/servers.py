"""Runs a workbench with real tool servers, and a portal and two web search engines on loopback; all can be given
faults."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from core.setting_groups import DataGov
from core.settings import Settings
from core.tools.datagov.index import index_of
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.server import FOLDER, DatagovServer
from core.tools.web.server import WebServer
from core.workbench import Workbench
from tests.servers.ckan import CkanServer
from tests.servers.ckan_catalogue import made_map
from tests.servers.local import LocalServer, Reply, Request, json_reply
from tests.servers.tools import published, reference

FILES = {
    "minutes.txt": "The board met on Tuesday.",
    "rates.csv": "year,rate\n2025,4.5\n2026,4.25\n",
    "סיכום.txt": "הוועדה התכנסה ביום שלישי.",
}
FOLDERS = ("archive", "דוחות")
PAGES = [{"title": "Rates", "url": "https://a.example.com/r", "content": "The rate is 4.25 %.", "score": 0.9}]
FOUND = [{"title": "Rates", "url": "https://b.example.com/r", "snippet": "The rate is 4.25 %.", "date": "2026-11-01"}]
WRITTEN = {"choices": [{"message": {"content": "The rate is 4.25 %.[1]"}}], "search_results": FOUND}
EXTRACTED = {"results": [{"url": "https://a.example.com/r", "raw_content": "The rate. " * 90}], "failed_results": []}


@dataclass
class Engine(LocalServer):
    """A simulated web search engine; ``fault``, if set, replaces every answer."""

    fault: Reply | None = None

    def __post_init__(self) -> None:
        self.responder = self._respond

    def _respond(self, request: Request) -> Reply:
        if self.fault is not None:
            return self.fault
        if request.path.endswith("/extract"):
            return json_reply(EXTRACTED)
        if request.path.endswith("/chat/completions"):
            return json_reply(WRITTEN)
        return json_reply({"query": "q", "results": PAGES if "search_depth" in request.body else FOUND})


@dataclass
class Portal(CkanServer):
    """The simulated portal; ``fault`` replaces every answer of its store, or with ``whole`` all answers."""

    fault: Reply | None = None
    whole: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        answered = self._respond

        def respond(request: Request) -> Reply:
            hit = self.fault is not None and (self.whole or "datastore" in request.path or "/resource/" in request.path)
            return self.fault if hit and self.fault else answered(request)

        self.responder = respond


@dataclass
class Served:
    """Everything that was started. ``folder`` is the folder that the file server may read."""

    workbench: Workbench
    folder: Path
    tavily: Engine
    perplexity: Engine
    portal: Portal


@asynccontextmanager
async def served(home: Path, seconds: float = 5.0, *, others: bool = True) -> AsyncIterator[Served]:
    """Yields all of it, started; ``seconds`` is the time limit of a request to an engine or to the portal."""
    files = home / "files"
    files.mkdir(parents=True)
    for name, text in FILES.items():
        (files / name).write_text(text, encoding="utf-8")
    for name in FOLDERS:
        (files / name).mkdir()
    async with AsyncExitStack() as stack:
        tavily, perplexity = [await stack.enter_async_context(Engine()) for _ in range(2)]
        portal = await stack.enter_async_context(Portal())
        settings = _settings(home, seconds, tavily, perplexity, portal, others)
        workbench = Workbench(settings)
        await workbench.start()
        stack.push_async_callback(workbench.stop)
        await _quick(workbench, settings)
        for server in workbench.tool_servers:
            await server.settled()
        yield Served(workbench, files, tavily, perplexity, portal)


def _settings(home: Path, seconds: float, tavily: Engine, perplexity: Engine, portal: Portal, others: bool) -> Settings:
    commands = {
        "everything": reference("everything"),
        "filesystem": reference("filesystem", str(home / "files")),
        "graph": reference("memory"),
        "time": published("mcp_server_time"),
    }
    entries = {name: {"command": command[0], "args": command[1]} for name, command in commands.items() if others}
    if others:
        entries["graph"]["env"] = {"MEMORY_FILE_PATH": str(home / "graph.json")}  # type: ignore[assignment]
    data = home / "data"
    data.mkdir()
    (data / "mcp.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None,
        home=data,
        dense_enabled=False,
        tavily_api_key="t",
        tavily_url=tavily.url,
        perplexity_api_key="p",
        perplexity_url=perplexity.url,
        datagov=DataGov(url=portal.url),
    )
    settings.deadlines.web = settings.deadlines.datagov = seconds
    settings.breakers.failures = 1_000_000  # The call is measured, not the circuit breaker.
    known = made_map(portal.url, built_at=time.time())
    MapFiles(data / FOLDER).save(known, index_of(known))
    return settings


async def _quick(workbench: Workbench, settings: Settings) -> None:
    """Removes the pauses between attempts of the web and the portal."""

    async def sleep(_: float) -> None:
        """Returns immediately."""

    registry = workbench.tools.registry
    await registry.register(WebServer(settings), own=True)
    await registry.register(DatagovServer(settings, time.time, sleep), own=True)
