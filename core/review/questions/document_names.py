"""Names documents in questions, so that no other document of a library can be meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from core.language.detection import detect
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.library.records import Document
from core.question.chips import period_name
from core.question.known_entities import REPORTS, KnownDocument
from core.review.actions.question_templates import named
from core.words import Language

LONGEST_NAME, LONGEST_TITLE = 60, 90
"""Characters of a title from which a shorter form of it is taken, if it has one, and maximum characters of a title."""
_LEAST_WORDS = 2
_PAUSE = re.compile(r" ?[:;|(–—] ?| - ")
_YEAR = 4
_WORDS = re.compile(r"[\s_.-]")
_ENDS = pattern_of("graph/statements.title_ends")
_MARKS = re.compile(r"[?!\"“”„]|\. ")
"""Marks that end a sentence or a quotation, so that a question with such a title would be read as several."""


def document_names(documents: Sequence[Document], language: Language) -> dict[str, str]:
    """Returns names by document id; a document that shares all its names with another has none."""
    found: dict[str, str] = {}
    possible = {each.id: _names(each, language) for each in documents}
    count = Counter(fold(name) for names in possible.values() for name in set(names))
    for document_id, names in possible.items():
        unique = [name for name in names if count[fold(name)] == 1]
        if unique:
            found[document_id] = unique[0]
    return found


def _names(document: Document, language: Language) -> list[str]:
    """Returns names of a document, the most natural first: a report's organisation and period, the title, the file."""
    metadata = document.metadata
    names: list[str] = []
    if metadata.kind in REPORTS and metadata.organisations:
        full = tuple(name for each in metadata.organisations[:1] for name in (each.name, *each.aliases))
        known = KnownDocument(document.id, document.filename, metadata.title, full)
        period = period_name(metadata.periods[0].key, metadata.kind) if metadata.periods else ""
        names.append(named(known.organisation, metadata.kind, period, language))
    title = " ".join(metadata.title.split())
    parts = [part for pause in (_PAUSE, _ENDS) for part in pause.split(title)[:1] if len(part.split()) >= _LEAST_WORDS]
    stem = PurePath(document.filename).stem
    short = [title, _without_organisation(title, document), *parts]
    fitting = [each for each in short if len(each) <= LONGEST_NAME]
    whole = [title] if len(title) <= LONGEST_TITLE else []
    file = [stem] if _is_worded(stem) else []
    quoted = [_quoted(each, language) for each in (*fitting, *whole, *file) if _is_usable(each)]
    return list(dict.fromkeys([*filter(None, names), *quoted]))


def _without_organisation(title: str, document: Document) -> str:
    """Returns a title without the organisation's name at its beginning."""
    for each in document.metadata.organisations:
        if fold(title).startswith(fold(each.name)) and len(title) > len(each.name):
            return title[len(each.name) :].strip(" :,–-")
    return title


def _is_usable(title: str) -> bool:
    return title != "" and not _MARKS.search(title) and any(map(str.isalpha, title))


def _is_worded(stem: str) -> bool:
    """Returns whether a file's name consists of words and years, and not of a number that nobody says."""
    return all(word.isalpha() or (word.isdigit() and len(word) == _YEAR) for word in _WORDS.split(stem) if word)


def _quoted(title: str, language: Language) -> str:
    """Returns a title in quotation marks, since words of a sentence could be part of it."""
    marks = "„”" if language == "he" or detect(title) == "he" else "“”"
    return f"{marks[0]}{title}{marks[1]}"
