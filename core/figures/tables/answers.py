"""Answers a question from tables without a language model: returns candidates, best first."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.figures.cells.answers import NAMED, answer_from_named_cells
from core.figures.cells.extremes import answer_from_extremes
from core.figures.records import Candidate, Evidence, Similar
from core.figures.tables.calculation import WORK
from core.figures.tables.cell_values import reference
from core.figures.tables.confidence import DOUBTFUL, sureness_of
from core.figures.tables.counting import CHOOSE
from core.figures.tables.first_line import line_of
from core.figures.tables.grid import TableGrid, table_grid
from core.figures.tables.lookup import differ_in_length, period_fit
from core.figures.tables.missing_headers import with_guessed_headers
from core.figures.tables.result import Result
from core.figures.tables.row_remarks import with_row_remarks
from core.figures.tables.scale_from_text import scaled
from core.figures.tables.series import SeriesLookup
from core.figures.tables.table_choice import table_similarity, weighed_by_similarity
from core.library.tables.packing import unpack
from core.library.tables.records import Table
from core.lru_cache import LruCache
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.measures.vocabulary import doubt
from core.question.operation import QuestionOperation, without_average
from core.question.rules import Operation
from core.question.stems import stems
from core.records.answer import MOST_CELLS, Answer

MOST_TABLES = 10
MOST_CANDIDATES = 8
_UNSURE = 0.4
"""If the best certainty is below this, labels are also compared by embeddings."""
MEANT_AT_MOST = 0.5
_MOST_MEANT, _MOST_LABELS = 3, 40
"""Maximum certainty of an answer whose label matches only by embeddings."""
_LEAST_ALIKE = 0.6
"""Minimum similarity by embeddings for a match; below it, any two phrases of one field are about equally similar."""
_BY_ROW = message("answering.answers.by_row")
_BY_PERIOD = message("answering.answers.by_period")
_LEAST_TIMED = 0.85
_NOT_ITS_LENGTH = doubt("year to date")
OTHER_LENGTH = 0.6
"""Factor on the certainty of a figure for a longer time than the question names."""
_LEAST_COVERED = 0.1
PeriodsByDocument = Mapping[str, tuple[str, ...]]
_UNPACKED: LruCache[bytes, Table] = LruCache(2)
_NAMED_BY_ROWS = frozenset(("change", "percentage change", "average", "sum", "share", "ratio", "parts", "count parts"))


async def answer_from_tables(
    question: AnalysedQuestion, evidence: Evidence, similar: Similar | None
) -> list[Candidate]:
    """Returns candidates from the tables, most certain first; empty if nothing matches.

    >>> from core.figures.records import Origin, TableEvidence
    >>> from core.library.extract.table import table_block
    >>> block = table_block([["Workshop", "Monthly rent"], ["North", "7,250"], ["South", "6,900"]])
    >>> evidence = Evidence((TableEvidence(Origin(1, "doc_1"), 0, block.table, score=1.0),))
    >>> question = AnalysedQuestion("What is the monthly rent of South?", "en", "What is the monthly rent of South?")
    >>> run(answer_from_tables(question, evidence, None))[0].answer.value
    6900.0
    """
    asked = question.operation
    sheets, found = await asyncio.to_thread(_by_words, question, asked, evidence)
    if found and NAMED in found[0].reasons:
        return found
    if similar is not None and asked.operation in WORK and not asked.wordy and _highest_sureness(found) < _UNSURE:
        alike = await _labels_by_meaning(similar, asked.phrases[0], sheets)
        found += (
            [_by_meaning(each) for each in await asyncio.to_thread(_all, question, asked, sheets, alike)]
            if alike
            else []
        )
    return _best(found)


def answer_from_large_tables(
    question: AnalysedQuestion, evidence: Evidence, periods: PeriodsByDocument
) -> list[Candidate]:
    """Works like ``answer_from_tables``, but only by keyword, for tables stored in packed form; runs in a worker
    process.

    Args:
        periods: the periods that each document covers, by its id.
    """
    asked = question.operation
    tables = []
    for each in evidence.tables[:MOST_TABLES]:
        covered = periods.get(each.origin.document_id, ())
        tables.append(replace(each, table=_unpacked(each.table, covered)) if each.table.blocks else each)
    return _best(_by_words(question, asked, replace(evidence, tables=tuple(tables)))[1])


def _unpacked(packed: Table, periods: tuple[str, ...]) -> Table:
    """Returns a packed table with all its rows, cached in this process, since users often ask about the same table
    again."""
    key = hashlib.sha256(repr((periods, packed.blocks)).encode()).digest()
    table = _UNPACKED.use(key)
    if table is None:
        table = _UNPACKED[key] = with_guessed_headers(unpack(packed), periods)
    return table


def _by_words(
    question: AnalysedQuestion, asked: QuestionOperation, evidence: Evidence
) -> tuple[list[TableGrid], list[Candidate]]:
    tables = with_row_remarks(scaled(evidence.tables[:MOST_TABLES], evidence.texts), evidence.texts)
    sheets = [table_grid(each) for each in tables]
    named = answer_from_named_cells(question, asked, sheets, evidence.texts)
    named = named or answer_from_extremes(question, asked, sheets)
    return sheets, named or _all(question, asked, sheets, {})


def _best(found: list[Candidate]) -> list[Candidate]:
    if found and NAMED in found[0].reasons:
        return found
    return [_doubted(each) for each in _without_repetitions(weighed_by_similarity(found))[:MOST_CANDIDATES]]


async def _labels_by_meaning(similar: Similar, phrase: str, sheets: Sequence[TableGrid]) -> dict[str, float]:
    """Returns the labels in the first tables whose embeddings are similar to that of ``phrase``, with the similarity,
    0..1; only the best labels and those close to them."""
    rows = (row for sheet in sheets[:_MOST_MEANT] for row in sheet.rows if row.has_figures and row.own)
    labels = list(dict.fromkeys(row.label for row in rows))[:_MOST_LABELS]
    if not labels:
        return {}
    found = dict(zip(labels, await similar(phrase, labels), strict=True))
    best = max(found.values())
    return {label: alike for label, alike in found.items() if alike >= max(_LEAST_ALIKE, 0.9 * best)}


def _all(
    question: AnalysedQuestion, asked: QuestionOperation, sheets: Sequence[TableGrid], alike: Mapping[str, float]
) -> list[Candidate]:
    """Returns the candidates from all tables."""
    found: list[Candidate] = []
    for rank, sheet in enumerate(sheets):
        desk = SeriesLookup(sheet, asked, question, alike)
        score = sheet.evidence.score
        beside = max((other.evidence.score for other in sheets if other is not sheet), default=0.0)
        extra = {"table": score, "first": float(rank == 0), "ahead": max(0.0, score - beside)}
        extra["statement"] = table_similarity(sheet, asked.phrases)
        found += [_table_candidate(desk, result, extra) for result in _results(desk)]
    return found


def _highest_sureness(candidates: Sequence[Candidate]) -> float:
    return max((each.sureness for each in candidates), default=0.0)


def _by_meaning(candidate: Candidate) -> Candidate:
    """Limits the certainty of a candidate found by embeddings: labels with similar embeddings rarely mean the same
    figure."""
    sureness = min(candidate.sureness, MEANT_AT_MOST)
    return replace(candidate, sureness=sureness, reasons={**candidate.reasons, "by meaning": 1.0})


def _results(desk: SeriesLookup) -> list[Result]:
    """Returns the results of the operation; if its words may also be part of a row's name, also the results of looking
    up that row."""
    asked = desk.asked
    work = {**WORK, **CHOOSE}[asked.operation]
    found = [_with_reasons(result, clear=1.0) for result in work(desk)]
    if asked.average and asked.operation in ("change", "percentage change"):
        mean = replace(asked, operation="average", phrases=(without_average(asked.phrase),))
        found += [
            _with_reasons(each, clear=0.5) for each in WORK["average"](SeriesLookup(desk.sheet, mean, desk.question))
        ]
    if asked.operation in _NAMED_BY_ROWS:
        plain = SeriesLookup(
            desk.sheet, replace(asked, operation="value", phrases=(asked.phrase,), sides=(), total=False), desk.question
        )
        triggers = set(stems(asked.phrase)) - {stem for phrase in asked.phrases for stem in stems(phrase)}
        alone = not found and asked.operation in ("average", "sum")
        found += [
            _with_reasons(result, clear=0.0)
            for result in WORK["value"](plain)
            if (alone or _is_in_labels(desk, result, triggers)) and _is_of_kind(asked.operation, result)
        ]
    return [
        result for result in found if result.reasons.get("covered", 1.0) >= _LEAST_COVERED or "listed" in result.reasons
    ]


def _is_of_kind(operation: Operation, result: Result) -> bool:
    """Returns whether a printed change is in per cent or an amount, as the question requests."""
    if operation not in ("change", "percentage change"):
        return True
    return (result.unit == "%") == (operation == "percentage change")


def _is_in_labels(desk: SeriesLookup, result: Result, triggers: set[str]) -> bool:
    """Returns whether the words for the operation are part of the row labels: "average price", "increase in cash"."""
    lines = [line for row, column in result.places for line in (desk.sheet.rows[row], desk.sheet.column(row, column))]
    return any(triggers & set(line.own) for line in lines)


def _with_reasons(result: Result, **reasons: float) -> Result:
    return replace(result, reasons={**result.reasons, **reasons})


def _table_candidate(desk: SeriesLookup, result: Result, extra: dict[str, float]) -> Candidate:
    reasons = _derived_reasons({**result.reasons, **extra}, desk, result)
    sureness = sureness_of(reasons)
    is_amount = result.kind in ("figure", "calculation")
    answer = Answer(
        kind=result.kind,
        line=line_of(desk, result, desk.question.language),
        value=result.value,
        unit=result.unit if is_amount else None,
        scale=result.scale if is_amount else 1.0,
        currency=result.currency if is_amount and result.unit is None else None,
        period=result.period,
        entity=desk.question.entities[0] if desk.question.entities else None,
        metric=result.names[0] if result.names else None,
        cells=[reference(desk.sheet, place) for place in result.places[:MOST_CELLS]],
        more_cells=max(0, len(result.places) - MOST_CELLS),
        calculation=result.calculation if result.kind == "calculation" else "",
    )
    made = Candidate(answer, sureness, reasons)
    return made.doubted(_NOT_ITS_LENGTH, sureness * OTHER_LENGTH) if _is_of_another_length(desk, result) else made


def _is_of_another_length(desk: SeriesLookup, result: Result) -> bool:
    """Returns whether a cell covers another time than any requested period, but ends with one: nine months for a
    quarter."""
    asked = desk.periods
    keys = {key for place in result.places if (key := desk.sheet.period(*place))}
    return any(
        any(differ_in_length(period, key) for period in asked)
        and not any(period_fit(period, key, desk.sheet.evidence.origin.periods) >= _LEAST_TIMED for period in asked)
        for key in keys
    )


def _doubted(candidate: Candidate) -> Candidate:
    """Adds a warning if the result is too uncertain to rely on."""
    if candidate.sureness >= DOUBTFUL or candidate.answer.doubt is not None:
        return candidate
    doubt = _BY_PERIOD if candidate.reasons.get("timed", 1.0) < _LEAST_TIMED else _BY_ROW
    return candidate.doubted(doubt)


_FULL, _ENOUGH, _MANY_WORDS = 0.95, 0.3, 6


def _derived_reasons(reasons: dict[str, float], desk: SeriesLookup, result: Result) -> dict[str, float]:
    """Returns the features with those derived from them added, as in training."""
    covered, explained = reasons.get("covered", 0.0), reasons.get("explained", 0.0)
    words = stems(" ".join(desk.asked.phrases))
    return {
        **reasons,
        "full": float(covered >= _FULL),
        "exact": float(covered >= _FULL and explained >= _FULL),
        "apart": min(1.0, reasons.get("margin", 0.0) / _ENOUGH),
        "wordy": float(desk.asked.wordy),
        "dated": float(bool(desk.periods)),
        "long": min(1.0, len(words) / _MANY_WORDS),
        "figure": float(result.kind == "figure"),
        "unscaled": float(_is_money(result) and desk.sheet.evidence.table.units is None and result.scale == 1.0),
        "negative": float(any((desk.sheet.cell(*place).value or 0.0) < 0 for place in result.places)),
        "of many": min(1.0, len(result.places) / _MANY_WORDS),
        f"is {result.what}": 1.0,
    }


def _is_money(result: Result) -> bool:
    return result.kind in ("figure", "calculation") and result.unit is None and result.what != "ratio"


def _without_repetitions(candidates: list[Candidate]) -> list[Candidate]:
    """Removes candidates that repeat the answer of an earlier one."""
    kept: dict[tuple[str, ...], Candidate] = {}
    for each in candidates:
        answer = each.answer
        kept.setdefault((str(answer.value), str(answer.unit), str(answer.scale)), each)
    return list(kept.values())
