"""Numbers sources by passage, so that a citation names one passage; groups them by document again for display."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from core.batches import batches
from core.events import Passage, Source

MOST_NUMBERS = 800
"""Citation numbers for passages; in more passages, neighbours share a number, since a number has at most three
digits."""

SHORT = 200
"""Characters below which a passage joins the passage before or after it."""


def next_number(sources: Sequence[Source]) -> int:
    """Returns the number of the next new source."""
    return max([len(sources), *(source.number for source in sources)]) + 1


def document_key(source: Source) -> str:
    """Returns the same key for all sources that are passages of one document; a web page, a tool's result, a row of a
    table and the result of a query have their own."""
    is_passage = source.kind == "document" and source.cell is None and source.data is None
    return f"document {source.document_id}" if is_passage else f"number {source.number}"


def grouped_by_document(sources: Sequence[Source]) -> list[list[Source]]:
    """Returns the sources of each document, in the order of each document's first source."""
    groups: dict[str, list[Source]] = {}
    for source in sources:
        groups.setdefault(document_key(source), []).append(source)
    return list(groups.values())


def numbered_by_passage(
    sources: Sequence[Source], cited: Collection[str] = (), periods: Mapping[str, str] | None = None
) -> list[Source]:
    """Returns a source for each passage of a document.

    A number that was shown before stays valid: it names the passage of its document that was cited with it, or the best
    one. The other passages get new numbers.

    Args:
        sources: Sources with all passages of a document each.
        cited: Passages that were cited before, by item id.
        periods: The period of each document, by id, for the headings of its passages.
    """
    count = sum(len(source.passages) for source in sources if source.kind == "document")
    size = math.ceil(count / MOST_NUMBERS)
    number = next_number(sources)
    found: list[Source] = []
    for source in sources:
        if source.kind != "document" or source.cell is not None:
            found.append(source)
            continue
        source = source.model_copy(update={"period": (periods or {}).get(source.document_id, source.period)})
        kept = _kept(source, cited)
        for group in _places(source, size) or [[]]:
            if kept is None or kept in group:
                found.append(_part(source, source.number, group))
                continue
            found.append(_part(source, number, group))
            number += 1
    return found


def _places(source: Source, size: int) -> list[list[Passage]]:
    """Returns the passages that get a number each, best first; a short one shares that of its neighbour on the page."""
    in_order = sorted(source.passages, key=lambda passage: passage.position)
    if size > 1:
        return list(batches(in_order, size))
    groups: list[list[Passage]] = []
    for passage in in_order:
        before = groups[-1][-1] if groups else None
        if before is not None and belongs_to(before, passage):
            groups[-1].append(passage)
        else:
            groups.append([passage])
    rank = {id(passage): place for place, passage in enumerate(source.passages)}
    return sorted(groups, key=lambda group: min(rank[id(passage)] for passage in group))


def belongs_to(before: Passage, passage: Passage) -> bool:
    """Returns whether a passage directly follows another one on a page, and one of them is too short to stand apart."""
    if passage.position != before.position + 1 or passage.page != before.page or before.near != passage.near:
        return False
    return min(len(before.text), len(passage.text)) < SHORT and passage.table is None and before.table is None


def _kept(source: Source, cited: Collection[str]) -> Passage | None:
    """Returns the passage that keeps the number of its document."""
    ranked = sorted(source.passages, key=lambda passage: (passage.item_id not in cited, -passage.score))
    return ranked[0] if ranked else None


def _part(source: Source, number: int, passages: Sequence[Passage]) -> Source:
    score = max((passage.score for passage in passages), default=source.score)
    return source.model_copy(update={"number": number, "passages": list(passages), "score": score})


def merged_by_document(sources: Sequence[Source]) -> list[Source]:
    """Returns one source for each document, with the passages of all its sources and the lowest of their numbers."""
    return [merged(group) for group in grouped_by_document(sources)]


def merged(group: Sequence[Source]) -> Source:
    """Returns one source with the passages of all sources of a document, and the lowest of their numbers."""
    if len(group) == 1:
        return group[0]
    passages = {passage.item_id: passage for source in group for passage in source.passages}
    best = max(source.score for source in group)
    number = min(source.number for source in group)
    return group[0].model_copy(update={"number": number, "passages": list(passages.values()), "score": best})
