"""A follow-up that rules leave as it is, said in full by a model: message, conversation → what is searched for.

The model is asked in the call that says which documents are meant, and only where the message leans on what was said
before and the rules took nothing of it over. Its sentence is used where every word of it stands in the conversation
(docs/specification.md, "What a model is asked").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.graph.records import Message
from core.graph.state import LastAsked
from core.graph.understanding.documents.anaphora import refers_back
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
from core.records.subject_matter import Completed
from core.search.query.known_entities import KnownDocument

MOST_CHARACTERS = 300
BARE = 1
"""Words of weight up to which a message says too little to be looked for."""
FOREIGN = 0.2
"""Share of the words of weight that need not stand in the conversation: another form of what does."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def is_left_open(question: str, last: LastAsked | None, ruled: Completed | None) -> bool:
    """Whether ``question`` leans on the one before it, and ``ruled`` took nothing of that over."""
    if last is None or (ruled and ruled.carried) or mentions(question) or is_about_all(question):
        return False
    return leans_on_context(question) or refers_back(question) or len(content_terms(question)) <= BARE


def said_in_full(
    question: str, written: str, past: Sequence[Message], documents: Sequence[KnownDocument]
) -> Completed | None:
    """What a model has ``written`` for ``question``; ``None`` where it is the same, or not of this conversation."""
    text = " ".join(written.split())
    if not text or len(text) > MOST_CHARACTERS or fold(text) == fold(question) or detect(text) != detect(question):
        return None
    if not _keeps(question, text) or not _is_of(f"{question} {' '.join(each.text for each in past)}", text):
        return None
    return Completed(text=text, carried=kinds_taken_over(question, text, documents))


def _keeps(question: str, text: str) -> bool:
    """Whether nothing that was asked has gone."""
    folded = fold(text)
    numbers = set(_NUMBER.findall(question)) <= set(_NUMBER.findall(text))
    return numbers and all(covers(term, folded) for term in content_terms(without_opener(question)))


def _is_of(conversation: str, text: str) -> bool:
    """Whether ``text`` says nothing that the conversation does not."""
    folded, terms = fold(conversation), content_terms(text)
    foreign = sum(not covers(term, folded) for term in terms)
    return set(_NUMBER.findall(text)) <= set(_NUMBER.findall(conversation)) and foreign <= FOREIGN * len(terms)
