"""A fake OCR engine: it reads only as many pages as the test allows, and recognises each page's number."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tests.service.house import until
from tests.service.test_refusals import SCAN_PAGE, TEXT_PAGE, pdf

ENGINE = """#!/bin/sh
case "$1" in --list-langs) echo Languages:; echo eng; exit 0;; esac
cd "{folder}"
high=$(od -An -tu1 -j22 -N2 "$1" | (read high low; echo $((high * 256 + low))))
page=$(((high - 833) / 25))
echo "$page $$" >> begun
allowed() {{ for permit in allowed.*; do rm "$permit" 2> /dev/null && return 0; done; return 1; }}
until [ -e open ] || allowed; do sleep 0.02; done
cp "page.$page" "$2.pdf"
cp sure "$2.tsv"
"""
SURE = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" + (
    "\t".join(["5", "1", "1", "1", "1", "1", "0", "0", "9", "9", "96.0", "Quay"]) + "\n"
)
MOST_PAGES = 40


def text_of(page: int) -> str:
    return f"Quay number {page} is {words_of(page)}"


def words_of(page: int) -> str:
    """Returns a word that is only on this page."""
    return "".join(chr(ord("k") + int(digit)) for digit in f"{page:03}") + "ing"


def scan(pages: int, *, text_pages: Sequence[int] = ()) -> bytes:
    """A PDF of scanned pages; pages in ``text_pages`` (from 1) have a text layer."""
    numbers = range(1, pages + 1)
    shown = [TEXT_PAGE if number in text_pages else SCAN_PAGE for number in numbers]
    return pdf(b"", pages=shown, heights=[200 + 6 * number for number in numbers])


class Engine:
    """An OCR engine that tests put on the ``PATH``. It reads nothing until ``allow`` is called."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        for number in range(1, MOST_PAGES + 1):
            page = f"BT /F 12 Tf 20 100 Td ({text_of(number)}) Tj ET".encode()
            (folder / f"page.{number}").write_bytes(pdf(page))
        (folder / "sure").write_text(SURE)
        program = folder / "tesseract"
        program.write_text(ENGINE.format(folder=folder))
        program.chmod(0o755)
        self._allowed = 0

    @property
    def path(self) -> str:
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    def allow(self, pages: int | None = None) -> None:
        """Allows this many more pages, or all pages from now on."""
        if pages is None:
            (self.folder / "open").touch()
        for _ in range(pages or 0):
            self._allowed += 1
            (self.folder / f"allowed.{self._allowed}").touch()

    @property
    def begun(self) -> list[int]:
        """Returns the numbers of the pages that it has received."""
        return [page for page, _ in self.processes]

    @property
    def processes(self) -> list[tuple[int, int]]:
        """Returns pairs of a page and the process id of the page's reader."""
        try:
            lines = (self.folder / "begun").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [(int(line.split()[0]), int(line.split()[1])) for line in lines]

    async def has_begun(self, pages: int) -> None:
        async def there() -> bool:
            return len(self.processes) >= pages

        await until(there, f"{pages} pages given to the engine")
