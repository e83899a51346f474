"""Tests that every module that sends requests to other hosts is listed, with its protection against requests into our
own network.

If a question, a model, a document or an external server supplies the address, then private, loopback and link-local
addresses are refused, in any notation and after any name lookup or redirect. If an administrator sets the address in
the settings, it is allowed; the list states the reason for each.
"""

from __future__ import annotations

import ast
import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from core.errors import PalimpsestError
from core.resilience.dependencies import Dependency
from core.settings import Settings
from core.tools.datagov.portal import Portal
from core.tools.mcp.remote import GuardedTransport
from core.tools.web.fetching import PageReader
from tests.servers.ckan import CkanServer

ROOT = Path(__file__).parents[3]

GUARDED = {
    "core/tools/web/fetching.py": "pages that a question or a model names",
    "core/tools/mcp/remote.py": "tool servers, and where they say that one signs in",
    "core/tools/datagov/portal.py": "what a catalogue says where its files are: the portal itself alone",
}
CHOSEN_BY_ADMINISTRATORS = {
    "core/models/clients.py": "chat models: PALIMPSEST_MODEL and addresses of providers, in settings or on Settings",
    "core/models/compatible.py": "the client of a chat model at an address of one's own",
    "core/models/configuration/offered.py": "the list of models at the same addresses, asked for by administrators",
    "core/models/configuration/search_services.py": "looks for services of models at fixed places of this machine",
    "core/models/model_server.py": "what a server of models says of itself, at the address of the settings",
    "core/models/endpoint.py": "embeddings, reranking, Tavily, Perplexity: addresses of the settings",
    "core/models/nli/build.py": "fetches the inference model that PALIMPSEST_NLI_MODEL names from Hugging Face, once",
    "core/certificates.py": "nobody: it only reads the authorities that the others trust",
    "core/accounts/openid.py": "the provider of PALIMPSEST_OPENID__ISSUER, and the parts that it names by https",
    "core/traces.py": "the collector of PALIMPSEST_TRACES; LangSmith is held unless PALIMPSEST_LANGSMITH",
    "core/coordination/redis.py": "the address of Redis in the settings",
    "core/coordination/dispatch.py": "the same",
    "core/coordination/shared_vectors.py": "the same Redis",
    "core/coordination/shared_progress.py": "the same Redis",
    "core/coordination/announcements.py": "the same Redis",
    "core/store/mongo.py": "MONGODB_URI",
    "core/store/checkpoints.py": "MONGODB_URI",
    "core/store/gridfs.py": "MONGODB_URI, by the client of the truth",
    "core/store/migrations/mongo.py": "MONGODB_URI",
    "core/store/clusters/mongo_server.py": "MONGODB_URI",
    "core/store/threads/mongo.py": "MONGODB_URI, by the client of the truth",
    "core/store/clusters/sharding.py": "MONGODB_URI, by the client of the truth",
    "core/store/qdrant.py": "QDRANT_URL",
    "core/tools/mcp/child.py": "programs of tool servers that an administrator set: pipes, and what they do themselves",
    "command/client.py": "commands, palimpsest migrate too: the workbench that runs on this machine",
    "command/reaching.py": "commands: the workbench that runs on this machine",
    "command/upstream.py": "palimpsest mcp: the workbench that runs on this machine, or the one that its owner names",
}
NOTHING_GOES_OUT = {
    "app.py": "reads headers of proxies",
    "command/hosting.py": "listens",
    "command/serve.py": "listens",
    "core/errors.py": "names errors",
    "core/operations/doctor/machine.py": "sees whether a port is free",
    "core/store/clusters/qdrant_answers.py": "names errors",
    "core/store/clusters/qdrant_layout.py": "says what a collection is asked for with",
    "core/tools/mcp/connection.py": "speaks over streams that remote.py or child.py opened",
    "core/tools/mcp/sign_in.py": "its requests go through remote.py",
    "core/tools/public_addresses.py": "asks the system's resolver alone, for the guarded ones",
    "core/tools/mcp/streams.py": "a type",
    "core/tools/web/pages.py": "reads how an address is written",
    "core/tools/web/web_pages.py": "its requests go through fetching.py",
    "core/workbench.py": "the name of this machine",
    "pages/security/slow_headers.py": "ends connections that others opened",
}
LIBRARIES = {
    "aiohttp", "anthropic", "authlib", "cohere", "ftplib", "gridfs", "httpx", "httpx2", "huggingface_hub", "imaplib",
    "langchain", "langchain_anthropic", "langchain_cohere", "langchain_mistralai", "langchain_openai", "langsmith",
    "mistralai", "motor", "openai", "poplib", "pymongo", "qdrant_client", "redis", "requests", "smtplib", "socket",
    "telnetlib", "urllib3", "uvicorn", "websockets",
}  # fmt: skip
PARTS = ("http.client", "langgraph.checkpoint.mongodb", "mcp.client", "opentelemetry.exporter", "urllib.request")
CALLS = {"create_connection", "open_connection", "open_unix_connection"}


def reaches_out(path: Path) -> bool:
    """Returns whether a module imports a network library, or opens a connection itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        if any(name.split(".")[0] in LIBRARIES or name.startswith(PARTS) for name in names):
            return True
        if isinstance(node, ast.Attribute) and node.attr in CALLS:
            return True
    return False


def sources() -> Iterator[Path]:
    yield ROOT / "app.py"
    for folder in ("command", "core", "pages", "viz"):
        yield from (ROOT / folder).rglob("*.py")


def test_every_door_is_listed() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in sources() if reaches_out(path)}
    assert found == {*GUARDED, *CHOSEN_BY_ADMINISTRATORS, *NOTHING_GOES_OUT}


def test_nothing_of_ours_follows_redirects_by_itself() -> None:
    assert not [path for path in sources() if "follow_redirects" in path.read_text(encoding="utf-8")]


# -- clients that check addresses ------------------------------------------------------------------

WRITTEN = [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "10.0.0.7", "172.16.0.1", "192.168.1.1", "0.0.0.0",
    "169.254.169.254", "100.64.0.1", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]",
    "[64:ff9b::10.0.0.7]", "[2002:7f00:1::]",
]  # fmt: skip
"""Internal hosts, in different notations."""
LED_TO = ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fe80::1", "::ffff:10.0.0.7", "64:ff9b::127.0.0.1"]
"""Internal addresses to which a public-looking host name resolves."""


class Outside:
    """A network in which every name resolves to ``address``; the test fails if anything is sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, address: str | None = None) -> None:
        self.sent: list[str] = []

        async def send(transport: object, request: Any) -> Any:
            self.sent.append(str(request.url))
            raise ConnectionError("it was sent")

        monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", send)
        monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", send)
        if address is None:
            return

        async def lookup(loop: object, host: str, port: int, **_: object) -> list[Any]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", lookup)


async def page(url: str, folder: Path) -> None:
    await PageReader(Settings(_env_file=None, home=folder), 5.0).read(url)  # type: ignore[call-arg]


async def tool_server(url: str, folder: Path, *named: str) -> None:
    """A tool server on another host that sends users to ``url`` for sign-in."""
    transport = GuardedTransport("vault", httpx2.URL("https://mcp.example.com/mcp"), ["mcp.example.com:443", *named])
    await transport.handle_async_request(httpx2.Request("GET", url))


async def portal(url: str, folder: Path) -> None:
    await Portal("https://data.gov.il", 5.0, Dependency("datagov", 5.0)).download(url)


DOORS = {
    "core/tools/web/fetching.py": page,
    "core/tools/mcp/remote.py": tool_server,
    "core/tools/datagov/portal.py": portal,
}
each_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


def test_every_guarded_door_is_tried() -> None:
    assert set(DOORS) == set(GUARDED)


@each_door
@pytest.mark.parametrize("host", WRITTEN)
async def test_an_address_within_is_refused_however_it_is_written(
    door: Any, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch)
    for scheme in ("http", "https"):
        with pytest.raises((PalimpsestError, httpx2.InvalidURL)):
            await door(f"{scheme}://{host}/latest/meta-data", tmp_path)
    assert outside.sent == []


@each_door
@pytest.mark.parametrize("address", LED_TO)
async def test_a_name_that_leads_within_is_refused(
    door: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch, address)
    with pytest.raises(PalimpsestError):
        await door("https://www.example.com/page", tmp_path)
    assert outside.sent == []


@pytest.mark.parametrize("door", [page, tool_server], ids=["page", "tool server"])
async def test_a_public_name_goes_to_the_address_that_was_looked_at(
    door: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch, "93.184.216.34")
    with pytest.raises(Exception, match="it was sent"):
        await door("https://www.example.com/page", tmp_path)
    assert outside.sent == ["https://93.184.216.34/page"]


async def test_what_an_administrator_names_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = Outside(monkeypatch, "10.0.0.7")
    with pytest.raises(ConnectionError):
        await tool_server("http://login.internal:8443/", tmp_path, "login.internal:8443")
    assert outside.sent == ["http://login.internal:8443/"]


@pytest.mark.parametrize("host", WRITTEN)
async def test_a_redirect_within_is_refused(host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests web pages and the open data portal. For tool servers, the SDK sends every request through the checked
    client."""
    asked: list[str] = []

    async def led(transport: object, request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(302, headers={"Location": f"http://{host}/secret"}, request=request)

    Outside(monkeypatch, "93.184.216.34")
    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", led)
    for door, url in ((page, "https://www.example.com/page"), (portal, "https://data.gov.il/file.csv")):
        asked.clear()
        with pytest.raises((PalimpsestError, httpx.HTTPError)):
            await door(url, tmp_path)
        assert set(asked) <= {"93.184.216.34", "data.gov.il"}


async def test_a_portal_on_this_machine_is_asked_because_the_settings_name_it() -> None:
    async with CkanServer() as server:
        with pytest.raises(PalimpsestError) as refused:
            await Portal(server.url, 5.0, Dependency("datagov", 5.0)).download("http://127.0.0.1:1/elsewhere")
        assert refused.value.problem.category == "validation"
        assert server.requests == []
