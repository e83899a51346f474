"""Writes the answer: with a model from the sources, without one by quoting them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from core.events import AssistantDelta, Quote, Response, Source
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.models.extractive import AnswerPassage, ExtractiveAnswer
from core.prompts.templates import Prompts
from core.resilience import Deadline
from core.runs.trace import Emit, Trace
from core.search.citations import check_citations
from core.search.context import assemble
from core.words import Language, Words

QUOTES: dict[str, int] = {"quick": 2, "enhanced": 3, "deep": 5}
HISTORY_TURNS = 10

NOTHING_FOUND = Words(
    en="Your documents hold nothing that answers this. Try other words, name the document, or check in the Library "
    "that it is there.",
    he="במסמכים שלכם אין דבר שעונה על השאלה. נסו ניסוח אחר, ציינו את שם המסמך, או בדקו בספרייה שהוא קיים.",
)


def answer(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def node(state: State) -> State:
        emit, trace = node_trace("g")
        began = time.monotonic()
        if services.models.configured:
            response = await _generate(services, prompts, state, trace, emit)
        else:
            response = await _quote(services, state, trace)
        return {"response": response.model_copy(update={"milliseconds": (time.monotonic() - began) * 1000})}

    return node


async def _generate(services: Services, prompts: Prompts, state: State, trace: Trace, emit: Emit) -> Response:
    messages = _messages(services, prompts, state)
    model_id = services.models.resolve(state.get("model"))
    text, tokens_in, tokens_out = "", 0, 0
    with trace.step("generating") as step:
        step.detail(Words(en=model_id, he=model_id))
        async for piece in services.models.stream(model_id, messages):
            if piece.kind == "text":
                text += piece.text
                emit(AssistantDelta(text=piece.text))
            elif piece.kind == "usage":
                tokens_in, tokens_out = piece.tokens_in, piece.tokens_out
    with trace.step("checking") as step:
        checked = check_citations(text, {source.number for source in state["sources"]})
        kept = len(checked.numbers)
        step.detail(
            Words(
                en=f"{kept} citations kept, {len(checked.removed)} removed",
                he=f"{kept} ציטוטים נשמרו, {len(checked.removed)} הוסרו",
            )
        )
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


def _messages(services: Services, prompts: Prompts, state: State) -> list[BaseMessage]:
    context = assemble(state["sources"], services.models.share_of_window(services.settings.budget.retrieved))
    system = prompts.render("answer", context=context, mode=state["mode"], language=state["language"])
    messages: list[BaseMessage] = [SystemMessage(system)]
    for turn in state.get("turns", [])[-HISTORY_TURNS:]:
        messages += [HumanMessage(turn["question"]), AIMessage(turn["answer"])]
    return [*messages, HumanMessage(state["question"])]


async def _quote(services: Services, state: State, trace: Trace) -> Response:
    with trace.step("generating") as step:
        passages = passages_of(state["sources"])
        found = await services.extractive.answer(
            state["question"],
            state["language"],
            passages,
            QUOTES[state["mode"]],
            Deadline(services.settings.deadlines.embed_query * 2),
        )
        step.detail(_quoted(found))
    if found.abstained or not found.sentences:
        return _nothing(state["language"])
    quotes = [Quote(number=each.number, item_id=each.item_id, text=each.text) for each in found.sentences]
    text = "\n\n".join(f"> {quote.text} [{quote.number}]" for quote in quotes)
    return Response(kind="extractive", text=text, language=state["language"], quotes=quotes)


def _quoted(found: ExtractiveAnswer) -> Words:
    count = 0 if found.abstained else len(found.sentences)
    english, hebrew = f"{count} sentences quoted", f"צוטטו {count} משפטים"
    if found.skipped:
        english, hebrew = f"{english} · {found.skipped.en}", f"{hebrew} · {found.skipped.he}"
    return Words(en=english, he=hebrew)


def passages_of(sources: Sequence[Source]) -> list[AnswerPassage]:
    """What an answer may quote, best first, with what is known of where it stands."""
    ranked = sorted(
        ((source, passage) for source in sources for passage in source.passages), key=lambda each: -each[1].score
    )
    return [
        AnswerPassage(
            number=source.number,
            item_id=passage.item_id,
            text=passage.text,
            title=source.title,
            filename=source.filename,
            section=passage.section or "",
            score=passage.score,
        )
        for source, passage in ranked
    ]


def _nothing(language: Language) -> Response:
    return Response(kind="nothing_found", text=NOTHING_FOUND.to(language), language=language)
