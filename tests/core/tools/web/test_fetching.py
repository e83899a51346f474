"""Tests reading a page: only public, checked addresses, a few redirects, limits on bytes and time."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import httpx
import pytest

from core.errors import PalimpsestError
from core.settings import Settings
from core.tools.public_addresses import is_global
from core.tools.tool import FoundText
from core.tools.web.fetching import LONGEST_PAGE, MOST_REDIRECTS, PageReader
from core.tools.web.pages import MOST_BYTES
from tests.servers.local import LocalServer, Reply, Request, silence

PAGE = """<!doctype html><html><head><title>Rates &amp; prices</title><script>bad()</script></head><body>
<nav>Home Contact</nav><main><h1>The rate</h1><p>The bank set the rate at <b>4.25</b> percent.</p>
<table><tr><th>Year</th><th>Rate</th></tr><tr><td>2025</td><td>4.50</td></tr><tr><td>2026</td><td>4.25</td></tr></table>
</main></body></html>"""


def reply(body: str | bytes, status: int = 200, **headers: str) -> Reply:
    raw = body.encode() if isinstance(body, str) else body
    named = {"Content-Type": "text/html; charset=utf-8", **{k.replace("_", "-"): v for k, v in headers.items()}}

    async def write(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status} X", *(f"{k}: {v}" for k, v in named.items()), f"Content-Length: {len(raw)}"]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + raw)
        await writer.drain()

    return write


def reader(folder: Path, seconds: float = 5.0, **given: object) -> PageReader:
    """A page reader that resolves every host name to this machine and treats the address as public."""

    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    settings = Settings(_env_file=None, home=folder)  # type: ignore[call-arg]
    return PageReader(settings, seconds, **{"resolve_host": here, "judge": lambda _: True, **given})  # type: ignore[arg-type]


def address(server: LocalServer, path: str = "/page") -> str:
    return f"http://www.example.com:{server.url.rpartition(':')[2]}{path}"


async def test_a_page_is_read_as_what_it_says(tmp_path: Path) -> None:
    async with LocalServer(reply(PAGE)) as server:
        page = await reader(tmp_path).read(address(server))
    assert page.title == "Rates & prices"
    assert "# The rate" in page.text
    assert "The bank set the rate at 4.25 percent." in page.text
    assert "| 2026 | 4.25 |" in page.text
    assert "bad()" not in page.text
    assert "Contact" not in page.text
    assert server.requests[0].headers["host"] == address(server).split("/")[2]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://10.0.0.7/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://localhost/",
        "http://0177.0.0.1/",
        "file:///etc/passwd",
        "ftp://example.com/",
        "https://user:word@example.com/",
    ],
)
async def test_private_addresses_are_refused_before_anything_is_resolved(tmp_path: Path, url: str) -> None:
    async def nobody(host: str, port: int) -> list[str]:
        raise AssertionError("it was resolved")

    with pytest.raises(PalimpsestError) as caught:
        await reader(tmp_path, resolve_host=nobody).read(url)
    assert caught.value.problem.category == "validation"


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["93.184.216.34", "10.0.0.7"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["fe80::1%eth0"],
        ["2002:7f00:0001::"],
        ["169.254.169.254"],
        ["0.0.0.0"],
        ["224.0.0.1"],
        ["100.64.0.1"],
        [],
    ],
)
async def test_a_name_that_leads_inside_is_refused(tmp_path: Path, addresses: list[str]) -> None:
    async def inside(host: str, port: int) -> list[str]:
        return addresses

    async with LocalServer(reply(PAGE)) as server:
        with pytest.raises(PalimpsestError) as caught:
            await reader(tmp_path, resolve_host=inside, judge=is_global).read(address(server))
    assert "public" in caught.value.problem.why.en
    assert server.requests == []


async def test_the_connection_goes_to_the_address_that_was_looked_at(tmp_path: Path) -> None:
    """A host name is resolved only once, so that a second lookup cannot give an address that was not checked."""
    asked: list[str] = []

    async def changing(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.7"]

    async with LocalServer(reply(PAGE)) as server:
        await reader(tmp_path, resolve_host=changing).read(address(server))
    assert asked == ["www.example.com"]


async def test_redirects_are_followed_and_each_is_judged(tmp_path: Path) -> None:
    def respond(request: Request) -> Reply:
        return reply("", 302, Location="/there") if request.path == "/page" else reply(PAGE)

    async with LocalServer(responder=respond) as server:
        page = await reader(tmp_path).read(address(server))
        assert page.url == address(server, "/there")
    async with LocalServer(reply("", 302, Location="http://127.0.0.1:1/secret")) as server:
        with pytest.raises(PalimpsestError) as caught:
            await reader(tmp_path).read(address(server))
    assert caught.value.problem.category == "validation"
    assert len(server.requests) == 1


async def test_redirects_end(tmp_path: Path) -> None:
    async with LocalServer(reply("", 302, Location="/again")) as server:
        with pytest.raises(PalimpsestError) as caught:
            await reader(tmp_path).read(address(server))
    assert "example.com" in caught.value.problem.why.en
    assert len(server.requests) == MOST_REDIRECTS + 1


async def test_a_page_without_end_is_read_so_far(tmp_path: Path) -> None:
    async with LocalServer(reply("<p>" + "word " * MOST_BYTES)) as server:
        page = await reader(tmp_path).read(address(server))
    assert len(page.text) == LONGEST_PAGE


async def test_a_silent_server_is_not_waited_for(tmp_path: Path) -> None:
    async with LocalServer(silence()) as server:
        with pytest.raises(PalimpsestError) as caught:
            await reader(tmp_path, 0.2).read(address(server))
    assert caught.value.problem.category == "timeout"


@pytest.mark.parametrize(
    ("answer", "category"),
    [
        (reply("x", 404), "not_found"),
        (reply("x", 403), "auth"),
        (reply("x", 500), "server"),
        (reply(b"%PDF-1.7", Content_Type="application/pdf"), "validation"),
        (reply("<html><body></body></html>"), "not_found"),
    ],
)
async def test_what_cannot_be_read_is_told_in_its_category(tmp_path: Path, answer: Reply, category: str) -> None:
    from core.tools.failures import category_of

    async with LocalServer(answer) as server:
        with pytest.raises((PalimpsestError, httpx.HTTPStatusError)) as caught:
            await reader(tmp_path).read(address(server))
    assert category_of(caught.value) == category


async def test_a_name_that_nobody_has_is_said(tmp_path: Path) -> None:
    async def nowhere(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    with pytest.raises(PalimpsestError) as caught:
        await reader(tmp_path, resolve_host=nowhere).read("https://nowhere.example.com/")
    assert caught.value.problem.category == "connection"


async def test_hebrew_is_read_in_the_encoding_that_the_server_names(tmp_path: Path) -> None:
    body = "<p>הריבית נקבעה על ארבעה אחוזים.</p>".encode("windows-1255")
    async with LocalServer(reply(body, Content_Type="text/html; charset=windows-1255")) as server:
        page = await reader(tmp_path).read(address(server))
    assert page.text == "הריבית נקבעה על ארבעה אחוזים."


async def test_plain_text_stays_plain(tmp_path: Path) -> None:
    async with LocalServer(reply("One < two.\n\nThree.", Content_Type="text/plain")) as server:
        page = await reader(tmp_path).read(address(server))
    assert page == FoundText(title="www.example.com", text="One < two.\n\nThree.", url=address(server))


async def test_a_packed_page_is_unpacked(tmp_path: Path) -> None:
    async with LocalServer(reply(gzip.compress(PAGE.encode()), Content_Encoding="gzip")) as server:
        assert "4.25 percent" in (await reader(tmp_path).read(address(server))).text
