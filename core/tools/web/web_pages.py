"""Adds web pages to the library: each becomes a document with the page's content, address and date.

From an HTML page only the main text is kept; a PDF, a table or a text file is kept as it is. The date is when the page
was last read.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import httpx

from core.clock import Clock
from core.errors import fail
from core.library.extract.sniff import MEDIA_TYPES
from core.library.guard import safe_filename
from core.library.intake.file_limits import file_limit
from core.library.intake.submission import PageSource, Submission
from core.library.library import Library
from core.library.records import Document, WebOrigin
from core.library.refusals import oversize
from core.resilience.piped_process import start_module
from core.resilience.watchdog import end_group
from core.settings import Settings
from core.tools.web.fetching import Fetched, PageReader, with_charset
from core.tools.web.main_text import MainText, Order

log = logging.getLogger(__name__)

SECONDS = 60.0
"""Timeout in seconds for one page: a report may be large, and its server slow."""
MAIN_TEXT_SECONDS = 30.0
MOST_HTML = 10 * 1024 * 1024
LONGEST_NAME = 80
_HTML = ("text/html", "application/xhtml+xml")
_ACCEPT = "text/html, application/pdf, text/*;q=0.9, application/json;q=0.8, application/xml;q=0.8, */*;q=0.1"
READER = "fetch"
"""Name of the tool that reads pages; if this tool is switched off, no page is read."""


@dataclass(frozen=True)
class AddedPage:
    """The result of adding a page. ``updated``: the page was already in the library and is read again."""

    submission: Submission
    updated: bool


class WebPages:
    """Web pages of the library. Tests replace ``reader``."""

    def __init__(self, settings: Settings, library: Library, clock: Clock, reader: PageReader | None = None) -> None:
        self._settings = settings
        self._library = library
        self._clock = clock
        self._reader = reader or PageReader(settings, SECONDS)

    @property
    def offered(self) -> bool:
        """Whether web pages may currently be read."""
        return self._settings.web_enabled and READER not in self._settings.tools.off

    async def add(self, user_id: str, address: str) -> AddedPage:
        """Read a page into the library; if its address is already there, the new version replaces the old one.

        Raises:
            PalimpsestError: the web is switched off, or the page cannot be reached, has an unsupported format, or is
                too large.
        """
        url = _completed(address)
        fetched = await self._fetched(url)
        known = await self._known(user_id, {url, fetched.url})
        return await self._keep(user_id, fetched, url, known)

    async def update(self, user_id: str, document_id: str) -> AddedPage:
        """Read a document's page again; the old document is deleted when the new one can be read.

        Raises:
            PalimpsestError: as ``add``, or the document is not a web page, or belongs to another user.
        """
        document = await self._library.get(user_id, document_id)
        if document.origin is None or document.user_id != user_id:
            raise fail("validation", "library.web_pages.no_page", filename=document.filename)
        fetched = await self._fetched(document.origin.url)
        return await self._keep(user_id, fetched, document.origin.url, document)

    async def _known(self, user_id: str, urls: set[str]) -> Document | None:
        own = (each for each in await self._library.find(user_id) if each.user_id == user_id)
        return next((each for each in own if each.origin and each.origin.url in urls and each.is_stored), None)

    async def _fetched(self, url: str) -> Fetched:
        if not self.offered:
            raise fail("validation", "library.web_pages.off")
        host = urlsplit(url).hostname or url
        try:
            fetched = await self._reader.fetch(url, self._most, _ACCEPT)
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise fail("not_found", "library.web_pages.answered", host=host, status=status) from error
        except httpx.HTTPError as error:
            raise fail("connection", "library.web_pages.unreachable", detail=str(error), host=host) from error
        if fetched.is_cut:
            raise oversize(host, len(fetched.content) + 1, len(fetched.content))
        if not fetched.content.strip():
            raise fail("not_found", "tools.fetch.nothing_said", host=host)
        return fetched

    def _most(self, kind: str) -> int:
        if kind in _HTML:
            return MOST_HTML
        extension = _extension_of(kind)
        return file_limit(f"page.{extension}", self._settings) if extension else 0

    async def _keep(self, user_id: str, fetched: Fetched, url: str, known: Document | None) -> AddedPage:
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="palimpsest-page-"))
        try:
            path, name = await self._written(fetched, folder)
            filename = known.filename if known and Path(known.filename).suffix == Path(name).suffix else name
            source = PageSource(WebOrigin(url=url, fetched_at=self._clock()), known.id if known else None)
            submission = await self._library.submit(user_id, path, filename, choice="keep_both", source=source)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        same = submission.document
        if submission.status == "duplicate" and known is not None and same.id == known.id:
            changed = await self._library.catalogue.change(user_id, same.id, origin=source.origin)
            submission = submission.model_copy(update={"document": changed})
        return AddedPage(submission, known is not None)

    async def _written(self, fetched: Fetched, folder: Path) -> tuple[Path, str]:
        """The stored file and its filename."""
        path = folder / "page"
        content = with_charset(fetched)
        await asyncio.to_thread(path.write_bytes, content)
        if fetched.kind not in _HTML:
            stem = unquote(PurePosixPath(urlsplit(fetched.url).path).stem) or fetched.host
            return path, safe_filename(f"{stem[:LONGEST_NAME]}.{_extension_of(fetched.kind)}")
        found = await self._main_text(Order(path=path, url=fetched.url))
        if found.html:
            await asyncio.to_thread(path.write_text, found.html, encoding="utf-8")
        title = found.title.replace("/", " ").replace(": ", " - ")[:LONGEST_NAME].strip() or fetched.host
        return path, safe_filename(f"{title}.html")

    async def _main_text(self, order: Order) -> MainText:
        """The page's main text; empty if the extraction takes too long, in which case the whole page is kept."""
        process = await start_module("core.tools.web.main_text")
        try:
            async with asyncio.timeout(MAIN_TEXT_SECONDS):
                told, _ = await process.communicate(order.model_dump_json().encode() + b"\n")
            return MainText.model_validate_json(told)
        except (TimeoutError, ValueError) as error:
            log.info("the main text of %s was not found: %s", order.url, error)
            return MainText()
        finally:
            if process.returncode is None:
                end_group(process.pid)
                await asyncio.shield(process.wait())


def _extension_of(kind: str) -> str:
    return MEDIA_TYPES.get(kind, "txt" if kind.startswith("text/") else "")


def _completed(address: str) -> str:
    """The address a user typed, with its scheme added."""
    bare = address.strip()
    if not bare:
        raise fail("validation", "library.web_pages.no_address")
    return bare if "://" in bare else f"https://{bare}"
