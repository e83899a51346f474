"""Gives a concept's display name in each language, if the vocabulary has it."""

from __future__ import annotations

from core.knowledge.extraction.gazetteer import place_labels
from core.knowledge.extraction.metrics import metric_labels, metric_of
from core.knowledge.extraction.periods import period_labels
from core.knowledge.extraction.topics import subject_labels
from core.knowledge.records import ConceptRow


def labels_of(row: ConceptRow) -> dict[str, str]:
    """Labels by language; empty for people, companies and defined terms, which have one name in all languages."""
    key = row.keys[0]
    if row.kind == "place":
        return place_labels(key)
    if row.kind == "metric":
        name = metric_of(key)
        return metric_labels(name) if name else {}
    return period_labels(key) if row.kind == "date" else subject_labels(key)
