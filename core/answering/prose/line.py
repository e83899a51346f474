"""Writes the first line of an answer from running text: takes question, sentence and span; cites the source as [N]."""

from __future__ import annotations

import re

from core.answering.prose.question import ProseQuestion
from core.answering.prose.ranking import RankedSpan
from core.language.vocabulary import phrase_of

_SUBJECT = re.compile(
    r"^(?:what|how much|how large|how high)\s+(?:is|was|were|are)\s+(?:(?:the|its|their|our)\s+)?"
    r"(?P<subject>[^?]{3,110})\?*\s*$",
    re.IGNORECASE,
)
_HEBREW_SUBJECT = re.compile(phrase_of("answering/prose.line.hebrew_subject"))
_COUNTED = re.compile(
    r"\bhow many\s+(?P<noun>(?:\w[\w'’-]*\s+){0,3}?\w[\w'’-]*)\s+"
    r"(?:were|are|was|is|did|do|does|have|has|had|can|could|will|would|must|may|should)\b",
    re.IGNORECASE,
)
_LONGEST_LINE = 420
_SURE_OF_WORDS = 0.5
"""Minimum probability, among the spans of its sentence, for a span of plain words to be shown without the sentence."""
_END = re.compile(r"[\s,;:.]+$")
_HEAD_END = re.compile(r"(?:(?<![\s*_])[\s*_]++)?+:[\s*_]*+$")
"""Matches the colon at the end of a text that introduces a table or list which is not there."""
_LEGAL_FORMS = frozenset({"inc", "ltd", "corp", "co"})
_WHITE = re.compile(r"\s+")


def line_of(question: ProseQuestion, ranked: RankedSpan, number: int, alone: bool = True) -> str:
    """Returns a short line if the span is certain: a figure, date or name with its subject. Otherwise, or if ``alone``
    is false, returns the whole sentence."""
    statement, span = ranked.statement, ranked.span
    if span.parts:
        text = ", ".join(_tidy(statement.text[start:end]) for start, end in span.parts)
    else:
        text = _tidy(statement.text[span.start : span.end])
    if span.form == "whole" or not alone or (span.form != "value" and ranked.within < _SURE_OF_WORDS):
        return f"{_cut(_HEAD_END.sub('', _WHITE.sub(' ', statement.text)))} [{number}]"
    subject = subject_of_line(question)
    if subject and span.form in ("value", "list", "tail"):
        return f"{subject}: {_cut(text)} [{number}]"
    return f"{_cut(text[:1].upper() + text[1:])}{_with_counted_noun(question, ranked, text)} [{number}]"


def _with_counted_noun(question: ProseQuestion, ranked: RankedSpan, text: str) -> str:
    """Adds the counted noun to a number that is only a count: "312 households"."""
    match = _COUNTED.search(question.text)
    value = ranked.span.value
    if match is None or value is None or value.kind != "count" or not text[-1:].isdigit():
        return ""
    return f" {match['noun'].lower()}"


def subject_of_line(question: ProseQuestion) -> str | None:
    """Returns the subject whose value the question asks for, in the question's words."""
    if question.several:
        return None
    pattern = _HEBREW_SUBJECT if question.language == "he" else _SUBJECT
    match = pattern.match(question.text.strip())
    if match is None:
        return None
    subject = _tidy(match["subject"])
    return subject[:1].upper() + subject[1:] if subject else None


def _tidy(text: str) -> str:
    text = _WHITE.sub(" ", text).strip()
    tidy = _END.sub("", text)
    return text if text.endswith(".") and tidy.rsplit(" ", 1)[-1].lower() in _LEGAL_FORMS else tidy


def _cut(text: str) -> str:
    """Cuts a sentence that is too long for a line at a word boundary; the quotation still contains the whole
    sentence."""
    return text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE].rsplit(" ", 1)[0] + " …"
