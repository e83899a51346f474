"""Names citations by document and page, and lists an answer's sources by document with their cited pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

from core.events import Quote, Source
from core.records.answer import CellReference
from core.search.documents.passage_numbers import grouped_by_document
from core.words import Language
from viz.labels import label

LONGEST_NAME = 28
"""Maximum characters of a document's name in a citation; a longer one is cut at a word."""
_PARTS = " · "


@dataclass(frozen=True)
class CitationLabel:
    """What the button of a citation shows. ``text`` is for screen readers; ``name`` is the short name of the document
    and ``place`` its page. Without a name, the button shows the number."""

    text: str
    name: str = ""
    place: str = ""


@dataclass(frozen=True)
class CitedPage:
    """A page that an answer cites, and the number of its source."""

    number: int
    place: str


@dataclass(frozen=True)
class CitedDocument:
    """A source in the list below an answer; ``pages`` are those that the answer cites. ``is_named``: its citations show
    its name and not its number."""

    source: Source
    pages: tuple[CitedPage, ...] = ()
    is_named: bool = False


def citation_labels(
    sources: Sequence[Source], language: Language, *, by_passage: bool = False
) -> dict[int, CitationLabel]:
    """Returns the label of each [N]. ``by_passage``: a source with one page is named by document and page; a result of
    a query keeps its number, since an answer may cite several results of one document."""
    names = short_names(sources) if by_passage else {}
    found = {}
    for source in sources:
        place = source.data.title if source.data else place_of(source, language)
        text = _PARTS.join(part for part in (source.title, place) if part)
        named = by_passage and source.kind == "document" and source.data is None and _is_one_place(source)
        name = names.get(source.document_id, "") if named else ""
        found[source.number] = CitationLabel(text, name, place if name else "")
    return found


def place_of(source: Source, language: Language) -> str:
    """Returns "p. 12" if all passages of the source are on one page."""
    pages = {passage.page for passage in source.passages}
    page = pages.pop() if len(pages) == 1 else None
    return f"{label('page', language)} {page}" if page else ""


def page_words(pages: Sequence[int], language: Language) -> str:
    """Returns "p. 3, 4"; empty without pages."""
    return f"{label('page', language)} {', '.join(map(str, pages))}" if pages else ""


def cited_pages(source: Source, quotes: Sequence[Quote], cells: Sequence[CellReference]) -> list[int]:
    """Returns the pages of a source that an answer cites: those of its cells and of the quoted passages."""
    pages = {cell.page for cell in cells if cell.number == source.number and cell.page}
    pages |= {page for quote in quotes if quote.number == source.number and (page := quoted_page(source, quote, cells))}
    return sorted(pages)


def quoted_page(source: Source, quote: Quote, cells: Sequence[CellReference]) -> int | None:
    """Returns the page of a quotation: that of a cell in it, which may be on a later page than the beginning of its
    passage."""
    for cell in cells:
        if cell.page and cell.item_id == quote.item_id and cell.text and cell.text in quote.text:
            return cell.page
    return next((each.page for each in source.passages if each.item_id == quote.item_id), None)


def _is_one_place(source: Source) -> bool:
    return len({passage.page for passage in source.passages}) == 1


def short_names(sources: Sequence[Source]) -> dict[str, str]:
    """Returns a short name for each document: the first part of its title, and the parts by which it differs from the
    other documents with the same first part."""
    titles = {source.document_id: source.title or source.filename for source in sources if source.kind == "document"}
    parts = {document_id: title.split(_PARTS) for document_id, title in titles.items()}
    heads = Counter(each[0] for each in parts.values())
    names = {}
    for document_id, (head, *others) in parts.items():
        if heads[head] > 1:
            alike = [each for each in parts.values() if each[0] == head]
            others = [part for part in others if not all(part in each for each in alike)]
        else:
            others = []
        names[document_id] = _PARTS.join([shorten(head, LONGEST_NAME, placeholder="…") or head[:LONGEST_NAME], *others])
    return names


def cited_documents(
    cited: Sequence[Source],
    labels: Mapping[int, CitationLabel],
    language: Language,
    cells: Sequence[CellReference] = (),
) -> list[CitedDocument]:
    """Returns each cited document once, with the pages that are cited; other sources as they are. Args: cells: the
    cells that the answer uses; a source of cells is cited at their pages."""
    found = []
    for group in _by_document(cited):
        places = {
            source.number: page_words(cited_pages(source, (), cells), language) or place_of(source, language)
            for source in group[::-1]
        }
        pages = {place: CitedPage(number, place) for number, place in places.items() if place}
        named = all(labels[source.number].name for source in group)
        found.append(CitedDocument(group[0], tuple(sorted(pages.values(), key=_page_number)), named))
    return found


def _by_document(cited: Sequence[Source]) -> list[list[Source]]:
    """Groups the sources by document, rows of tables and results of queries too."""
    rows: Mapping[int, Source] = {source.number: source for source in cited}
    plain = [source.model_copy(update={"cell": None, "data": None}) for source in cited]
    return [[rows[source.number] for source in group] for group in grouped_by_document(plain)]


def _page_number(page: CitedPage) -> int:
    return int("".join(filter(str.isdigit, page.place)) or 0)
