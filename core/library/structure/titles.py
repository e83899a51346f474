"""Checks whether a text can be a section title: text → its words without markup, or no title."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.hebrew import is_hebrew
from core.library.chunking.paragraphs import heading_title
from core.library.structure.labels import Label
from core.library.structure.words import bare, not_titles

LONGEST_TITLE = 160
MOST_WORDS = 22
PARENTHESES = re.compile(r"\([^()]*\)")
_BOX = re.compile(r"[☐☑☒□■]")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
_JOINS = re.compile(r"(?:\b(?:of|and|for|the|to|in|on|with|by|or|from)|[,&:\u2013\u2014-])$", re.IGNORECASE)
_ENDS = re.compile(r"[.:;,]+$")
_NOTE_SIGN = re.compile(r"(?<=[^\W\d])\s?\((?:\d|[a-z])\)$")


@dataclass(frozen=True)
class TitleCandidate:
    """A possible section title. ``level`` is the level in the file's outline or format (0: none), ``size`` the rank of
    its type size (1 the largest, 0 unknown); ``fixed``: the level comes from the file's own outline. ``lines`` is
    the number of paragraphs it covers, 0 if its paragraph continues after it."""

    title: str
    label: Label | None = None
    level: int = 0
    size: int = 0
    fixed: bool = False
    lines: int = 1


def clean_title(text: str) -> str:
    title = _NOTE_SIGN.sub("", heading_title(text))
    if _ENDS.search(title) and len(title) > 3:
        title = _ENDS.sub("", title).rstrip()
    return title[:LONGEST_TITLE] if len(title) <= LONGEST_TITLE else title[:LONGEST_TITLE].rsplit(" ", 1)[0]


def breaks_off(title: str) -> bool:
    """Whether ``title`` is incomplete at the end: "Report of", "Amounts reclassified from"."""
    return bool(_JOINS.search(title))


def is_title_case(text: str) -> bool:
    """Whether most longer words begin with a capital; in Hebrew, which has no capitals, few words suffice."""
    words = [word.strip("\"'“”‘’(),.:;") for word in text.split()]
    if is_hebrew(text):
        return len(words) <= 7
    long = [word for word in words if len(word) > 3 and word[0].isalpha()]
    return bool(words and words[0][:1].isupper()) and sum(word[0].isupper() for word in long) >= 0.6 * len(long)


def is_title(text: str) -> bool:
    """Whether ``text`` can be a section title: it has words, and is not only a period, unit, amount or checkbox."""
    bare_text = PARENTHESES.sub(" ", text).strip()
    letters = sum(map(str.isalpha, bare_text))
    if letters < 2 or 2 * letters < len(bare_text.replace(" ", "")) or len(text) > LONGEST_TITLE:
        return False
    if _BOX.search(text) or _LEADERS.search(text) or bare_text[0] in "$€£₪•*" or bare_text[0].islower():
        return False
    words = bare(bare_text).split()
    significant = [word for word in words if not any(map(str.isdigit, word)) and word not in not_titles()]
    return 0 < len(words) <= MOST_WORDS and bool(significant)
