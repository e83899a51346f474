"""Finds organisations in a sentence, by the companies in document records, by legal forms and by names of public
bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from core.knowledge.extraction import hebrew_names
from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.heads import heads, kind_of_name
from core.knowledge.extraction.known_entities import Known, bare_key
from core.knowledge.extraction.lexicon import organisations
from core.knowledge.extraction.patterns import Span, without_lead
from core.knowledge.records import EntityKind
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.language.vocabulary import phrase_of

_NAME = r"(?:[A-Z][\w'&.-]{0,60}|\d{1,12}[A-Za-z][\w'&-]{0,60}|&)"
_FORMS = (
    r"(?:Inc|Incorporated|LLC|L\.L\.C|LLP|L\.P|LP|Ltd|Limited|plc|PLC|Corp|Corporation|GmbH|AG|S\.A\.R\.L|S\.A|N\.V|B\.V"
    r"|Pty|Co|Company)"
)
_LEGAL = re.compile(
    rf"(?<![\w-])(?P<name>{_NAME}(?: {_NAME}){{0,4}}?),? {_FORMS}(?:,? (?:{_FORMS}))*(?![\w-])\.?(?! [A-Z])"
)
_PROPER = r"(?:U\.S\.|[A-Z][a-z]+)"
_OF = r"(?: of (?:the )?[A-Z][a-z]+(?: [A-Z][a-z]+){0,2})?"
_BODY = re.compile(
    rf"(?<![\w-]){_PROPER}(?: (?:(?:and|of|for|the|&) )*[A-Z][a-z]+){{0,5}}"
    r" (?:Commission|Agency|Administration|University|Ministry|Reserve|Parliament|Stock Exchange|Bank)"
    rf"{_OF}\b(?! [A-Z&])"
)
_HEADED = re.compile(
    rf"(?<![\w-])(?:{_PROPER} ){{0,2}}(?:University|Ministry|Department|Bank|Institute)"
    r" of (?:the )?[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}(?: and (?:Human |Urban |Social )?[A-Z][a-z]+)?\b"
)
_OFFICE = re.compile(r" and (?:Principal|Deputy|Chief|Secretary|Director|Assistant)$")
_GOES_ON = re.compile(r" (?:(?:[A-Z][\w&-]+ )?(?:Inc|LLC|Ltd|Corp|Limited|GmbH|Foundation)\b|[A-Z][a-z]+ [A-Z][a-z]+)")
_INNER = re.compile(rf".*\b{_FORMS}\.?,? (?:and |of )?(?:[Tt]he )?")
"""Pattern for the end of another company's name directly before a public body's name."""
_WITH_FORM = re.compile(rf",? {_FORMS}\.?$")
_COMPANY_OF = phrase_of("knowledge/extraction.hebrew_names.company_of")
_SHORT_FORM = re.compile(r"\b(?:Inc|Ltd|Corp|Co|L\.L\.C|L\.P|S\.A|S\.A\.R\.L|N\.V|B\.V)\.$")


def companies_in(text: str, known: Known) -> Iterator[Span]:
    """The companies in a sentence; a company in document records gets the name and key from there."""
    if known.names is not None:
        for match in known.names.finditer(text):
            if not _is_part(text, match):
                yield company_span(known, match.start(), match.end(), match.group())
    yield from _with_form(text, known)
    yield from _public(text, known)
    for match in _well_known().finditer(text):
        yield company_span(known, match.start(), match.end(), match.group())
    for span in hebrew_names.find(text):
        if span.kind == "organisation" and not {span.label, span.label.split()[0]} & organisations().hebrew_doubtful:
            yield company_span(known, span.start, span.end, span.label)


def _with_form(text: str, known: Known) -> Iterator[Span]:
    """Names that end in a legal form and contain more than that: not "the Parent Company", "a Missouri corporation"."""
    for match in _LEGAL.finditer(text):
        start, name = without_lead(match.start(), match.group(), _leads)
        bare = bare_key(name)
        if place_key(bare) or all(
            word.strip(".&") in organisations().no_name or is_stop_word(word) for word in bare.split()
        ):
            continue
        label = name if _SHORT_FORM.search(name) else name.rstrip(".")
        yield company_span(known, start, start + len(label), label)


def _public(text: str, known: Known) -> Iterator[Span]:
    """Public bodies: ministries, agencies, universities, central banks."""
    for pattern in (_HEADED, _BODY):
        for match in pattern.finditer(text):
            start, name = without_lead(match.start(), match.group(), _leads)
            if other := _INNER.match(name):
                start, name = start + other.end(), name[other.end() :]
            name = _OFFICE.sub("", name)
            general = all(word in organisations().general for word in bare_key(name).split())
            if name and (not general or name.startswith("U.S.")):
                yield company_span(known, start, start + len(name), name)


def company_span(known: Known, start: int, end: int, name: str) -> Span:
    """A company's span; its key is that of the document record, if there is one, else the bare name."""
    key = bare_key(name)
    company = known.companies.get(key)
    if company is None:
        return Span(start, end, _kind(name), name, key)
    return Span(start, end, _kind(company.label), company.label, company.key, company.names, name)


def _kind(name: str) -> EntityKind:
    """A company, unless its head is that of a public body or an association, or it is a body's abbreviation."""
    if _WITH_FORM.search(name):
        return "company"
    kind = kind_of_name(name.split()) if not is_hebrew(name) else None
    if kind is not None and kind not in ("person", "place", "product", "term"):
        return kind
    if is_hebrew(name):
        return "company" if name.startswith(_COMPANY_OF) else "organisation"
    return (
        "organisation" if fold(name) in heads().bodies or (name.isupper() and fold(name) not in _names()) else "company"
    )


@cache
def _names() -> frozenset[str]:
    return organisations().well_known - heads().bodies


def _is_part(text: str, match: re.Match[str]) -> bool:
    """Whether the name continues, as in the name of a fund, division or subsidiary that is named after the company."""
    behind = text[match.end() :]
    return bool(_GOES_ON.match(behind)) and not re.match(rf",? {_FORMS}\b", behind)


def _leads(word: str) -> bool:
    """Whether the word is not part of the name: it only begins the sentence or introduces the name."""
    return is_stop_word(word.lower()) or word.lower() in organisations().no_name or word[0] == "&"


@cache
def _well_known() -> re.Pattern[str]:
    """Well-known names that are not ordinary words, capitalised, and not the beginning of another name."""
    known = organisations()
    names = [name for name in known.well_known - known.doubtful if len(name) > 3]
    forms = "|".join(
        sorted({form for name in names for form in (name.capitalize(), name.upper())}, key=len, reverse=True)
    )
    return re.compile(rf"(?<![\w@./-])(?:{forms})(?=\W|$)(?!-)(?! [A-Z])")
