"""Where scanned pages get their words from: *a page of a file* → a PDF of its words, none, or that it still waits.

A file is extracted in one of three ways. By itself each scanned page is recognised as it is met. A reader takes the
pages that were recognised before and leaves the others waiting, so that it is soon done. A recogniser looks for pages
that wait, and recognises some of them, several at once.
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
"""In which one page has to be recognised where a file waits for it."""
PATIENT_SECONDS = 900.0
"""In which it has to be where nothing does: other work may leave the engine little of the processors."""
SUFFIX = ".words"
_LEAST_SECONDS = 1.0

Draw = Callable[[], Any]
"""Makes the PIL image of a page; ``None`` where it cannot be drawn."""
Report = Callable[[int], None]
"""How many pages have been recognised."""


class EnoughError(BaseException):
    """As many pages were recognised as were asked for; the rest of the file need not be looked at. No ``Exception``,
    since parsers take those for damage of the file."""


class Scans:
    """Each page is recognised as it is met."""

    only = False
    """Whether nothing but scanned pages is wanted."""

    def __init__(self, folder: Path | None = None) -> None:
        self._languages = FileLanguages(folder)

    def words(self, path: Path, page: int, draw: Draw, ends: float) -> bytes | None:
        """A PDF of the words on page number ``page`` of the file at ``path``; ``None`` without any.

        Args:
            ends: the moment of the monotonic clock at which time for all pages is over, where it is bounded.
        """
        seconds = ends - time.monotonic()
        image = draw() if seconds > _LEAST_SECONDS else None
        if image is None:
            return None
        return self._languages.recognise(path, image, min(seconds, PAGE_SECONDS))

    def languages(self, path: Path) -> tuple[str, ...]:
        """In which the pages of the file are read, by the codes of the engine; none where it is not decided."""
        return self._languages.of(path)

    def waits(self, path: Path, page: int) -> bool:
        """Whether the page was met and has no words yet."""
        return False

    def knows(self, path: Path, page: int) -> bool:
        """Whether the page need not be looked at."""
        return False

    @property
    def is_partial(self) -> bool:
        """Whether pages are left out, so that the file cannot be judged as a whole."""
        return False


class KeptScans(Scans):
    """``folder`` holds a file for each page that was recognised, an empty one where it has no words."""

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
        """Pages met that have no words yet."""
        return sum(not there for there in self._met.values())

    @property
    def met(self) -> int:
        """Scanned pages met."""
        return len(self._met)


class WantedScans(Scans):
    """Recognises ``most`` of the pages that ``folder`` does not hold, ``at_once`` at a time, and puts them there.
    ``nice`` lowers the priority of the engine, which is to take the processor time that nothing else wants."""

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
            self._places.acquire()  # Before it is drawn, since each picture takes some megabytes.
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
        """Returns when all that was begun is done. Raises what went wrong with it."""
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
    """What the file that is being extracted gets its words from."""
    return _used.get()


@contextmanager
def words_from(scans: Scans) -> Iterator[None]:
    """Extract with ``scans``."""
    token = _used.set(scans)
    try:
        yield
    finally:
        _used.reset(token)


def page_file(path: Path, page: int) -> str:
    """The name under which the words of a page are kept, the same for the same bytes."""
    return f"{file_digest(path)}-{page}{SUFFIX}"
