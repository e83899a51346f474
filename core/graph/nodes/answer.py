"""Writes the answer: with a model from the sources, or by quoting them without a model."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import datetime

from core.errors import PalimpsestError
from core.events import AssistantDelta, Event, Notice, Response, Source, Sources
from core.graph.answering.answer_form import numbers_asked
from core.graph.answering.budget import ROUNDS, shares_for
from core.graph.answering.corrections import prompt_lines
from core.graph.answering.dataset_schemas import OfferedDatasets, offered_datasets
from core.graph.answering.debate import debate
from core.graph.answering.evidence import asked_question
from core.graph.answering.extractive import quote
from core.graph.answering.generation import PartialAnswer, write
from core.graph.answering.meanwhile import quoted_meanwhile
from core.graph.answering.page_pictures import (
    EvidencePage,
    PagePicture,
    pages_with_pictures,
    pictures_for_model,
    sends_pictures,
)
from core.graph.answering.prompt import RECOLLECTED, AnswerPrompt, PromptInputs, build_prompt
from core.graph.answering.table_evidence import TableEvidenceFound, find_in_tables, with_line
from core.graph.memory.forgetting import ForgottenFacts
from core.graph.memory.meta import shown_meta
from core.graph.nodes.datasets.queried import queries_to_change, with_queried, with_unsure_reading
from core.graph.planning.step_search import steps_with_sources
from core.graph.records import Consultation
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer, Waiting, asked_in_full
from core.graph.tools.calling import ToolCalling, consulted
from core.graph.tools.early_answer import EarlyAnswer
from core.graph.tools.model_toolbox import model_toolbox
from core.graph.tools.offering import offered_tools
from core.graph.tools.toolbox import Toolbox
from core.graph.tracing import node_trace
from core.graph.understanding.documents.listing import likeliest, line_of
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.tone import tone_for
from core.messages import message
from core.models.context_overflow import ContextOverflowError
from core.models.stream import StreamedPiece
from core.models.structured import PurposeModel
from core.personality.tone import Tone
from core.runs.trace import Emit, Trace
from core.search.documents.acceptance import firmly_accepted, near
from core.search.documents.citations import check_citations
from core.search.documents.passage_numbers import numbered_by_passage
from core.tools.cited_passages import MOST_PERIODS
from core.tools.document_choice import unnamed_periods_of
from core.tools.manifest import capabilities
from core.words import Words

log = logging.getLogger(__name__)

MOST_LISTED = 30
"""Number of documents that a prompt lists if no passage was found."""
_ONLY_THOUGHT = message("graph.answer.only_thought")
_CUT_OFF = message("graph.answer.cut_off")
_BUDGET_ENDED = message("graph.answer.tool_budget")
_EARLY = message("graph.answer.early")


async def answer(services: Services, state: State) -> State:
    emit, trace = node_trace("g")
    began = time.monotonic()
    without_rows = state["found"].sources
    tables, unread = await asyncio.gather(_figures(services, state, trace, emit), _unread_pages(services, state))
    for page in unread:
        emit(Notice(words=page.words))
    numbered = await _numbered(services, state, tables, emit)
    state = {**state, "found": state["found"] | Found(sources=numbered, line=tables.answer)}
    toolbox = await _toolbox(services, state)
    response, shown = await _generated(services, state, trace, emit, toolbox)
    runs, turn = (toolbox.runs, toolbox.turn) if toolbox else ([], None)
    looked_up = Found(consulted=consulted(state, runs, turn))
    sources = [*state["found"].sources, *(toolbox.sources if toolbox else ())]
    for words in toolbox.notices if toolbox else ():
        emit(Notice(words=words))
    if isinstance(response, Consultation):
        emit(Sources(sources=sources, confidence=state["found"].confidence))
        return {
            "found": looked_up | Found(sources=sources, line=tables.answer),
            "waiting": Waiting(consultation=response),
        }
    queried: list[str] = []
    if response is None and state["found"].recollected is not None:
        response = state["found"].recollected.model_copy(update={"instead": True})
    elif response is None:
        sources = [*without_rows, *(toolbox.sources if toolbox else ())]
        seen: State = {**state, "found": state["found"] | Found(sources=sources)}
        seen = await with_unsure_reading(services, seen, emit)
        response, sources = await quote(services, seen, trace, emit)
        response = response.model_copy(update={"instead": services.models.configured})
    elif tables.answer is not None:
        response = await asyncio.to_thread(with_line, response, tables.answer, asked_in_full(state))
    elif toolbox:
        response, queried = await with_queried(services, state, response, toolbox.caller.evidence)
    if sources != state["found"].sources:
        emit(Sources(sources=sources, confidence=state["found"].confidence))
    response = response.model_copy(update={"milliseconds": (time.monotonic() - began) * 1000})
    meta = state["found"].meta
    looked_up |= Found(meta=shown_meta(meta, shown)) if meta and shown is not None else Found()
    return {
        "found": looked_up | Found(sources=sources),
        "answer": TurnAnswer(response=response),
        "waiting": Waiting(consultation=None),
        "last_queries": queries_to_change(state, queried),
    }


async def _figures(services: Services, state: State, trace: Trace, emit: Emit) -> TableEvidenceFound:
    """Returns what the tables give for a model; after the user was asked about a tool call, what they gave before."""
    if not services.models.configured or state["waiting"].consultation:
        return TableEvidenceFound(state["found"].sources, state["found"].line)
    return await find_in_tables(services, state, trace, emit)


async def _unread_pages(services: Services, state: State) -> list[EvidencePage]:
    """Returns the first page with a chart or a scan that no model sees."""
    if await sends_pictures(services, state):
        return []
    return (await pages_with_pictures(services, state))[:1]


async def _numbered(services: Services, state: State, tables: TableEvidenceFound, emit: Emit) -> list[Source]:
    """Returns the sources with a number for each passage, as a model cites them; unchanged without a model, and if the
    model goes on after the user was asked about a tool call."""
    if not services.models.configured or state["waiting"].consultation:
        return tables.sources
    lines = [*([tables.answer] if tables.answer else []), *state["found"].planned]
    cited = {cell.item_id for line in lines for cell in line.cells}
    documents = (await services.turn.by_id(state)).values()
    periods = {each.id: ", ".join(unnamed_periods_of(each)[:MOST_PERIODS]) for each in documents}
    numbered = numbered_by_passage(tables.sources, cited, periods)
    if numbered != tables.sources:
        emit(Sources(sources=numbered, confidence=state["found"].confidence))
    return numbered


async def _generated(
    services: Services, state: State, trace: Trace, emit: Emit, toolbox: Toolbox | None
) -> tuple[Response | Consultation | None, str | None]:
    """Generates the answer. Returns ``None`` if there is no model or it failed (the user is told why); then passages
    are quoted instead. Returns the progress so far if the user must be asked before a tool call. The second value is
    the text of the memories that the model was shown.

    Raises:
        PalimpsestError: the model stopped in the middle of an answer and there is nothing to quote; its text is kept.
    """
    if not services.models.configured:
        return None, None
    begun = False

    def watched(event: Event) -> None:
        nonlocal begun
        begun = begun or (isinstance(event, AssistantDelta))
        emit(event)

    try:
        return await _generate(services, state, trace, watched, toolbox)
    except PalimpsestError as error:
        if begun and not firmly_accepted([*state["found"].sources, *(toolbox.sources if toolbox else ())]):
            raise
        log.warning("the answer is quoted, because its model failed: %s", error)
        problem = error.problem
        emit(Notice(words=message("graph.answer.quoted_instead", what=problem.what, why=problem.why)))
        return None, None


async def _generate(
    services: Services, state: State, trace: Trace, emit: Emit, toolbox: Toolbox | None
) -> tuple[Response | Consultation | None, str | None]:
    """Returns ``None`` if the model wrote no usable answer; and the text of the memories that it was shown."""
    model_id = services.models.resolve(state["asked"].ask.model)
    with trace.step("generating") as step:
        so_far = state["waiting"].consultation
        writing = PartialAnswer(emit, step, Words.alike(model_id), text=so_far.written if so_far else "")
        async with quoted_meanwhile(services, state, writing):
            prompt, calling = await _written(services, state, writing, trace, toolbox)
    if calling and calling.waits:
        return calling.so_far.model_copy(update={"written": writing.text}), prompt.memory
    if not writing.text.strip():
        emit(Notice(words=_ONLY_THOUGHT))
        return None, None
    if writing.usage.cut_off:
        emit(Notice(words=_CUT_OFF))
    with trace.step("checking") as step:
        checked = check_citations(writing.text, prompt.numbers | _found_by_tools(state, toolbox, calling))
        kept = len(checked.numbers)
        step.detail(message("graph.answer.kept_removed", kept=kept, count=len(checked.removed)))
    tokens_in, tokens_out = writing.usage.tokens_in, writing.usage.tokens_out
    response = Response(
        kind="generated",
        text=checked.text,
        language=state["asked"].language,
        removed=checked.removed,
        model=model_id,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=services.models.cost(model_id, tokens_in, tokens_out),
    )
    return response, prompt.memory


async def _written(
    services: Services, state: State, writing: PartialAnswer, trace: Trace, toolbox: Toolbox | None
) -> tuple[AnswerPrompt, ToolCalling | None]:
    """Writes the answer into ``writing`` and returns its prompt. If the prompt exceeded the model's window, tries once
    more with a smaller one, based on the model's error."""
    model_id, so_far = services.models.resolve(state["asked"].ask.model), state["waiting"].consultation
    tone, rounds = _tone(services, state), ROUNDS[state["asked"].ask.mode]
    met = [message(f"graph.answer.tone.{tone}")] if tone != "neutral" else []
    window: int | None = None
    pictures = await pictures_for_model(services, state)
    datasets = await offered_datasets(services, state) if toolbox else OfferedDatasets()
    met += [message("graph.page_pictures.sent", count=len(pictures))] if pictures else []
    while True:
        prompt = await _prompt(services, state, window, pictures, datasets)
        writing.describe(Words.joined([Words.alike(model_id), *met, *prompt.left_out], " · "))
        early = _early(services, state, writing.emit)
        calling = ToolCalling.begun(toolbox, prompt.room, trace, writing.step, so_far, early) if toolbox else None
        try:
            if so_far or not await _debated(services, state, prompt, writing, trace):
                used_up = await write(services.models, model_id, prompt.messages, writing, calling, rounds)
                if early.requested:
                    writing.emit(Notice(words=_EARLY))
                elif used_up and not (calling and calling.waits):
                    writing.emit(Notice(words=_BUDGET_ENDED))
        except ContextOverflowError as refused:
            if window is not None or writing.text or (calling and calling.so_far.rounds):
                raise
            window = int(prompt.tokens * refused.share)
            log.info("the prompt of %d tokens is made anew for %d", prompt.tokens, window)
        else:
            return prompt, calling


def _early(services: Services, state: State, emit: Emit) -> EarlyAnswer:
    return EarlyAnswer(services.ledger, state["asked"].user_id, state["asked"].run_id, emit)


async def _debated(
    services: Services, state: State, prompt: AnswerPrompt, writing: PartialAnswer, trace: Trace
) -> bool:
    """Writes a debate with both sides of the question; returns False if the question does not ask for it or the model
    failed."""
    intent = state["asked"].intent
    if not services.settings.tasks.debate or not intent or intent.format != "debate" or not prompt.numbers:
        return False
    with trace.step("debating", writing.step) as step:
        model = PurposeModel(services.models, state["asked"].ask.model, "inquire")
        try:
            text, used = await debate(services.prompts, model, prompt.messages, prompt.numbers, state["asked"].language)
        except PalimpsestError as error:
            log.warning("both sides are left to the answer: %s", error)
            step.skip(error.problem.why)
            return False
        if not text:
            step.skip(message("graph.debate.left"))
            return False
    writing.take(StreamedPiece("text", text))
    writing.take(StreamedPiece("usage", tokens_in=used.tokens_in, tokens_out=used.tokens_out))
    return True


async def _prompt(
    services: Services,
    state: State,
    window: int | None,
    pictures: Sequence[PagePicture],
    datasets: OfferedDatasets,
) -> AnswerPrompt:
    """Builds the prompt for ``window`` tokens, by default for the model's own window."""
    settings, intent = services.settings, state["asked"].intent
    voice = await services.personalities.voice(state["asked"].user_id)
    planned, line = state["found"].planned, state["found"].line
    forgotten = await services.memory.forgotten(state["asked"].user_id) if services.memory else ForgottenFacts()
    firm, loose = firmly_accepted(_before_tools(state)), near(_before_tools(state))
    library, count = await _library(services, state, firm)
    material = PromptInputs(
        question=state["asked"].ask.question,
        language=state["asked"].language,
        mode=state["asked"].ask.mode,
        voice=voice.prompt,
        tone=_tone(services, state),
        today=f"{datetime.fromtimestamp(services.clock()):%A, %Y-%m-%d}",
        sources=firm or loose,
        closest=not firm and bool(loose),
        library=library,
        documents=count,
        memory=state["found"].memory_context,
        user=state["found"].user_context,
        intent=intent,
        tools=_at_hand(services),
        abilities="" if _of_documents(firm) else capabilities(services.tools.registry.available()).to("en"),
        turns=forgotten.left_of(state.get("turns", [])),
        digest=forgotten.digest_left(state.get("digest")),
        blending=settings.tasks.blending,
        numbers="several" if planned else await asyncio.to_thread(numbers_asked, asked_question(state), line),
        wishes=state.get("wishes", []),
        planned=[f"{each.line}\n\n{each.table}" for each in planned],
        datasets=datasets,
        steps=steps_with_sources(state["found"].plan, state["found"].sources),
        correction=prompt_lines(state["found"].correction, state["found"].sources),
        pictures=pictures,
    )
    parts = await shares_for(services, state, state["asked"].ask.question, window)
    return await asyncio.to_thread(build_prompt, services.prompts, material, parts)


async def _library(services: Services, state: State, firm: Sequence[Source]) -> tuple[list[str], int]:
    """Returns a line for each of the likeliest documents, for a question for which no passage of a document was found,
    and the number of all documents."""
    of_memory = state["found"].from_memory or state["asked"].question.destination.place == "memory"
    if of_memory or _of_documents(firm):
        return [], 0
    try:
        there = tuple(VisibleDocument.of(each) for each in await services.turn.listed(state))
    except PalimpsestError:
        return [], 0
    asked = Reference(asked_in_full(state), state["asked"].action, there)
    listed = await asyncio.to_thread(likeliest, asked, ())
    return [line_of(each) for each in listed[:MOST_LISTED]], len(there)


def _of_documents(firm: Sequence[Source]) -> bool:
    """Returns whether some sources are not only what the user said earlier."""
    return any(each.kind not in RECOLLECTED for each in firm)


def _tone(services: Services, state: State) -> Tone:
    return tone_for(state["asked"].text, state.get("tone", "neutral"), enabled=services.settings.tasks.tone)


def _at_hand(services: Services) -> list[str]:
    memory = ["the memory"] if services.memory else []
    return ["the documents", *memory, *(["web search"] if services.tools.searches_web else [])]


async def _toolbox(services: Services, state: State) -> Toolbox | None:
    """Returns the tools for the question, or ``None`` if the model cannot call tools."""
    return await model_toolbox(
        services, state, asked_in_full(state), lambda success: offered_tools(services.tools, state, success)
    )


def _before_tools(state: State) -> list[Source]:
    """Returns only the sources from before the model's tool calls; the model sees those found later as tool results."""
    so_far = state["waiting"].consultation
    return state["found"].sources[: so_far.sources] if so_far else state["found"].sources


def _found_by_tools(state: State, toolbox: Toolbox | None, calling: ToolCalling | None) -> frozenset[int]:
    so_far = state["waiting"].consultation
    earlier = state["found"].sources[so_far.sources :] if so_far else []
    new = (each.number for each in (*earlier, *(toolbox.sources if toolbox else ())))
    return frozenset(new) | (calling.numbers if calling else frozenset())
