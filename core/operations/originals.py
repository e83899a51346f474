"""Recovers original files whose records were lost: they are imported again as documents.

A file's path shows its owner and the hash of its content, but not the file's name. So it gets a new name from its type
and the hash.
"""

from __future__ import annotations

import asyncio
import logging
import zipfile
from pathlib import Path

from pydantic import BaseModel

from core.accounts.accounts import people_by_folder
from core.datasets.store import DATASET_FILES
from core.errors import PalimpsestError
from core.library.library import Library
from core.settings import Settings
from core.store.files import folder_name
from core.store.truth import Truth

log = logging.getLogger(__name__)

_SIGNATURES = {
    b"%PDF": "pdf",
    b"{\\rtf": "rtf",
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpg",
    b"II*\0": "tif",
    b"MM\0*": "tif",
}
_PACKED = {"word/": "docx", "xl/workbook.bin": "xlsb", "xl/": "xlsx", "ppt/": "pptx"}
HEAD = 2048


class Recovered(BaseModel):
    """Recovered files; ``taken`` are read again; ``unowned`` belong to no known user."""

    taken: int = 0
    unowned: int = 0
    refused: int = 0


class Originals:
    """Original files in the data directory; with MongoDB, files are not stored there."""

    def __init__(self, settings: Settings, truth: Truth, library: Library) -> None:
        self._settings = settings
        self._truth = truth
        self._library = library
        self._folder = settings.folder / "files"

    async def lost(self) -> list[Path]:
        """Original files that belong to no document."""
        return [path for path in await asyncio.to_thread(self._contents) if not await self._known(path)]

    async def read_again(self) -> Recovered:
        """Import every original file without records again, for its owner; a file that is refused does not delay the
        others."""
        owners, found = await people_by_folder(self._truth, self._settings), Recovered()
        for path in await self.lost():
            owner = owners.get(path.parent.parent.name)
            if owner is None:
                found.unowned += 1
                continue
            try:
                await self._library.submit(owner, path, _name_of(path), choice="keep_both")
                found.taken += 1
            except (PalimpsestError, OSError):
                log.warning("%s was not taken in again", path, exc_info=True)
                found.refused += 1
        return found

    def _contents(self) -> list[Path]:
        return sorted(self._folder.glob("*/*/content"))

    async def _known(self, path: Path) -> bool:
        digest = path.parent.name
        rows = await self._truth.collection("documents").find({"sha256": digest}, fields=["user_id"])
        rows += await self._truth.collection(DATASET_FILES).find({"digest": digest}, fields=["user_id"])
        return any(folder_name(str(row["user_id"])) == path.parent.parent.name for row in rows)


def _name_of(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(HEAD)
    kind = next((kind for signature, kind in _SIGNATURES.items() if head.startswith(signature)), None)
    return f"recovered-{path.parent.name[:12]}.{kind or _packed(path) or _written(head)}"


def _packed(path: Path) -> str | None:
    if not zipfile.is_zipfile(path):
        return None
    with zipfile.ZipFile(path) as held:
        names = held.namelist()
    return next((kind for folder, kind in _PACKED.items() if any(name.startswith(folder) for name in names)), "zip")


def _written(head: bytes) -> str:
    text = head.decode("utf-8", "ignore").lstrip().lower()
    if text.startswith(("<!doctype html", "<html")):
        return "html"
    return "eml" if text.startswith(("from:", "received:", "return-path:", "mime-version:")) else "md"
