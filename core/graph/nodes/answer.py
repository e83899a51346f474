"""Writes the answer: with a model from the sources, without one by quoting them."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import datetime

from core.errors import PalimpsestError
from core.events import AssistantDelta, Event, Notice, Response, Sources
from core.graph.answering.budget import ALLOWANCES, complexity_of, shares
from core.graph.answering.debate import debate
from core.graph.answering.extractive import quote
from core.graph.answering.first_line import FirstLine
from core.graph.answering.generation import PartialAnswer, ToolCalling, joined, write
from core.graph.answering.prompt import AnswerPrompt, PromptInputs, build_prompt
from core.graph.memory.toolbox import MemoryToolbox
from core.graph.services import Services
from core.graph.state import Node, State, ToolResults
from core.graph.tracing import node_trace
from core.graph.understanding.tone import tone_for
from core.messages import message
from core.models.stream import StreamedPiece
from core.models.structured import PurposeModel
from core.personality.tone import Tone
from core.prompts.templates import Prompts
from core.runs.trace import Emit, Trace
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.citations import check_citations
from core.words import Words

log = logging.getLogger(__name__)

_ONLY_THOUGHT = message("graph.answer.only_thought")
_CUT_OFF = message("graph.answer.cut_off")


def answer(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")
    first_line = FirstLine(services)

    async def node(state: State) -> State:
        emit, trace = node_trace("g")
        began = time.monotonic()
        toolbox = await _toolbox(services, state)
        response = await _generated(services, prompts, state, trace, emit, toolbox)
        sources = state["sources"]
        if response is None:
            response, sources = await quote(services, first_line, state, trace)
            response = response.model_copy(update={"instead": services.models.configured})
        if sources != state["sources"]:
            emit(Sources(sources=sources, confidence=state["confidence"]))
        response = response.model_copy(update={"milliseconds": (time.monotonic() - began) * 1000})
        return {"response": response, "sources": sources, "consulted": _consulted(toolbox)}

    return node


async def _generated(
    services: Services, prompts: Prompts, state: State, trace: Trace, emit: Emit, toolbox: MemoryToolbox | None
) -> Response | None:
    """``None`` without a model, and where it failed before its first word: then why is told, and passages are quoted.

    Raises:
        PalimpsestError: the model broke off in its answer; what it has written stays.
    """
    if not services.models.configured:
        return None
    begun = False

    def watched(event: Event) -> None:
        nonlocal begun
        begun = begun or (isinstance(event, AssistantDelta))
        emit(event)

    try:
        return await _generate(services, prompts, state, trace, watched, toolbox)
    except PalimpsestError as error:
        if begun:
            raise
        log.warning("the answer is quoted, because its model failed: %s", error)
        emit(Notice(words=message("graph.answer.quoted_instead", why=error.problem.why)))
        return None


async def _generate(
    services: Services, prompts: Prompts, state: State, trace: Trace, emit: Emit, toolbox: MemoryToolbox | None
) -> Response | None:
    """``None`` when the model wrote nothing that could be an answer."""
    model_id = services.models.resolve(state.get("model"))
    with trace.step("generating") as step:
        prompt = await _prompt(services, prompts, state)
        tone = _tone(services, state)
        met = [message(f"graph.answer.tone.{tone}")] if tone != "neutral" else []
        description = joined([Words.alike(model_id), *met, *prompt.left_out])
        step.detail(description)
        writing = PartialAnswer(emit, step, description)
        if not await _debated(services, prompts, state, prompt, writing, trace):
            consulting = ToolCalling(toolbox, prompt.room, trace, step, state["language"]) if toolbox else None
            await write(services.models, model_id, prompt.messages, writing, consulting, _calls_allowed(state))
    if not writing.text.strip():
        emit(Notice(words=_ONLY_THOUGHT))
        return None
    if writing.usage.cut_off:
        emit(Notice(words=_CUT_OFF))
    with trace.step("checking") as step:
        checked = check_citations(writing.text, prompt.numbers)
        kept = len(checked.numbers)
        step.detail(message("graph.answer.kept_removed", kept=kept, count=len(checked.removed)))
    tokens_in, tokens_out = writing.usage.tokens_in, writing.usage.tokens_out
    return Response(
        kind="generated",
        text=checked.text,
        language=state["language"],
        removed=checked.removed,
        model=model_id,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=services.models.cost(model_id, tokens_in, tokens_out),
    )


async def _debated(
    services: Services, prompts: Prompts, state: State, prompt: AnswerPrompt, writing: PartialAnswer, trace: Trace
) -> bool:
    """Whether both sides of the question are what was written: it asks for them, and a model has found them."""
    intent = state["intent"]
    if not services.settings.tasks.debate or not intent or intent.format != "debate" or not prompt.numbers:
        return False
    with trace.step("debating", writing.step) as step:
        model = PurposeModel(services.models, state.get("model"), "inquire")
        try:
            found = await debate(prompts, model, prompt.messages, prompt.numbers, state["language"])
        except PalimpsestError as error:
            log.warning("both sides are left to the answer: %s", error)
            step.skip(error.problem.why)
            return False
        if not found.text:
            step.skip(message("graph.debate.left"))
            return False
    writing.take(StreamedPiece("text", found.text))
    used = found.usage
    writing.take(StreamedPiece("usage", tokens_in=used.tokens_in, tokens_out=used.tokens_out))
    return True


async def _prompt(services: Services, prompts: Prompts, state: State) -> AnswerPrompt:
    settings, intent = services.settings, state["intent"]
    voice = await services.personalities.voice(state["user_id"])
    material = PromptInputs(
        question=state["question"],
        language=state["language"],
        mode=state["mode"],
        voice=voice.prompt,
        tone=_tone(services, state),
        today=f"{datetime.fromtimestamp(services.clock()):%A, %Y-%m-%d}",
        sources=firmly_accepted(state["sources"]),
        memory=state["memory_context"],
        user=state.get("user_context", ""),
        intent=intent,
        tools=_at_hand(services),
        turns=state.get("turns", []),
        digest=state.get("digest"),
        blending=settings.tasks.blending,
    )
    complexity = complexity_of(state["question"], state["mode"], intent)
    window = (await services.models.capabilities(state.get("model"))).window
    return await asyncio.to_thread(build_prompt, prompts, material, shares(settings.budget, window, complexity))


def _tone(services: Services, state: State) -> Tone:
    return tone_for(state["question"], state.get("tone", "neutral"), enabled=services.settings.tasks.tone)


def _at_hand(services: Services) -> list[str]:
    memory = ["the memory"] if services.memory else []
    return ["the documents", *memory, *(["web search"] if services.web.configured else [])]


async def _toolbox(services: Services, state: State) -> MemoryToolbox | None:
    """The memory's tools, where there is a memory that does not answer alone and a model that can ask for them."""
    if not services.memory or not services.models.configured or state["from_memory"]:
        return None
    toolbox = services.memory.toolbox(state)
    try:
        able = toolbox and await services.models.can_be_offered(toolbox.specs, state.get("model"))
    except PalimpsestError:
        return None  # whoever asks it for the answer says why
    return toolbox if able else None


def _consulted(toolbox: MemoryToolbox | None) -> ToolResults | None:
    if toolbox is None or not toolbox.turn.tool_runs:
        return None
    turn = toolbox.turn
    return ToolResults(tool_runs=turn.tool_runs, positions=turn.positions, tiers=turn.tiers)


def _calls_allowed(state: State) -> int:
    return ALLOWANCES[complexity_of(state["question"], state["mode"], state["intent"])].tool_calls
