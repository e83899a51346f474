"""Computes the answer from datasets if the question asks about their rows."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from core.datasets.fetched.origin import is_partial, origins_of
from core.datasets.query.model import DataQuery
from core.datasets.words.charts import without_chart
from core.datasets.words.phrases.conversions import converted, without_rate
from core.datasets.words.phrases.file_names import without_file_name
from core.datasets.words.understanding import Absent, Ambiguity, Evidence, Understanding, Understood
from core.errors import PalimpsestError
from core.events import Notice, Response, Sources
from core.graph.computing import absent_text, computed, not_computed
from core.graph.nodes.datasets.data_files import DataFiles, data_files
from core.graph.nodes.datasets.queried import MOST_QUERIES
from core.graph.pending_uploads import wait_for_documents
from core.graph.services import Services
from core.graph.state import DataReading, Found, State, TurnAnswer, Waiting
from core.graph.tools.model_toolbox import can_query
from core.graph.tracing import node_trace
from core.graph.understanding.intent.rules import asks_several
from core.library.records import Document
from core.messages import message
from core.question.analysed import analysed
from core.records.data_answer import ChartKind
from core.runs.trace import Emit, Trace
from core.tools.datagov.decomposition import names_open_data
from core.words import Language

log = logging.getLogger(__name__)

COMPUTED = ("inquire", "compare")
"""Actions whose question may be computed from datasets."""


async def compute(services: Services, state: State) -> State:
    """Adds the computed answer; or the readings to choose from; or an answer that says what the data do not have. An
    unsure reading is left to a model that can query the data. Adds nothing to any other question, or if computing
    fails; the user learns why a query was stopped."""
    asked = state["asked"]
    if asked.action not in COMPUTED or asked.ask.follows or state["found"].planned:
        return {}
    emit, trace = node_trace("v")
    readiness = await wait_for_documents(services, state, emit, trace)
    waited: State = {
        "found": Found(awaited=[each.id for each in readiness.waiting]),
        "waiting": Waiting(waited=True),
    }
    try:
        files = await data_files(services, state)
        if files.unread is not None:
            return {**waited, "answer": TurnAnswer(response=_unread(files.unread, asked.language))}
        if not files.datasets or names_open_data(asked.text):
            return waited
        chosen = state["waiting"].data_reading
        text, chart = without_chart(asked.text)
        if chosen is not None:
            understood: Understanding = Understood(DataQuery.model_validate_json(chosen.query), chosen.is_sure)
        else:
            understood = await _understood(services, state, text, files, trace)
        if isinstance(understood, Understood) and chosen is None and await _is_left(services, state, understood):
            unsure = Found(unsure_query=understood.query.model_dump_json(), confidence="medium", sufficient=True)
            return {"found": waited["found"] | unsure, "waiting": waited["waiting"]}
        if isinstance(understood, Understood):
            is_shown = chosen is not None or files.are_all or files.is_named or understood.evidence.follows
            return await _answered(services, state, understood, chart, is_shown, trace, emit) or waited
    except PalimpsestError as error:
        log.warning("a question over datasets could not be computed: %s", error)
        emit(Notice(words=not_computed(error.problem)))
        return waited
    except Exception:
        # Any other part of the product can still answer.
        log.warning("a question over datasets could not be computed", exc_info=True)
        return waited
    # A later follow-up question continues the answer of another part.
    return await _without_result(services, state, understood) or {**waited, "last_queries": []}


async def _without_result(services: Services, state: State, understood: Understanding) -> State | None:
    """Returns the readings to choose from, or the answer that says what the data do not have."""
    if isinstance(understood, Ambiguity):
        readings = [
            DataReading(name=each.name, query=each.query.model_dump_json(), is_sure=understood.is_sure)
            for each in understood.options
        ]
        return {"waiting": Waiting(data_readings=readings, data_word=understood.word)}
    if isinstance(understood, Absent):
        language = state["asked"].language
        text = "\n\n".join([absent_text(understood, language), *await _limits(services, state, understood)])
        return {"answer": TurnAnswer(response=Response(kind="nothing_found", text=text, language=language))}
    return None


def _unread(document: Document, language: Language) -> Response:
    key = "not_read" if document.state == "failed" else "being_read"
    text = message(f"graph.computing.{key}", name=document.filename).to(language)
    return Response(kind="told", text=text, language=language)


async def _answered(
    services: Services,
    state: State,
    understood: Understood,
    chart: ChartKind | None,
    is_shown: bool,
    trace: Trace,
    emit: Emit,
) -> State | None:
    """Runs the query and adds its answer; ``None`` if the result is doubtful and other documents may answer, unless
    ``is_shown``: it is shown even then."""
    with trace.step("computing") as step:
        found = await computed(services, state, understood, chart)
        step.detail(message("graph.computing.used", used=found.used, total=found.total))
    if found.confidence != "high" and not is_shown:
        return None
    emit(Sources(sources=found.sources, confidence=found.confidence))
    return {
        "found": Found(planned=[found.answer], sources=found.sources, confidence=found.confidence, sufficient=True),
        "waiting": Waiting(data_readings=[], data_reading=None),
        "last_queries": [*state.get("last_queries", []), found.query][-MOST_QUERIES:],
        "last_unsure": not understood.is_sure,
    }


async def _understood(services: Services, state: State, text: str, files: DataFiles, trace: Trace) -> Understanding:
    """Understands ``text``, the question without words about a chart, over the datasets that the conversation can see;
    if nothing is left of it, the query before it is repeated. ``None`` if reports may answer."""
    asked = state["asked"]
    previous = [DataQuery.model_validate_json(query) for query in state.get("last_queries", [])]
    text, rate = without_rate(without_file_name(text, files.filename) if files.filename else text)
    if previous and not any(map(str.isalnum, text)):
        again = Understood(previous[-1], is_sure=True, evidence=Evidence(follows=True))
        return converted(again, rate, files.datasets) if rate else again
    with trace.step("understanding_data"):
        question = analysed(text, asked.question_language)
        understood = await services.datasets.understand(asked.user_id, question, files.datasets, previous)
    understood = converted(understood, rate, files.datasets) if rate else understood
    if isinstance(understood, Understood) and state.get("last_unsure") and _continues(understood.query, previous):
        understood = replace(understood, is_sure=False)
    if isinstance(understood, Understood) and asks_several(text):
        understood = replace(understood, is_sure=False)  # One query answers one of the questions.
    return understood if files.answers(understood) else None


def _continues(query: DataQuery, previous: Sequence[DataQuery]) -> bool:
    """Returns whether a query measures the same as the one before it."""
    return bool(previous) and (query.dataset, query.measures) == (previous[-1].dataset, previous[-1].measures)


async def _limits(services: Services, state: State, absent: Absent) -> list[str]:
    """Returns what was fetched of open data that lacks something, if it was not everything."""
    fetched = [each.id for each in await services.turn.fetched(state)]
    datasets = await services.datasets.known(state["asked"].user_id, fetched) if fetched else []
    partial = [each for each in datasets if each.name == absent.dataset and is_partial(each)]
    return origins_of(partial, state["asked"].language)


async def _is_left(services: Services, state: State, understood: Understood) -> bool:
    """Returns whether a model decides what the question means: the reading is unsure, or the question has several
    parts, and there is a model that can query the data."""
    intent = state["asked"].intent
    is_open = not understood.is_sure or bool(intent and len(intent.parts) > 1)
    return is_open and await can_query(services, state)
