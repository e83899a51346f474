"""Labels documents so that the user can tell them apart in a list of choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.events import DocumentRef
from core.messages import message_group
from core.question.chips import period_name
from core.question.known_entities import KnownDocument
from core.words import Language

KINDS = {kind.replace("_", " "): words for kind, words in message_group("graph.labels.kinds").items()}


def distinguishing_labels(documents: Sequence[KnownDocument], language: Language) -> list[DocumentRef]:
    """Labels each document by organisation, kind and period, or by title if unknown. The filename is the hint, and is
    added to labels that would otherwise be identical."""
    labels = [label_of(each, language) for each in documents]
    counts = Counter(labels)
    return [
        DocumentRef(
            document_id=each.id,
            title=label if counts[label] == 1 else f"{label} · {each.filename}",
            hint=each.filename,
        )
        for each, label in zip(documents, labels, strict=True)
    ]


def label_of(document: KnownDocument, language: Language) -> str:
    """Returns a label such as "Acme · Annual report · FY2022"."""
    kind = KINDS.get(document.kind)
    if kind is None or not document.organisation:
        return document.title or document.filename
    key = document.covered[0].key if document.covered else document.dated
    when = [period_name(key, document.kind)] if key else []
    return " · ".join([document.organisation, kind.to(language), *when])
