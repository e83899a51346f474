"""A cited passage in its surroundings, and why it was chosen."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from markupsafe import Markup, escape

from core.events import Passage, Source
from core.library.departures import Departure
from core.words import Language
from viz.labels import label
from viz.passage_text import pieces
from viz.templating import render

CONTEXT_CHARACTERS = 500


def passage(
    *,
    source: Source | None,
    chosen: Passage | None,
    title: str,
    filename: str,
    document_id: str,
    item_id: str | None,
    text: str,
    page: int | None,
    section: str | None,
    before: str,
    after: str,
    quote: str,
    language: Language,
    departure: Departure | None = None,
) -> Markup:
    """The dock's evidence card; ``quote`` is highlighted inside ``text``, and shown when its document is gone."""
    return render(
        "passage",
        source=source,
        chosen=chosen,
        title=title,
        filename=filename,
        document_id=document_id,
        item_id=item_id or "",
        quote=quote,
        departure=departure,
        departure_told=departure_told,
        page=page,
        section=section,
        before=pieces(_tail(before)),
        after=pieces(_head(after)),
        text=pieces(text, quote),
        others=[each for each in source.passages if chosen is None or each.item_id != chosen.item_id] if source else [],
        language=language,
    )


def departure_told(departure: Departure, language: Language) -> str:
    """What became of the document of a citation, and when."""
    key = "was_replaced" if departure.replaced_by else "was_deleted" if departure.at else "is_gone"
    date = datetime.fromtimestamp(departure.at, UTC).strftime("%Y-%m-%d") if departure.at else ""
    return label(key, language).format(date=date)


def web_page(source: Source, chosen: Passage, quote: str, language: Language) -> Markup:
    """What a search engine told of a page, with the way there; the page itself is never fetched."""
    return render("web_page", source=source, text=highlight(chosen.text, quote), date=chosen.section, language=language)


def highlight(text: str, quote: str) -> Markup:
    """``text`` escaped, with the first occurrence of ``quote`` (white space aside) marked."""
    words = quote.split()
    if not words:
        return Markup(escape(text))
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words))
    found = pattern.search(text)
    if found is None:
        return Markup(escape(text))
    return Markup("{}<mark>{}</mark>{}").format(text[: found.start()], found.group(0), text[found.end() :])


def _tail(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARACTERS else "…" + text[-CONTEXT_CHARACTERS:]


def _head(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARACTERS else text[:CONTEXT_CHARACTERS] + "…"
