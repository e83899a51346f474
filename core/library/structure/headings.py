"""Finds the section headings: paragraphs + bookmarks → headings, by the most reliable evidence available."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.library.chunking.paragraphs import Paragraph
from core.library.extracted import Bookmark
from core.library.structure.bookmarks import matched
from core.library.structure.captions import titled_line
from core.library.structure.labels import Label, label_of
from core.library.structure.roles import FORMS, title_role
from core.library.structure.run_in_headings import run_in_title
from core.library.structure.shapes import heads_by_shape, is_weak
from core.library.structure.statements import names_statement, statement_heads
from core.library.structure.titles import (
    LONGEST_TITLE,
    MOST_WORDS,
    TitleCandidate,
    breaks_off,
    clean_title,
    is_title,
    is_title_case,
)
from core.library.structure.words import bare

_LEAST_REPEATS = 4
_REPEATED_SHARE = 0.1
_LONGEST_SENTENCE = 10
"""In words: a longer heading must be in title case, otherwise it is a sentence."""
_LONGEST_ITEM = 80
_FURTHEST_CLAUSE = 60
"""A first number above this is not a section number."""


def heads_of(found: Sequence[Paragraph], bookmarks: Sequence[Bookmark] = ()) -> dict[int, TitleCandidate]:
    """Headings by position: of the paragraph that is the heading, or that begins with it."""
    finder = _Finder(found, matched(found, bookmarks))
    heads = {place: head for place in range(len(found)) if (head := finder.at(place))}
    heads = _in_sequence(found, heads)
    if is_weak(found, heads):
        heads |= {place: head for place, head in heads_by_shape(found).items() if place not in heads}
    heads = dict(sorted((statement_heads(found, heads, finder.smallest) | heads).items()))
    return dict(sorted((_joined_headings(found, heads) | _sheets(found)).items()))


def _sheets(found: Sequence[Paragraph]) -> dict[int, TitleCandidate]:
    """The headings of a workbook: every sheet is a separate section."""
    heads: dict[int, TitleCandidate] = {}
    before: str | None = None
    for place, paragraph in enumerate(found):
        if paragraph.sheet and paragraph.sheet != before:
            heads[place] = TitleCandidate(paragraph.sheet, level=1, lines=0)
        before = paragraph.sheet
    return heads


class _Finder:
    """Decides from a paragraph and its neighbours whether it is a heading; the most reliable evidence is tried
    first."""

    def __init__(self, found: Sequence[Paragraph], marked: Mapping[int, Bookmark]) -> None:
        self._found = found
        self._marked = marked
        self._furniture = _furniture(found)
        self.smallest = max((each.level for each in found if each.page is not None), default=0)

    def at(self, place: int) -> TitleCandidate | None:
        paragraph = self._found[place]
        if paragraph.kind == "table" or paragraph.has_code:
            return None
        if bookmark := self._marked.get(place):
            return _bookmarked_title(paragraph, bookmark)
        if paragraph.role in FORMS and not _names_form(paragraph):
            return None
        if not paragraph.level and (caption := self._caption(place)):
            return caption
        if paragraph.kind == "heading" and not paragraph.guessed:
            declared = self._declared(paragraph)
            return None if declared and not declared.label and _is_of_table(self._found, place) else declared
        return self._marked_candidate(paragraph)

    def _declared(self, paragraph: Paragraph) -> TitleCandidate | None:
        title = clean_title(paragraph.text)
        if paragraph.page is None:
            return TitleCandidate(title, label_of(title), level=paragraph.level) if title else None
        label = label_of(title)
        if bare(title) in self._furniture and not (label and label.is_named):
            return None
        if not is_title(title) or (label and not label.is_named and not is_title(title[label.end :])):
            return None
        long = len(title.split()) > _LONGEST_SENTENCE and paragraph.level > 1
        if label is None and long and not is_title_case(title):
            return None
        return TitleCandidate(title, label, size=paragraph.level)

    def _caption(self, place: int) -> TitleCandidate | None:
        """The title of a financial statement: directly above its table, on the same page, in capitals or title case."""
        paragraph, below = self._found[place], self._found[min(place + 1, len(self._found) - 1)]
        if paragraph.page is None or below.kind != "table" or below.page != paragraph.page:
            return None
        title = titled_line(paragraph.text)
        if not title or not is_title(title) or not is_title_case(title) or bare(title) in self._furniture:
            return None
        return TitleCandidate(clean_title(title), label_of(title), size=self.smallest)

    def _marked_candidate(self, paragraph: Paragraph) -> TitleCandidate | None:
        if named := _labelled_candidate(paragraph):
            return None if bare(named.title) in self._furniture else named
        if paragraph.role in ("body", "boilerplate") and (title := run_in_title(paragraph.text)):
            return TitleCandidate(title, label_of(paragraph.text), lines=0)
        return None


def _bookmarked_title(paragraph: Paragraph, bookmark: Bookmark) -> TitleCandidate:
    whole = paragraph.kind == "heading" or bare(paragraph.text) == bare(bookmark.title)
    title = clean_title(paragraph.text if whole else bookmark.title)
    return TitleCandidate(title, label_of(title), bookmark.level, paragraph.level, fixed=True, lines=int(whole))


def _names_form(paragraph: Paragraph) -> bool:
    """Whether the paragraph is a heading on a form or in a list: only its own title and the format's headings count
    there."""
    if paragraph.page is None:
        return paragraph.kind == "heading" and not paragraph.guessed
    label = label_of(paragraph.text)
    listed = paragraph.role in ("exhibits", "signatures") and label is not None and label.is_named
    return paragraph.role != "cover" and (title_role(paragraph.text) != "body" or listed)


def _labelled_candidate(paragraph: Paragraph) -> TitleCandidate | None:
    """A line that begins with a label and is not a sentence."""
    text = paragraph.text
    label = label_of(text) if len(text) <= LONGEST_TITLE and "\n" not in text else None
    if label is None or label.scheme in ("paren", "letter") or paragraph.role == "exhibits":
        return None
    rest = text[label.end :]
    if label.is_named:
        heads = len(rest.split()) <= MOST_WORDS and not text.endswith((",", ";"))
    elif len(label.number) > 1:
        heads = label.number[0] <= _FURTHEST_CLAUSE and _is_clause_title(rest)
    else:
        heads = paragraph.kind in ("heading", "list") and _is_clause_title(rest)
    return TitleCandidate(clean_title(text), label) if heads else None


def _is_clause_title(rest: str) -> bool:
    words = rest.split()
    if not words or len(words) > 10 or not is_title(rest) or rest.endswith((",", ";", ":", "?", "!")):
        return False
    return not rest.endswith(".") or is_title_case(rest)


def _furniture(found: Sequence[Paragraph]) -> frozenset[str]:
    """Titles that repeat on many pages: running headers, and labels inside tables."""
    pages: dict[str, set[int]] = {}
    for paragraph in found:
        if paragraph.page is not None and paragraph.kind == "heading":
            pages.setdefault(bare(clean_title(paragraph.text)), set()).add(paragraph.page)
    last = max((paragraph.page or 0 for paragraph in found), default=0)
    least = max(_LEAST_REPEATS, _REPEATED_SHARE * last)
    return frozenset(title for title, held in pages.items() if len(held) >= least)


def _is_of_table(found: Sequence[Paragraph], place: int) -> bool:
    """Whether a line names rows or columns: it is between parts of a table, or is incomplete and above one."""
    paragraph, below = found[place], found[min(place + 1, len(found) - 1)]
    if paragraph.page is None or below.kind != "table":
        return False
    above = found[max(0, place - 1)]
    title = clean_title(paragraph.text)
    if names_statement(title):
        return False
    return (above.kind == "table" and above.page == paragraph.page) or breaks_off(title) or " " not in title


def _in_sequence(found: Sequence[Paragraph], heads: Mapping[int, TitleCandidate]) -> dict[int, TitleCandidate]:
    """Keep numbered lines as headings only if a sibling or parent continues the numbering."""
    numbers = Counter(head.label.number for head in heads.values() if head.label and head.label.scheme == "decimal")
    kept: dict[int, TitleCandidate] = {}
    exhibits = False
    for place, head in heads.items():
        paragraph, label = found[place], head.label
        decimal = label is not None and label.scheme == "decimal"
        exhibits = title_role(head.title) == "exhibits" or (exhibits and decimal)
        if exhibits and decimal:
            continue
        sure = head.fixed or (paragraph.kind == "heading" and not paragraph.guessed)
        listed = paragraph.kind == "list" and head.lines == 1 and _in_a_list(found, place)
        if sure or label is None or not decimal or (_is_counted_on(label, numbers) and not listed):
            kept[place] = head
    return kept


def _is_counted_on(label: Label, numbers: Counter[tuple[int, ...]]) -> bool:
    *parent, last = label.number
    before, after = (*parent, last - 1), (*parent, last + 1)
    return bool(numbers[before] or numbers[after] or (parent and numbers[tuple(parent)]) or numbers[(*label.number, 1)])


def _in_a_list(found: Sequence[Paragraph], place: int) -> bool:
    """Whether a neighbour is a list item too: short list lines are not headings."""
    around = [found[other] for other in (place - 1, place + 1) if 0 <= other < len(found)]
    labels = [label_of(each.text) for each in around if len(each.text) <= _LONGEST_ITEM]
    return "\n" in found[place].text or any(label and label.key == ("decimal", 1) for label in labels)


def _joined_headings(found: Sequence[Paragraph], heads: Mapping[int, TitleCandidate]) -> dict[int, TitleCandidate]:
    """Join a heading on two lines: "ARTICLE 1" above "OFFICES", "Report of" above "the Auditors"."""
    joined: dict[int, TitleCandidate] = {}
    last: int | None = None
    for place, head in heads.items():
        above = joined.get(last) if last is not None else None
        if above and last is not None and _are_beside(found[last : place + 1]) and _continues_heading(above, head):
            title = f"{above.title} {head.title}"
            if len(title) <= LONGEST_TITLE:
                joined[last] = replace(above, title=title, lines=place - last + 1)
                continue
        joined[place] = head
        last = place
    return joined


def _are_beside(run: Sequence[Paragraph]) -> bool:
    """Whether the first and the last can be one heading: only headings in between, on one page."""
    return len(run) <= 4 and len({each.page for each in run}) == 1 and all(each.kind == "heading" for each in run)


def _continues_heading(above: TitleCandidate, head: TitleCandidate) -> bool:
    if head.label or head.fixed or above.fixed or head.level != above.level:
        return False
    if above.label and above.label.is_named and above.title == clean_title(above.label.written):
        return True
    return above.size == head.size > 0 and (breaks_off(above.title) or head.title[:1].islower())
