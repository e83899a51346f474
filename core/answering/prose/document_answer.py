"""Answers a question from one document, without a model: takes question and passages; returns the best line.

The line is a value with its label, a sentence, the list or sentence under the heading that names what is asked, or the
option that the document names. If nothing in the document answers the question, or the label that it asks for has no
value, there is no line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.answering.prose.asked_values import MEASURE, SAID, VALUED, is_verdict
from core.answering.prose.certainty import certainty
from core.answering.prose.document_ranking import (
    DocumentQuestion,
    RankedUnit,
    rank_units,
    read_document_question,
)
from core.answering.prose.document_units import Unit, document_units
from core.answering.prose.question import read_question
from core.answering.prose.tokens import tokens
from core.answering.prose.values import values_in
from core.answering.prose.vocabulary import vocabulary
from core.figures.records import Candidate, Similar, TextEvidence
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, AnswerKind, CellReference

LONGEST_LINE = 420
LISTED = 6
"""Number of list items under a heading that a line shows."""
BEARS = 0.62
"""Score below which a unit does not answer the question."""
SHARED, RELATED = 0.2, 0.35
"""Least share of the question's rare words that a unit must contain, or else its least similarity by embeddings."""
SURE = {"words": 1.21, "meaning": 1.66, "margin": 0.62, "label": 1.13, "exact": 0.86, "option": 0.81, "names": 1.15}
BIAS = -0.8
"""Weights and bias of the certainty; see "Answers from a named document" in ``docs/specification.md``."""
UNSURE = 0.75
"""Greatest certainty of a line that lacks the asked kind of value, or answers neither yes nor no."""
_CACHED = 32


@dataclass(frozen=True)
class DocumentAnswer:
    """The candidates from a document, best first. ``bears``: whether anything in it may answer the question; ``empty``
    is the label that the question asks for, if it has no value."""

    question: DocumentQuestion
    candidates: list[Candidate] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    bears: bool = True
    empty: str = ""


async def answer_from_document(
    question: AnalysedQuestion, passages: Sequence[TextEvidence], similar: Similar | None = None
) -> DocumentAnswer:
    """Returns the answer from the document with these ``passages`` in reading order."""
    asked = read_document_question(read_question(question.focus or question.text, question.language))
    units = await asyncio.to_thread(_units, tuple(passages))
    ranked = await rank_units(asked, units, similar)
    if not ranked:
        return DocumentAnswer(asked, bears=False)
    first = ranked[0]
    if first.unit.empty and first.reasons["exact"]:
        return DocumentAnswer(asked, bears=False, empty=first.unit.label)
    filled = [each for each in ranked if not _says_nothing(asked, each, units)]
    if asked.options:
        filled.sort(key=lambda each: not _names_an_option(each))
    if not filled or not _bears(asked, filled[0]):
        return DocumentAnswer(asked, bears=False)
    found = [_candidate(question, asked, units, filled, place) for place in range(min(3, len(filled)))]
    return DocumentAnswer(asked, found, [each.unit for each in filled[:3]])


def _says_nothing(asked: DocumentQuestion, ranked: RankedUnit, units: Sequence[Unit]) -> bool:
    """Returns whether a unit has no value, is a heading with nothing below it to show (one that names an option may
    answer), or only says yes or no where a kind of value is asked for."""
    unit = ranked.unit
    if unit.kind == "heading":
        return not ranked.options and len(_shown(ranked, units)) == 1
    return unit.empty or (asked.kind in VALUED and is_verdict(unit.text))


def _bears(asked: DocumentQuestion, ranked: RankedUnit) -> bool:
    """Returns whether a unit may answer the question: it shares rare words or its label, or it is similar. Of a
    question that names options, it must name one."""
    reasons = ranked.reasons
    if asked.options:
        return _names_an_option(ranked)
    named = any(reasons[name] > 0 for name in ("label", "label_kind", "names", "total", "counted"))
    related = reasons["words"] >= SHARED or reasons.get("meaning", RELATED) >= RELATED
    return ranked.score >= BEARS and (named or related)


def _names_an_option(ranked: RankedUnit) -> bool:
    """Returns whether a unit names exactly one option and is about what is asked; a letter or two may be anything."""
    if len(ranked.options) != 1:
        return False
    about = ranked.reasons["words"] >= SHARED
    return about or (len(ranked.options[0]) > 3 and ranked.reasons.get("meaning", 0.0) >= RELATED)


_units = lru_cache(maxsize=_CACHED)(document_units)


def _candidate(
    question: AnalysedQuestion, asked: DocumentQuestion, units: Sequence[Unit], ranked: Sequence[RankedUnit], place: int
) -> Candidate:
    each = ranked[place]
    parts = _shown(each, units)
    text = _line(each, parts)
    number = each.unit.passage.origin.number
    cells = [_reference(part) for part in parts]
    value, kind = _value(asked, each, parts)
    counted = _counted_number(each)
    if counted is not None:
        text, value, kind = f"{counted:g}: {text}", counted, "count"
    if len(each.options) == 1:
        lead = "" if each.unit.kind == "field" else f"{_capital(each.options[0])}: "
        text, value, kind = f"{lead}{text}", each.options[0], "choice"
    behind = ranked[place + 1].score if place + 1 < len(ranked) else 0.0
    reasons = {**each.reasons, "margin": max(0.0, each.score - behind), "score": each.score}
    answer = Answer(
        kind=kind, line=f"{_cut(text)} [{number}]", value=value, cells=cells, entity=next(iter(question.entities), None)
    )
    sureness = certainty(reasons, SURE, BIAS)
    return Candidate(answer, sureness if _gives_what_is_asked(asked, reasons) else min(UNSURE, sureness), reasons)


def _gives_what_is_asked(asked: DocumentQuestion, reasons: Mapping[str, float]) -> bool:
    """Returns whether a line gives the asked kind of value or one of the options; a count must count what is asked."""
    if asked.options or asked.kind == "yesno":
        return bool(asked.options) and reasons["option"] > 0
    if asked.kind == "count":
        return any(reasons[name] >= SAID for name in ("counted", "total", "label"))
    return asked.kind not in VALUED or reasons["value"] > 0


def _shown(ranked: RankedUnit, units: Sequence[Unit]) -> list[Unit]:
    """Returns the units that answer: the unit itself, or what is under it if it is a heading."""
    unit = ranked.unit
    if unit.kind != "heading" or ranked.options:
        return [unit]
    below = list(units[unit.order + 1 : unit.order + 1 + LISTED])
    if not below or below[0].kind == "heading":
        return [unit]
    if below[0].kind == "item":
        items = []
        for other in below:
            if other.kind != "item" or other.headings != below[0].headings:
                break
            items.append(other)
        return [unit, *items]
    return [unit, below[0]]


def _line(ranked: RankedUnit, parts: Sequence[Unit]) -> str:
    if len(parts) == 1:
        return parts[0].line
    heading = parts[0].text.rstrip(" :.")
    return f"{heading}: {'; '.join(part.line.rstrip(' ;') for part in parts[1:])}"


def _reference(unit: Unit) -> CellReference:
    return unit.passage.reference(unit.quote)


def _value(asked: DocumentQuestion, ranked: RankedUnit, parts: Sequence[Unit]) -> tuple[float | str, AnswerKind]:
    text = parts[-1].text if len(parts) <= 2 else "; ".join(part.text for part in parts[1:])
    unit = ranked.unit
    if len(parts) > 1:
        return text, "span"
    held = vocabulary().kinds["count" if asked.kind == MEASURE else asked.kind].held
    figures = [value for value in values_in(unit.text) if value.kind in held and value.number is not None]
    if len(figures) == 1 and figures[0].number is not None:
        return figures[0].number * figures[0].scale, "figure"
    return text, "span" if unit.kind == "field" else "sentence"


def _counted_number(ranked: RankedUnit) -> float | None:
    """Returns the number that a text writes in words before what is counted ("a single arm")."""
    if ranked.reasons["counted"] < SAID:
        return None
    words = [token for token in tokens(ranked.unit.text) if token.word]
    if any(token.text.isdigit() for token in words):
        return None
    return next((number for token in words if (number := vocabulary().numbers.get(token.folded))), None)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE].rsplit(" ", 1)[0] + " …"
