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
_TOPIC = re.compile(rf"(?:{_phrase('topic')})\s+", re.IGNORECASE)
"""A word after which a request may state its subject."""
_VERBS = re.compile(rf"(?:{_phrase('verbs')})\s+", re.IGNORECASE)
"""Words that ask for a summary or comparison; a subject may follow before the documents' names."""
_STOPS = re.compile(rf"\s(?:{_phrase('stops')})(?!\w)|[.;:?!\n]|¤", re.IGNORECASE)
"""The end of a subject; a comma ends it too, except in a list."""
_JOINS = re.compile(_phrase("joins"), re.IGNORECASE)
_GENERAL = frozenset(words_of("graph/requests.general"))
"""Words that are no subject: "main", "points"."""
_DOCUMENTS = frozenset(words_of("graph/requests.documents"))
"""Words for documents, which end a subject: "reports"."""
_QUOTED = re.compile(
    r"@?[\"“”„«][^\"“”„»]{1,200}[\"“”»]|@\S+|(?<!\S)\S+\.(?:pdf|docx?|xlsx?|pptx?|md|txt|csv|html?|eml)\b"
)
_WORD = re.compile(r"[^\W_]+(?:[-'’\"״.&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
MOST_POINTS = 40
"""Maximum number of points that a request may ask for."""
_MOST_SUBJECT_WORDS = 8


@dataclass(frozen=True)
class Request:
    """What a request asks for. ``count`` is the number of points or sentences (``form``), or ``None`` if it states
    none; ``subject`` is the topic that the result must be restricted to, in the user's words, or empty; ``subjects``
    are its parts, such as "Services" and "Mac"; ``strict`` is true if the request says so in words such as "only" or
    "about"."""

    text: str = ""
    count: int | None = None
    form: Form = "points"
    subject: str = ""
    strict: bool = False
    subjects: tuple[str, ...] = ()

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
    return Request(text, count, form, subject, strict, _parts(subject, sources))


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
    # "Q2 and Q3 2023" is one span of two periods.
    for start, end in sorted({(span.start, span.end) for span in periods_in(rest)}, reverse=True):
        rest = f"{rest[:start]} ¤ {rest[end:]}"
    names = _name_stems(f"{source.title} {source.filename}" for source in sources)
    rest = _WORD.sub(lambda word: "¤" if _is_name(word.group(), names) else word.group(), _COUNTED.sub(" ", rest))
    for leads, strict in ((_LEADS, True), (_TOPIC, False), (_VERBS, False)):
        for lead in leads.finditer(rest):
            stop = _STOPS.search(rest, lead.end())
            if subject := _content(_list_in(rest[lead.end() : stop.start() if stop else len(rest)])):
                return subject, strict
    return "", False


def _list_in(phrase: str) -> str:
    """Returns the phrase up to its first comma, or whole if it is a list that ends with "and"."""
    first, _, rest = phrase.partition(",")
    return phrase if rest and not _JOINS.search(first) and _JOINS.search(f" {rest.rpartition(',')[2]}") else first


def _parts(subject: str, sources: Sequence[Source]) -> tuple[str, ...]:
    """Returns the parts of a subject; a subject that a table row or a heading of the documents names as a whole, such
    as "research and development", has one."""
    parts = tuple(each for part in _JOINS.split(subject) if (each := _content(part)))
    if len(parts) < 2 or _is_named(fold(subject), sources):
        return (subject,) if subject else ()
    return tuple(dict.fromkeys(parts))


def _is_named(subject: str, sources: Sequence[Source]) -> bool:
    passages = [passage for source in sources for passage in source.passages]
    return any(subject in fold(each) for each in {passage.section or "" for passage in passages}) or any(
        fold(line).strip(" |").startswith(subject)
        for passage in passages
        if passage.table is not None
        for line in passage.text.splitlines()
    )


def _content(phrase: str) -> str:
    """Returns the text of a phrase from its first content word to the last one before a word that names a document;
    empty if there is none."""
    words = list(_WORD.finditer(phrase))
    while words and not _is_telling(words[0].group()) and fold(words[0].group()) not in _DOCUMENTS:
        words.pop(0)
    end = next((place for place, word in enumerate(words) if fold(word.group()) in _DOCUMENTS), len(words))
    telling = [word for word in words[:end] if _is_telling(word.group())]
    if not telling or len(telling) > _MOST_SUBJECT_WORDS:
        return ""
    return " ".join(phrase[words[0].start() : telling[-1].end()].split())


def _is_telling(word: str) -> bool:
    return fold(word) not in _GENERAL and bool(content_terms(word))


def _is_name(word: str, names: frozenset[str]) -> bool:
    folded = _POSSESSIVE.sub("", fold(word))
    return folded not in _DOCUMENTS and len(folded) > 1 and (stem_of(folded) or folded) in names


def _name_stems(names: Iterable[str]) -> frozenset[str]:
    return frozenset(stem_of(word) or word for name in names for word in _WORD.findall(fold(name)))
