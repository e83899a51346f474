"""Removes the phrase that names the document from a question: takes the question and document titles; returns the rest.

In "under the 2025 travel policy" or "in the metering contract", the words say in which document the answer is, not what
is asked. So rows and sentences need not contain them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

from core.language.entities.periods import periods_in
from core.language.vocabulary import phrase_of, words_of
from core.question.stems import stem_of

_LEADS = frozenset(words_of("answering/questions.source_phrase.leads"))
"""Words with which such a phrase may start, such as "under"."""
_BESIDE = frozenset(words_of("answering/questions.source_phrase.beside"))
_JOINS = frozenset(("and", "or"))
"""Words before another document's name: in a comparison (``_BESIDE``), or joined to the first name (``_JOINS``)."""
_WORD = re.compile(r"[^\W_]+(?:[-'’\"״][^\W_]+)*")
_PREFIXED = re.compile(phrase_of("answering/questions.source_phrase.prefixed"))
_QUOTED = re.compile(
    rf"(?P<lead>(?<!\w)(?:{phrase_of('answering/questions.source_phrase.before_quoted')}))?"
    r"[“„\"](?P<name>[^“”„\"]{3,120})[”\"]",
    re.IGNORECASE,
)
_LEAST = 2
"""Minimum number of title words in such a phrase. With fewer, the words usually do not mean the document but what it is
about."""


def without_quoted_titles(question: str, titles: Iterable[str]) -> str:
    """Returns the question without titles in quotation marks, and the words before them that only say "in"; a title may
    be shortened."""
    known = [tuple(map(str.lower, _WORD.findall(title))) for title in titles]

    def is_title(found: re.Match[str]) -> bool:
        words = tuple(map(str.lower, _WORD.findall(found["name"])))
        least = _LEAST if found["lead"] else _LEAST + 1  # Without such a word, a term may be quoted.
        return bool(words) and any(words == title or (len(words) >= least and _within(words, title)) for title in known)

    left = _QUOTED.sub(lambda found: " " if is_title(found) else found.group(), question)
    return question if left == question else re.sub(r" (?=[?,.])", "", " ".join(left.split()))


def _within(words: tuple[str, ...], title: tuple[str, ...]) -> bool:
    return any(title[start : start + len(words)] == words for start in range(len(title) - len(words) + 1))


def without_source(question: str, titles: Iterable[str]) -> str:
    """Returns the question without the phrase; ``titles`` are the documents' names without their organisations."""
    known = {stem for title in titles for word in _WORD.findall(title) if (stem := stem_of(word.lower()))}
    words = list(_WORD.finditer(question))
    years = {place for span in periods_in(question) for place in range(span.start, span.end)}
    for place, lead in enumerate(words):
        if lead.group().lower() not in _LEADS or (place and words[place - 1].group().lower() in _JOINS):
            continue
        run = _document_name_words(question, words[place:], known, years)
        if sum(_stem(word.group()) in known for word in run) >= _LEAST:
            if periods_in(question[run[0].start() : run[-1].end()]) and _names_another_period(question, run):
                continue
            left = f"{question[: lead.start()].rstrip()}{question[run[-1].end() :]}"
            return re.sub(r",\s*(?=[?,.])", "", re.sub(r"(?<!\s)\s++(?=[?,.])", "", left)).strip()
    return question


def _names_another_period(question: str, run: Sequence[re.Match[str]]) -> bool:
    """Returns whether the question also names a period outside the words ``run``: then both are asked for."""
    start, end = run[0].start(), run[-1].end()
    return any(period.end <= start or period.start >= end for period in periods_in(question))


def _document_name_words(
    question: str, words: Sequence[re.Match[str]], known: set[str], years: set[int]
) -> list[re.Match[str]]:
    """Returns the words, after the first one, that belong to the document's name, up to a punctuation mark."""
    joined = (
        word
        for before, word in pairwise(words)
        if not question[before.end() : word.start()].strip() or word.start() in years
    )
    following = takewhile(lambda pair: pair[0] is pair[1], zip(joined, words[1:], strict=False))
    run = list(takewhile(lambda word: _belongs(word, known, years), (word for word, _ in following)))
    while run and run[-1].group().lower() in _BESIDE:
        run.pop()
    return run


def _belongs(word: re.Match[str], known: set[str], years: set[int]) -> bool:
    return word.start() in years or word.group().lower() in _BESIDE or _stem(word.group()) in known


def _stem(word: str) -> str:
    return stem_of(_PREFIXED.sub("", word.lower()))
