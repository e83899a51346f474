"""Finds products and brands in a sentence: *sentence* → spans, by the trademark sign or a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.knowledge.extraction.lexicon import blocked_english, organisations, terms
from core.knowledge.extraction.patterns import Span, without_lead
from core.knowledge.records import EntityKind
from core.language.normalisation import fold
from core.language.terms import is_stop_word

_CAP = r"(?:[A-Z][\w'&/]*(?:-[A-Z0-9][\w']*)*|[a-z][A-Z]\w+)"
_NAME = rf"{_CAP}(?: (?:{_CAP}|\d{{1,4}}[A-Z]{{0,3}}\b)){{0,4}}"
_MARKED = re.compile(rf"(?<![\w-])(?<!® )(?P<name>{_CAP}(?: {_CAP}){{0,3}}) ?(?:®|\((?:R|TM)\)|TM\b)")
_KINDS = (
    r"(?:brands?|trademarks?|products?|product lines?|models?|applications?|apps?|titles?|aircraft|airplanes?|devices?"
    r"|drugs?|medicines?|consoles?|platforms?|software)"
)
_LISTED = re.compile(
    rf"\b{_KINDS}(?: [a-z]+){{0,2}},? (?:such as|including|include|like|called|named|are) (?:our |the |its )?"
    rf"(?P<list>{_NAME}(?:,? (?:and |or )?{_NAME})*)"
)
_PART = re.compile(rf"{_NAME}(?=\W|$)")


def products_in(text: str) -> Iterator[Span]:
    for match in _MARKED.finditer(text):
        if span := _product(match.start("name"), match["name"]):
            yield span
    for match in _LISTED.finditer(text):
        for part in _PART.finditer(match["list"]):
            if not _is_word(part.group()):
                yield _product_span(match.start("list") + part.start(), part.group())


def _product(start: int, name: str) -> Span | None:
    """The product without an article or the sentence's first word before it; ``None`` for a common word."""
    start, name = without_lead(start, name, _is_word)
    words = name.split()
    return None if len(name) < 3 or all(_is_word(word) for word in words) else _product_span(start, name)


def _product_span(start: int, name: str) -> Span:
    kind: EntityKind = "company" if fold(name) in organisations().well_known else "product"
    return Span(start, start + len(name), kind, name, fold(name))


def _is_word(word: str) -> bool:
    folded = fold(word)
    return is_stop_word(folded) or folded in blocked_english() or folded in terms().title_nouns or word.isdigit()
