"""Finds what a message touches of the things that the person has: documents, spreadsheets, editions of one document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.datasets.writing import is_data_file
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.library.records import Document

_NUMBERS = re.compile(r"[\W\d_]+")
_EDITION = re.compile(r"\d|\b(?:q[1-4]|v\d+)\b")


@dataclass(frozen=True)
class Holdings:
    """What the person has, as far as a message touches it.

    ``documents`` is their number. ``touched`` are the content words of the message that a title contains; ``sheets``
    those of a spreadsheet's title or columns, and ``editions`` those of several editions of one document (its titles
    differ only in numbers or dates). ``has_sheets`` and ``has_editions``: there are any.
    """

    documents: int = 0
    touched: frozenset[str] = frozenset()
    sheets: frozenset[str] = frozenset()
    editions: frozenset[str] = frozenset()
    has_sheets: bool = False
    has_editions: bool = False


def holdings_of(text: str, documents: Sequence[Document], recent: Sequence[str] = ()) -> Holdings:
    """Returns what ``text`` touches; a short message that names nothing touches the ``recent`` documents."""
    terms = content_terms(text)
    titles = [(each, fold(f"{each.metadata.title} {PurePath(each.filename).stem}")) for each in documents]
    alike = _editions(documents)
    touched: set[str] = set()
    sheets: set[str] = set()
    editions: set[str] = set()
    for document, title in titles:
        here = {term for term in terms if covers(term, title)}
        touched |= here
        if is_data_file(document.filename):
            sheets |= here
        if document.id in alike:
            editions |= {term for term in here if not term.isdigit()}
    if not touched and recent:
        spoken_of = {each.id: each for each in documents if each.id in recent}
        sheets |= {each.filename for each in spoken_of.values() if is_data_file(each.filename)}
    return Holdings(
        documents=len(documents),
        touched=frozenset(touched),
        sheets=frozenset(sheets),
        editions=frozenset(editions),
        has_sheets=any(is_data_file(each.filename) for each in documents),
        has_editions=bool(alike),
    )


def _editions(documents: Sequence[Document]) -> set[str]:
    """Returns the documents whose names differ from another one's only in numbers."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for each in documents:
        name = PurePath(each.filename).stem
        if _EDITION.search(fold(name)):
            groups[_NUMBERS.sub(" ", fold(name)).strip()].append(each.id)
    return {id for ids in groups.values() if len(ids) > 1 for id in ids}
