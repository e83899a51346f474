"""Renders a cited passage with its context, and why it was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from markupsafe import Markup, escape

from core.events import Passage, Source
from core.library.records import RemovedDocument, WebOrigin
from core.words import Language
from viz.cells import CELL
from viz.labels import label
from viz.passage_text import pieces, quote_in
from viz.templating import render

CONTEXT_CHARACTERS = 500
_PREVIEWED = 260
"""Characters before and after a quote in its preview."""


def passage(
    *,
    source: Source | None,
    chosen: Passage | None,
    title: str,
    filename: str,
    document_id: str,
    text: str,
    page: int | None,
    section: str | None,
    quote: str,
    language: Language,
    item_id: str = "",
    before: str = "",
    after: str = "",
    departure: RemovedDocument | None = None,
    labels: Mapping[str, str] | None = None,
    cell: tuple[int, int, int] | None = None,
    origin: WebOrigin | None = None,
) -> Markup:
    """The evidence card in the side panel. ``quote`` is highlighted inside ``text``; if the document was deleted, only
    the quote is shown.

    Args: labels: the button labels of quoted passages, by item. cell: table, row and column to highlight, from 0.
    origin: a web page's address and date.
    """
    labels = labels or {}
    return render(
        "passage",
        number=labels.get(item_id, str(source.number) if source else ""),
        labels=labels,
        cell=cell,
        origin=origin,
        chosen=chosen,
        title=title,
        filename=filename,
        document_id=document_id,
        item_id=item_id,
        quote=quote,
        departure=departure,
        removal_sentence=removal_sentence,
        page=page,
        section=section,
        before=pieces(_tail(before)),
        after=pieces(_shortened(after)),
        text=pieces(text, quote),
        others=[each for each in source.passages if chosen is None or each.item_id != chosen.item_id] if source else [],
        language=language,
    )


def passage_preview(
    source: Source, chosen: Passage, quote: str, labels: Mapping[str, str], language: Language
) -> Markup:
    """The preview of a passage, shown while the pointer is on its citation number."""
    return render(
        "preview",
        number=labels.get(chosen.item_id, str(source.number)),
        source=source,
        chosen=chosen,
        text=pieces(around(chosen.text, quote), quote),
        language=language,
    )


def around(text: str, quote: str) -> str:
    """The part of ``text`` around ``quote``, or its beginning; whole lines of a table, whole words of other text."""
    found = quote_in(text, quote)
    begin, end = found.span() if found else (0, 0)
    first, last = max(0, begin - _PREVIEWED), min(len(text), max(end, begin) + _PREVIEWED)
    if first:
        first = max(text.rfind("\n", 0, first), text.rfind(" ", 0, first)) + 1
        first = text.rfind("\n", 0, first) + 1 if CELL in text[first:last] else first
    if last < len(text):
        last = text.find("\n" if CELL in text[first:last] else " ", last)
    last = last if last >= 0 else len(text)
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"


def removal_sentence(departure: RemovedDocument, language: Language) -> str:
    """A sentence that says what happened to the cited document, and when."""
    key = "was_replaced" if departure.replaced_by else "was_deleted" if departure.at else "is_gone"
    date = datetime.fromtimestamp(departure.at, UTC).strftime("%Y-%m-%d") if departure.at else ""
    return label(key, language).format(date=date)


def web_page(source: Source, chosen: Passage, quote: str, language: Language) -> Markup:
    """A search engine's excerpt of a page, with a link; the page itself is never fetched."""
    return render("web_page", source=source, text=highlight(chosen.text, quote), date=chosen.section, language=language)


def highlight(text: str, quote: str) -> Markup:
    """``text`` escaped, with the first occurrence of ``quote`` (ignoring white space) marked."""
    found = quote_in(text, quote)
    if found is None:
        return Markup(escape(text))
    return Markup("{}<mark>{}</mark>{}").format(text[: found.start()], found.group(0), text[found.end() :])


def _tail(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARACTERS else "…" + text[-CONTEXT_CHARACTERS:]


def _shortened(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARACTERS else text[:CONTEXT_CHARACTERS] + "…"
