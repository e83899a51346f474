"""Says what the figures of a sentence belong to: *sentence, its things, the document's issuer* → measure and owner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.knowledge.extraction.patterns import Span
from core.knowledge.records import EntityKind
from core.language.vocabulary import phrase_of

FIGURE = "#figure"
"""The reason of a link from a measure to what is measured; it is shown in the reader's language."""
_STATES_AMOUNT = re.compile(phrase_of("knowledge/extraction.metrics.states_amount"))
_OWNERS: frozenset[EntityKind] = frozenset(["company", "organisation", "product"])


def figures_of(text: str, spans: Sequence[Span], issuer: Span | None) -> Iterator[tuple[Span, Span]]:
    """Each measure with the one company in the sentence, or with the document's issuer if the sentence has none."""
    metrics = [span for span in spans if span.kind == "metric"]
    if not metrics or not _STATES_AMOUNT.search(text):
        return
    owners = {span.key: span for span in spans if span.kind in _OWNERS}
    if len(owners) > 1:
        return
    owner = next(iter(owners.values()), issuer)
    if owner is not None:
        yield from ((metric, owner) for metric in metrics)
