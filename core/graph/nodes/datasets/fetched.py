"""Computes an answer over rows that a tool has fetched for the question and kept as a dataset."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.datasets.query.model import Condition, DataQuery, Group, Measure
from core.datasets.records import Dataset
from core.datasets.words.charts import without_chart
from core.datasets.words.understanding import Understood
from core.errors import PalimpsestError
from core.events import Notice, Sources
from core.graph.computing import computed
from core.graph.nodes.datasets.queried import MOST_QUERIES
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full
from core.messages import message
from core.question.analysed import analysed
from core.runs.trace import Emit, Trace
from core.tools.datagov.decomposition import without_source
from core.tools.records import ToolOutcome
from core.tools.tool import Cell, KeptRows

log = logging.getLogger(__name__)


async def compute_fetched(
    services: Services, state: State, outcomes: Sequence[ToolOutcome], emit: Emit, trace: Trace
) -> State:
    """Adds the computed answer if the question counts, adds up, compares or ranks the rows; otherwise only the query
    of these rows, for questions that follow. Adds nothing if no rows were kept, or if they cannot be computed."""
    kept = next((rows for each in outcomes if each.result for rows in each.result.kept), None)
    if kept is None:
        return {}
    try:
        return await _computed(services, state, kept, emit, trace)
    except PalimpsestError:
        log.warning("an answer over fetched rows could not be computed", exc_info=True)
        return {}


async def _computed(services: Services, state: State, kept: KeptRows, emit: Emit, trace: Trace) -> State:
    asked = state["asked"]
    datasets = await services.datasets.known(asked.user_id, [kept.document_id])
    text, chart = without_chart(without_source(asked_in_full(state)))
    with trace.step("understanding_data"):
        question = analysed(text, asked.question_language)
        understood = await services.datasets.understand(asked.user_id, question, datasets)
    if not isinstance(understood, Understood) or not _computes(understood.query) or not _fits(understood, kept):
        understood = Understood(_query_of(kept, datasets[0]), is_sure=False)
    queries = [*state.get("last_queries", []), understood.query.model_dump_json()][-MOST_QUERIES:]
    if not _computes(understood.query):
        return {"last_queries": queries, "last_unsure": False}
    with trace.step("computing") as step:
        found = await computed(services, state, understood, chart)
        step.detail(message("graph.computing.used", used=found.used, total=found.total))
    emit(Sources(sources=found.sources, confidence=found.confidence))
    for words in kept.notes:
        emit(Notice(words=words))
    return {
        "found": Found(planned=[found.answer], sources=found.sources, confidence=found.confidence, sufficient=True),
        "last_queries": queries,
        "last_unsure": not understood.is_sure,
    }


def _computes(query: DataQuery) -> bool:
    """Returns whether a query does more than list rows."""
    return bool(query.measures or query.order)


def _fits(understood: Understood, kept: KeptRows) -> bool:
    """Returns whether a reading is sure, or the tool understood that rows are counted or added up and the reading has
    all its filters."""
    limited = {each.column for each in understood.query.where if isinstance(each, Condition)}
    return understood.is_sure or (kept.is_counted and set(kept.filters) <= limited)


def _query_of(kept: KeptRows, dataset: Dataset) -> DataQuery:
    """Returns the query that the tool understood, over the columns that the dataset has."""
    sums = [name for name in kept.sums if (column := dataset.column(name)) and column.is_numeric]
    measures = [Measure(function="sum", column=name) for name in sums]
    if not measures and kept.is_counted:
        measures = [Measure(function="count")]
    return DataQuery(
        dataset=dataset.id,
        where=[_condition(name, values) for name, values in kept.filters.items() if dataset.column(name)],
        group=[Group(column=name) for name in kept.groups if measures and dataset.column(name)],
        measures=measures,
    )


def _condition(name: str, values: Sequence[Cell]) -> Condition:
    held = [value for value in values if value is not None]
    return Condition(column=name, op="in", value=held) if len(held) > 1 else Condition(column=name, value=held[0])
