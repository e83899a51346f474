"""Makes the first line and the quotations of an answer from the closest sentences: takes sentences and the candidate
that was found in another way; returns an answer of the scale of honesty."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np

from core.answering.prose.line import subject_of_line
from core.answering.prose.question import ProseQuestion
from core.answering.prose.sentences import Statement
from core.answering.prose.tokens import ROOTED
from core.answering.prose.translated_value import translated_value, value_asked_for
from core.figures.records import Candidate
from core.figures.tables.confidence import HIGH
from core.graph.answering.closest import ClosestSentences
from core.graph.answering.yes_no import SAID, Verdict
from core.language.normalisation import fold
from core.language.stance import has
from core.messages import message
from core.records.answer import Answer, AnswerKind
from core.review.polarity import polarity
from core.words import Language

_CLOSEST = message("graph.first_line.unsure")
_CLAUSE_END = re.compile(r"[,;:]")


def rests_on_prose(candidate: Candidate) -> bool:
    """Returns whether the answer is from sentences, and not from a table or a calculation."""
    answer = candidate.answer
    return bool(answer.cells) and all(cell.table is None for cell in answer.cells) and not answer.calculation


def closest_candidate(closest: ClosestSentences, first: Candidate | None, language: Language) -> Candidate:
    """Returns the answer with the closest sentence. A short line of ``first`` is kept if it is from that sentence."""
    best = closest.ranked[0]
    found = closest.state == "found" and not closest.beside_tables
    if best.foreign:
        answer = _translated(closest, language)
    elif first and first.answer.cells[0].text == best.statement.text and _is_short_enough(closest, first):
        answer = first.answer
    else:
        answer = _sentence(closest)
    found = found and not (best.foreign and answer.doubt)
    answer = answer.model_copy(update={"doubt": None if found else answer.doubt or _CLOSEST, "decided": found})
    sureness = HIGH if found else min(first.sureness if first else 0.0, HIGH / 2)
    return replace(first, answer=answer, sureness=sureness) if first else Candidate(answer, sureness)


def _is_short_enough(closest: ClosestSentences, first: Candidate) -> bool:
    """Returns whether a candidate's line may be shorter than its sentence: it says yes or no, or gives the only value
    of the kind that the question asks for."""
    answer, best = first.answer, closest.ranked[0]
    if answer.kind == "choice":
        return True
    value = value_asked_for(closest.question, best)
    short = answer.kind in ("figure", "date", "span") and best.features["kind"] == 1.0
    return value is not None and short and best.statement.text[value.start : value.end] in answer.line


def _sentence(closest: ClosestSentences) -> Answer:
    quote, statement = closest.quote_of(closest.ranked[0]), closest.ranked[0].statement
    return Answer(
        kind="sentence",
        line=f"{quote.text} [{quote.number}]",
        value=quote.text,
        cells=[statement.passage.reference(statement.text)],
    )


def _translated(closest: ClosestSentences, language: Language) -> Answer:
    """Returns the value that is asked for in the question's language, or the sentence in its own."""
    best = closest.ranked[0]
    if said := _yes_or_no(closest.question, best.statement):
        line = f"{SAID[said].to(language)} [{closest.quote_of(best).number}]"
        return _sentence(closest).model_copy(update={"kind": "choice", "value": said, "line": line, "doubt": _CLOSEST})
    value = value_asked_for(closest.question, best)
    text = translated_value(value, best.statement.text, language) if value else None
    if value is None or text is None:
        return _sentence(closest)
    quote, subject = closest.quote_of(best), subject_of_line(closest.question)
    line = f"{subject}: {text} [{quote.number}]" if subject else f"{text} [{quote.number}]"
    kind: AnswerKind = "date" if value.kind == "date" else "span" if value.number is None else "figure"
    return Answer(
        kind=kind,
        line=line,
        value=text if value.number is None else value.number,
        scale=value.scale,
        currency=value.currency,
        cells=[best.statement.passage.reference(best.statement.text, value.unit, value.scale, value.currency)],
    )


def _yes_or_no(question: ProseQuestion, statement: Statement) -> Verdict | None:
    """Returns yes or no if the clause with most of the question's words allows or forbids without an exception; the
    words of two languages cannot be compared closely enough for a certain verdict."""
    asked = polarity(question.text)
    if question.main != "yesno" or asked.count or has(fold(statement.text), "exceptions"):
        return None
    clauses = _CLAUSE_END.split(statement.text)
    starts = np.cumsum([0, *(len(clause) + 1 for clause in clauses)])
    heard = statement.match.max(axis=0, initial=0.0) >= ROOTED
    places = np.array([token.start for token in statement.tokens])[heard]
    counts = [int(((places >= start) & (places < end)).sum()) for start, end in itertools.pairwise(starts.tolist())]
    if not counts or not max(counts) or counts.count(max(counts)) > 1:
        return None
    count = polarity(clauses[counts.index(max(counts))]).count
    return "no" if count == 1 else "yes" if count == 0 else None
