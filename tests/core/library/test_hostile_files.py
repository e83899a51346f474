"""Tests hostile files made to block a reader: each is read or refused in a fraction of the allowed processor time."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library import reader
from core.library.description.bounded import LONGEST_LINE, LONGEST_WORD, bounded_text
from core.library.reading import ReadOrder, processor_seconds, reader_settings
from core.settings import Settings

SHARE = 0.2
"""Share of a file's time limit that a test may use, so that a machine with a fifth of the speed can still read the
file."""
DEEP = 2_000
FILES = {
    "digits.txt": "Annual report\n\n" + "1234567890" * 30_000,
    "letters.txt": "a" * 300_000,
    "hebrew.txt": "אבגדהוזחטי" * 30_000,
    "years.txt": "2023 " * 50_000,
    "one line.txt": "In fiscal 2023 the company earned 4.1 million dollars. " * 10_000,
    "blanks.txt": "\u00a0" * 300_000 + "a",
    "quotes.md": ">" * 100_000 + " a",
    "headings.md": "# a\n\n" * 10_000,
    "tables.html": "<table><tr><td>a" * DEEP + "</td></tr></table>" * DEEP,
    "spanned tables.html": "<table><tr><td rowspan=2>a" * DEEP + "</td></tr></table>" * DEEP,
    "lists.html": "<ul><li>a" * DEEP + "</li></ul>" * DEEP,
    "columns.html": "<table>" + ("<tr>" + "<td>12</td>" * 5_000 + "</tr>") * 5 + "</table>",
    "columns.md": "|" + "a|" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + ("|" + "1|" * 5_000 + "\n") * 5,
}


@pytest.fixture(scope="module")
def settings() -> Settings:
    reader.practise()
    return Settings(_env_file=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", FILES)
def test_it_takes_a_fraction_of_its_processor_time(
    name: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_tell", lambda *_: None)
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    began = time.process_time()
    with suppress(PalimpsestError):
        reader.read(ReadOrder(path=path, filename=name, settings=reader_settings(settings)))
    assert time.process_time() - began < SHARE * processor_seconds(path, settings.deadlines)


def test_a_megabyte_adds_to_the_time_that_a_file_may_take(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"a" * (3 << 20))
    assert processor_seconds(path, settings.deadlines) == 35


def test_words_and_lines_are_cut_where_they_are_too_long() -> None:
    words = "A report of the harbour, https://example.org/of-a-usual-length.\n"
    assert bounded_text(words * 30) == words * 30
    assert bounded_text("1" * 300_000) == "1" * LONGEST_WORD
    assert len(bounded_text("1 " * 300_000)) == LONGEST_LINE
