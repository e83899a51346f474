"""Writes the answer: with a model from the sources, without one by quoting them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime

from core.events import Notice, Quote, Response, Source
from core.graph.budget import ALLOWANCES, complexity_of, shares
from core.graph.intent.web_order import without_web_order
from core.graph.memory.gating import FAIR, quoted, speaking
from core.graph.memory.toolbox import MemoryToolbox
from core.graph.prompting import AnswerPrompt, Material, build_prompt
from core.graph.services import Services
from core.graph.state import Consulted, Node, State, asked_in_full
from core.graph.tracing import node_trace
from core.graph.writing import Consulting, Writing, joined, write
from core.models.extractive import AnswerPassage, ExtractiveAnswer
from core.prompts.templates import Prompts
from core.resilience import Deadline
from core.runs.trace import Emit, Trace
from core.search.citations import check_citations
from core.words import Words, counted

QUOTES: dict[str, int] = {"quick": 2, "enhanced": 3, "deep": 5}

MOST_REMEMBERED = 3

NOTHING_FOUND = Words(
    en="Your documents hold nothing that answers this. Try other words, name the document, or check in the Library "
    "that it is there.",
    he="במסמכים שלכם אין דבר שעונה על השאלה. נסו ניסוח אחר, ציינו את שם המסמך, או בדקו בספרייה שהוא קיים.",
)
NOTHING_ANYWHERE = Words(
    en="Neither your documents nor the pages that the web search told of answer this. Try other words, or open the "
    "pages below.",
    he="לא במסמכים שלכם ולא בדפים שחיפוש האינטרנט מצא יש תשובה על השאלה. נסו ניסוח אחר, או פתחו את הדפים שלמטה.",
)
NOTHING_YET = Words(
    en="Nothing that has been read so far answers this. The answer follows here when the rest has been read.",
    he="במה שנקרא עד כה אין תשובה על השאלה. התשובה תופיע כאן כשתסתיים קריאת השאר.",
)
_ONLY_THOUGHT = Words(
    en="The model thought, but wrote no answer. These are the sentences that answer, word for word.",
    he="המודל חשב אך לא כתב תשובה. אלה המשפטים העונים על השאלה, מילה במילה.",
)
_CUT_OFF = Words(
    en="The answer ends where the model's limit of length was reached. Ask for the rest, or ask in the quick mode.",
    he="התשובה נקטעה במגבלת האורך של המודל. בקשו את ההמשך, או שאלו במצב המהיר.",
)


def answer(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def node(state: State) -> State:
        emit, trace = node_trace("g")
        began = time.monotonic()
        toolbox = _toolbox(services, state)
        response = (
            await _generate(services, prompts, state, trace, emit, toolbox) if services.models.configured else None
        )
        if response is None:
            response = await _quote(services, state, trace)
        response = response.model_copy(update={"milliseconds": (time.monotonic() - began) * 1000})
        return {"response": response, "consulted": _consulted(toolbox)}

    return node


async def _generate(
    services: Services, prompts: Prompts, state: State, trace: Trace, emit: Emit, toolbox: MemoryToolbox | None
) -> Response | None:
    """``None`` when the model wrote nothing that could be an answer."""
    model_id = services.models.resolve(state.get("model"))
    with trace.step("generating") as step:
        prompt = await _prompt(services, prompts, state)
        said = joined([Words(en=model_id, he=model_id), *prompt.left_out])
        step.detail(said)
        writing = Writing(emit, step, said)
        consulting = Consulting(toolbox, trace, step, state["language"]) if toolbox else None
        await write(services.models, model_id, prompt.messages, writing, consulting, _calls_allowed(state))
    if not writing.text.strip():
        emit(Notice(words=_ONLY_THOUGHT))
        return None
    if writing.usage.cut_off:
        emit(Notice(words=_CUT_OFF))
    with trace.step("checking") as step:
        checked = check_citations(writing.text, prompt.numbers)
        kept = len(checked.numbers)
        step.detail(
            Words(
                en=f"{kept} kept, {len(checked.removed)} removed",
                he=f"נשמרו {kept}, הוסרו {len(checked.removed)}",
            )
        )
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


async def _prompt(services: Services, prompts: Prompts, state: State) -> AnswerPrompt:
    settings, intent = services.settings, state["intent"]
    voice = await services.personalities.voice(state["user_id"])
    material = Material(
        question=state["question"],
        language=state["language"],
        mode=state["mode"],
        voice=voice.prompt,
        today=f"{datetime.fromtimestamp(services.clock()):%A, %Y-%m-%d}",
        sources=state["sources"],
        memory=state["memory_context"],
        user=state.get("user_context", ""),
        intent=intent,
        tools=_at_hand(services),
        turns=state.get("turns", []),
        digest=state.get("digest"),
    )
    complexity = complexity_of(state["question"], state["mode"], intent)
    return await asyncio.to_thread(
        build_prompt, prompts, material, shares(settings.budget, settings.model_window, complexity)
    )


def _at_hand(services: Services) -> list[str]:
    memory = ["the memory"] if services.memory else []
    return ["the documents", *memory, *(["web search"] if services.web.configured else [])]


def _toolbox(services: Services, state: State) -> MemoryToolbox | None:
    """The memory's tools, where there is a memory and a model that can call them."""
    able = services.models.configured and services.models.calls_tools(state.get("model"))
    return services.memory.toolbox(state) if able and services.memory else None


def _consulted(toolbox: MemoryToolbox | None) -> Consulted | None:
    if toolbox is None or not toolbox.turn.tool_runs:
        return None
    turn = toolbox.turn
    return Consulted(tool_runs=turn.tool_runs, positions=turn.positions, tiers=turn.tiers)


def _calls_allowed(state: State) -> int:
    return ALLOWANCES[complexity_of(state["question"], state["mode"], state["intent"])].tool_calls


async def _quote(services: Services, state: State, trace: Trace) -> Response:
    if absent := _absent(state):
        return absent
    with trace.step("generating") as step:
        passages = passages_of(state["sources"])
        found = await services.extractive.answer(
            without_web_order(asked_in_full(state)),
            state["language"],
            passages,
            QUOTES[state["mode"]],
            Deadline(services.settings.deadlines.embed_query * 2),
        )
        step.detail(_quoted(found))
    if found.abstained or not found.sentences:
        return _remembered(state) or _nothing(state)
    quotes = [Quote(number=each.number, item_id=each.item_id, text=each.text) for each in found.sentences]
    text = "\n\n".join(f"> {quote.text} [{quote.number}]" for quote in quotes)
    return Response(kind="extractive", text=text, language=state["language"], quotes=quotes)


def _quoted(found: ExtractiveAnswer) -> Words:
    count = 0 if found.abstained else len(found.sentences)
    english = f"{counted(count, 'sentence', 'sentences')} quoted"
    hebrew = "צוטט משפט אחד" if count == 1 else f"צוטטו {count} משפטים"
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
            outcomes=passage.outcomes,
        )
        for source, passage in ranked
    ]


def _remembered(state: State) -> Response | None:
    """What the memory knows, word for word, where the documents are silent."""
    meta = state.get("meta")
    if meta is None:
        return None
    numbers = meta.retrieval.search_position_map.by_memory_id
    known = [each for each in speaking(meta, FAIR) if each.memory_id in numbers]
    if not known:
        return None
    text = "\n\n".join(
        f"> {quoted(each.content)} [M{numbers[each.memory_id].position}]" for each in known[:MOST_REMEMBERED]
    )
    return Response(kind="remembered", text=text, language=state["language"])


def _absent(state: State) -> Response | None:
    """What is named and not there is said, and nobody else's words are quoted in its place."""
    searched = state.get("searched")
    if searched is None or not searched.absent:
        return None
    text = " ".join(each.words.to(state["language"]) for each in searched.absent)
    return Response(kind="nothing_found", text=text, language=state["language"])


def _nothing(state: State) -> Response:
    words = NOTHING_ANYWHERE if any(source.kind == "web" for source in state["sources"]) else NOTHING_FOUND
    if state["awaited"]:
        words = NOTHING_YET
    return Response(kind="nothing_found", text=words.to(state["language"]), language=state["language"])
