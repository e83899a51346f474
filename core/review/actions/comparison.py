"""Holds and renders a comparison: takes findings by kind; returns Markdown with citations and a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.messages import message, message_group
from core.review.actions.pages import not_found, page_mark, page_of
from core.review.actions.records import ActionResult, csv_text, plain, table_row
from core.review.equivalence import Aspect
from core.search.documents.citations import check_citations
from core.words import Language, Words

_LONGEST_CELL = 320


@dataclass(frozen=True)
class Cell:
    """What document ``number`` says on a theme, on ``page`` if that is known; ``text`` is empty if the document does
    not mention it."""

    number: int
    text: str = ""
    page: int | None = None


@dataclass(frozen=True)
class Row:
    """A row of a comparison; for figures, ``change`` is the change from the earlier to the later of two documents."""

    theme: str
    cells: list[Cell]
    change: str = ""

    def repeats(self, other: Row) -> bool:
        """Returns whether both rows show the same figures, apart from their signs."""
        return [cell.text.lstrip("−-") for cell in self.cells] == [cell.text.lstrip("−-") for cell in other.cells]


@dataclass(frozen=True)
class Finding:
    """A point on which documents agree or differ: the texts as (document number, text); ``aspect`` is the type of
    difference; ``pages`` are those that a model cites, by document number."""

    says: list[tuple[int, str]]
    aspect: Aspect | None = None
    pages: Mapping[int, int] = field(default_factory=dict)


@dataclass
class Comparison(ActionResult):
    """The result of a comparison.

    ``figures`` are rows for the requested figures or for financial statements. Their ``change`` is a change over time
    if all documents are of one organisation, otherwise a difference. ``undecided`` are findings on which the model and
    the rules disagree. ``alone`` are points found in only one document. ``rows`` are themes shown side by side without
    a decision. ``answer`` is the model's direct answer to the request. ``shown`` is how many differences, agreements
    and ``alone`` points appear on the screen. ``missing`` are the requested topics that were not found.
    """

    figures: list[Row] = field(default_factory=list)
    changed: bool = True
    differences: list[Finding] = field(default_factory=list)
    agreements: list[Finding] = field(default_factory=list)
    alone: list[Finding] = field(default_factory=list)
    undecided: list[Finding] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    shown: tuple[int, int, int] | None = None
    missing: tuple[str, ...] = ()
    answer: str = ""

    def page(self, number: int, text: str) -> int | None:
        """Returns the page of a quoted text, or ``None`` if it is not known."""
        pages = (
            page_of(self.sources, each.item_id) for each in self.quotes if (each.number, each.text) == (number, text)
        )
        return next(pages, None)

    def to_csv(self) -> str:
        """Returns every finding as CSV, including those not on the screen."""
        titles = [f"{source.title} [{source.number}]" for source in self.sources]
        changes = [_changes(self).to(self.language)] if any(row.change for row in self.figures) else []
        sheet = [[_KIND.to(self.language), _WHAT.to(self.language), *titles, *changes]]
        for kind, rows in (
            (_FIGURES, self.figures),
            (_DIFFERENCES, _finding_rows(self, self.differences)),
            (_AGREEMENTS, _finding_rows(self, self.agreements)),
            (_ALONE, _finding_rows(self, self.alone)),
            (_BESIDE, [*_finding_rows(self, self.undecided), *self.rows]),
        ):
            for row in rows:
                cells = [" ".join(cell.text.split()) for cell in row.cells]
                sheet.append([kind.to(self.language), row.theme, *cells, *([row.change] if changes else [])])
        return csv_text(sheet)


def _finding_rows(comparison: Comparison, findings: Sequence[Finding]) -> list[Row]:
    """Returns rows with the type of difference and each document's text."""
    rows = []
    for each in findings:
        texts = dict(each.says)
        cells = [
            Cell(source.number, texts.get(source.number, ""), _page_of_finding(comparison, each, source.number))
            for source in comparison.sources
        ]
        rows.append(Row(_ASPECTS[each.aspect].to(comparison.language) if each.aspect else "", cells))
    return rows


def render(comparison: Comparison) -> str:
    """Renders the comparison as Markdown: figures, differences, agreements, points in only one document, undecided
    points."""
    language = comparison.language
    differing, same, alone = comparison.shown or (
        len(comparison.differences),
        len(comparison.agreements),
        len(comparison.alone),
    )
    blocks = [comparison.answer] if comparison.answer else []
    blocks += [_markdown_table(comparison, comparison.rows, _THEME)] if comparison.generated and comparison.rows else []
    if comparison.figures:
        blocks += [_heading(_FIGURES, language), _markdown_table(comparison, comparison.figures, _FIGURE)]
    blocks += [missing_lines(comparison)] if comparison.missing else []
    blocks.append(_heading(_DIFFERENCES, language))
    differences = _finding_rows(comparison, comparison.differences[:differing])
    blocks.append(_markdown_table(comparison, differences, _WHAT, "–") if differences else _NO_DIFFERENCES.to(language))
    blocks.append(_heading(_AGREEMENTS, language))
    blocks.append(_finding_lines(comparison, comparison.agreements[:same]) or _NO_AGREEMENTS.to(language))
    if comparison.alone[:alone]:
        blocks += [_heading(_ALONE, language), _finding_lines(comparison, comparison.alone[:alone])]
    if comparison.undecided:
        undecided = _finding_rows(comparison, comparison.undecided)
        blocks += [_heading(_BESIDE, language), _markdown_table(comparison, undecided, _WHAT, "–")]
    if comparison.rows and not comparison.generated:
        blocks += [_heading(_BESIDE, language), _markdown_table(comparison, comparison.rows, _THEME)]
    left = len(comparison.differences) + len(comparison.agreements) + len(comparison.alone)
    left -= len(comparison.differences[:differing]) + len(comparison.agreements[:same]) + len(comparison.alone[:alone])
    if left:
        blocks.append(f"*{message('graph.comparison.more', count=left).to(language)}*")
    known = {source.number for source in comparison.sources}
    return check_citations("\n\n".join(blocks), known).text


def missing_lines(comparison: Comparison) -> str:
    """Returns a line for each topic that was not found; it says where it was searched."""
    titles = [each.title for each in comparison.sources]
    return "\n\n".join(not_found(each, titles, comparison.language) for each in comparison.missing)


def _heading(words: Words, language: Language) -> str:
    return f"**{words.to(language)}**"


def _markdown_table(comparison: Comparison, rows: Sequence[Row], first: Words, nothing: str = "") -> str:
    """Renders a table; ``nothing`` fills the cell of a document without a text, by default "not mentioned"."""
    language = comparison.language
    nothing = nothing or f"*{_NOTHING.to(language)}*"
    changes = any(row.change for row in rows)
    titles = [f"{plain(source.title)} [{source.number}]" for source in comparison.sources]
    titles += [_changes(comparison).to(language)] if changes else []
    lines = [table_row([first.to(language), *titles]), table_row(["---"] * (len(titles) + 1))]
    for row in rows:
        cells = [
            _cited(comparison, each.number, each.text, each.page) if each.text.strip() else nothing
            for each in row.cells
        ]
        lines.append(table_row([plain(row.theme), *cells, *([row.change] if changes else [])]))
    return "\n".join(lines)


def _changes(comparison: Comparison) -> Words:
    return _CHANGE if comparison.changed else _DIFFERENCE


def _cut(text: str) -> str:
    """Shortens long cell text and marks the cut."""
    return text if len(text) <= _LONGEST_CELL else text[:_LONGEST_CELL].rsplit(" ", 1)[0] + " …"


def _finding_lines(comparison: Comparison, findings: Sequence[Finding]) -> str:
    return "\n".join(_finding_line(comparison, each) for each in findings)


def _finding_line(comparison: Comparison, finding: Finding) -> str:
    if len({plain(text) for _, text in finding.says}) == 1:
        pages = [page_mark(_page_of_finding(comparison, finding, n), comparison.language) for n, _ in finding.says]
        marks = [f"{page}[{number}]" for page, (number, _) in zip(pages, finding.says, strict=True)]
        return f"- {plain(finding.says[0][1])} {(' ' if any(pages) else '').join(marks)}"
    texts = [
        _cited(comparison, number, text, _page_of_finding(comparison, finding, number)) for number, text in finding.says
    ]
    return "- " + " ↔ ".join(texts)


def _page_of_finding(comparison: Comparison, finding: Finding, number: int) -> int | None:
    return finding.pages.get(number) or comparison.page(number, dict(finding.says).get(number, ""))


def _cited(comparison: Comparison, number: int, text: str, page: int | None) -> str:
    return f"{_cut(plain(text))} {page_mark(page, comparison.language)}[{number}]"


_KIND = message("graph.comparison.kind")
_WHAT = message("graph.comparison.what")
_THEME = message("graph.comparison.theme")
_FIGURE = message("graph.comparison.figure")
_CHANGE = message("graph.comparison.change")
_DIFFERENCE = message("graph.comparison.difference")
_NOTHING = message("graph.comparison.nothing")
_FIGURES = message("graph.comparison.figures")
_DIFFERENCES = message("graph.comparison.differences")
_AGREEMENTS = message("graph.comparison.agreements")
_ALONE = message("graph.comparison.alone")
_BESIDE = message("graph.comparison.beside")
_NO_DIFFERENCES = message("graph.comparison.no_differences")
_NO_AGREEMENTS = message("graph.comparison.no_agreements")
_ASPECTS = message_group("graph.comparison.aspects")
