"""Whether a passage speaks against a statement that is said to rest on it: *statement, passage, title* → yes or no."""

from __future__ import annotations

from core.events import Passage, Source
from core.grounding.support import rule_based_support
from core.language.sentences import split_sentences


def is_refuted(statement: str, passage: str, title: str) -> bool:
    """By the rules that mark answers: any sentence of it is found unsupported, for a figure, a date, a name, a "not" or
    what else decides."""
    source = Source(
        number=1,
        document_id="",
        title=title,
        filename="",
        score=1.0,
        passages=[Passage(item_id="", text=passage)],
    )
    return any(rule_based_support(each.text, source).verdict == "unsupported" for each in split_sentences(statement))
