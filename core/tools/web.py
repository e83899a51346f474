"""Searching the web: one protocol, and what is let in of what others wrote."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import logging
import re
import socket
import unicodedata
from collections.abc import Sequence
from html import unescape
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, JsonValue, ValidationError
from selectolax.lexbor import LexborHTMLParser

from core.errors import PalimpsestError, fail
from core.resilience.dependencies import Dependency
from core.words import Language

log = logging.getLogger(__name__)

MOST_BYTES = 2_000_000
"""Of one answer of an engine."""
LONGEST_TEXT = 2_000
LONGEST_TITLE = 200
LONGEST_RAW = 20_000
"""Characters of one text that are looked at before it is made plain."""
LONGEST_URL = 2_000

_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_INSIDE = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet")


class WebResult(BaseModel):
    """A page as a search engine tells of it; ``text`` is plain, ``date`` as it was told."""

    title: str
    url: str
    text: str
    date: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def id(self) -> str:
        """The same for the same page."""
        return f"web_{hashlib.sha256(self.url.encode()).hexdigest()[:32]}"


Schema = TypeVar("Schema", bound=BaseModel)


class _Listed(BaseModel):
    results: list[JsonValue]


def read_results(answered: JsonValue, schema: type[Schema]) -> list[Schema]:
    """Those of the results that can be read.

    Raises:
        ValueError: ``results`` is no list.
    """
    found = []
    for each in _Listed.model_validate(answered).results:
        try:
            found.append(schema.model_validate(each))
        except ValidationError as error:
            log.info("a result of the web was left out: %s", error.error_count())
    return found


class WebEngine(Protocol):
    """A search engine behind an API."""

    name: str

    async def search(self, query: str, language: Language, most: int) -> list[WebResult]:
        """Raises ``PalimpsestError`` in the category of what went wrong."""

    async def close(self) -> None: ...


class WebSearch:
    """Several queries at once, within a deadline and behind a breaker; ``engine`` is ``None`` without a key."""

    def __init__(self, engine: WebEngine | None, dependency: Dependency, most: int) -> None:
        self._engine = engine
        self._dependency = dependency
        self._most = most

    @property
    def configured(self) -> bool:
        return self._engine is not None

    @property
    def name(self) -> str:
        return self._engine.name if self._engine else ""

    async def search(self, queries: Sequence[str], language: Language) -> list[WebResult]:
        """What the queries found, taken from each in turn, each page once; a query that fails leaves the others.

        Raises:
            PalimpsestError: there is no engine ("validation"), or every query failed.
        """
        engine = self._engine
        if engine is None:
            raise needs_key()

        async def ask_all() -> list[list[WebResult]]:
            asked = (engine.search(query, language, self._most) for query in queries)
            return _answered(await asyncio.gather(*asked, return_exceptions=True))

        # One attempt of the breaker for all of them: they are one question.
        lists = await self._dependency.attempt(ask_all)
        return _in_turn([_admitted(each) for each in lists])[: self._most]

    async def close(self) -> None:
        if self._engine:
            await self._engine.close()


def _answered(found: Sequence[list[WebResult] | BaseException]) -> list[list[WebResult]]:
    """What was answered; raises when nothing was."""
    failures = [each for each in found if isinstance(each, BaseException)]
    for failure in failures:
        log.warning("a query of the web failed: %s", failure)
    if failures and len(failures) == len(found):
        raise failures[0]
    return [each for each in found if isinstance(each, list)]


def needs_key() -> PalimpsestError:
    """What a search of the web would need."""
    return fail("validation", "tools.web.needs_key")


def _in_turn(lists: Sequence[list[WebResult]]) -> list[WebResult]:
    depth = max((len(each) for each in lists), default=0)
    pages: dict[str, WebResult] = {}
    for place in range(depth):
        for each in lists:
            if place < len(each):
                pages.setdefault(each[place].url, each[place])
    return list(pages.values())


def _admitted(results: Sequence[WebResult]) -> list[WebResult]:
    return [
        WebResult(
            title=plain(each.title)[:LONGEST_TITLE] or each.host,
            url=each.url,
            text=plain(each.text)[:LONGEST_TEXT],
            date=plain(each.date)[:40],
        )
        for each in results
        if is_public(each.url) and each.text.strip()
    ]


def plain(text: str) -> str:
    """Without markup, entities, and characters that are not seen."""
    bare = _text_of_markup(unescape(text[:LONGEST_RAW]))
    shown = (c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in bare)
    return " ".join("".join(shown).split())


def _text_of_markup(markup: str) -> str:
    if "<" not in markup:
        return markup
    tree = LexborHTMLParser(markup)
    tree.strip_tags(["script", "style"])
    return _TAG.sub(" ", str(tree.text(separator=" ")))


def is_public(url: str) -> bool:
    """An address that a reader may be shown a link to: of the web, and of no private network."""
    if len(url) > LONGEST_URL or "\\" in url or any(c.isspace() for c in url):
        return False
    try:
        parts = urlsplit(url)
        host = unicodedata.normalize("NFKC", parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.password:
        return False
    if host == "localhost" or host.endswith(_INSIDE):
        return False
    address = _address(host)
    if address is not None:
        return address.is_global and not address.is_multicast
    return "." in host


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that ``host`` is, in any notation a browser reads; ``None`` for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None
