"""Stores the recognised text of scanned pages by file and page, so that a new reading needs no OCR.

Each page is stored as a PDF of its words (some kilobytes). It is removed with its owner's last document that has the
same file.
"""

from __future__ import annotations

import asyncio
import base64
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from core.ids import id_of
from core.library.extract import ocr_languages
from core.library.extract.scans import SUFFIX
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

PAGES = "recognised_pages"
PORTION = 100
"""Number of pages that are read from the record store in one query."""


class RecognisedPages:
    """Stores and returns recognised pages; every method is limited to the given user's data. ``sha256`` is of the
    uploaded file."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        await self._truth.collection(PAGES).ensure(sort=[Sorted(("user_id", "sha256", "name"))])

    async def count(self, user_id: str, sha256: str) -> int:
        return await self._pages(user_id).count({"sha256": sha256})

    @asynccontextmanager
    async def folder(self, user_id: str, sha256: str, *, names: bool = False) -> AsyncIterator[Path]:
        """A temporary folder with the pages in the layout of ``extract.scans``, removed when the context ends. With
        ``names``, the page files are empty and only show which pages exist. The chosen languages are always
        included."""
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="palimpsest-scans-"))
        try:
            after = ""
            while rows := await self._portion(user_id, sha256, after, ["name"] if names else None):
                after = str(rows[-1]["name"])
                if names:
                    rows = [*rows, *await self._languages(user_id, sha256, rows)]
                await asyncio.to_thread(_write, folder, rows)
            yield folder
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _portion(self, user_id: str, sha256: str, after: str, fields: list[str] | None) -> list[Json]:
        following = {"sha256": sha256, "name": {"$gt": after}}
        return await self._pages(user_id).find(following, sort=[("name", 1)], limit=PORTION, fields=fields)

    async def _languages(self, user_id: str, sha256: str, rows: list[Json]) -> list[Json]:
        names = [str(row["name"]) for row in rows if str(row["name"]).endswith(ocr_languages.SUFFIX)]
        found = [await self._pages(user_id).find({"sha256": sha256, "name": name}, limit=1) for name in names]
        return [row for kept in found for row in kept]

    async def keep(self, user_id: str, sha256: str, pages: Mapping[str, bytes]) -> None:
        """Store ``pages``: page file name → a PDF of its words, empty if the page has none."""
        for name, words in pages.items():
            row: Json = {"_id": id_of("page", user_id, sha256, name), "sha256": sha256, "name": name}
            await self._pages(user_id).upsert({**row, "words": base64.b64encode(words).decode()})

    async def forget_wordless(self, user_id: str, sha256: str) -> None:
        """Remove pages without words, so that the engine tries them once more: it may have failed."""
        await self._pages(user_id).delete({"sha256": sha256, "words": ""})

    async def forget(self, user_id: str, sha256: str) -> None:
        await self._pages(user_id).delete({"sha256": sha256})

    def _pages(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(PAGES)


def read_pages(folder: Path) -> dict[str, bytes]:
    """The pages in a folder, in the form that ``keep`` takes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix == SUFFIX}


def read_languages(folder: Path) -> dict[str, bytes]:
    """The languages recorded in a folder, in the form that ``keep`` takes."""
    found = (path for path in sorted(folder.iterdir()) if path.suffix == ocr_languages.SUFFIX)
    return {path.name: path.read_bytes() for path in found}


def _write(folder: Path, rows: list[Json]) -> None:
    for row in rows:
        (folder / str(row["name"])).write_bytes(base64.b64decode(str(row.get("words", ""))))
