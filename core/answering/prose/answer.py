"""Answers from running text without a language model: takes a question and evidence; returns candidates, best first.

First sentences are ranked by their features, then the text spans (possible answers) of the best sentences, both with
trained weights. The features come from words only, or from embeddings as well if there is time. A candidate's certainty
is the share of such answers that are correct.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from core.answering.prose.line import line_of, subject_of_line
from core.answering.prose.question import ProseQuestion, read_question
from core.answering.prose.ranking import RankedSpan, rank, score_sentences, sureness
from core.answering.prose.sentences import Statement, statements
from core.answering.prose.spans import EACH_PERIOD
from core.answering.prose.weights import Weights, weights, weights_across
from core.figures.records import Candidate, Evidence, Similar
from core.messages import message
from core.models.extractive import FOREIGN
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, AnswerKind
from core.words import Language, Words

EMBEDDED = 16
"""Number of sentences compared by embeddings."""
FOREIGN_EMBEDDED = 24
"""Number of sentences compared by embeddings if the question is in another language; it is higher, since words then
select sentences less well."""
FOREIGN_AT_MOST = 0.55
"""Maximum certainty if question and text are in two languages. Their words cannot be compared exactly, so such an
answer always has a warning."""
LONGEST = 400
"""Maximum characters of a sentence that are compared."""
MOST = 3
DOUBTED_BELOW = 0.6
UNDECIDED_BELOW = 0.12
SPAN_FROM = 0.3
"""Below this certainty, the answer line shows the whole sentence, so that the user can judge."""

PERHAPS_NOT_ALL = message("answering.answer.perhaps_not_all")
PERHAPS_NOT_THIS = message("answering.answer.perhaps_not_this")


async def answer_from_text(
    question: AnalysedQuestion, evidence: Evidence, similar: Similar | None = None
) -> list[Candidate]:
    """Returns at most three candidates; none if no sentence is relevant. ``similar`` compares texts by embeddings, at
    most 24 of them."""
    if not evidence.texts:
        return []
    wanted = read_question(question.focus or question.text, question.language)
    found, term_weights = await asyncio.to_thread(statements, wanted, evidence.texts)
    if not found:
        return []
    # Clauses start and end by the rules of the sentence's own language.
    language = _mostly(found)
    fitted = weights(language) if language == wanted.language else weights_across(language)
    by_meaning = similar is not None and await _compare_meanings(wanted, found, fitted, similar)
    ranked = await asyncio.to_thread(rank, wanted, found, term_weights, fitted, by_meaning)
    chances = fitted.sure_by_meaning if by_meaning else fitted.sure
    surest = 1.0
    candidates = []
    for each in ranked[:MOST]:
        # A span that ranks lower cannot be more certain than the first: the certainty was trained only on first spans.
        foreign = each.statement.language != wanted.language
        surest = min(surest, _cross_language_sureness(each.reasons) if foreign else sureness(each.reasons, chances))
        candidates.append(_prose_candidate(question, wanted, each, surest, sureness(each.reasons, fitted.exact)))
    return candidates


def _cross_language_sureness(reasons: Mapping[str, float]) -> float:
    """Returns the certainty if question and text are in two languages, for which the trained word features do not
    apply."""
    return FOREIGN_AT_MOST * reasons["words"] * (1 + reasons["sentence_share"]) / 2


def _mostly(found: Sequence[Statement]) -> Language:
    """Returns the language of most sentences."""
    hebrew = sum(each.language == "he" for each in found)
    return "he" if 2 * hebrew > len(found) else "en"


async def _compare_meanings(
    wanted: ProseQuestion, found: Sequence[Statement], fitted: Weights, similar: Similar
) -> bool:
    """Sets the embedding similarity of the most promising sentences; returns whether that was possible."""
    score_sentences(found, fitted.sentence)
    foreign = any(each.language != wanted.language for each in found)
    best = sorted(found, key=lambda each: -each.score)[: FOREIGN_EMBEDDED if foreign else EMBEDDED]
    likeness = await similar(wanted.text, [each.text[:LONGEST] for each in best])
    if len(likeness) != len(best):
        return False
    for each, like in zip(best, likeness, strict=True):
        each.witnesses["meaning"] = min(1.0, like + FOREIGN) if like and each.language != wanted.language else like
    return True


def _prose_candidate(
    question: AnalysedQuestion, wanted: ProseQuestion, ranked: RankedSpan, chance: float, exact: float
) -> Candidate:
    statement, span = ranked.statement, ranked.span
    value, single = _span_value(ranked), span.value if not span.parts and not span.with_cue else None
    period = None if span.period == EACH_PERIOD else span.period
    first = single or (span.values[0] if span.values else None)
    scale, unit, currency = (
        (first.scale, first.unit, first.currency) if first and _is_figure(value) else (1.0, None, None)
    )
    cell = statement.passage.reference(statement.text, unit, scale, currency, period)
    answer = Answer(
        kind=_answer_kind(ranked),
        line=line_of(
            wanted,
            ranked,
            statement.passage.origin.number,
            chance >= SPAN_FROM and statement.language == wanted.language,
        ),
        value=value,
        unit=unit,
        scale=scale,
        currency=currency,
        period=period,
        entity=question.entities[0] if question.entities else None,
        metric=subject_of_line(wanted),
        cells=[cell],
        doubt=_prose_doubt(wanted, ranked, chance, exact),
        decided=chance >= UNDECIDED_BELOW,
    )
    return Candidate(answer, chance, ranked.reasons)


def _is_figure(value: float | str | list[float] | list[str]) -> bool:
    return isinstance(value, float) or (isinstance(value, list) and all(isinstance(each, float) for each in value))


def _span_value(ranked: RankedSpan) -> float | str | list[float] | list[str]:
    """Returns a number if the answer is one figure; returns words for other answers, and for several figures of
    different scale or unit."""
    text, span = ranked.statement.text, ranked.span
    if span.parts:
        numbers = [value.number for value in span.values if value.number is not None]
        alike = len({(value.kind, value.scale, value.unit, value.currency) for value in span.values}) == 1
        if alike and len(numbers) == len(span.parts):
            return numbers
        return [" ".join(text[start:end].split()) for start, end in span.parts]
    if span.value is not None and span.value.number is not None and not span.with_cue:
        return span.value.number
    return " ".join(text[span.start : span.end].split())


def _answer_kind(ranked: RankedSpan) -> AnswerKind:
    span = ranked.span
    if span.parts:
        return "figure" if _is_figure(_span_value(ranked)) else "spans"
    if span.value is not None and span.value.kind == "date":
        return "date"
    if span.value is not None and span.value.number is not None:
        return "figure"
    return "sentence" if span.form == "whole" else "span"


def _prose_doubt(wanted: ProseQuestion, ranked: RankedSpan, chance: float, exact: float) -> Words | None:
    """Returns the warning for an answer, or ``None`` if it is likely that it is right and complete."""
    if wanted.main == "yesno":
        # A sentence on the subject is not in itself a yes or a no.
        return PERHAPS_NOT_THIS
    if min(chance, exact) >= DOUBTED_BELOW:
        return None
    if chance >= DOUBTED_BELOW and ranked.span.value is None:
        return PERHAPS_NOT_ALL
    return (
        PERHAPS_NOT_THIS if ranked.reasons["sentence_share"] < 0.5 or ranked.span.value is not None else PERHAPS_NOT_ALL
    )
