"""Shares code among the nodes that act on whole documents."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from core.errors import PalimpsestError
from core.events import Action, Notice, Response, Source
from core.figures.records import TableEvidence
from core.graph.answering.evidence import origin_of
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer
from core.graph.tracing import node_trace
from core.library.rereading import AGAIN
from core.models.capabilities import UNKNOWN_WINDOW
from core.models.chat import Purpose
from core.models.meter import Usage
from core.models.stream import StreamedPiece
from core.models.structured import PurposeModel
from core.review.actions.audit import Audit
from core.review.actions.comparison import Comparison
from core.review.actions.consistency.self_audit import SelfAudit
from core.review.actions.records import ActionResult, Progress, summary_document, whole_source
from core.words import Words

MATTER_ONLY: frozenset[Action] = frozenset(("summarize", "compare"))
"""Actions on a document's content only, without its cover and signatures."""

MOST_WITH_TABLES = 4
"""Maximum number of documents whose tables are searched."""

Act = Callable[[list[Source], PurposeModel | None, Progress], Awaitable[ActionResult]]


async def done_with_documents(
    services: Services, state: State, name: Literal["summarize", "compare", "audit"], step_name: str, act: Act
) -> State:
    """Loads the documents of the current action whole and runs ``act`` on them, with progress."""
    emit, trace = node_trace("a")
    began = time.monotonic()
    with trace.step(step_name) as step:

        def progress(done: int, total: int, words: Words) -> None:
            step.detail(words, done, total)

        sources = await whole_documents(services, state, matter_only=name in MATTER_ONLY)
        result = await act(sources, model_for(services, state, name), progress)
    for words in result.notices:
        emit(Notice(words=words))
    milliseconds = (time.monotonic() - began) * 1000
    response = response_of(services, state, name, result).model_copy(update={"milliseconds": milliseconds})
    return {"answer": TurnAnswer(response=response), "found": Found(sources=result.sources, confidence="high")}


def model_for(services: Services, state: State, purpose: Purpose) -> PurposeModel | None:
    return PurposeModel(services.models, state["asked"].ask.model, purpose) if services.models.configured else None


async def window_of(model: PurposeModel | None) -> int:
    """Returns the model's context window in tokens; the usual size if it is not known."""
    try:
        return await model.window() if model else UNKNOWN_WINDOW
    except PalimpsestError:
        return UNKNOWN_WINDOW


async def whole_documents(services: Services, state: State, matter_only: bool = False) -> list[Source]:
    """Returns whole documents numbered in the order they were named, each in reading order, including text that was
    found when they were reread.

    ``matter_only``: without covers, contents, signatures, lists of exhibits and boilerplate.
    """
    sources: list[Source] = []
    for document_id in state["asked"].document_ids or []:
        chunks = await services.library.chunks(state["asked"].user_id, document_id)
        items = [item for item in chunks if item.place.order < AGAIN]
        items = summary_document(items) if matter_only else items
        if items:
            sources.append(whole_source(len(sources) + 1, items))
    return sources


async def tables_of(services: Services, user_id: str, sources: Sequence[Source]) -> list[TableEvidence]:
    """Returns all tables of the first documents, in order; a document that cannot be read contributes none."""
    wanted = [source for source in sources if source.kind == "document"][:MOST_WITH_TABLES]
    found: list[TableEvidence] = []
    for source in wanted:
        document = await services.library.get(user_id, source.document_id)
        origin = origin_of(source, document)
        read = await services.tables.get(user_id, document)
        found += [TableEvidence(origin, index, table) for index, table in enumerate(read)]
    return found


def with_usage(services: Services, response: Response, used: Usage | StreamedPiece, model_id: str | None) -> Response:
    """Returns ``response`` with the cost of a further model call added; unchanged without a model."""
    tokens_in, tokens_out = response.tokens_in + used.tokens_in, response.tokens_out + used.tokens_out
    cost = services.models.cost(model_id, tokens_in, tokens_out) if model_id else response.cost
    return response.model_copy(update={"tokens_in": tokens_in, "tokens_out": tokens_out, "cost": cost})


def response_of(services: Services, state: State, name: Action, result: ActionResult) -> Response:
    model_id = services.models.resolve(state["asked"].ask.model) if services.models.configured else None
    used = result.usage
    return Response(
        kind="generated" if result.generated else "extractive",
        text=result.text,
        language=result.language,
        quotes=result.quotes,
        action=name,
        export=result.to_csv() if isinstance(result, Audit | Comparison | SelfAudit) else "",
        model=model_id if result.generated else None,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cost=services.models.cost(model_id, used.tokens_in, used.tokens_out) if model_id else None,
    )
