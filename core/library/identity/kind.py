"""Determines the kind of a document: *cover* → one of ``DocumentKind``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from core.language.entities.periods import without_periods
from core.language.vocabulary import pattern_of
from core.library.identity.cover import Cover, Line
from core.library.identity.institutions import is_of_forms
from core.library.identity.largest_type import LargestWords
from core.library.identity.wording import KindWords, phrase, words
from core.library.records import DocumentKind

_TOP = 25
"""Number of lines, from the first one, that are searched for a title."""
_SHORT = 130
_FIRST = 6
_FORM, _TITLE, _LARGEST, _ASIDE, _NAME, _EACH = 9.0, 4.0, 2.0, 2.0, 2.0, 1.0
_MOST_EACH = 4
_ENOUGH = 4.0
_MOSTLY = 0.75
"""A document with at least this share of its text in tables counts as consisting only of numbers."""
_BLANK = re.compile(r"_{4,}|[☐□❑❏]|\[ \]|(?<!\.)\.{12,}")
_FIRST_PAGES = 8_000
"""Characters in which a form's blanks to be filled in are counted."""
_TABLE = pattern_of("library/identity.titles.table")
_NUMBER = pattern_of("library/identity.titles.number")


def kind_of(cover: Cover, largest: LargestWords | None = None) -> DocumentKind:
    """The kind with the most evidence; "other" if none has a matching title or several matching words. A file format
    made for one kind decides it: mail, workbooks and slide decks, unless a workbook is an invoice or a deck is a
    form."""
    if cover.is_mail:
        return "email"
    if cover.is_workbook:
        return "invoice" if _is_bill(cover) else "spreadsheet"
    scores = {kind: _kind_score(cover, known, largest) for kind, known in words().kinds.items()}
    if cover.are_slides:
        return "presentation"
    best = max(scores, key=lambda kind: scores[kind])
    if scores[best] >= _ENOUGH:
        return best
    named = [
        kind for kind, known in words().kinds.items() if any(phrase(each).search(cover.stem) for each in known.filename)
    ]
    if named and not (largest and largest.sure):
        return named[0]
    numbered = any(_TABLE.match(line.text) for line in cover.lines[:2])
    return "statistics" if cover.is_pdf and (numbered or cover.cells >= _MOSTLY) else "other"


def _is_bill(cover: Cover) -> bool:
    return bool(_NUMBER.search(cover.text)) and bool(titles_of(cover.lines[:_FIRST], "invoice"))


def form_of(cover: Cover) -> str | None:
    """The form whose cover this is: "Form 10-K"."""
    for known in words().kinds.values():
        for form in known.form:
            if any(phrase(form).match(line.text) for line in cover.lines) or _form_within(form, cover):
                return form.replace("form", "Form").replace(form[5:], form[5:].upper())
    return None


def _form_within(form: str, cover: Cover) -> bool:
    """Whether the cover's first lines, possibly merged into one paragraph, contain the form's name in capitals."""
    return bool(_form_in_capitals(form).search(cover.text[:1500]))


@cache
def _form_in_capitals(form: str) -> re.Pattern[str]:
    """The pattern of the form's name; cached here, because the small cache of ``re`` soon drops it."""
    return re.compile(rf"FORM\s*{re.escape(form[5:].upper())}(?![\w-])")


def titles_of(lines: Sequence[Line], kind: DocumentKind) -> list[Line]:
    """The short lines at the top that name the kind in their own words, in order."""
    if kind not in words().kinds:
        return []
    known = words().kinds[kind]
    return [line for line in lines[:_TOP] if _may_title(line.text) and _names_kind(line.text, known)]


def _may_title(text: str) -> bool:
    """Whether a line may be a title: no sentence, no beginning of one, and no table row."""
    if text.casefold().startswith(("this ", "these ", "the following ")):
        return False
    return len(text) <= _SHORT and " | " not in text and not text.endswith((".", ";", ","))


def _names_kind(text: str, known: KindWords) -> bool:
    if any(phrase(each).search(text) for each in known.never):
        return False
    return any(phrase(each).search(text) for each in known.title)


def _kind_score(cover: Cover, known: KindWords, largest: LargestWords | None) -> float:
    form = any(_form_within(each, cover) or _stands_on_own_line(each, cover) for each in known.form)
    named = int(any(phrase(each).search(cover.stem) for each in known.filename))
    each = sum(bool(phrase(text).search(cover.text)) for text in known.cover)
    if each < known.least:
        return 0.0
    named += bool(known.blanks) and len(_BLANK.findall(cover.early[:_FIRST_PAGES])) >= known.blanks
    return _FORM * form + _title_score(cover, known, largest) + _NAME * named + _EACH * min(each, _MOST_EACH)


def _title_score(cover: Cover, known: KindWords, largest: LargestWords | None) -> float:
    """How strongly a title indicates the kind: its largest words count most; other lines count little if those do not
    match."""
    top = [line for line in cover.lines[:_TOP] if _may_title(line.text)]
    titles = [place for place, line in enumerate(top) if _names_kind(line.text, known)]
    own = bool(cover.own_title) and _names_kind(cover.own_title, known)
    if largest and largest.sure:
        if _names_kind(largest.text, known):
            return _TITLE + _LARGEST
        # A line that consists only of the kind's name counts fully, even below a slogan.
        if any(is_of_forms(without_periods(top[place].text)) for place in titles[:3]):
            return _TITLE
        return _ASIDE if titles or own else 0.0
    if known.opening and any(phrase(each).match(line.text) for line in cover.lines[:_TOP] for each in known.opening):
        return _TITLE
    early = 1.0 if titles and titles[0] < 5 else 0.0
    return _TITLE + early if titles else _TITLE if own else 0.0


def _stands_on_own_line(form: str, cover: Cover) -> bool:
    return any(phrase(form).fullmatch(line.text) for line in cover.lines[:_TOP])
