"""Implements the memory interface of the graph: recall before an answer, learn after it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.answering.prose.families import answer_families
from core.clock import Clock
from core.events import Response
from core.graph.memory.commands import Commands
from core.graph.memory.evidence import cited_passages, plain, used_memories
from core.graph.memory.forgetting import ForgottenFacts
from core.graph.memory.meta import answered_meta, recalled_meta
from core.graph.memory.recollection.loading import load_facts
from core.graph.memory.recollection.records import Exchange
from core.graph.state import Found, PastTurn, State, asked_in_full, turns_so_far
from core.graph.understanding.form_wish import language_wished
from core.memory.corrections.matching import Standings
from core.memory.corrections.records import Correction
from core.memory.items.records import ActionTaken, AnswerRecord, NewMemory, text_of
from core.memory.memory import Memory
from core.memory.outcomes.detector import ConversationMessage, OutcomeDetector
from core.memory.outcomes.question_similarity import Question, similarity
from core.memory.ranking.conditional import SAME
from core.memory.recall.turn import Turn
from core.records.memory_meta import MemoryMeta, Tier
from core.resilience.ending import end
from core.runs.conversations import Conversations
from core.runs.versions import current_messages
from core.store.items import MemoryItem
from core.words import Language

log = logging.getLogger(__name__)

ANSWER_CHARACTERS = 300
"""Maximum length of an earlier answer that the outcome detector reads."""

REST = 8 * 3600.0
"""Seconds without a question after which a conversation counts as new: its first memories are then added again."""
MOST_FORGOTTEN = 100
MOST_KNOWN = 200
"""Maximum number of facts in which a wish about the language of answers is looked for."""
COMPLETED = ("generated", "extractive")
"""Kinds of answers that are stored with their question; "nothing found" responses are not."""


@dataclass(frozen=True)
class Grounds:
    """The passages that memories are based on; ``since`` is when the oldest memory was written (epoch seconds). Facts
    have no ``passages``."""

    passages: list[MemoryItem]
    since: float


class ConversationMemory:
    """The memory for conversations. Call ``stop`` at the end, since the outcome detector runs in the background."""

    def __init__(
        self, memory: Memory, conversations: Conversations, commands: Commands, detector: OutcomeDetector, clock: Clock
    ) -> None:
        self._memory = memory
        self._conversations = conversations
        self._commands = commands
        self._detector = detector
        self._clock = clock
        self._looking: set[asyncio.Task[None]] = set()

    async def recall(self, state: State, unrelated: Callable[[str], bool] = lambda text: False) -> State:
        """Returns the state changes before the action; ``unrelated`` memories are left out."""
        user_id, conversation_id = state["asked"].user_id, state["asked"].conversation_id
        ask = state["asked"].ask
        if not ask.follows and not ask.replaces:  # an edited question says nothing about the answer before it
            self._memory.noticed_message(user_id, conversation_id)
            self._look_back(state)
        past = state.get("turns", [])
        found = await self._memory.prefetch_context(
            user_id,
            state["asked"].text,
            recent=[turn["question"] for turn in past],
            cold=self._is_cold(past),
            unrelated=unrelated,
        )
        meta = recalled_meta(found, state, await self._message_id(state), self._clock())
        about = await self.about(user_id, found.block)
        return {"found": Found(memory_context=found.block, user_context=about, meta=meta)}

    async def about(self, user_id: str, given: str = "") -> str:
        """Returns what is known about the user, a line each, without what a prompt has in ``given`` already."""
        known = [item.text for item in await self._memory.get_user_context(user_id)]
        return "\n".join(f"- {text}" for text in known if text not in given)

    def _is_cold(self, past: Sequence[PastTurn]) -> bool:
        """Returns whether the conversation is new or was idle for long."""
        return not past or self._clock() - past[-1].get("at", self._clock()) >= REST

    async def grounds(self, state: State, memory_ids: Sequence[str]) -> Grounds | None:
        """Returns the passages that memories are based on, or ``None`` if one of the passages no longer exists."""
        found = await self._memory.items(state["asked"].user_id, memory_ids)
        memories = [each for each in found if _proven_for(state["asked"].text, each)]
        if not memories:
            return None
        evidence = _evidence_ids(memories)
        used = {each.id: each for each in await self._memory.items(state["asked"].user_id, evidence)}
        passages = [used[id] for id in evidence if id in used and used[id].tier == "books"]
        since = min(each.timestamps.created_at for each in memories)
        return Grounds(passages, since) if len(used) == len(evidence) else None

    def turn(self, state: State) -> Turn | None:
        """Returns the question's memory lookups so far; its memory tools use the same numbers [M1], [M2] … for them."""
        meta = state["found"].meta
        if meta is None:
            return None
        turn = Turn(
            user_id=state["asked"].user_id,
            answer_id=meta.assistant_message_id,
            question=state["asked"].text,
            conversation_id=state["asked"].conversation_id,
        )
        shown = meta.retrieval.search_position_map.by_position
        turn.shown([(each.memory_id, each.tier) for each in shown])
        if consulted := state["found"].consulted:
            turn.positions, turn.refinements = consulted.positions or turn.positions, consulted.refinements
            turn.tiers |= consulted.tiers
        return turn

    async def success(self, state: State) -> dict[str, float]:
        """Returns, for actions and tools that were used at least three times for similar questions, how often they
        succeeded."""
        context_type = self._memory.detect_context_type(asked_in_full(state))
        advice = await self._memory.get_action_effectiveness(state["asked"].user_id, context_type)
        return {each.action: each.success_rate for each in advice}

    async def correction(self, state: State, standings: Standings) -> Correction | None:
        """Returns the right answer that the user typed for this question, if there is one; ``standings`` compares the
        pinned sentences with all others."""
        corrections = self._memory.corrections
        return await corrections.of_question(state["asked"].user_id, asked_in_full(state), answer_families, standings)

    async def facts(self, user_id: str) -> list[Exchange]:
        """Returns the facts of the memory bank with their earlier texts."""
        return await load_facts(self._memory.bank, user_id)

    async def forgotten(self, user_id: str) -> ForgottenFacts:
        """Returns the facts that the user had forgotten."""
        return ForgottenFacts.of(await self._memory.bank.list(user_id, status="archived", limit=MOST_FORGOTTEN))

    async def language(self, user_id: str) -> Language | None:
        """Returns the language that the user last ordered for all answers, if any."""
        known = await self._memory.bank.list(user_id, limit=MOST_KNOWN)
        return language_wished(each.text for each in sorted(known, key=lambda each: each.timestamps.updated_at))

    async def command(self, state: State) -> Response:
        """Runs ``state["asked"].intent.command`` and reports what was done."""
        return await self._commands.do(state)

    async def learn(self, state: State) -> MemoryMeta | None:
        """Stores a completed turn; returns what the memory contributed to its answer."""
        response, meta = state["answer"].response, state["found"].meta
        if response is None or meta is None or response.kind == "told":
            return meta
        cited = cited_passages(response, state["found"].sources)
        # The nearest passages were shown, but not as an answer. So feedback on the answer does not rate them; only
        # feedback on the passage itself does.
        passages = list(cited) if response.kind != "nothing_found" else []
        used = await self._memories_used(state, response, meta, passages)
        consulted = state["found"].consulted
        tiers: dict[str, Tier] = {
            **(consulted.tiers if consulted else {}),
            **{each.memory_id: each.tier for each in meta.retrieval.search_position_map.by_position},
            **dict.fromkeys(passages, "books"),
        }
        if response.kind in COMPLETED:
            exchange = await self._remember(state, response, [*used, *passages])
            used, tiers = [exchange, *used], {exchange: "working", **tiers}
        answer = AnswerRecord(
            id=meta.assistant_message_id,
            user_id=state["asked"].user_id,
            conversation_id=state["asked"].conversation_id,
            question=state["asked"].text,
            question_in_full=asked_in_full(state),
            context_type=self._memory.detect_context_type(state["asked"].text),
            concepts=meta.context_insights.matched_concepts,
            positions=list(tiers),
            used=[*used, *passages],
            rests_on=[*used, *passages],
            cited=cited,
            tiers={**tiers, **dict.fromkeys(cited, "books")},
            tool_runs=consulted.tool_runs if consulted else [],
            actions=[ActionTaken(name=response.action, tier="books", document_ids=_documents(state, passages))],
            created_at=self._clock(),
        )
        await self._memory.remember_answer(answer)
        return answered_meta(meta, response, state["found"].sources, passages, used)

    async def set_aside(self, user_id: str, answer_ids: Sequence[str]) -> None:
        """Excludes what was remembered of these answers, because their questions have other versions now."""
        await self._memory.set_aside(user_id, answer_ids)

    async def bring_back(self, user_id: str, answer_ids: Sequence[str]) -> None:
        """Undoes ``set_aside``."""
        await self._memory.bring_back(user_id, answer_ids)

    async def stop(self) -> None:
        await end(self._looking)

    async def _memories_used(
        self, state: State, response: Response, meta: MemoryMeta, passages: list[str]
    ) -> list[str]:
        positions = {each.position: each.memory_id for each in meta.retrieval.search_position_map.by_position}
        if consulted := state["found"].consulted:
            positions |= dict(enumerate(consulted.positions, start=1))
        items = await self._memory.items(state["asked"].user_id, list(positions.values()))
        return used_memories(response.text, positions, items, passages)

    async def _remember(self, state: State, response: Response, evidence: list[str]) -> str:
        answer = plain(response.text)
        item = await self._memory.store(
            state["asked"].user_id,
            NewMemory(
                tier="working",
                kind="exchange",
                text=text_of(state["asked"].text, answer),
                question=state["asked"].text,
                answer=answer,
                conversation_id=state["asked"].conversation_id,
                message_id=await self._message_id(state),
                memory_ids=evidence,
                tools=[response.action],
            ),
        )
        return item.id

    async def _message_id(self, state: State) -> str:
        message = await self._conversations.of_run(state["asked"].user_id, state["asked"].run_id)
        return message.id if message else state["asked"].run_id

    def _look_back(self, state: State) -> None:
        """Lets the outcome detector judge whether the last answer helped, from the user's next message."""
        if self._detector.due(turns_so_far(state)):
            task = asyncio.create_task(self._detect(state))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _detect(self, state: State) -> None:
        try:
            answer_id = await self._last_answer(state)
            spoken = [
                ConversationMessage(role=role, text=text)
                for turn in (await self.forgotten(state["asked"].user_id)).left_of(state.get("turns", []))
                for role, text in (("user", turn["question"]), ("assistant", turn["answer"][:ANSWER_CHARACTERS]))
            ]
            verdict = await self._detector.detect([*spoken, ConversationMessage(role="user", text=state["asked"].text)])
            if answer_id and self._detector.counts(verdict):
                await self._memory.record_outcome(
                    state["asked"].user_id,
                    answer_id,
                    verdict.outcome,
                    authority="detector",
                    confidence=verdict.confidence,
                    indicators=verdict.indicators,
                    reasoning=verdict.reasoning,
                )
        except Exception:
            log.warning("an outcome was not detected", exc_info=True)

    async def _last_answer(self, state: State) -> str | None:
        messages = current_messages(
            await self._conversations.messages(state["asked"].user_id, state["asked"].conversation_id)
        )
        answers = [each.id for each in messages if each.role == "assistant" and each.run_id != state["asked"].run_id]
        return answers[-1] if answers else None


def _documents(state: State, passages: list[str]) -> list[str]:
    cited = set(passages)
    return list(
        dict.fromkeys(
            source.document_id
            for source in state["found"].sources
            if source.kind == "document" and any(passage.item_id in cited for passage in source.passages)
        )
    )


def _proven_for(question: str, memory: MemoryItem) -> bool:
    """Returns whether a memory's outcomes count for ``question``: an outcome counts only for the question it was given
    for, but a fact counts for any question."""
    if memory.exchange is None:
        return True
    return similarity(Question(question), Question(memory.exchange.question), None) >= SAME


def _evidence_ids(memories: Sequence[MemoryItem]) -> list[str]:
    """Returns the evidence ids of all the memories, without duplicates."""
    return list(dict.fromkeys(id for each in memories if each.exchange for id in each.exchange.memory_ids))
