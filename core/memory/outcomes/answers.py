"""Stores a record of the sources available to each answer; outcomes are applied only to what this record lists."""

from __future__ import annotations

from core.errors import PalimpsestError, fail, general_problem
from core.memory.items.reading import ITEMS
from core.memory.items.records import ActionTaken, AnswerRecord, Authority, ToolRun
from core.store.items import Outcome
from core.store.scope import ScopedTruth
from core.store.truth import Change, DuplicateError, Json, Sorted, Truth, Update
from core.store.typed_collection import TypedCollection, records_of

ANSWERS = "memory_answers"


class Answers:
    """Stores one record per answer, under the id of the answer's message."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        await self._truth.collection(ANSWERS).ensure(
            sort=[Sorted(("user_id", "conversation_id", "created_at")), Sorted(("outcome", "learned"))]
        )

    async def remember(self, record: AnswerRecord) -> AnswerRecord:
        """Store a record and count its memories as retrieved. A repeated call adds missing values (a model's tool may
        have recorded the answer before it was complete), and counts nothing twice."""
        try:
            await self._of(record.user_id).insert(record)
        except DuplicateError:
            return await self._completed(record)
        await self._count_retrievals(record.user_id, record.positions, record.created_at)
        return record

    async def get(self, user_id: str, answer_id: str) -> AnswerRecord | None:
        return await self._of(user_id).get(answer_id)

    async def known(self, user_id: str, answer_id: str) -> AnswerRecord:
        """The answer's record. Raises ``PalimpsestError`` ("not_found") when this user has no such answer."""
        record = await self.get(user_id, answer_id)
        if record is None:
            raise fail("not_found", "memory.recording.no_answer")
        return record

    async def of_conversation(self, user_id: str, conversation_id: str, limit: int) -> list[AnswerRecord]:
        """A conversation's answers, the newest first."""
        wanted = {"conversation_id": conversation_id}
        return await self._of(user_id).find(wanted, sort=[("created_at", -1)], limit=limit)

    async def add_action(self, user_id: str, answer_id: str, run: ToolRun | ActionTaken) -> bool:
        """Add an action to an answer's record; returns whether the answer exists."""
        field = "tool_runs" if isinstance(run, ToolRun) else "actions"
        change = Change(push={field: run.model_dump(mode="json")})
        return await self._of(user_id).update(answer_id, change) is not None

    async def close(
        self, user_id: str, answer_id: str, outcome: Outcome, authority: Authority, used: list[str] | None
    ) -> None:
        """Store the effective outcome; ``used`` are the memories it applies to, and ``None`` leaves the stored list
        unchanged."""
        fields: Json = {"outcome": outcome, "authority": authority}
        if used is not None:
            fields["used"] = [*used]
        await self._of(user_id).update(answer_id, Change(set=fields))

    async def _completed(self, record: AnswerRecord) -> AnswerRecord:
        known = await self.get(record.user_id, record.id)
        if known is None:
            raise PalimpsestError(general_problem("not_found"), "the answer belongs to another user")
        fresh = [each for each in record.positions if each not in known.positions]
        update = {
            "positions": [*known.positions, *fresh],
            "used": record.used if record.used is not None else known.used,
            "rests_on": record.rests_on or known.rests_on,
            "cited": record.cited or known.cited,
            "tiers": {**known.tiers, **record.tiers},
            "actions": record.actions or known.actions,
            "tool_runs": record.tool_runs or known.tool_runs,
            "concepts": list(dict.fromkeys([*known.concepts, *record.concepts])),
        }
        merged = known.model_copy(update=update)
        change = merged.model_dump(mode="json", include=set(update))
        await self._of(record.user_id).update(record.id, Change(set=change))
        await self._count_retrievals(record.user_id, fresh, record.created_at)
        return merged

    async def _count_retrievals(self, user_id: str, memory_ids: list[str], now: float) -> None:
        change = Change(inc={"stats.retrieved": 1}, set={"stats.last_retrieved_at": now})
        items = ScopedTruth(self._truth, user_id).collection(ITEMS)
        await items.bulk([Update(each, change) for each in memory_ids])

    def _of(self, user_id: str) -> TypedCollection[AnswerRecord]:
        return records_of(self._truth, user_id, ANSWERS, AnswerRecord)
