"""Searching the web: one protocol, and what is let in of what others wrote [spec A11, X1, X2]."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import logging
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit

from pydantic import BaseModel
from selectolax.lexbor import LexborHTMLParser

from core.errors import PalimpsestError, fail
from core.resilience import Dependency
from core.words import Language

log = logging.getLogger(__name__)

LONGEST_TEXT = 2_000
LONGEST_TITLE = 200
LONGEST_URL = 2_000


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

        async def ask(query: str) -> list[WebResult]:
            return await self._dependency.attempt(lambda: engine.search(query, language, self._most))

        found = await asyncio.gather(*map(ask, queries), return_exceptions=True)
        lists = [each for each in found if isinstance(each, list)]
        failures = [each for each in found if isinstance(each, BaseException)]
        for failure in failures:
            log.warning("a query of the web failed: %s", failure)
        if failures and not lists:
            raise failures[0]
        return _in_turn([_admitted(each) for each in lists])[: self._most]

    async def close(self) -> None:
        if self._engine:
            await self._engine.close()


def needs_key() -> PalimpsestError:
    """What a search of the web would need."""
    return fail(
        "validation",
        ("The web was not searched.", "לא נערך חיפוש באינטרנט."),
        ("No search engine is set up.", "לא הוגדר מנוע חיפוש."),
        (
            "Set TAVILY_API_KEY or PERPLEXITY_API_KEY and start again.",
            "הגדירו TAVILY_API_KEY או PERPLEXITY_API_KEY והפעילו מחדש.",
        ),
    )


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
    """Without markup and control characters."""
    bare = (_text(text) if "<" in text else text) or ""
    return " ".join("".join(c if c.isprintable() else " " for c in bare).split())


def _text(markup: str) -> str:
    tree = LexborHTMLParser(markup)
    tree.strip_tags(["script", "style"])
    return str(tree.text(separator=" "))


def is_public(url: str) -> bool:
    """An address that a reader may be shown a link to: of the web, and of no private network."""
    if len(url) > LONGEST_URL:
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.password:
        return False
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host
