"""Finds passages that say the same as another one, as forms, declarations and standard clauses do, and the lines of a
page's head or foot."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.events import Passage
from core.language.entities.dates import dates_in, without_dates

LEAST_WORDS = 12
"""Number of words, without names and dates, from which passages are compared."""
MOST_LINES = 4
LONGEST_LINE = 160
"""Lines, and characters of each, that a passage with the same text shows because they differ."""
_WORD = re.compile(r"[^\W_]+(?:[.,:/'’-][^\W_]+)*")
_ENDING_NUMBER = re.compile(r"(?<![\d.,])(\d{1,4})\s*$")

Wording = tuple[str, ...]


def wording_of(passage: Passage) -> Wording:
    """Returns the words and numbers of a passage in order, without names and dates; empty if there are too few.

    Two passages with the same wording differ in names, dates and headings only. A name is a word with a capital letter,
    so that in a script without capitals every word counts.
    """
    found: list[str] = []
    for line in content_lines(passage):
        words = _WORD.findall(without_dates(line, dates_in(line)))
        found += [word for word in words if not word[0].isupper()]
    return tuple(found) if len(found) >= LEAST_WORDS else ()


def content_lines(passage: Passage) -> list[str]:
    """Returns the lines of a passage without headings of one or a few words."""
    lines = (" ".join(line.split()) for line in passage.text.splitlines())
    return [line for line in lines if len(line.split()) > 2]


def differing_lines(passage: Passage, original: Passage) -> list[str] | None:
    """Returns the lines of a passage that its ``original`` does not have, for a passage of the same wording; ``None``
    if there are too many."""
    known = set(content_lines(original))
    others = [line for line in content_lines(passage) if line not in known]
    if len(others) > MOST_LINES:
        return None
    return [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in others]


def running_lines(passages: Sequence[Passage]) -> frozenset[str]:
    """Returns the lines with which passages of one document begin or end and that are only a page's head or foot: a
    page's number by itself, or a line that ends with the page's number on several pages."""
    offsets: dict[tuple[str, int], set[int]] = {}
    lines: dict[str, tuple[str, int]] = {}
    running: set[str] = set()
    for passage in passages:
        if passage.page is None:
            continue
        for line in _edges(passage.text):
            number = _ENDING_NUMBER.search(line)
            if number is None:
                continue
            if line == number.group(1) and int(line) == passage.page:
                running.add(line)
            key = line[: number.start()].strip(), passage.page - int(number.group(1))
            offsets.setdefault(key, set()).add(passage.page)
            lines[line] = key
    return frozenset(running | {line for line, key in lines.items() if len(offsets[key]) > 1})


def without_running_lines(text: str, running: frozenset[str]) -> str:
    """Returns ``text`` without the running lines at its beginning and its end; unchanged if nothing else is left."""
    lines = text.splitlines()
    while lines and (not lines[0].strip() or lines[0].strip() in running):
        lines.pop(0)
    while lines and (not lines[-1].strip() or lines[-1].strip() in running):
        lines.pop()
    return "\n".join(lines) if lines else text


def _edges(text: str) -> set[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return {lines[0], lines[-1]} if lines else set()
