"""The kind of a document: *cover* → one of ``DocumentKind``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.library.identity.cover import Cover, Line
from core.library.identity.wording import KindWords, phrase, words
from core.library.records import DocumentKind

_TOP = 25
"""Lines in which a title is looked for."""
_SHORT = 130
_FORM, _TITLE, _NAME, _EACH = 9.0, 4.0, 2.0, 1.0
_MOST_EACH = 4
_ENOUGH = 4.0


def kind_of(cover: Cover) -> DocumentKind:
    """The kind with most evidence; "other" where none has a title or several words of its own."""
    scores = {kind: _kind_score(cover, known) for kind, known in words().kinds.items()}
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] >= _ENOUGH else "other"


def form_of(cover: Cover) -> str | None:
    """The form that the cover is of: "Form 10-K"."""
    for known in words().kinds.values():
        for form in known.form:
            if any(phrase(form).match(line.text) for line in cover.lines) or _form_within(form, cover):
                return form.replace("form", "Form").replace(form[5:], form[5:].upper())
    return None


def _form_within(form: str, cover: Cover) -> bool:
    """Whether the cover's first lines, which may have run into one paragraph, hold the form's name in capitals."""
    return bool(re.search(rf"FORM\s*{re.escape(form[5:].upper())}(?![\w-])", cover.text[:1500]))


def titles_of(lines: Sequence[Line], kind: DocumentKind) -> list[Line]:
    """The short lines at the top that name the kind in their own words, in order."""
    if kind not in words().kinds:
        return []
    known = words().kinds[kind]
    return [line for line in lines[:_TOP] if _may_title(line.text) and _names_kind(line.text, known)]


def _may_title(text: str) -> bool:
    """No sentence, no beginning of one, and no row of a table."""
    if text.casefold().startswith(("this ", "these ", "the following ")):
        return False
    return len(text) <= _SHORT and " | " not in text and not text.endswith((".", ";", ","))


def _names_kind(text: str, known: KindWords) -> bool:
    if any(phrase(each).search(text) for each in known.never):
        return False
    return any(phrase(each).search(text) for each in known.title)


def _kind_score(cover: Cover, known: KindWords) -> float:
    form = any(_form_within(each, cover) or _stands_on_own_line(each, cover) for each in known.form)
    top = [line for line in cover.lines[:_TOP] if _may_title(line.text)]
    titles = [place for place, line in enumerate(top) if _names_kind(line.text, known)]
    own = bool(cover.own_title) and _names_kind(cover.own_title, known)
    named = any(phrase(each).search(cover.stem) for each in known.filename)
    each = sum(bool(phrase(text).search(cover.text)) for text in known.cover)
    early = 1.0 if titles and titles[0] < 5 else 0.0
    title = _TITLE + early if titles else _TITLE if own else 0.0
    return _FORM * form + title + _NAME * named + _EACH * min(each, _MOST_EACH)


def _stands_on_own_line(form: str, cover: Cover) -> bool:
    return any(phrase(form).fullmatch(line.text) for line in cover.lines[:_TOP])
