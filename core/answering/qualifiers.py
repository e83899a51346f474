"""Finds words that restrict a question but are missing in an answer: names, and labels of other rows or columns.

"Revenue in Japan" is not similar to "revenue": it is a different figure. Two kinds of words restrict a question: names,
and words that are the whole label of another row or column of the document. An answer that lacks such a word may be the
total, or another entity's figure, and must not be called certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from core.answering.prose.features import GROUPS
from core.answering.prose.question import read_question
from core.figures.records import Candidate, Evidence, Origin, TableEvidence
from core.language.entities.calendar_words import OLD_YEAR
from core.language.entities.periods import periods_in, without_periods
from core.language.fields import named_figures, statement_spans
from core.language.vocabulary import phrase_of
from core.library.tables.records import Table
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.per_unit import is_by_unit, not_by_unit, unit_asked
from core.question.rare_terms import rare_terms
from core.question.rules import rules
from core.question.stems import stem_of, stems
from core.records.answer import CellReference
from core.words import Words

UNMET = 0.16
"""Maximum certainty of an answer that ignores a qualifier, so that it ranks below answers that contain it."""

_ONE_FIGURE = message("answering.qualifiers.one_figure")

_YEAR = re.compile(rf"(?<!\d){OLD_YEAR}(?!\d)")
_WORKED = (
    "total overall sum average mean change changes increase decrease growth difference variance percent ratio rate "
    f"year quarter month {phrase_of('answering/questions.qualifiers.reckoned')}"
)
"""Words for operations on figures and for periods. They restrict nothing, although they may also be column headings."""

Key = tuple[str, int]
Label = tuple[int, str, frozenset[str]]
"""A label: the index of its table, its text, and its stems."""


@dataclass(frozen=True)
class Background:
    """The documents' content with which candidates are compared: tables by document and number, passages by id."""

    tables: Mapping[Key, TableEvidence]
    passages: Mapping[str, str]

    @cached_property
    def telling_labels(self) -> dict[str, list[Label]]:
        """Labels that restrict something, by document, in the order of ``tables``; of labels with the same stems, only
        the first."""
        found: dict[tuple[str, frozenset[str]], Label] = {}
        for place, ((document_id, _), evidence) in enumerate(self.tables.items()):
            for label in _labels(evidence.table):
                wanted = frozenset(stems(label))
                if wanted - _weak():
                    found.setdefault((document_id, wanted), (place, label, wanted))
        by_document: dict[str, list[Label]] = {}
        for (document_id, _), each in found.items():
            by_document.setdefault(document_id, []).append(each)
        return by_document

    @classmethod
    def of(cls, evidence: Evidence, statements: Sequence[TableEvidence]) -> Background:
        tables = {(each.origin.document_id, each.index): each for each in (*statements, *evidence.tables)}
        passages = {each.item_id: " ".join((*each.path, *_called(each.origin))) for each in evidence.texts}
        return cls(tables, passages)


def doubted_by_qualifiers(question: AnalysedQuestion, candidate: Candidate, background: Background) -> Candidate:
    """Returns the candidate unchanged if it contains all qualifiers; otherwise with a warning that names the missing
    ones. A candidate of the wrong kind (words instead of a figure) gets certainty 0."""
    if not candidate.answer.cells:
        return candidate
    if _is_of_another_kind(question, candidate):
        return replace(candidate, sureness=0.0)
    missing = unstated_qualifiers(question, candidate, background)
    doubt = _missing_qualifiers_doubt(missing) if missing else _kind_of_doubt(question, candidate, background)
    return candidate if doubt is None else candidate.doubted(doubt, UNMET)


def _kind_of_doubt(question: AnalysedQuestion, candidate: Candidate, background: Background) -> Words | None:
    if _is_one_of_several(question, candidate):
        return _ONE_FIGURE
    unit = unit_asked(question.focus or question.text)
    by_unit = unit is None or is_by_unit(unit, candidate.answer, _candidate_words(candidate, background))
    return None if unit is None or by_unit else not_by_unit(unit)


def _is_of_another_kind(question: AnalysedQuestion, candidate: Candidate) -> bool:
    """Returns whether the answer consists of words although a figure or a date was requested; then it may be quoted,
    but it is no answer."""
    value = candidate.answer.value
    values = value if isinstance(value, list) else [value]
    kind = read_question(question.focus, question.language).main
    if kind == "date":
        return not any(periods_in(text) or _YEAR.search(text) for text in map(str, values))
    named = kind in GROUPS["open"] and candidate.answer.kind == "span" and bool(named_figures(question.focus))
    if not named and kind not in GROUPS["figures"]:
        return False
    return not any(isinstance(each, float | int) or _holds_a_number(str(each)) for each in values)


def _holds_a_number(text: str) -> bool:
    """Returns whether the text has a number other than dates and years."""
    return any(map(str.isdigit, without_periods(text)))


def _is_one_of_several(question: AnalysedQuestion, candidate: Candidate) -> bool:
    """Returns whether the answer is one figure from a sentence although figures for several periods were requested."""
    answer = candidate.answer
    return len(question.periods) > 1 and answer.kind == "figure" and answer.cells[0].table is None


def unstated_qualifiers(question: AnalysedQuestion, candidate: Candidate, background: Background) -> list[str]:
    """Returns the question's names, and the complete labels that it contains, if the candidate does not mention
    them."""
    stated = set(stems(" ".join(_candidate_words(candidate, background))))
    names = [name for name in rare_terms(question.focus, question.entities) if not _is_said(name, stated)]
    if names or candidate.answer.cells[0].table is None:
        return names
    left = set(stems(_left(question))) - stated
    documents = {cell.document_id for cell in candidate.answer.cells}
    labels = (label for document_id in documents for label in background.telling_labels.get(document_id, ()))
    named = min((label for label in labels if label[2] <= left), key=lambda label: label[0], default=None)
    return [named[1]] if named else []


def _is_said(name: str, stated: set[str]) -> bool:
    return all(each in stated for each in stems(name))


@cache
def _weak() -> frozenset[str]:
    """Returns the stems of words in column headings that are too general to restrict anything: "amount", "total"."""
    return frozenset((*map(stem_of, rules().weak), *stems(_WORKED)))


def _left(question: AnalysedQuestion) -> str:
    """Returns what is left of the question without figures, statements, periods and organisations."""
    text = question.focus
    spans = [(each.start, each.start + len(each.text)) for each in named_figures(text)]
    spans += [(each.start, each.end) for each in periods_in(text)]
    spans += statement_spans(text)
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    for name in question.entities:
        for word in name.split():
            text = text.replace(word, " ")
    return text


def _candidate_words(candidate: Candidate, background: Background) -> Iterator[str]:
    for cell in candidate.answer.cells:
        yield from (cell.label, cell.header, cell.text, background.passages.get(cell.item_id, ""))
        yield from _surrounding_texts(cell, background)


def _surrounding_texts(cell: CellReference, background: Background) -> Iterator[str]:
    evidence = background.tables.get((cell.document_id, cell.table)) if cell.table is not None else None
    if evidence is None or cell.row is None:
        return
    table = evidence.table
    yield from _called(evidence.origin)
    yield table.caption or ""
    yield table.stub or ""
    yield from evidence.path
    yield from table.rows[cell.row].parents if cell.row < len(table.rows) else ()


def _called(origin: Origin) -> Iterator[str]:
    """Yields a document's names and its organisations, which rows do not repeat."""
    yield from (origin.title, Path(origin.filename).stem.replace("_", " ").replace("-", " "), *origin.names)


def _labels(table: Table) -> Iterator[str]:
    yield from (row.label for row in table.rows)
    yield from (part for column in table.columns for part in column.header)


def _missing_qualifiers_doubt(missing: Sequence[str]) -> Words:
    names = ", ".join(f"“{name}”" for name in missing)
    return message("answering.qualifiers.doubt", names=names)
