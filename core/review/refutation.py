"""Decides whether a passage contradicts a statement that cites it: takes statement, passage and title."""

from __future__ import annotations

from core.events import Passage, Source
from core.language.sentences import split_sentences
from core.review.support import rule_based_support


def is_refuted(statement: str, passage: str, title: str) -> bool:
    """Applies the rules for answers: returns whether any sentence is unsupported because of a figure, a date, a name, a
    negation or another deciding reason."""
    source = Source(
        number=1,
        document_id="",
        title=title,
        filename="",
        score=1.0,
        passages=[Passage(item_id="", text=passage)],
    )
    return any(rule_based_support(each.text, source).verdict == "contradicted" for each in split_sentences(statement))
