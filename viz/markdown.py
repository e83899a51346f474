"""Renders an answer's Markdown as HTML that cannot run scripts, load resources or deceive the reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from core.records.answer import CITATION, CellReference
from viz.cells import is_figure
from viz.citations import CitationLabel
from viz.neutral_markdown import NONE, neutral_markdown

_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em",
    "strong", "s", "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
_FIGURE_CELL = re.compile(r"<td([^<>]*)>([^<>]*)</td>")
_SHORT_CELL = re.compile(r"(?:\[\d+\]\s*)+(?:\S+ \d+)?|(?=.{1,40}$)[+−-]?[$€£₪¥]\d[\d.,]*\D.*")
"""Matches citations with a page, and an amount with its scale: "$81,434 million"."""
_WORD = re.compile(r"[^\W\d_]{4}")
_CODE = re.compile(r"(<(?:pre|code)>.*?</(?:pre|code)>)", re.DOTALL)

_parser = (
    MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"]).disable("image")
)


def blocks(text: str, citations: Mapping[int, CitationLabel], addresses: Collection[str] = NONE) -> list[Markup]:
    """One sanitised HTML string per top-level block. ``citations`` maps N to the label of the button [N]; links are
    kept only if they lead to one of ``addresses``."""
    tokens = _parser.parse(neutral_markdown(text, addresses))
    rendered: list[Markup] = []
    begin = 0
    depth = 0
    for position, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            html = _parser.renderer.render(tokens[begin : position + 1], _parser.options, {})
            rendered.append(_sanitised(html, citations))
            begin = position + 1
    return rendered


def _sanitised(html: str, citations: Mapping[int, CitationLabel]) -> Markup:
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    parts = _CODE.split(_FIGURE_CELL.sub(_figure_cell, clean))
    linked = [
        part if index % 2 else CITATION.sub(lambda match: _button(match, citations), part)
        for index, part in enumerate(parts)
    ]
    return Markup("".join(linked))


def _figure_cell(match: re.Match[str]) -> str:
    """A numeric cell is aligned to the end of its column and never breaks; a short one never breaks."""
    text = match.group(2)
    marked = ' class="short"' if _SHORT_CELL.fullmatch(text) else ""
    if is_figure(text) and not _WORD.search(text):
        marked = ' class="figure" dir="ltr"'
    return f"<td{match.group(1)}{marked}>{match.group(2)}</td>"


def _button(match: re.Match[str], citations: Mapping[int, CitationLabel]) -> str:
    number = int(match.group(1))
    if number not in citations:
        return match.group(0)
    label = citations[number]
    return str(named_citation(number, label) if label.name else citation(number, label.text))


def named_citation(number: int, label: CitationLabel, cell: CellReference | None = None) -> Markup:
    """A button that shows the document and page of the passage, or of the ``cell``, that it opens."""
    place = Markup(' <bdi class="at">{}</bdi>').format(label.place) if label.place else ""
    return Markup(
        '<button type="button" class="cite named" data-cite="{number}"{data} title="{text}" aria-label="{text}">'
        '<bdi class="doc">{name}</bdi>{place}</button>'
    ).format(number=number, data=_data_of(cell), text=label.text, name=label.name, place=place)


def citation(number: int, label: str, *, text: str = "", cell: CellReference | None = None) -> Markup:
    """The button [N], or a button labelled ``text``: it opens the source, or a ``cell`` in it."""
    shown = text or str(number)
    return Markup(
        '<button type="button" class="cite" dir="ltr" data-cite="{number}"{data} aria-label="[{shown}] {label}">'
        "{shown}</button>"
    ).format(number=number, data=_data_of(cell), shown=shown, label=label)


def _data_of(cell: CellReference | None) -> Markup:
    """The attributes of a button that opens a cell."""
    places: dict[str, object] = {"item": cell.item_id} if cell else {}
    if cell is not None and cell.table is not None:
        places |= {"in-table": cell.table, "row": cell.row, "column": cell.column}
    elif cell is not None:
        places["quote"] = cell.text
    given = ((key, value) for key, value in places.items() if value is not None and value != "")
    return Markup("").join(Markup(' data-{}="{}"').format(key, value) for key, value in given)
