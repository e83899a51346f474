"""Removes the phrase that refers to a known document from a question: "according to the travel policy 2025".

The words say where the answer is, not what is asked, so a sentence that answers need not contain them.
"""

from __future__ import annotations

import re

from core.graph.understanding.documents.document_nouns import DocumentNouns
from core.graph.understanding.documents.document_references import references_in
from core.graph.understanding.documents.records import VisibleDocument
from core.language.entities.periods import periods_in
from core.language.terms import content_terms
from core.language.vocabulary import phrase_of, words_of

_BEFORE = phrase_of("answering/questions.source_phrase.before_quoted")
_DEFINITE = "|".join(map(re.escape, words_of("graph/document_references.definite")))
_OWNS = "of "
"""A bare noun after it says whose part is asked for: "the date of the agreement"."""
_GAP = " (,"
"""Characters between a document's name and its period."""


def without_reference(question: str, document: VisibleDocument) -> str:
    """Returns the question without the phrases that refer to ``document``, and the period right behind them; all of it
    if nothing is left to look for.

    >>> without_reference("What does the travel policy say about taxis?", VisibleDocument("a", "Travel policy 2031"))
    'What does say about taxis?'
    """
    nouns = DocumentNouns([document])
    spans: list[tuple[int, int]] = []
    for each in references_in(question, nouns):
        if each.plural or document.id not in nouns.called(each.noun) | nouns.of_kind(each.noun):
            continue
        phrase = r"\s{1,3}".join(map(re.escape, each.said.split()))
        lead = rf"(?:(?<!\w)(?:{_BEFORE}))?(?:(?<!\w)(?:{_DEFINITE})\s{{1,3}})?"
        found = re.compile(rf"{lead}(?<!\w){phrase}(?!\w)", re.IGNORECASE).search(
            question, spans[-1][1] if spans else 0
        )
        is_owner = not each.modifiers and found is not None and found.group().lower().startswith(_OWNS)
        if found is not None and not is_owner:
            spans.append((found.start(), _with_period(question, found.end())))
    left = question
    for start, end in reversed(spans):
        left = f"{left[:start]} {left[end:]}"
    left = re.sub(r" (?=[?,.)])", "", " ".join(left.split()))
    return left if content_terms(left) else question


def _with_period(question: str, end: int) -> int:
    for period in periods_in(question):
        if period.start >= end and not question[end : period.start].strip(_GAP):
            return period.end + (question[period.end : period.end + 1] == ")")
    return end
