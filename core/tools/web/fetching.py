"""Reads the web page at an address; returns its title and text.

The address comes from a question or a model, so it must not lead to a private network. The host is resolved first, all
its IP addresses must be public, and the connection uses the IP address that was checked. A few redirects are followed,
each checked again; bytes and time are limited.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urljoin

import httpx

from core.certificates import trusted
from core.errors import PalimpsestError, fail, general_problem
from core.library.extract.html import extract_html
from core.library.extract.txt import extract_txt
from core.library.extracted import Block, Extracted
from core.settings import Settings
from core.tools.public_addresses import is_global, resolve
from core.tools.tool import FoundText
from core.tools.web.pages import MOST_BYTES, is_public, plain

log = logging.getLogger(__name__)

MOST_REDIRECTS = 5
LONGEST_PAGE = 40_000
"""Maximum number of characters in a page."""
READABLE = ("text/", "application/xhtml+xml", "application/json", "application/xml")
_HEADERS = {
    "User-Agent": "Palimpsest/0.1 (reads one page that its user asked about)",
    "Accept": "text/html, text/*",
    "Accept-Encoding": "identity",
}

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""A function: (host, port) → its IP addresses."""
Judge = Callable[[str], bool]


@dataclass(frozen=True)
class Fetched:
    """A response. ``kind`` is its media type without parameters, ``url`` its address after all redirects; ``is_cut``:
    the response was longer than was requested."""

    url: str
    kind: str
    charset: str | None
    content: bytes
    is_cut: bool = False

    @property
    def host(self) -> str:
        return httpx.URL(self.url).host


Most = Callable[[str], int]
"""A function: media type → maximum number of bytes to read; 0 for an unwanted type."""


@dataclass(frozen=True)
class _Place:
    """One request: the address as written, and the IP address to connect to."""

    url: httpx.URL
    address: str


class PageReader:
    """Reads pages. ``seconds`` limits a whole reading; tests replace ``resolve_host`` and ``judge``."""

    def __init__(
        self,
        settings: Settings,
        seconds: float,
        resolve_host: Resolve = resolve,
        judge: Judge = is_global,
    ) -> None:
        self._settings = settings
        self._seconds = seconds
        self._resolve = resolve_host
        self._judge = judge

    async def read(self, url: str) -> FoundText:
        """The page at ``url``: its text in Markdown, its final address, and the date that it states.

        Raises:
            PalimpsestError: the address is not public ("validation"), cannot be reached, or holds no text.
        """
        fetched = await self.fetch(url, lambda kind: MOST_BYTES if kind.startswith(READABLE) else 0)
        if fetched.is_cut:
            log.info("a page is longer than what is read of it")
        content = with_charset(fetched)
        read = await asyncio.to_thread(_extracted, content, fetched.kind, self._settings)
        text = markdown(read.blocks)[:LONGEST_PAGE]
        if not text:
            raise fail("not_found", "tools.fetch.nothing_said", host=fetched.host)
        title = plain(read.title or "") or fetched.host
        return FoundText(title=title, text=text, url=fetched.url, date=read.created or "")

    async def fetch(self, url: str, most: Most, accept: str = _HEADERS["Accept"]) -> Fetched:
        """The content at ``url``, of any media type that ``most`` accepts.

        Raises:
            PalimpsestError: the address is not public ("validation"), cannot be reached in time, or has another media
            type.
            httpx.HTTPError: the server cannot be reached, or returns an error.
        """
        try:
            async with asyncio.timeout(self._seconds):
                return await self._follow(url, most, accept)
        except TimeoutError as error:
            raise PalimpsestError(general_problem("timeout"), "the page took too long") from error

    async def _follow(self, url: str, most: Most, accept: str) -> Fetched:
        authorities = await asyncio.to_thread(trusted)
        # Proxies from the environment are not used, because they would resolve the host again, unchecked. Each page has
        # its own client: pages must not share cookies, and an open connection would be reused by its address only.
        async with httpx.AsyncClient(
            verify=authorities,
            timeout=self._seconds,
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        ) as client:
            for _ in range(MOST_REDIRECTS + 1):
                place = await self._place(url)
                async with client.stream(
                    "GET",
                    place.url.copy_with(host=place.address),
                    headers={**_headers(place), "Accept": accept},
                    extensions={"sni_hostname": place.url.host},
                ) as response:
                    if not response.is_redirect:
                        response.raise_for_status()
                        return await _taken(place, response, most)
                    url = urljoin(str(place.url), response.headers["location"])
        raise fail("validation", "tools.fetch.too_many_redirects", host=place.url.host)

    async def _place(self, url: str) -> _Place:
        if not is_public(url):
            raise not_public(url)
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise not_public(url) from error
        try:
            addresses = await self._resolve(parsed.host, parsed.port or (443 if parsed.scheme == "https" else 80))
        except OSError as error:
            raise fail("connection", "tools.fetch.no_such_host", detail=str(error), host=parsed.host) from error
        if not addresses or not all(self._judge(each) for each in addresses):
            raise not_public(url)
        return _Place(parsed, addresses[0])


async def _taken(place: _Place, response: httpx.Response, most: Most) -> Fetched:
    kind = response.headers.get("content-type", "text/html").lower().partition(";")[0].strip()
    limit = most(kind)
    if not limit:
        raise fail("validation", "tools.fetch.no_text", host=place.url.host)
    raw = bytearray()
    async for piece in response.aiter_bytes():
        raw += piece
        if len(raw) > limit:
            break
    return Fetched(str(place.url), kind, response.charset_encoding, bytes(raw[:limit]), len(raw) > limit)


def not_public(url: str) -> PalimpsestError:
    """The error for an address that may not be read."""
    return fail("validation", "tools.fetch.not_public", detail=f"refused: {url[:200]}")


def _headers(place: _Place) -> dict[str, str]:
    port = "" if place.url.port is None else f":{place.url.port}"
    return {**_HEADERS, "Host": f"{place.url.host}{port}"}


def with_charset(fetched: Fetched) -> bytes:
    """The content type with a character set; the server's value has priority over the page's."""
    charset = fetched.charset
    named = charset is not None and "html" in fetched.kind and charset.replace("-", "").isalnum()
    return f'<meta charset="{charset}">'.encode() + fetched.content if named else fetched.content


def _extracted(content: bytes, kind: str, settings: Settings) -> Extracted:
    looks_like_html = "html" in kind or b"<html" in content[:1_000].lower()
    read, suffix = (extract_html, ".html") if looks_like_html else (extract_txt, ".txt")
    with TemporaryDirectory() as folder:
        file = Path(folder, f"page{suffix}")
        file.write_bytes(content)
        return read(file, file.name, settings)


def markdown(blocks: Sequence[Block]) -> str:
    """Headings, paragraphs, lists and tables as Markdown, so that the page can be read as a document."""
    return "\n\n".join(text for each in blocks if (text := _as_markdown(each)))


def _as_markdown(block: Block) -> str:
    lines = [line for each in block.text.splitlines() if (line := " ".join(each.split()))]
    if block.kind == "heading":
        return f"{'#' * min(block.level or 2, 6)} {' '.join(lines)}"
    if block.kind == "table":
        rows = [*([block.header] if block.header else []), *lines]
        ruled = [f"| {row} |" for row in rows]
        return "\n".join([ruled[0], "|" + " --- |" * (rows[0].count(" | ") + 1), *ruled[1:]]) if ruled else ""
    return "\n".join(lines)
