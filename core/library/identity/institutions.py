"""Recognises names of companies and institutions: *line* → whether it is a name, by its legal form or its words."""

from __future__ import annotations

import re
from functools import cache

from core.language.hebrew import LETTER, LETTERS
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.library.identity.aliases import has_suffix
from core.library.identity.wording import any_of, phrase, words

NOT_A_NAME = re.compile(
    r"(?:^copyright\b|©|securities and exchange|stock exchange|form \d|page \d|https?:|www\.|@|\?|:$|^\()"
    r"|washington, d",
    re.IGNORECASE,
)


def is_name(text: str) -> bool:
    """Whether a line is a name and nothing else: it has a legal form, or is capitalised and has a word such as
    "University"."""
    if NOT_A_NAME.search(text) or any_of("no_title").fullmatch(text):
        return False
    if has_suffix(text):
        return len(text.split()) <= 8
    count = len(text.split())
    proper = all(word[0].isupper() or len(word) <= 3 or re.match(f"[{LETTERS}&]", word[0]) for word in text.split())
    return count <= 7 and proper and not re.search(r"\d|[:|]", text) and bool(institution(text))


def institution(text: str) -> re.Match[str] | None:
    """An institution's name in the text: Hebrew names begin with its type; English names end with it or have it before
    "of"."""
    for word in words().places:
        if (found := phrase(word).match(text)) and text[found.end() :].strip()[:1].isupper():
            return found
    for word in words().institutions:
        found = phrase(word).search(text)
        if not found:
            continue
        if re.match(LETTER, word):
            if found.start() == 0:
                return found
        elif len(text.split()) > 1 and (
            found.end() == len(text)
            or re.match(
                r"\s+(?:of|for|de|des|du|d['’]|da|do|di|del|della|für|der|van)(?!\w)",
                text[found.end() :],
                re.IGNORECASE,
            )
        ):
            return found
    return None


def is_of_forms(name: str) -> bool:
    """Whether all words are typical of titles and forms: "Annual", "Quarterly Report"."""
    return all(
        word in _words_of_forms() or is_stop_word(word) or word.isdigit() for word in re.findall(r"\w+", fold(name))
    )


@cache
def _words_of_forms() -> frozenset[str]:
    listed = [text for known in words().kinds.values() for text in (*known.title, *known.form, *known.filename)]
    return frozenset(word for text in (*listed, *words().no_title) for word in re.findall(r"\w+", fold(text)))
