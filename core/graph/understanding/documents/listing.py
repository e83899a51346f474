"""Lists documents for a model that identifies those of a message: the likeliest first, one line each."""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.mentions import without_mentions

MOST_TITLE = 140
"""Maximum characters of a title in the list."""
MOST_PERIODS = 4
MOST_MESSAGE = 1_500
"""Maximum characters of the message; the text to audit may be long."""


def likeliest(asked: Reference, first: Sequence[str], left_out: Sequence[str] = ()) -> list[VisibleDocument]:
    """Returns the documents except ``left_out``: those with the ids ``first`` in their order, then those that share
    words with the message, then the others."""
    names = DocumentNames(asked.documents)
    matches = names.matches(names.named_words(without_mentions(asked.text)[:MOST_MESSAGE]))
    places = {id: place for place, id in enumerate(first)}

    def rank(document: VisibleDocument) -> tuple[int, float]:
        shared = sum(names.weight(word) for word in matches.get(document.id, ()))
        return places.get(document.id, len(places)), -shared

    return sorted((each for each in asked.documents if each.id not in left_out), key=rank)


def line_of(document: VisibleDocument, organisation: str = "", dated: str = "") -> str:
    """Describes a document in one line: title, organisation, kind, periods or date, and filename."""
    periods = ", ".join(document.periods[:MOST_PERIODS])
    parts = [document.title[:MOST_TITLE], organisation, document.document_kind, periods or dated]
    stem = document.filename.rpartition(".")[0]
    parts.append(document.filename[:MOST_TITLE] if stem != document.title else "")
    return " · ".join(dict.fromkeys(" ".join(part.split()) for part in parts if part))
