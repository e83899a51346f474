"""Decides the languages for a file's scanned pages: on its first page with enough text, and then for all others."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from core.library.digest import digest
from core.library.extract import ocr

SUFFIX = ".language"
_MOST_KNOWN = 100


class FileLanguages:
    """The languages of files. ``folder`` stores the decisions by file, also for other processes; without it they are
    only in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._known: dict[str, tuple[str, ...]] = {}
        self._deciding = Lock()

    def of(self, path: Path) -> tuple[str, ...]:
        """The engine's language codes; empty until a page has decided it."""
        name = language_file(path)
        if name not in self._known and self._folder is not None and (self._folder / name).exists():
            kept = tuple((self._folder / name).read_text(encoding="ascii").split("+"))
            self._known[name] = tuple(code for code in kept if code)
        return self._known.get(name, ())

    def recognise(self, path: Path, image: Any, seconds: float, nice: int = 0) -> bytes | None:
        """The words of a page, as from ``ocr.recognise``; until the language is decided, one page is read at a time."""
        with self._deciding:
            languages = self.of(path)
            if not languages:
                read = ocr.recognise(image, seconds, nice)
                if read and read.is_telling:
                    self._keep(path, read.languages)
                return read.words if read else None
        read = ocr.recognise(image, seconds, nice, languages)
        return read.words if read else None

    def _keep(self, path: Path, languages: tuple[str, ...]) -> None:
        name = language_file(path)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[name] = languages
        if self._folder is not None:
            arriving = self._folder / f"{name}.part"
            arriving.write_text("+".join(languages), encoding="ascii")
            arriving.replace(self._folder / name)


def language_file(path: Path) -> str:
    """The name of the file that stores a document file's languages."""
    return f"{file_digest(path)}{SUFFIX}"


def file_digest(path: Path) -> str:
    """The digest, the same for the same bytes."""
    return _digest(path, path.stat().st_mtime_ns)[:32]


@lru_cache(maxsize=4)
def _digest(path: Path, _: int) -> str:
    return digest(path)
