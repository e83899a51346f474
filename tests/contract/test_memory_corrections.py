"""Tests the store of corrections on both record stores."""

from __future__ import annotations

from core.memory.corrections.records import Correction, Pin
from core.memory.corrections.store import CORRECTIONS, Corrections, correction_id
from core.store.truth import Truth

PIN = Pin(document_id="doc_1", item_id="mem_1", quote="28 days")


def correction(answer: str, question: str, value: str, at: float, user: str = "ada") -> Correction:
    return Correction(
        id=correction_id(answer), user_id=user, answer_id=answer, question=question, value=value, pin=PIN, created_at=at
    )


async def test_a_correction_replaces_the_one_of_the_same_question_of_its_user_only(truth: Truth) -> None:
    store = Corrections(truth)
    await store.ensure()
    await store.put(correction("a1", "How long?", "28 days", 1.0))
    await store.put(correction("a2", "How much?", "4,350 pounds", 2.0))
    await store.put(correction("b1", "How long?", "35 days", 3.0, "ben"))
    await store.put(correction("a3", "how  long", "30 days", 4.0))
    assert [each.value for each in await store.newest("ada")] == ["30 days", "4,350 pounds"]
    assert [each.value for each in await store.newest("ben")] == ["35 days"]
    assert {each.user_id for each in await store.pinned()} == {"ada", "ben"}
    assert not await store.remove("ben", "a2")
    assert await store.remove("ada", "a2")
    assert await store.of_answer("ada", "a2") is None
    assert await truth.collection(CORRECTIONS).count() == 2
