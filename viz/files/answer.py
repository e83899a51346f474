"""Exports an answer: *response and sources* → Markdown with its citations written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.events import Response, Source
from core.search.documents.passage_numbers import grouped_by_document
from core.words import Language
from viz.answer import cited_sources
from viz.citations import place_of
from viz.files.data_markdown import results_markdown
from viz.labels import label
from viz.neutral_markdown import addresses_of, neutral_markdown

MOST_QUOTES = 40
"""Maximum number of passages written out per source."""


def answer_markdown(response: Response, sources: Sequence[Source]) -> str:
    """The answer, then each source by number with the passages quoted from it."""
    sources = listed_sources(response, sources)
    titles = " · ".join(dict.fromkeys(source.title for source in sources))
    parts = [f"# {titles}" if titles else "", response.text.strip(), *results_markdown(response, sources)]
    if sources:
        parts.append(f"## {label('sources', response.language)}")
        parts += [_source(response, source) for source in sources]
    whole = "\n\n".join(part for part in parts if part) + "\n"
    return neutral_markdown(whole, addresses_of(cited_sources(response, sources)))


def listed_sources(response: Response, sources: Sequence[Source]) -> list[Source]:
    """Returns the cited sources, and one source for each document of which no passage is cited; of the results of
    queries only those that are cited."""
    cited = {source.number for source in cited_sources(response, sources)}
    listed: list[Source] = []
    for group in grouped_by_document(sources):
        own = [source for source in group if source.number in cited]
        listed += own or [each for each in group[:1] if each.data is None]
    return sorted(listed, key=lambda source: source.number)


def _source(response: Response, source: Source) -> str:
    named = f"({_table_cell(source.filename)})" if source.filename and source.filename != source.title else ""
    place = place_of(source, response.language) if response.action == "inquire" else ""
    head = " ".join(part for part in (f"**[{source.number}] {_table_cell(source.title)}**", place, named) if part)
    quotes = list(dict.fromkeys(_quote_lines(response, source, response.language)))[:MOST_QUOTES]
    return "\n".join([head, *(["", *quotes] if quotes else [])])


def _quote_lines(response: Response, source: Source, language: Language) -> Iterator[str]:
    passages = {passage.item_id: passage for passage in source.passages}
    for quote in response.quotes:
        if quote.number == source.number:
            passage = passages.get(quote.item_id)
            page = f" ({label('page', language)} {passage.page})" if passage and passage.page else ""
            yield f"- “{_table_cell(quote.text)}”{page}"


def _table_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "·")
