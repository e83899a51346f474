"""Runs the turns of conversations (a turn is a question and its answer): a question starts a run, a reply resumes a
waiting one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from langgraph.types import Command

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.events import Answered, Event, FollowedUp, Interrupted, Notice, Title
from core.graph.build import Agent
from core.graph.full_answers import FollowUp, FollowUps
from core.graph.interrupts import ALL, Reply, admit, resumption
from core.graph.question_limits import clean_question, readable
from core.graph.state import State, fresh_turn
from core.graph.stream import partial_turn, pending_question, stream_turn
from core.graph.turn_versions import TurnVersions
from core.graph.understanding.mentions import readable as title_text
from core.language.detection import detect
from core.library.catalogue import LIVE
from core.library.library import Library
from core.messages import message
from core.models.chat import ChatModels
from core.models.meter import metered, paid_by
from core.records.interrupts import PlanStep
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.runs.records import AcceptedQuestion, Ask, Conversation, Run, TurnStart
from core.runs.runner import Ending, Runner, RunWriter
from core.settings import Settings
from core.store.checkpoints import Checkpointer, prune
from core.store.room import refuse_work_without_room
from core.traces import Traces

log = logging.getLogger(__name__)

CHECKPOINTS_KEPT = 2


@dataclass
class Turns:
    """Starts, resumes and cancels turns. Every method works only for the user that it is called with.

    >>> asked = run(workbench.ask("ada", "When is the rent due?"))
    >>> asked.conversation.title
    'When is the rent due?'
    """

    _agent: Agent
    _checkpointer: Checkpointer
    _ledger: RunLedger
    _runner: Runner
    _conversations: Conversations
    _library: Library
    _models: ChatModels
    _follow_ups: FollowUps
    _clock: Clock
    _settings: Settings
    _traces: Traces

    def __post_init__(self) -> None:
        self._most = self._settings.limits.question_characters
        self._versions = TurnVersions(self._agent, self._ledger, self._conversations)
        self._gates: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._shared = self._settings.mongodb_uri is not None

    async def ask(self, user_id: str, ask: Ask) -> AcceptedQuestion:
        """Starts answering in the background.

        Raises:
            PalimpsestError: the question cannot be used, the model is unknown, the conversation or the run that it
            replaces is not this user's, the conversation is still being answered or waits for the user's reply, or the
            disk is full.
        """
        text, removed = clean_question(ask.question, self._most)
        refuse_work_without_room(self._settings)
        if ask.model:
            self._models.resolve(ask.model)
        language = detect(text)
        if ask.replaces:
            ask = await self._replacing(user_id, ask)
        async with self._gate(user_id), self._alone(user_id, ask.conversation_id):
            conversation = await self._free_conversation(user_id, ask.conversation_id, text)
            place = await self._versions.place(conversation, ask.replaces)
            run = await self._ledger.start(
                user_id, "question", text, conversation_id=conversation.id, language=language, thread=place.thread
            )
        try:
            asked = await self._conversations.add_turn(
                conversation, text, run_id=run.id, language=language, mode=ask.mode, after=place.after,
                thread=place.thread,
            )  # fmt: skip
            begun = await self._versions.begin(place, conversation, title_text(text))
        except BaseException:
            await self._give_up(run)
            raise
        fresh = fresh_turn(user_id, run.id, conversation.id, ask.model_copy(update={"question": text}))
        turn = State(**begun.state, **fresh)
        preface: list[Title | Notice] = [Title(title=begun.title)] if begun.title else []
        if removed:
            preface.append(Notice(words=message("graph.turns.cleaned", removed=removed)))
        self._begin(run, turn, preface, begun.start)
        return AcceptedQuestion(conversation, run.id, asked.id, text, language)

    async def _replacing(self, user_id: str, ask: Ask) -> Ask:
        """Returns the question in the conversation of the run that it replaces. A run that waits for a reply ends,
        since its question is asked in another version."""
        run = await self._ledger.get(user_id, ask.replaces)
        if await self._ledger.pending(user_id, run.id):
            await self.cancel(user_id, run.id)
        return ask.model_copy(update={"conversation_id": run.conversation_id})

    async def choose_version(self, user_id: str, run_id: str) -> Conversation:
        """Makes the question of a run the current version of its turn; the conversation goes on from there.

        Raises:
            PalimpsestError: the run is not this user's, or its conversation is being answered or waits for a reply.
        """
        run = await self._ledger.get(user_id, run_id)
        async with self._gate(user_id), self._alone(user_id, run.conversation_id):
            conversation = await self._conversations.get(user_id, run.conversation_id or "")
            await self._refuse_while_busy(user_id, conversation.id)
            await self._versions.choose(conversation, run_id)
        return conversation

    def _gate(self, user_id: str) -> asyncio.Lock:
        """Returns the user's lock, so that only one turn of a user starts or ends at a time; other users are not
        affected."""
        return self._gates.setdefault(user_id, asyncio.Lock())

    async def _free_conversation(self, user_id: str, conversation_id: str | None, text: str) -> Conversation:
        """Returns the given conversation if it is not being answered, or a new one."""
        if conversation_id is None:
            return await self._conversations.start(user_id, title_text(text))
        conversation = await self._conversations.get(user_id, conversation_id)
        await self._refuse_while_busy(user_id, conversation.id)
        return conversation

    @asynccontextmanager
    async def _alone(self, user_id: str, conversation_id: str | None) -> AsyncIterator[None]:
        """Ensures that a conversation has only one run, even if several processes start one at the same moment."""
        if not self._shared or conversation_id is None:
            yield
            return
        await self._conversations.get(user_id, conversation_id)
        async with self._conversations.alone(user_id, conversation_id) as alone:
            if not alone:
                raise _still_answering()
            yield

    async def _give_up(self, run: Run) -> None:
        """Ends a ``run`` that no worker processes; otherwise its conversation would count as busy until the next
        maintenance job."""
        try:
            await asyncio.shield(self._ledger.interrupt(run))
        except Exception:
            log.warning("run %s is left to the upkeep", run.id, exc_info=True)

    async def _refuse_while_busy(self, user_id: str, conversation_id: str) -> None:
        run = await self._ledger.active(user_id, conversation_id)
        if run is None:
            return
        if await self._ledger.pending(user_id, run.id):
            raise fail("validation", "graph.interrupts.waits_for_answer")
        raise _still_answering()

    async def answer_now(self, user_id: str, run_id: str) -> None:
        """Lets a run that waits for documents answer from the ready ones, and one that calls tools answer from what was
        found; any other run continues unchanged.

        Raises:
            PalimpsestError: the run is not this user's.
        """
        await self._ledger.get(user_id, run_id)
        await self._ledger.request_answer(user_id, run_id)

    async def follow_up(self, owed: FollowUp) -> bool:
        """Starts the pending full answer; returns False if its conversation is busy or waits for a reply.

        If the conversation was deleted, or the question has another version now, returns True without starting
        anything.
        """
        user_id, language = owed.user_id, detect(owed.question)
        async with self._gate(user_id):
            try:
                conversation = await self._conversations.get(user_id, owed.conversation_id)
            except PalimpsestError:
                return True
            if await self._conversations.following(user_id, owed.id):
                return True
            if await self._ledger.active(user_id, conversation.id):
                return False
            if not await self._versions.is_current(user_id, conversation.id, owed.id):
                return True
            thread = (await self._ledger.get(user_id, owed.id)).thread
            run = await self._ledger.start(
                user_id, "question", owed.question, conversation_id=conversation.id, language=language, thread=thread
            )
        await self._conversations.add_follow_up(
            conversation, run_id=run.id, language=language, mode=owed.mode, follows=owed.id
        )
        turn = fresh_turn(user_id, run.id, conversation.id, owed.ask)
        self._begin(run, turn, [await self._now_with(owed)])
        return True

    async def _now_with(self, owed: FollowUp) -> FollowedUp:
        seen = await self._library.find(owed.user_id, conversation_id=owed.conversation_id)
        scope = [each for each in seen if each.state in LIVE or each.id in owed.awaited]
        ready = sum(each.state == "completed" or each.is_stored for each in scope)
        return FollowedUp(follows=owed.id, question=owed.question, ready=ready, total=len(scope))

    async def _owe(self, run: Run) -> None:
        state = await partial_turn(self._agent, _thread(run), run.id)
        if state is None:
            return
        asked, found = state["asked"], state["found"]
        owed = FollowUp(
            id=run.id,
            user_id=run.user_id,
            conversation_id=asked.conversation_id,
            question=asked.ask.question,
            mode=asked.ask.mode,
            model=asked.ask.model,
            action=asked.action,
            web=asked.web_asked,
            named=asked.document_ids,
            awaited=found.awaited,
            meaning=asked.action == "inquire" and found.confidence == "none",
            completed=asked.completed,
            without=list(asked.ask.without),
            created_at=self._clock(),
        )
        await self._follow_ups.note(owed)

    def _begin(self, run: Run, turn: State, preface: Sequence[Event], start: TurnStart | None = None) -> None:
        """``start``: what was known before the turn, if that is already known here."""

        async def work(writer: RunWriter) -> Ending:
            for event in preface:
                writer.emit(event)
            if not turn["asked"].ask.follows:
                await self._versions.note_start(run.user_id, run.id, _thread(run), start)
            return await self._stream(run, turn, writer) or "answered"

        self._runner.start(run, work)

    async def resume(self, user_id: str, run_id: str, interrupt_id: str, reply: Reply | None) -> None:
        """Replies to the question at which a run waits, or cancels the run if the reply is ``None``; the run continues
        in the background.

        A cancelled run has ended when this returns.

        Raises:
            PalimpsestError: no question is open, a different one is open or it was already answered, the run is not
            this user's, or the reply does not fit; in the last case the question stays open.
        """
        if reply is None:
            # A user who cancels and immediately asks again must find the first run ended.
            async with self._gate(user_id):
                await asyncio.wait([await self._resume(user_id, run_id, interrupt_id, None)])
        else:
            steps = [PlanStep(id=step.id, text=readable(step.text)[0]) for step in reply.steps]
            read = reply.model_copy(update={"text": readable(reply.text)[0], "steps": steps})
            await self._resume(user_id, run_id, interrupt_id, read)

    async def cancel(self, user_id: str, run_id: str) -> None:
        """Ends a run, including a waiting one; its text so far is kept."""
        async with self._gate(user_id):
            pending = await self._ledger.pending(user_id, run_id)
            if pending:
                await asyncio.wait([await self._resume(user_id, run_id, pending.interrupt_id, None)])
                return
        await self._runner.cancel(user_id, run_id)

    async def _resume(self, user_id: str, run_id: str, interrupt_id: str, reply: Reply | None) -> asyncio.Task[Ending]:
        run = await self._ledger.get(user_id, run_id)
        pending = await self._ledger.pending(user_id, run_id)
        if pending is None:
            raise fail("validation", "graph.interrupts.nothing_pending")
        if pending.interrupt_id != interrupt_id:
            raise fail("validation", "graph.interrupts.answered_already")
        answer = admit(pending, reply, self._most)
        if reply:
            await self._refuse_deleted(run, pending, reply)
        return await self._go_on(run, answer, reply)

    async def recover(self, *, everyone: bool) -> None:
        """Ends the runs that no worker processes: those of dead processes, and those of this process whose end could
        not be saved. A run that had just asked the user, or had just been answered, returns to waiting."""
        for run in await self._ledger.abandoned(everyone=everyone, busy=self._runner.busy):
            question = await pending_question(self._agent, _thread(run), run.id)
            if question:
                await self._ledger.pause(run, question)
            else:
                await self._ledger.interrupt(run)

    async def _refuse_deleted(self, run: Run, pending: Interrupted, reply: Reply) -> None:
        if pending.kind != "doc_choice" or not reply.choice_ids:
            return
        seen = await self._library.find(run.user_id, conversation_id=run.conversation_id)
        there = {document.id for document in seen}
        offered = [choice for choice in pending.choices if choice.id != ALL]
        chosen = offered if ALL in reply.choice_ids else [each for each in offered if each.id in reply.choice_ids]
        missing = [choice.label for choice in chosen if choice.id not in there]
        if missing and (ALL not in reply.choice_ids or len(missing) == len(chosen)):
            raise fail("not_found", "graph.interrupts.gone", named=", ".join(missing))

    async def _go_on(self, run: Run, answer: Answered, reply: Reply | None) -> asyncio.Task[Ending]:
        taken = await self._ledger.take_up(run, answer)
        if taken is None:
            raise fail("validation", "graph.interrupts.answered_already")

        async def work(writer: RunWriter) -> Ending:
            question = await pending_question(self._agent, _thread(run), run.id)
            if question is None or question.interrupt_id != answer.interrupt_id:
                raise fail("server", "graph.interrupts.lost_place")
            again = await self._stream(run, resumption(answer.interrupt_id, reply), writer)
            return again or ("answered" if reply else "cancelled")

        return self._runner.start(taken, work, await self._ledger.next_sequence(run.id))

    async def _stream(self, run: Run, given: State | Command[str], writer: RunWriter) -> Interrupted | None:
        with self._traces.run(run.id, run.conversation_id), metered() as meter, paid_by(run.user_id):
            try:
                question = await stream_turn(self._agent, given, _thread(run), writer.emit)
            finally:
                # A failed or stopped run also has costs to record.
                if meter.spent.calls or meter.spent.left_out:
                    writer.emit(meter.spent)
        if question is None:
            await self._owe(run)
        await prune(self._checkpointer, _thread(run), keep=CHECKPOINTS_KEPT)
        return question


def _thread(run: Run) -> str:
    """Returns the thread id; a thread is a conversation, or a version of it."""
    return run.thread or run.conversation_id or run.id


def _still_answering() -> PalimpsestError:
    return fail("validation", "graph.turns.still_answering")
