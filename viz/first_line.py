"""Renders an answer's first line from its data: the line with figures as links, its doubt and its calculation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup, escape

from core.events import Source
from core.language.detection import detect
from core.records.answer import CITATION, Answer, CellReference
from core.words import Language
from viz.cell_link import cell_link, page_of
from viz.charts.markup import series_chart
from viz.charts.writing_direction import isolated_names
from viz.citations import CitationLabel, citation_labels
from viz.data_result import data_result
from viz.markdown import blocks, citation, named_citation
from viz.templating import render

_BARE = re.compile(r"\d[\d.,]*\d|\d")
_FIGURE = re.compile(
    r"(?<!\w)(?:\d{4}-[QHW]?\d{1,2}(?:-\d\d)?(?!\w)|[($€£₪¥−-]{0,8}\d(?:[\d.,]*\d)?(?:[^\S\n]?%|x(?!\w))?(?!\w)\)?)"
)
"""Matches a figure or a date such as 2024-05 or 2024-Q2. Does not match the beginning of a name: in right-to-left text,
the parts of "4K" would change places."""
_MINUS = ("-", "−", "–")
_CURRENCIES = ("$", "€", "£", "₪", "¥")
_SHORT = 60
"""Maximum characters of a text that becomes a link; a longer text is a sentence."""
_EMPHASIS = re.compile(r"\*\*|__")


Span = tuple[int, int]


@dataclass(frozen=True)
class _Piece:
    """A part of the line, ``text[start:end]``, and its HTML."""

    start: int
    end: int
    html: Markup


@dataclass(frozen=True)
class _Buttons:
    """Draws the citations of a line. ``quoted`` are the labels of quoted passages, by item; ``named`` are the labels of
    citations that show document and page, by number."""

    known: Mapping[int, Source]
    quoted: Mapping[str, str]
    named: Mapping[int, CitationLabel]
    language: Language

    def button(self, source: Source, cell: CellReference | None) -> Markup:
        label = self.named.get(source.number)
        if label is None or not label.name:
            text = self.quoted.get(cell.item_id if cell else "", str(source.number))
            return citation(source.number, source.title, text=text, cell=cell)
        if cell is not None and cell.page:
            place = page_of(cell, self.language)
            label = CitationLabel(f"{source.title} · {place}", label.name, place)
        return named_citation(source.number, label, cell)

    def of_turn(self, source: Source, cells: Sequence[CellReference], turn: int) -> Markup:
        """The citation with index ``turn`` of a source opens the cell with that index."""
        own = [cell for cell in cells if cell.number == source.number]
        return self.button(source, own[min(turn, len(own) - 1)] if own else None)


def answer_line(
    answer: Answer,
    sources: Sequence[Source],
    labels: Mapping[str, str],
    language: Language,
    named: Mapping[int, CitationLabel] | None = None,
) -> Markup:
    """Args: labels: the button label of each quoted passage, by item. named: the labels of citations, by number."""
    buttons = _Buttons({source.number: source for source in sources}, labels, named or {}, language)
    sentence = plain_line(answer)
    is_rtl = (language if answer.data else detect(sentence)) == "he"
    sentence = isolated_names(sentence, language) if answer.data else sentence
    line, in_line = _linked(sentence, answer, buttons)
    calculation, linked = _linked(answer.calculation, answer, buttons)
    # A table shows its cells itself.
    rest = (
        []
        if answer.table
        else [cell for cell in answer.cells if cell.table is not None and cell not in {*in_line, *linked}]
    )
    return render(
        "answer_line",
        answer=answer,
        line=line,
        direction="rtl" if is_rtl else "ltr",
        calculation=calculation,
        table=blocks(answer.table, citation_labels(sources, language)) if answer.table else [],
        cells=[_cell_name(cell, buttons) for cell in rest],
        data=data_result(answer.data, language) if answer.data else None,
        charts=[series_chart(chart, language) for chart in answer.charts],
        others=[_cell_name(cell, buttons) for cell in answer.others],
        given_on=_day(answer.corrected.at) if answer.corrected else "",
        language=language,
    )


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def plain_line(answer: Answer) -> str:
    """The line without emphasis and without the calculation, which is shown below it."""
    line = _EMPHASIS.sub("", answer.line)
    return line.replace(f" ({answer.calculation})", "") if answer.calculation else line


def _linked(text: str, answer: Answer, buttons: _Buttons) -> tuple[Markup, list[CellReference]]:
    """``text`` escaped, with citations as buttons, cells as links and figures that do not break across lines; and the
    cells found in it."""
    places = _cell_places(text, answer)
    pieces = [_Piece(*span, cell_link(cell, text[slice(*span)], buttons.language)) for cell, span in places]
    cited: dict[int, int] = {}
    for match in CITATION.finditer(text):
        number = int(match.group(1))
        if number in buttons.known:
            turn = cited[number] = cited.get(number, -1) + 1
            pieces.append(_Piece(*match.span(), buttons.of_turn(buttons.known[number], answer.cells, turn)))
    html, after = Markup(""), 0
    for piece in sorted(pieces, key=lambda each: each.start):
        html += whole_figures(text[after : piece.start]) + piece.html
        after = piece.end
    return html + whole_figures(text[after:]), [cell for cell, _ in places]


def _cell_places(text: str, answer: Answer) -> list[tuple[CellReference, Span]]:
    """Where each cell appears in ``text``: as in the table, or its number only; each position once.

    A figure that appears again, for example in a calculation, is the same cell again.
    """
    taken: list[Span] = [match.span() for match in CITATION.finditer(text)]
    found: list[tuple[CellReference, Span]] = []
    longest_first = sorted(dict.fromkeys(answer.cells), key=lambda each: -len(each.text))
    for again in (False, True):
        for cell in longest_first:
            while span := _printed_span(text, cell, answer, taken):
                taken.append(span)
                found.append((cell, span))
                if not again:
                    break
    return found


def _printed_span(text: str, cell: CellReference, answer: Answer, taken: Sequence[Span]) -> Span | None:
    """A cell's position in the text; for a value from a sentence, which is not a cell, only the value."""
    if cell.table is not None:
        return _signed_span(text, cell, taken)
    values = answer.value if isinstance(answer.value, list) else [answer.value]
    printed = [value for value in values if isinstance(value, str) and len(value) <= _SHORT]
    printed += [match.group() for match in _BARE.finditer(text) if _amount(match.group()) in values]
    return next(
        (span for value in printed if value in cell.text and (span := _first_free_span(text, value, taken))), None
    )


def _amount(figure: str) -> float | None:
    try:
        return float(figure.replace(",", ""))
    except ValueError:
        return None


def _first_free_span(text: str, wanted: str, taken: Sequence[Span]) -> Span | None:
    if not wanted:
        return None
    for match in re.finditer(rf"(?<![\w.,]){re.escape(wanted)}(?![.,]?\d)", text):
        if all(match.end() <= begin or end <= match.start() for begin, end in taken):
            return match.span()
    return None


def _signed_span(text: str, cell: CellReference, taken: Sequence[Span]) -> Span | None:
    """The position of the cell's printed text or its number, with the currency sign, and the minus sign
    for brackets."""
    span = _first_free_span(text, cell.text.strip(), taken) or _first_free_span(text, _single_number(cell.text), taken)
    if span is None:
        return None
    start, end = span
    start -= text[:start].endswith(_CURRENCIES)
    start -= cell.value is not None and cell.value < 0 and text[:start].endswith(_MINUS)
    return start, end


def _single_number(text: str) -> str:
    """ "1,577" from "$(1,577)"; empty for words and for several figures."""
    found = _BARE.findall(text)
    return found[0] if len(found) == 1 and not any(map(str.isalpha, text)) else ""


def _cell_name(cell: CellReference, buttons: _Buttons) -> tuple[str, Markup, Markup]:
    """The cell's name, the cell, and its source."""
    names = " · ".join(filter(None, [cell.label, cell.header]))
    source = buttons.known.get(cell.number)
    return names, cell_link(cell, cell.text, buttons.language), buttons.button(source, cell) if source else Markup("")


def computed_line(line: str, language: Language) -> Markup:
    """The HTML of a line that was computed from data, with names in the other writing direction kept together."""
    return whole_figures(isolated_names(line, language))


def whole_figures(text: str) -> Markup:
    """``text`` escaped; a figure stays on one line with its sign, currency and percent sign, left to right."""
    html, after = Markup(""), 0
    for match in _FIGURE.finditer(text):
        html += Markup("{}<bdi dir=ltr class=number>{}</bdi>").format(text[after : match.start()], match.group())
        after = match.end()
    return html + Markup(escape(text[after:]))
