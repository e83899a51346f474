"""Decides which lines can be a title: *line* → whether it has its own words, or is the text of a form or program."""

from __future__ import annotations

import re

from core.language.vocabulary import pattern_of
from core.library.identity.wording import any_of, phrase, words

_PLACEHOLDER = pattern_of("library/identity.titles.placeholder")
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*\.|\d{1,2}(?:\.\d{1,2})+)\s")
"""Matches the heading of a section: "5.1 Results", "1. Purpose"."""


def may_be_title(text: str) -> bool:
    """Whether a line can be a title: it has words and is no section number, row of cells or web address."""
    letters = re.findall(r"[^\W\d_]", text)
    return (
        not _NUMBERED.match(text)
        and 2 < len(text) <= 250
        and len(letters) > 2
        and len(letters) * 2 > len(text.replace(" ", ""))
        and not is_boilerplate(text)
        and not text.endswith((":", ";", ","))
        and not re.search(r"\|\s|^\(.*\)$|https?:|www\.|\.com\b|\w@\w", text)
    )


def is_boilerplate(text: str) -> bool:
    """Whether the line belongs to a form, or is the name of a part that every document has."""
    bare = re.sub(r"^[\W\d_]+|[\s\W]+$", "", text)
    if any_of("no_title").fullmatch(bare) or is_placeholder(text):
        return True
    return any(len(each.split()) > 2 and phrase(each).match(bare) for each in words().no_title)


def is_placeholder(text: str) -> bool:
    """Whether the line is a placeholder that a program inserts if no title was written."""
    return bool(_PLACEHOLDER.match(text.strip()))
