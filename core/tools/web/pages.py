"""Filters and cleans web pages, whose content is untrusted."""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
import unicodedata
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, JsonValue, ValidationError
from selectolax.lexbor import LexborHTMLParser

from core.models.endpoint import Endpoint
from core.tools.public_addresses import is_global

log = logging.getLogger(__name__)

MOST_BYTES = 2_000_000
"""Maximum size of one response from a search engine."""
LONGEST_TEXT = 2_000
MOST_MARKUP = 10
"""Number of markup characters read for each character of text kept."""
LONGEST_TITLE = 200
LONGEST_RAW = 20_000
"""Maximum number of characters read from one text."""
LONGEST_URL = 2_000

_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_INSIDE = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet")


Recency = Literal["day", "week", "month", "year"]
_SPANS: dict[Recency, int] = {"day": 1, "week": 7, "month": 31, "year": 366}


class WebResult(BaseModel):
    """A page from a search engine; ``text`` is plain text, ``date`` is in the engine's format."""

    title: str
    url: str
    text: str
    date: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


Schema = TypeVar("Schema", bound=BaseModel)


class _Listed(BaseModel):
    results: list[JsonValue]


async def results_of(
    endpoint: Endpoint, path: str, body: Mapping[str, JsonValue], schema: type[Schema]
) -> list[Schema]:
    """A search service's results, without unreadable ones. Raises ``PalimpsestError``."""
    answered = await endpoint.post(path, body)
    try:
        return read_results(answered, schema)
    except ValueError as error:
        raise endpoint.failed("server", "unreadable") from error


def read_results(answered: JsonValue, schema: type[Schema]) -> list[Schema]:
    """The readable results.

    Raises:
        ValueError: ``results`` is not a list.
    """
    found = []
    for each in _Listed.model_validate(answered).results:
        try:
            found.append(schema.model_validate(each))
        except ValidationError as error:
            log.info("a result of the web was left out: %s", error.error_count())
    return found


def recency(days: int | None) -> Recency | None:
    """The shortest search period offered by the engines that covers ``days``; ``None`` without a limit, or if ``days``
    is over a year."""
    if days is None:
        return None
    return next((span for span, most in _SPANS.items() if days <= most), None)


def admitted(results: Sequence[WebResult], longest: int = LONGEST_TEXT) -> list[WebResult]:
    """The results that may be shown, as plain text of at most ``longest`` characters, each page only once."""
    pages: dict[str, WebResult] = {}
    for each in results:
        if is_public(each.url) and each.text.strip() and each.url not in pages:
            pages[each.url] = WebResult(
                title=plain(each.title)[:LONGEST_TITLE] or each.host,
                url=each.url,
                text=plain(each.text, MOST_MARKUP * longest)[:longest],
                date=plain(each.date)[:40],
            )
    return list(pages.values())


def plain(text: str, longest: int = LONGEST_RAW) -> str:
    """The text without markup, entities and invisible characters; at most ``longest`` characters are read."""
    bare = _text_of_markup(unescape(text[:longest]))
    shown = (c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in bare)
    return " ".join("".join(shown).split())


def _text_of_markup(markup: str) -> str:
    if "<" not in markup:
        return markup
    tree = LexborHTMLParser(markup)
    tree.strip_tags(["script", "style"])
    return _TAG.sub(" ", str(tree.text(separator=" ")))


def is_public(url: str) -> bool:
    """Whether the address may be shown as a link: a web address, not in a private network."""
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
        return is_global(str(address))
    return "." in host


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address in ``host``, in any notation that browsers accept; ``None`` for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None
