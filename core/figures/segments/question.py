"""Parses a question about a company's parts: which parts, by which figure, and restricted by which words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.figures.segments.vocabulary import asks, asks_places, find_nouns, frame, rewritten
from core.language.entities.periods import periods_in
from core.language.fields import named_figures
from core.language.normalisation import normalise
from core.question.analysed import AnalysedQuestion
from core.question.stems import own_stems, stems, weak_stems

Operation = Literal["largest", "smallest", "grew most", "fell most", "beyond", "amount"]
_TOP_LINE = "revenue"
"""The default figure for comparing parts."""
_MOST_READ = 600
_ORDER: tuple[Operation, ...] = ("grew most", "fell most", "largest", "smallest")


@dataclass(frozen=True)
class SegmentQuestion:
    """A parsed question; ``noun`` are stems of the word for the parts ("segment"); ``figure`` is the vocabulary key of
    the figure by which they are compared, or empty if only ``words`` (stems) describe it. If the amount of one part
    is requested, ``words`` name this part in ``text``. ``bound`` is a share of the total; ``vague``: the question
    names no figure.
    """

    operation: Operation
    noun: frozenset[str]
    figure: str
    words: frozenset[str]
    periods: tuple[str, ...]
    bound: float = 0.0
    judges: bool = False
    vague: bool = False
    by_amount: bool = False
    places: bool = False
    text: str = ""


def segment_question(question: AnalysedQuestion) -> SegmentQuestion | None:
    """Returns ``None`` if the question asks for no part of a company."""
    text = rewritten(normalise(question.focus or question.text)[:_MOST_READ])
    which = asks("which", text)
    operation = _operation(text)
    if which is None or operation is None:
        return _of_one_part(text, question)
    noun = next(each for each in which.groups() if each)
    named = [each for each in named_figures(text) if each.name]
    asked_words = _content_stems(text, question) - frame()
    of_noun = frozenset(stems(which.group()[-60:])) & (frozenset(stems(noun)) | frame())
    figure = named[0].name if named else ""
    words = asked_words - frozenset(stems(noun)) - frozenset(stems(named[0].text) if named else ())
    bound = asks("beyond", text)
    return SegmentQuestion(
        operation,
        (frozenset(stems(noun)) | of_noun) - weak_stems(),
        figure or (_TOP_LINE if not words or operation not in ("largest", "smallest") else ""),
        words,
        tuple(question.periods),
        float(next(filter(None, bound.groups()))) if bound else 0.0,
        bool(asks("yes or no", text)),
        (bool(asks("vague", text)) or not (named or words)) and not (named and operation in ("largest", "smallest")),
        bool(asks("in amount", text)),
        asks_places(noun),
    )


def _of_one_part(text: str, question: AnalysedQuestion) -> SegmentQuestion | None:
    """Returns a question for one figure of one part, which the remaining words name; only if nothing must be
    calculated."""
    named = {each.name: each for each in named_figures(text) if each.name}
    if len(named) != 1 or len(question.periods) > 1 or len(periods_in(text)) > 1 or asks("worked out", text):
        return None
    ((figure, found),) = named.items()
    words = _content_stems(text, question) - frame() - frozenset(stems(found.text))
    noun = frozenset(stem for match in find_nouns(text) for stem in stems(match))
    if not words - noun:
        return None
    return SegmentQuestion("amount", noun, figure, words - noun, tuple(question.periods), text=text)


def _operation(text: str) -> Operation | None:
    return "beyond" if asks("beyond", text) else next((each for each in _ORDER if asks(each, text)), None)


def _content_stems(text: str, question: AnalysedQuestion) -> frozenset[str]:
    """Returns the stems of the content words, without organisations and periods."""
    return own_stems(text, question.entities) - weak_stems()
