"""Finds people in a sentence: names with a known given name, a title or a position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from core.knowledge.extraction import hebrew_names
from core.knowledge.extraction.lexicon import blocked_english, organisations, people, places, terms
from core.knowledge.extraction.patterns import Span
from core.language.normalisation import fold
from core.language.places import is_place
from core.language.terms import is_stop_word

_PART = r"(?:[A-Z]\.|[A-Z][a-z'’]+(?:[A-Z][a-z]+)?(?:-[A-Z][a-z]+)?)"
_FULL = re.compile(rf"(?<![\w.-])(?P<name>[A-Z][a-z]+(?: {_PART}){{1,3}})(?:, (?:Jr|Sr|III|II)\b\.?)?(?!\w)(?! [A-Z])")
_TITLED = re.compile(rf"\b(?:Mr|Ms|Mrs|Dr)\.? (?P<name>{_PART}(?: {_PART}){{0,2}})")
_NOUN = re.compile(r"(?:tion|ment|ity|ety|ness|ance|ence|ing|ics|ure|ship|ware)$")
_OFFICE = re.compile(
    r",? (?:(?:our|its|the|who|age|as|has|an?) )?[^.;]{0,25}"
    r"(?:Chief|President|Chair|Director|Officer|Secretary|Controller|Treasurer|CEO|CFO|Counsel|Partner|Manager|Engineer"
    r"|was appointed|joined|certify)\b"
)


def people_in(text: str) -> Iterator[Span]:
    """People in Latin or Hebrew script, by full name, or by family name after a title."""
    for match in _TITLED.finditer(text):
        name = match["name"].strip(". ")
        if len(name) > 2 and " " in name:
            yield Span(match.start("name"), match.start("name") + len(name), "person", name, person_key(name))
    for match in _FULL.finditer(text):
        name = match["name"].rstrip(". ")
        parts = name.split()
        if _is_person(parts, text[match.end() : match.end() + 60]):
            yield Span(match.start(), match.start() + len(name), "person", name, person_key(name))
    for span in hebrew_names.find(text):
        if span.kind == "person" and " " in span.label:
            yield span


def _is_person(parts: list[str], behind: str) -> bool:
    family = parts[-1]
    if _NOUN.search(family) or fold(family) in organisations().ends:
        return False
    if len(family.strip(".")) < 2 or any(_is_word(part) for part in parts[1:]):
        return False
    if is_place(" ".join(parts)) or fold(" ".join(parts)) in places().latin or fold(family) in places().streets:
        return False
    if fold(parts[0]) in people().given_latin:
        return True
    initial = any(len(part.strip(".")) == 1 for part in parts[1:-1])
    return (initial or len(parts) == 2) and not _is_word(parts[0]) and bool(_OFFICE.match(behind)) and initial


@cache
def _non_name_words() -> frozenset[str]:
    return blocked_english() | terms().title_nouns


def _is_word(part: str) -> bool:
    folded = fold(part).strip(".")
    return len(folded) > 1 and (is_stop_word(folded) or folded in _non_name_words())


def person_key(name: str) -> str:
    """The name without initials, so that "Maya R. Rosen" is "Maya Rosen"."""
    parts = [part for part in fold(name).replace(".", " ").split() if len(part) > 1]
    return " ".join(parts)
