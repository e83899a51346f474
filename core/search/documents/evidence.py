"""Finds the source sentence that a claim is based on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.events import Passage
from core.language.detection import detect
from core.language.entities.calendar_words import is_year
from core.language.matching import lexical_strengths
from core.language.sentences import split_sentences
from core.language.terms import index_terms, query_terms

_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_PAGE_MARK = re.compile(r"(?<!\s)\s{0,3}\([^()\d]{1,8}(\d{1,6})(?:[–-]\d{1,6})?\)\s*$")
"""Matches "(p. 12)" at the end of a claim, in any language."""


def supporting_sentence(claim: str, passages: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Returns the passage and its sentence with most of the claim's words and numbers; ``None`` if no sentence has any.

    If the claim ends with its page, only passages on that page are read, if there are any. A number counts by its
    digits: in "a decrease of 13: 982", a table's row with 982 is meant rather than one with 13.
    """
    passages = on_page_of(claim, passages)
    claim = _PAGE_MARK.sub("", claim)
    sentences = [(passage, each.text) for passage in passages for each in split_sentences(passage.text)]
    counts = [Counter(index_terms(text, detect(text))) for _, text in sentences]
    strengths = lexical_strengths(query_terms(claim, detect(claim)), counts)
    numbers = _numbers(claim)
    most = sum(map(len, numbers)) or 1
    shares = [sum(map(len, numbers & _numbers(text))) / most for _, text in sentences]
    scores = [strength + share for strength, share in zip(strengths, shares, strict=True)]
    best = max(range(len(sentences)), key=lambda place: scores[place], default=None)
    return sentences[best] if best is not None and scores[best] > 0 else None


def on_page_of(claim: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    """Returns the passages on the page with which the claim ends, or all passages if there are none."""
    mark = _PAGE_MARK.search(claim)
    return [each for each in passages if mark and each.page == int(mark[1])] or passages


def _numbers(text: str) -> set[str]:
    """Returns the numbers of a text, as their digits, without years."""
    found = (match.group() for match in _NUMBER.finditer(text))
    return {re.sub(r"\D", "", number) for number in found if not is_year(number)}
