"""Finds names and rare words in a question that are not in the catalogue; returns at most three."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core.language.entities.calendar_words import MONTHS
from core.language.entities.periods import periods_in
from core.language.fields import named_figures
from core.language.normalisation import fold
from core.language.terms import is_stop_word

MOST = 3
_QUOTED = re.compile(r"[\"“„](?P<text>[^\"”“„\n]{2,60})[\"”“]")
_PROPER = re.compile(r"(?<![A-Za-z\d])(?:[a-z]?[A-Z][\w&’'-]*|\d{1,20}[A-Z][\w-]*)(?:[ ](?:[A-Z][\w&’'-]*|\d[\w-]*))*")
"""Matches a name, also one such as iPhone or eBay, whose second letter is its capital."""
_ENDS = ".?!:;\n"
_FORMS = re.compile(r"(?:10|8)-?[KQ]|[FQH]Y?\d*|FY|USD|EUR|Q[1-4]", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")


def rare_terms(question: str, known: Collection[str] = ()) -> list[str]:
    """Returns quoted texts and names in the question, without the ``known`` ones and without names of periods, figures
    and forms."""
    taken = dict.fromkeys([*map(fold, known), *(fold(each.text) for each in named_figures(question))])
    spans = [(each.start, each.end) for each in periods_in(question)]
    found: dict[str, str] = {}
    for start, text in _marked_terms(question):
        folded = fold(text)
        if any(begin <= start < end for begin, end in spans) or _FORMS.fullmatch(text) or folded in MONTHS:
            continue
        if folded and not is_stop_word(folded) and not any(folded in other or other in folded for other in taken):
            found.setdefault(folded, text)
    return list(found.values())[:MOST]


def _begins_sentence(text: str, place: int) -> bool:
    while place and text[place - 1].isspace() and text[place - 1] not in _ENDS:
        place -= 1
    return not place or text[place - 1] in _ENDS


def _marked_terms(question: str) -> Iterator[tuple[int, str]]:
    for match in _QUOTED.finditer(question):
        yield match.start("text"), match["text"].strip()
    for match in _PROPER.finditer(_QUOTED.sub(lambda quoted: " " * len(quoted.group()), question)):
        start, text = match.start(), match.group()
        if _begins_sentence(question, start):
            # The first word of a sentence is always capitalised.
            first, _, rest = text.partition(" ")
            if not any(map(str.isdigit, first)):
                start, text = start + len(first) + 1, rest
        text = _POSSESSIVE.sub("", text)
        if len(text) > 1:
            yield start, text
