"""Reads a request for a summary or a comparison: how many lines it asks for, and about which subject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.events import Source
from core.language.entities.numerals import VALUES
from core.language.entities.periods import periods_in
from core.language.normalisation import fold
from core.language.terms import content_terms
from core.language.vocabulary import pattern_of, phrases, words_of
from core.question.stems import stem_of

Form = Literal["points", "sentences"]

_phrase = phrases("graph/requests")
_NUMBERS = "|".join(sorted(map(re.escape, VALUES), key=len, reverse=True))
_COUNTED = re.compile(
    rf"(?<!\w)(?:{_phrase('before_count')})?(?P<count>\d{{1,2}}|{_NUMBERS})"
    rf"\s+(?:\w+\s+)?(?:(?P<sentences>{_phrase('sentences')})|(?P<points>{_phrase('points')}))(?!\w)",
    re.IGNORECASE,
)
_ONE_SENTENCE = pattern_of("graph/requests.one_sentence")
_TWO_SENTENCES = pattern_of("graph/requests.two_sentences")
_LEADS = re.compile(rf"(?:{_phrase('leads')})\s+", re.IGNORECASE)
"""Words after which a request states its subject."""
_VERBS = re.compile(rf"(?:{_phrase('verbs')})\s+", re.IGNORECASE)
"""Words that ask for a summary or comparison; a subject may follow before the documents' names."""
_STOPS = re.compile(rf"\s(?:{_phrase('stops')})(?!\w)|[,.;:?!\n]|¤", re.IGNORECASE)
"""The end of a subject."""
_GENERAL = frozenset(words_of("graph/requests.general"))
"""Words that are no subject: "main", "points"."""
_DOCUMENTS = frozenset(words_of("graph/requests.documents"))
"""Words for documents, which end a subject: "reports"."""
_QUOTED = re.compile(
    r"@?[\"“”„«][^\"“”„»]{1,200}[\"“”»]|@\S+|(?<!\S)\S+\.(?:pdf|docx?|xlsx?|pptx?|md|txt|csv|html?|eml)\b"
)
_WORD = re.compile(r"[^\W_]+(?:[-'’\"״.&][^\W_]+)*")
MOST_POINTS = 40
"""Maximum number of points that a request may ask for."""
_MOST_SUBJECT_WORDS = 8


@dataclass(frozen=True)
class Request:
    """What a request asks for. ``count`` is the number of points or sentences (``form``), or ``None`` if it states
    none; ``subject`` is the topic that the result must be restricted to, in the user's words, or empty; ``strict`` is
    true if the request says so in words such as "only" or "about"."""

    text: str = ""
    count: int | None = None
    form: Form = "points"
    subject: str = ""
    strict: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the request states neither a form nor a subject."""
        return self.count is None and not self.subject


def request_of(text: str, sources: Sequence[Source]) -> Request:
    """Reads a request about ``sources``; their names, the periods and the form are no part of its subject.

    >>> request_of("Summarise the report in five bullets", []).count
    5
    """
    count, form = _count(text)
    subject, strict = _subject(text, sources)
    return Request(text, count, form, subject, strict)


def _count(text: str) -> tuple[int | None, Form]:
    if found := _COUNTED.search(text):
        written = found["count"]
        count = int(written) if written.isdigit() else int(VALUES[fold(written)])
        form: Form = "sentences" if found["sentences"] else "points"
        return (count, form) if 0 < count <= MOST_POINTS else (None, "points")
    if _TWO_SENTENCES.search(text):
        return 2, "sentences"
    return (1, "sentences") if _ONE_SENTENCE.search(text) else (None, "points")


def _subject(text: str, sources: Sequence[Source]) -> tuple[str, bool]:
    """Returns the subject, and whether the request restricts the result to it."""
    rest = _QUOTED.sub(" ¤ ", text)
    for span in reversed(periods_in(rest)):
        rest = f"{rest[: span.start]} ¤ {rest[span.end :]}"
    names = _name_stems(f"{source.title} {source.filename}" for source in sources)
    rest = _WORD.sub(lambda word: "¤" if _is_name(word.group(), names) else word.group(), _COUNTED.sub(" ", rest))
    for leads, strict in ((_LEADS, True), (_VERBS, False)):
        for lead in leads.finditer(rest):
            stop = _STOPS.search(rest, lead.end())
            if subject := _content(rest[lead.end() : stop.start() if stop else len(rest)]):
                return subject, strict
    return "", False


def _content(phrase: str) -> str:
    """Returns the words of a phrase from its first content word to the last one before a word that names a document;
    empty if there is none."""
    words = _WORD.findall(phrase)
    while words and not _is_telling(words[0]) and fold(words[0]) not in _DOCUMENTS:
        words.pop(0)
    end = next((place for place, word in enumerate(words) if fold(word) in _DOCUMENTS), len(words))
    telling = [place for place, word in enumerate(words[:end]) if _is_telling(word)]
    return " ".join(words[: telling[-1] + 1]) if telling and telling[-1] < _MOST_SUBJECT_WORDS else ""


def _is_telling(word: str) -> bool:
    return fold(word) not in _GENERAL and bool(content_terms(word))


def _is_name(word: str, names: frozenset[str]) -> bool:
    folded = fold(word)
    return folded not in _DOCUMENTS and len(folded) > 1 and (stem_of(folded) or folded) in names


def _name_stems(names: Iterable[str]) -> frozenset[str]:
    return frozenset(stem_of(word) or word for name in names for word in _WORD.findall(fold(name)))
