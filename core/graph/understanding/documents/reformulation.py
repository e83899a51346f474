"""Uses a model to complete a follow-up question that the rules left unchanged.

The same model call also resolves the documents. It runs only if the message refers to earlier messages and the rules
took over nothing. The model's sentence is used only if all of its words are from the conversation
(docs/specification.md, "What a model is asked").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.graph.records import Message
from core.graph.state import LastAsked
from core.graph.understanding.documents.anaphora import refers_back
from core.graph.understanding.documents.answer_items import item_reference, without_reference
from core.graph.understanding.documents.query_rewriting import (
    is_about_all,
    kinds_taken_over,
    leans_on_context,
    without_opener,
)
from core.graph.understanding.mentions import mentions
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.question.known_entities import KnownDocument
from core.records.subject_matter import Completed

MOST_CHARACTERS = 300
BARE = 1
"""Maximum number of significant words in a message that is too short to search for."""
FOREIGN = 0.2
"""Share of significant words that need not be in the conversation, since they may be other word forms."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def is_left_open(question: str, last: LastAsked | None, ruled: Completed | None) -> bool:
    """Returns whether ``question`` refers to the previous one and ``ruled`` (the rules' result) took over nothing, or
    only a part of the last answer."""
    if last is not None and item_reference(question):
        return True
    if last is None or (ruled and ruled.carried) or mentions(question) or is_about_all(question):
        return False
    return leans_on_context(question) or refers_back(question) or len(content_terms(question)) <= BARE


def said_in_full(
    question: str, written: str, past: Sequence[Message], documents: Sequence[KnownDocument]
) -> Completed | None:
    """Returns the model's ``written`` question, or ``None`` if it is unchanged or contains words from outside the
    conversation."""
    text = " ".join(written.split())
    if not text or len(text) > MOST_CHARACTERS or fold(text) == fold(question) or detect(text) != detect(question):
        return None
    if not _keeps(question, text) or not _is_of(f"{question} {' '.join(each.text for each in past)}", text):
        return None
    return Completed(text=text, carried=kinds_taken_over(question, text, documents), by_model=True)


def _keeps(question: str, text: str) -> bool:
    """Returns whether no part of the question is lost."""
    folded = fold(text)
    numbers = set(_NUMBER.findall(question)) <= set(_NUMBER.findall(text))
    return numbers and all(covers(term, folded) for term in content_terms(without_reference(without_opener(question))))


def _is_of(conversation: str, text: str) -> bool:
    """Returns whether ``text`` contains nothing that is not in the conversation."""
    folded, terms = fold(conversation), content_terms(text)
    foreign = sum(not covers(term, folded) for term in terms)
    return set(_NUMBER.findall(text)) <= set(_NUMBER.findall(conversation)) and foreign <= FOREIGN * len(terms)
