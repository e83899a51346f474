"""Finds laws and standards by name: *sentence* → spans ("Clean Water Act of 1972", "ISO 27001")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.knowledge.extraction.patterns import Span, without_lead
from core.language.entities.calendar_words import YEAR
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.language.vocabulary import phrase_of

_CAP = r"[A-Z][\w'-]*"
_ACT = re.compile(
    rf"(?<![\w-])(?P<name>{_CAP}(?:,? (?:(?:and|of|for|the|&|to|in) ){{0,2}}{_CAP}){{0,6}}"
    r" (?:Act|Directive|Treaty|Convention)"
    rf"(?:(?: of)? {YEAR})?)(?![\w-])"
)
_OTHERS = re.compile(r".*\b(?:Act|Law|Regulation|Directive|Code)(?: of \d{4})?,? and (?:the )?(?=.* )")
_STANDARD = re.compile(
    r"\b(?P<body>ASU|ASC|IFRS|IAS|ISO(?:/IEC)?|IEC|RFC)(?: (?:No\. ?|Topic ))?[ -]?(?P<number>\d[\d.:-]*\d)(?![\w-])"
)
_HEBREW = re.compile(phrase_of("knowledge/extraction.laws.hebrew"))


_YEAR = re.compile(rf",?(?: of)? {YEAR}$")


def law_key(name: str) -> str:
    """The name without its year, which texts often leave out."""
    return f"law {_YEAR.sub('', fold(name))}"


def laws_in(text: str) -> Iterator[Span]:
    for match in _ACT.finditer(text):
        start, name = match.start(), match["name"]
        if others := _OTHERS.match(name):
            start, name = start + others.end(), name[others.end() :]
        start, name = without_lead(start, name, lambda word: is_stop_word(fold(word)))
        if len(name.split()) > 1:
            yield Span(start, match.end(), "law", name, law_key(name))
    for match in _STANDARD.finditer(text):
        label = f"{match['body']} {match['number']}"
        yield Span(match.start(), match.end(), "law", label, f"law {label.lower()}")
    for match in _HEBREW.finditer(text):
        yield Span(match.start("name"), match.end("name"), "law", match["name"], f"law {match['name']}")
