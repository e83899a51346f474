"""Finds what a citation refers to. Input: the sources, a source number or an item id, and a quote. Output: the source,
its passage and the words to highlight."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Passage, Source
from core.search.documents.evidence import on_page_of, supporting_sentence
from core.store.items import MemoryItem


def cited_passage(
    sources: Sequence[Source], number: int | None, item_id: str | None, quote: str
) -> tuple[Source | None, Passage | None, str]:
    """The passage ``item_id``, or the passage of source ``number`` that supports the quote best."""
    for source in sources:
        for passage in source.passages:
            if passage.item_id == item_id:
                return source, passage, _verbatim(quote, passage)
    cited = next((source for source in sources if source.number == number), None)
    if cited is None:
        return None, None, quote
    supported = supporting_sentence(quote, cited.passages)
    if supported:
        return cited, *supported
    return cited, max(on_page_of(quote, cited.passages), key=lambda each: each.score), quote


def with_other_passages(source: Source, sources: Sequence[Source]) -> Source:
    """The source with the passages of its document that have other numbers, to list them next to the cited one."""
    if source.kind != "document":
        return source
    others = [each for each in sources if each.document_id == source.document_id and each.number != source.number]
    passages = {each.item_id: each for other in [*others, source] for each in other.passages}
    return source.model_copy(update={"passages": list(passages.values())})


def table_passage(items: Sequence[MemoryItem], quote: str) -> tuple[Passage, str] | None:
    """Of the passages that show a table, the one whose row ``quote`` is about, and that row; if no row matches, the
    first passage."""
    passages = [Passage(item_id=item.id, text=item.text) for item in items]
    return supporting_sentence(quote, passages) or next(((each, "") for each in passages), None)


def _verbatim(quote: str, passage: Passage) -> str:
    """The sentence of the passage that supports a claim, if the claim does not quote the passage word for word."""
    if not quote or " ".join(quote.split()) in " ".join(passage.text.split()):
        return quote
    supported = supporting_sentence(quote, [passage])
    return supported[1] if supported else quote
