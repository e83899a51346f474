"""Writes the page of a statement before its citation, "(p. 12) [1]", and reads the pages that a model cites."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.language.vocabulary import phrase_of
from core.messages import message
from core.words import Language

_WORD = phrase_of("graph/requests.page")
_INSIDE = re.compile(
    rf"\[\s*(?:(\d{{1,3}})\s*[,;:·]?\s*)?(?:{_WORD})\s?(\d{{1,4}})(?:\s*[-–,&]\s*(?:(?:{_WORD})\s?)?\d{{1,4}})*\s*\]",
    re.IGNORECASE,
)
"""A page within a citation: "[1, p. 12]", "[p. 12]"."""
_CITED = re.compile(
    rf"(?<!\s)(?P<pages>(?:\s*\(\s*(?:{_WORD})\s?\d{{1,4}}(?:\s*[-–,;&]\s*(?:(?:{_WORD})\s?)?\d{{1,4}})*\s*\)){{1,20}})"
    r"(?P<end>[.,;]?)\s*\[(?P<number>\d{1,3})\]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,4}")
PAGE = re.compile(rf"\(\s*(?:{_WORD})\s?\d{{1,4}}(?:\s*[-–,;&]\s*(?:(?:{_WORD})\s?)?\d{{1,4}})*\s*\)", re.IGNORECASE)
"""A page in brackets, as it is written before a citation."""


@dataclass(frozen=True)
class CitedPages:
    """The pages of document ``number`` that an answer cites."""

    number: int
    pages: frozenset[int]


def page_mark(page: int | None, language: Language) -> str:
    """Returns "(p. 12) " to write before a citation, or an empty string if the page is not known."""
    return f"({message('graph.pages.page', page=page).to(language)}) " if page else ""


def not_found(subject: str, titles: Sequence[str], language: Language) -> str:
    """Returns the line that says what was searched for in which documents."""
    return message("graph.pages.not_found", subject=subject, titles=", ".join(titles)).to(language)


def page_of(sources: Sequence[Source], item_id: str) -> int | None:
    """Returns the page of passage ``item_id``, or ``None`` if it has none."""
    passages = (passage for source in sources for passage in source.passages)
    return next((passage.page for passage in passages if passage.item_id == item_id), None)


def with_checked_pages(text: str, sources: Sequence[Source], language: Language) -> str:
    """Rewrites every page that ``text`` cites as "(p. 12) [1]"; removes pages that the cited document does not have.

    A page without a document's number belongs to the only document, if there is only one.
    """
    known = {source.number: {passage.page for passage in source.passages} for source in sources}
    only = sources[0].number if len(sources) == 1 else None

    def inside(match: re.Match[str]) -> str:
        number = int(match[1]) if match[1] else only
        pages = " ".join(f"(p. {page})" for page in _NUMBER.findall(match[0].partition(match[1] or "[")[2]))
        return f"{pages} [{number}]" if number is not None else pages

    def cited(match: re.Match[str]) -> str:
        number = int(match["number"])
        pages = [int(page) for page in _NUMBER.findall(match["pages"]) if int(page) in known.get(number, set())]
        marks = "".join(page_mark(page, language) for page in dict.fromkeys(pages))
        return f"{match['end']} {marks}[{number}]"

    return _CITED.sub(cited, _INSIDE.sub(inside, text))


def cited_pages(text: str) -> list[CitedPages]:
    """Returns the pages that ``text`` cites, by document."""
    found: dict[int, set[int]] = {}
    for match in _CITED.finditer(text):
        found.setdefault(int(match["number"]), set()).update(int(page) for page in _NUMBER.findall(match["pages"]))
    return [CitedPages(number, frozenset(pages)) for number, pages in found.items()]


def on_cited_pages(sources: Sequence[Source], text: str, quoted: Collection[str] = ()) -> list[Source]:
    """Returns the sources with only the passages on the pages that ``text`` cites, and those with the ids ``quoted``;
    a source that is cited without a page, or not at all, stays whole."""
    pages = {each.number: each.pages for each in cited_pages(text)}
    return [
        source.model_copy(update={"passages": list(_on_pages(source, pages[source.number], quoted)) or source.passages})
        if source.number in pages
        else source
        for source in sources
    ]


def _on_pages(source: Source, pages: frozenset[int], quoted: Collection[str]) -> Iterator[Passage]:
    return (passage for passage in source.passages if passage.page in pages or passage.item_id in quoted)
