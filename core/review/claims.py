"""Extracts the claims of an answer: its factual sentences, their cited sources and their positions in the Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.language.entities.dates import dates_in, without_dates
from core.language.entities.facts import prepared
from core.language.entities.numerals import IN_DAYS
from core.language.entities.quantities import quantities
from core.language.sentences import split_sentences
from core.language.vocabulary import pattern_of
from core.review.actions.pages import PAGE
from core.review.lexicon import terms
from core.review.printed_figures import years_of

_MARKER = re.compile(r"\[(\d{1,3})\]")
_CITED = re.compile(r"(?:(?<![ \t])[ \t]++)?+\[[Mm]?\d{1,3}\]")
_LEADING = re.compile(r"(?:\s*\[\d{1,3}\])+[.,;:]?\s*")
_LINE_MARK = re.compile(r"\s*(?:>\s*)*(?:[-*+•↔]\s+|\d{1,3}[.)]\s+)?(?:>\s*)*")
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_HEADING = re.compile(
    r"^[ \t]{0,3}#{1,6}[ \t][^\n]{1,300}$"
    r"|^[ \t]{0,9}(?:[-*+•][ \t]|\d{1,3}[.)][ \t])?(?P<bold>\*\*[^*\n]{1,120}\*\*:?)[ \t]*$",
    re.MULTILINE,
)
"""A line of Markdown that is a heading, or that is bold from its beginning to its end."""
_RULE = re.compile(r"[\s|:=*_-]+")
_DIGIT = re.compile(r"\d")
_HEADING_WORDS = 10
_ABSENT = pattern_of("grounding/patterns.claims.absent")
_UNSTATED = pattern_of("grounding/patterns.claims.unstated")
_ENDS = (".", "!", "?")
_PARTS = " · "
_LEAST_PARTS = 2
_PAGE_WORDS = 2


@dataclass(frozen=True)
class _Span:
    """A place of the answer that may be a claim: ``answer[start:end]``; ``numbers`` are citations outside of it."""

    start: int
    end: int
    heading: str
    subject: str
    is_cell: bool = False
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Claim:
    """``text`` without Markdown and markers; ``answer[start:end]`` is where it is, markers included.

    ``subject`` says what it belongs to: the row label and column heading of a cell, or the sentence before it;
    ``context`` has the heading too. ``is_cell``: a cell of a table that is no sentence of its own.
    """

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]
    context: str = ""
    subject: str = ""
    is_cell: bool = False


def claims(answer: str) -> list[Claim]:
    """Returns the claims of ``answer`` in order. Skips headings (also those of columns and documents), rules, code,
    questions, uncited cells in a table with citations, and sentences that say what the documents do not contain, since
    no passage could support them. Pages in front of citations are no part of a claim."""
    found: list[Claim] = []
    position = 0
    answer = PAGE.sub(lambda page: " " * len(page.group()), answer)
    for fence in [*_CODE.finditer(answer), None]:
        end = fence.start() if fence else len(answer)
        found += _in_text(answer, position, end)
        position = fence.end() if fence else end
    return found


def _in_text(answer: str, start: int, end: int) -> list[Claim]:
    spans: list[_Span] = []
    heading, before, columns = "", "", list[str]()
    headings = list(_headings(answer, start, end))
    for sentence in split_sentences(answer[start:end]):
        begin, stop = start + sentence.start, start + sentence.end
        if title := next((answer[first:last] for first, last in headings if first <= begin < last), ""):
            heading = before = _plain(title).lstrip("# ")
            columns = []
            continue
        lead = _LEADING.match(answer, begin, stop)
        if lead and spans and "\n" not in answer[spans[-1].end : begin]:
            spans[-1] = replace(spans[-1], end=begin + len(lead.group().rstrip()))
            begin = lead.end()
        if begin >= stop:
            continue
        raw = answer[begin:stop]
        if raw.startswith("|"):
            if not columns or _is_header(answer, stop):
                columns = _cell_texts(raw)
                continue
            spans += _cells(answer, begin, stop, columns, heading)
            continue
        spans.append(_Span(begin, stop, heading, before))
        columns, before = [], _plain(raw)
        heading = before if raw.startswith(("#", "**")) else heading
    return [claim for span in spans if (claim := _claim(answer, span))]


def _headings(answer: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Returns the places of headings; a bold line is one if it is short and no sentence."""
    for line in _HEADING.finditer(answer, start, end):
        bold = line["bold"]
        if not bold or (len(bold.split()) <= _HEADING_WORDS and bold.rstrip("*:")[-1:] not in _ENDS):
            yield line.span()


def _is_header(answer: str, stop: int) -> bool:
    """Returns whether the row before ``stop`` is the header of a table: a rule follows it."""
    below = answer[stop:].lstrip("\n").partition("\n")[0]
    return "-" in below and "|" in below and bool(_RULE.fullmatch(below))


def _cells(answer: str, begin: int, stop: int, columns: list[str], heading: str) -> Iterator[_Span]:
    """Returns the cited cells of a table row with their row label and column heading: the others claim nothing.

    A cell of citations and pages is the source of its row: it cites the other cells with numbers.
    """
    found = list(re.finditer(r"[^|]+", answer[begin:stop]))
    source = next((cell.group() for cell in found[1:] if _is_source(cell.group())), "")
    numbers = _cited_numbers(source)
    texts = [_plain(cell.group()) for cell in found]
    first = next((place for place, text in enumerate(texts) if text), 0)
    named = [text for text in texts[first + 1 :] if numbers and not _is_number(text) and text != _plain(source)]
    label = " . ".join([*texts[first : first + 1], *named])
    for place, cell in enumerate(found):
        own = _cited_numbers(cell.group())
        if (own and cell.group() != source) or (numbers and place > first and not own and _is_number(texts[place])):
            lead = len(cell.group()) - len(cell.group().lstrip())
            start, end = begin + cell.start() + lead, begin + cell.start() + len(cell.group().rstrip())
            column = columns[place] if place < len(columns) else ""
            yield _Span(start, end, heading, f"{label} . {column}", is_cell=True, numbers=() if own else numbers)


def _is_source(raw: str) -> bool:
    """Returns whether a cell has a citation and at most a page for each: "[1] p. 3"."""
    numbers = _MARKER.findall(raw)
    return bool(_MARKER.match(raw.strip())) and len(_plain(raw).split()) <= _PAGE_WORDS * len(numbers)


def _is_number(text: str) -> bool:
    """Returns whether a cell has a number, apart from dates and years."""
    plain = prepared(text)
    bare = without_dates(plain, dates_in(plain))
    return any(not (each.low in years_of(bare) or each.unit in IN_DAYS) for each in quantities(bare))


def _cited_numbers(raw: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in _MARKER.findall(raw)))


def _cell_texts(row: str) -> list[str]:
    return [_plain(cell) for cell in re.findall(r"[^|]+", row)]


def _plain(raw: str) -> str:
    """Returns text without Markdown and markers."""
    return " ".join(_EMPHASIS.sub("", _CITED.sub("", raw)).split()).strip()


def _claim(answer: str, span: _Span) -> Claim | None:
    mark = _LINE_MARK.match(answer, span.start, span.end)
    begin = mark.end() if mark else span.start
    raw = answer[begin : span.end]
    numbers = _cited_numbers(raw) or span.numbers
    text = _plain(raw)
    if not text or _RULE.fullmatch(raw) or raw.startswith("#") or _is_label(raw, text):
        return None
    if _UNSTATED.search(text) and not _is_number(text):
        return None
    if not numbers and (
        _is_note(raw) or _is_lead_in(raw, text) or _ABSENT.search(text) or not (terms(text) or _DIGIT.search(text))
    ):
        return None
    is_cell = span.is_cell and not text.endswith(_ENDS)
    return Claim(text, begin, span.end, numbers, f"{span.heading} . {span.subject}", span.subject, is_cell)


def _is_label(raw: str, text: str) -> bool:
    """Returns whether a line only names a document, as the opening of a summary does: "**Report** · Acme · 9 pages"."""
    return raw.startswith("**") and len(text.split(_PARTS)) > _LEAST_PARTS and not text.endswith(_ENDS)


def _is_note(raw: str) -> bool:
    """Returns whether the text is a remark of the product: a line in italics without a citation."""
    return raw.startswith("*") and not raw.startswith("**") and raw.rstrip().endswith("*")


def _is_lead_in(raw: str, text: str) -> bool:
    """Returns whether a line without a citation only introduces others: a title, a question, a line that ends in a
    colon."""
    bold = raw.startswith("**") and raw.rstrip(": ").endswith("**")
    short = len(text.split()) <= _HEADING_WORDS and text[-1] not in ".!;"
    return text.endswith((":", "?")) or ((bold or not any(letter.isdigit() for letter in text)) and short)
