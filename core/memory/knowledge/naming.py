"""How a concept is called in each language: *a concept's row* → labels by language, where the data have them."""

from __future__ import annotations

from core.memory.knowledge.gazetteer import place_labels
from core.memory.knowledge.records import ConceptRow
from core.memory.knowledge.things.metrics import metric_labels, metric_of
from core.memory.knowledge.things.spans_of_time import period_labels
from core.memory.knowledge.things.subjects import subject_labels


def labels_of(row: ConceptRow) -> dict[str, str]:
    """Empty for what is called one thing everywhere: people, companies, what one text defines."""
    key = row.keys[0]
    if row.kind == "place":
        return place_labels(key)
    if row.kind == "metric":
        name = metric_of(key)
        return metric_labels(name) if name else {}
    return period_labels(key) if row.kind == "date" else subject_labels(key)
