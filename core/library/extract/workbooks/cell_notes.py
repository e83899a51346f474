"""Reads comments on cells: *the parts of a sheet* → author, text and cell of each, as lines below its tables.

An old comment and a threaded comment on the same cell count as one: programs write the old one for programs that do not
support threads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.language.detection import detect
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.rich_text import rich_text
from core.library.extract.workbooks.sheet_rows import LAST_COLUMN, Place, ShownRows
from core.library.extract.workbooks.workbook_parts import WorkbookParts, children
from core.library.extracted import Block
from core.library.tables.cells import is_figure, is_year
from core.messages import message

MOST_NOTES = 2_000
_LONGEST_NOTE = 4_000
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_THREADED = "tc="
"""The author of an old comment that represents a threaded one."""
_LONGEST_LABEL = 80


class CellNote(NamedTuple):
    """A comment on the cell at ``place`` (row, column)."""

    place: Place
    author: str
    text: str


def notes_of(book: WorkbookParts, sheet: str) -> list[CellNote]:
    """The comments of a sheet, by their cells."""
    relations = list(book.relations(sheet).values())
    threads = [note for each in relations if each.kind == "threadedComment" for note in _threaded(book, each.target)]
    threaded = {note.place for note in threads}
    notes = [note for each in relations if each.kind == "comments" for note in _old(book, each.target)]
    notes = [note for note in notes if not (note.place in threaded and note.author.startswith(_THREADED))]
    return sorted([*notes, *threads], key=lambda note: note.place)[:MOST_NOTES]


def _old(book: WorkbookParts, part: str) -> list[CellNote]:
    tree = book.tree(part)
    authors = [
        normalise_line(author.text or "") for group in children(tree, "authors") for author in children(group, "author")
    ]
    found: list[CellNote] = []
    for group in children(tree, "commentList"):
        for each in children(group, "comment"):
            place = place_of(each.get("ref", ""))
            number = each.get("authorId", "")
            author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
            text = " ".join(rich_text(words) for words in children(each, "text"))
            # Programs put the author's name at the beginning of a comment.
            text = text.removeprefix(f"{author}:").strip() if author else text
            if place and text:
                found.append(CellNote(place, author, text))
    return found


def _threaded(book: WorkbookParts, part: str) -> list[CellNote]:
    people = {
        person.get("id", ""): normalise_line(person.get("displayName", ""))
        for place in book.related(book.main, "person")
        for person in children(book.tree(place), "person")
    }
    found: list[CellNote] = []
    for each in children(book.tree(part), "threadedComment"):
        place = place_of(each.get("ref", ""))
        text = normalise_line(" ".join(words.text or "" for words in children(each, "text")))
        if place and text:
            found.append(CellNote(place, people.get(each.get("personId", ""), ""), text))
    return found


def place_of(reference: str) -> Place | None:
    """Returns (row, column) of ``B2``: (2, 2)."""
    found = _REFERENCE.match(reference)
    if not found:
        return None
    column = 0
    for letter in found[1].upper():
        column = column * 26 + ord(letter) - 64
    return (int(found[2]), column) if column <= LAST_COLUMN else None


def reference_of(place: Place) -> str:
    """``B2`` for (2, 2)."""
    row, column = place
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return f"{letters}{row}"


def note_blocks(
    notes: Iterable[CellNote], rows: ShownRows, hidden_columns: Iterable[tuple[int, int]], sheet: str
) -> list[Block]:
    """One line for each comment on a visible cell, with its row heading, column heading and cell text."""
    hidden = [] if rows.with_hidden else list(hidden_columns)
    blocks = []
    for note in notes:
        row, column = note.place
        if row in rows.unseen or any(first <= column <= last for first, last in hidden):
            continue
        cells, head = rows.beside.get(row, ([], []))
        visible = [
            "" if any(first <= place <= last for first, last in hidden) else text
            for place, text in enumerate(cells, start=1)
        ]
        about = ", ".join(dict.fromkeys(filter(None, _about(visible, head, column))))
        blocks.append(Block(text=_line(note, about), kind="paragraph", sheet=sheet))
    return blocks


def _about(cells: list[str], head: list[str], column: int) -> list[str]:
    value = cells[column - 1] if column <= len(cells) else ""
    heading = head[column - 1] if column <= len(head) else ""
    if is_figure(heading) and not is_year(heading):
        heading = ""
    label = next((text for text in cells[: column - 1] if text), "")
    return [text if len(text) <= _LONGEST_LABEL else f"{text[:_LONGEST_LABEL]}…" for text in (label, heading, value)]


def _line(note: CellNote, about: str) -> str:
    form = f"{'about' if about else 'bare'}_{'by' if note.author else 'unsigned'}"
    text = note.text[:_LONGEST_NOTE]
    words = message(
        f"library.cell_notes.{form}", cell=reference_of(note.place), about=about, author=note.author, text=text
    )
    return words.to(detect(f"{about} {text}"))
