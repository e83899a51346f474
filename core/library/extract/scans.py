"""Provides the words of scanned pages: *a page of a file* → a PDF of its words, nothing, or "waiting".

A file is extracted in one of three modes. By default, each scanned page is recognised when it is reached. A reader only
uses pages that were recognised before and leaves the others waiting, so that it is soon done. A recogniser looks for
waiting pages and recognises some of them, several in parallel.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, Semaphore
from typing import Any

from core.library.extract.ocr_languages import FileLanguages, file_digest

PAGE_SECONDS = 60.0
"""Seconds allowed for one page if a file waits for it."""
PATIENT_SECONDS = 900.0
"""Seconds allowed for one page if nothing waits for it; other work may leave the engine little processor time."""
SUFFIX = ".words"
_LEAST_SECONDS = 1.0

Draw = Callable[[], Any]
"""A function that makes the PIL image of a page; ``None`` if the page cannot be drawn."""
Report = Callable[[int], None]
"""Reports progress: called with the number of recognised pages."""


class EnoughError(BaseException):
    """The requested number of pages was recognised, so the rest of the file is skipped. It is not an ``Exception``,
    because parsers treat those as damage to the file."""


class Scans:
    """Recognises each page when it is reached."""

    only = False
    """Whether only the scanned pages of the file are needed."""

    def __init__(self, folder: Path | None = None) -> None:
        self._languages = FileLanguages(folder)

    def words(self, path: Path, page: int, draw: Draw, ends: float) -> bytes | None:
        """A PDF of the words on page ``page`` of the file at ``path``; ``None`` if there are none.

        Args:
            ends: time on the monotonic clock when the time for all pages is over, if it is limited.
        """
        seconds = ends - time.monotonic()
        image = draw() if seconds > _LEAST_SECONDS else None
        if image is None:
            return None
        return self._languages.recognise(path, image, min(seconds, PAGE_SECONDS))

    def languages(self, path: Path) -> tuple[str, ...]:
        """The engine's language codes for the file's pages; empty if not decided yet."""
        return self._languages.of(path)

    def waits(self, path: Path, page: int) -> bool:
        """Whether the page was reached and has no words yet."""
        return False

    def knows(self, path: Path, page: int) -> bool:
        """Whether the page can be skipped."""
        return False

    @property
    def is_partial(self) -> bool:
        """Whether pages are left out, so that the file cannot be judged as a whole."""
        return False


class KeptScans(Scans):
    """Uses only pages that were recognised before. ``folder`` has one file per recognised page, an empty one if it has
    no words."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder = folder
        self._met: dict[str, bool] = {}

    def words(self, path: Path, page: int, draw: Draw, ends: float) -> bytes | None:
        kept = self._folder / page_file(path, page)
        self._met[kept.name] = kept.exists()
        return (kept.read_bytes() or None) if kept.exists() else None

    def waits(self, path: Path, page: int) -> bool:
        return self._met.get(page_file(path, page)) is False

    @property
    def is_partial(self) -> bool:
        return self.waiting > 0

    @property
    def waiting(self) -> int:
        """Scanned pages that have no words yet."""
        return sum(not there for there in self._met.values())

    @property
    def met(self) -> int:
        """Scanned pages so far."""
        return len(self._met)


class WantedScans(Scans):
    """Recognises up to ``most`` pages that ``folder`` does not have, ``at_once`` in parallel, and puts them there.
    ``nice`` lowers the engine's priority, so that it only uses idle processor time."""

    only = True

    def __init__(self, folder: Path, most: int, at_once: int, nice: int, report: Report) -> None:
        super().__init__(folder)
        self._folder = folder
        self._most = most
        self._nice = nice
        self._report = report
        self._pool = ThreadPoolExecutor(at_once)
        self._places = Semaphore(at_once)
        self._reporting = Lock()
        self._begun: list[Future[None]] = []
        self._done = 0

    def words(self, path: Path, page: int, draw: Draw, ends: float) -> bytes | None:
        if not self.knows(path, page):
            if len(self._begun) == self._most:
                raise EnoughError
            self._places.acquire()  # Before it is drawn, because each image takes some megabytes.
            self._begun.append(self._pool.submit(self._recognise, path, page_file(path, page), draw()))
        return None

    def waits(self, path: Path, page: int) -> bool:
        return True

    def knows(self, path: Path, page: int) -> bool:
        return (self._folder / page_file(path, page)).exists()

    @property
    def is_partial(self) -> bool:
        return True

    def end(self) -> None:
        """Wait until all started pages are done. Raises their errors."""
        for page in self._begun:
            page.result()
        self._pool.shutdown()

    def _recognise(self, path: Path, name: str, image: Any) -> None:
        try:
            words = None if image is None else self._languages.recognise(path, image, PATIENT_SECONDS, self._nice)
            arriving = self._folder / f"{name}.part"
            arriving.write_bytes(words or b"")
            arriving.replace(self._folder / name)
        finally:
            self._places.release()
        with self._reporting:
            self._done += 1
            self._report(self._done)


_used: ContextVar[Scans] = ContextVar("scans", default=Scans())  # noqa: B039 -- all that it knows is for every file


def current() -> Scans:
    """The source of scanned pages' words for the file that is being extracted."""
    return _used.get()


@contextmanager
def words_from(scans: Scans) -> Iterator[None]:
    """Extract with ``scans`` as the source of words."""
    token = _used.set(scans)
    try:
        yield
    finally:
        _used.reset(token)


def page_file(path: Path, page: int) -> str:
    """The name of the file that stores a page's words; the same for the same bytes."""
    return f"{file_digest(path)}-{page}{SUFFIX}"
