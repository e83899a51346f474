"""Divides a document into units that can answer a question: sentences, labels with values, list items, table rows.

Each unit knows the headings above it, since they are part of what it says: also numbered headings inside running text
("12. GOVERNING LAW. This agreement …") and short lines that introduce what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from core.figures.records import TextEvidence
from core.language.foreign_terms import word_count
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.vocabulary import phrase_of

UnitKind = Literal["sentence", "field", "item", "row", "heading"]

LONGEST_LABEL = 64
LABEL_WORDS = 8
HEADING_WORDS = 9
_CONTENTS_ROWS = 4
"""Number of consecutive rows that end in a page number and form a table of contents."""
_LONG_VALUE = 40
"""Number of words from which a value is also divided into sentences."""

_BULLET = re.compile(r"^\s*(?:[-*+•●○▪◦‣·]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+(?=\S)")
_FIELD = re.compile(rf"^(?P<label>[^\W\d_][^:|?!]{{0,{LONGEST_LABEL}}}?)\s*:(?:\s+(?P<value>\S.*))?$", re.DOTALL)
_HEADED_CELLS, _HEADED_ROWS = 3, 3
"""Minimum number of cells and of rows of a table whose first row names its columns."""
_CELLS = re.compile(r"(?:(?<!\s)\s+)?\|\s*")
_ENDS = re.compile(r"[.!?;…。][\"'”’)\]]*$")
_PAGE = re.compile(r"^[.…\s]*\d{1,4}$")
_RUN_IN = re.compile(r"(?:^|(?<=[.;:”\"]\s))\d{1,2}(?:\.\d{1,2})*\.?\s+(?P<head>[A-Z][^.:;]{2,60})\.\s+(?=[A-Z“\"(])")
_NUMBERED = re.compile(r"^\s*(?:#+\s*)?(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\)|[ivxIVX]+\.)\s+")
_LISTED = re.compile(r"(?<!\s)\s+(?=[A-Z][^:•.]{2,40}:\s+•)")
"""Matches before a label inside running text that introduces a list with bullets."""
_SENTENCE_LABEL_WORDS = 4
_RUN_IN_WORDS = 3
_NO_VALUE = frozenset({"", "n/a", "na", "/", "-", "–", "—", "//"})
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_UNFINISHED = re.compile(phrase_of("answering/prose.document.unfinished"), re.IGNORECASE)
_SMALL = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})


@dataclass(frozen=True)
class Unit:
    """A part of a document. ``text`` is what it states, ``label`` the words before it (a field, the first cell of a
    row), ``quote`` the text as printed, ``headings`` those above it, outermost first; ``order`` counts from 0.

    ``empty``: the label has no value.
    """

    passage: TextEvidence
    kind: UnitKind
    text: str
    quote: str
    label: str = ""
    headings: tuple[str, ...] = ()
    order: int = 0
    empty: bool = False

    @cached_property
    def words(self) -> str:
        """The text without web addresses, whose words and numbers state nothing."""
        return _ADDRESS.sub(lambda match: " " * len(match.group()), self.text)

    @property
    def line(self) -> str:
        """The unit as it is shown: a value with its label."""
        return f"{self.label}: {self.text}" if self.label and self.kind in ("field", "row") else self.text


def document_units(passages: Sequence[TextEvidence]) -> list[Unit]:
    """Returns the units of a document whose ``passages`` are in reading order; repeated text is returned once."""
    found: list[Unit] = []
    known: set[tuple[str, ...]] = set()
    for passage in passages:
        for unit in _passage_units(passage):
            key = (unit.label, unit.text, *unit.headings[-1:])
            if key not in known:
                known.add(key)
                found.append(replace(unit, order=len(found)))
    return found


def is_unfinished(text: str) -> bool:
    """Returns whether a text ends in the middle of a phrase, as part of a row that was read in pieces.

    >>> is_unfinished("Set the control to")
    True
    """
    return _UNFINISHED.search(text) is not None


def _passage_units(passage: TextEvidence) -> Iterator[Unit]:
    lines = [line.strip() for line in passage.text.split("\n") if line.strip()]
    contents, headed = _contents_lines(lines), _header_rows(lines)
    outer = {_plain(heading) for heading in passage.path}
    inner: tuple[str, ...] = ()
    for place, line in enumerate(lines):
        if place in contents:
            continue
        path = (*passage.path, *inner)
        if place in headed:
            yield Unit(passage, "heading", line, line, headings=path)
        elif " | " in line:
            yield from _row_units(passage, line, path)
        elif (field := _field(line, lines[place + 1 : place + 2])) and (field[1] or _plain(line) not in outer):
            yield from _field_units(passage, line, field, path)
        elif _plain(line) in outer:
            inner = ()
            yield Unit(passage, "heading", line, line, headings=passage.path)
        elif _is_heading(line):
            inner = (_NUMBERED.sub("", line).rstrip(" :."),)
            yield Unit(passage, "heading", line, line, headings=path)
        else:
            yield from _sentence_units(passage, line, path)


def _contents_lines(lines: Sequence[str]) -> set[int]:
    """Returns the lines of a table of contents: consecutive rows that end in page numbers which do not fall."""
    found: set[int] = set()
    run: list[int] = []
    last = 0
    for place, line in enumerate([*lines, ""]):
        cell = _CELLS.split(line)[-1] if " | " in line else ""
        number = int(cell.strip(" .…")) if _PAGE.match(cell) else -1
        if number >= last:
            run.append(place)
            last = number
            continue
        if len(run) >= _CONTENTS_ROWS:
            found.update(run)
        run, last = [], 0
    return found


def _header_rows(lines: Sequence[str]) -> set[int]:
    """Returns the lines that head a table: the first of some consecutive rows with as many cells, at least three; the
    first of two cells is a label."""
    counts = [line.count(" | ") + 1 for line in lines]
    return {
        place
        for place, count in enumerate(counts)
        if count >= _HEADED_CELLS
        and (place == 0 or counts[place - 1] != count)
        and counts[place : place + _HEADED_ROWS] == [count] * _HEADED_ROWS
    }


def _plain(text: str) -> str:
    return fold(_NUMBERED.sub("", text)).strip(" .:*_#")


def _field(line: str, following: Sequence[str]) -> tuple[str, str] | None:
    """Returns label and value of a line. A label without a value is a field only if another label follows; otherwise
    it introduces the lines below it."""
    match = _FIELD.match(_BULLET.sub("", line))
    if match is None or word_count(match["label"]) > LABEL_WORDS or ". " in match["label"]:
        return None
    if match["label"][0].islower():
        return None
    value = (match["value"] or "").strip()
    if not value and following and not (":" in following[0] and _FIELD.match(following[0])):
        return None
    return match["label"].strip(), value


def _is_heading(line: str) -> bool:
    bare = _NUMBERED.sub("", line)
    if line.startswith("#"):
        return True
    if word_count(bare) > HEADING_WORDS or not bare[:1].isalpha():
        return False
    if line.endswith(":"):
        return True
    if bare != line or _BULLET.match(line):
        return _is_title(bare)
    return not _ENDS.search(line)


def _field_units(passage: TextEvidence, line: str, field: tuple[str, str], path: tuple[str, ...]) -> Iterator[Unit]:
    label, value = field
    yield Unit(passage, "field", value, line, label, path, empty=value.casefold() in _NO_VALUE)
    if word_count(value) >= _LONG_VALUE:
        yield from _sentence_units(passage, value, (*path, label))


def _row_units(passage: TextEvidence, line: str, path: tuple[str, ...]) -> Iterator[Unit]:
    cells = [cell.strip() for cell in _CELLS.split(line) if cell.strip()]
    if len(cells) < 2:
        yield from _sentence_units(passage, " ".join(cells), path)
        return
    label, value = cells[0], " | ".join(cells[1:])
    labelled = len(cells) == 2 and word_count(label) <= LABEL_WORDS
    yield Unit(passage, "field" if labelled else "row", value, line, label, path, empty=value.casefold() in _NO_VALUE)
    if labelled and word_count(value) >= _LONG_VALUE:
        yield from _sentence_units(passage, value, (*path, label))


def _sentence_units(passage: TextEvidence, text: str, path: tuple[str, ...]) -> Iterator[Unit]:
    """Yields the sentences of a paragraph or list item; headings inside the text count for what follows them."""
    bullet = _BULLET.match(text)
    kind: UnitKind = "item" if bullet else "sentence"
    text = text[bullet.end() :] if bullet and not _RUN_IN.match(text) else text
    for heading, part in _run_in_parts(text):
        own = (*path, heading) if heading else path
        for listed in _LISTED.split(f" {part}"):
            if "•" in listed and (inline := _FIELD.match(listed)) and inline["value"]:
                yield Unit(passage, "field", inline["value"].strip(), listed, inline["label"].strip(), own)
                continue
            sentences = [sentence.text for sentence in split_sentences(listed)]
            if len(sentences) > 1 and sentences[0].endswith(".") and word_count(sentences[0]) <= _RUN_IN_WORDS:
                # "Summer show. It will be on 9 August."
                own = (*own, sentences[0].rstrip("."))
            for sentence in sentences:
                yield from _sentence_unit(passage, kind, sentence, own)


def _sentence_unit(passage: TextEvidence, kind: UnitKind, text: str, path: tuple[str, ...]) -> Iterator[Unit]:
    """Yields a sentence; one that starts with a short label is a field ("Age: at least 18 years.")."""
    field = _field(text, ())
    if field and field[1] and word_count(field[0]) <= _SENTENCE_LABEL_WORDS:
        yield Unit(passage, "field", field[1], text, field[0], path)
    elif word_count(text) >= 2 and not (path and path[-1] == text.rstrip(".")):
        yield Unit(passage, kind, text, text, headings=path)


def _run_in_parts(text: str) -> Iterator[tuple[str, str]]:
    start, heading = 0, ""
    for match in _RUN_IN.finditer(text):
        if not _is_title(match["head"]):
            continue
        if before := text[start : match.start()].strip():
            yield heading, before
        start, heading = match.end(), match["head"]
    if rest := text[start:].strip():
        yield heading, rest


def _is_title(words: str) -> bool:
    parts = words.split()
    return len(parts) <= HEADING_WORDS and all(part[:1].isupper() or part.lower() in _SMALL for part in parts)
